import * as Effect from "effect/Effect"
import type { Predictions, Tally } from "../../record/Predictions.ts"
import type { FootballMethods } from "./Football.ts"
import { trained } from "./Model.ts"
import type { Games } from "./providers.ts"

export const attribution = "Data: nflverse (github.com/nflverse), CC BY 4.0; schedules and lines: Lee Sharpe, nfldata."

const statusOf = ({ scored, pending }: Tally): string =>
  scored > 0 ? "scoring" : pending > 0 ? "awaiting_results" : "no_predictions"

/** The performance endpoint: the backtest as it was computed in training, and the predictions scored since. */
export const performanceOver = (
  games: Games["Type"],
  predictions: Predictions["Type"],
): FootballMethods["performance"] => {
  const { model_version, trained_at, backtest_holdout, inputs } = trained
  return () =>
    Effect.map(predictions.tally("football"), (tally) => ({
      results: {
        model_version,
        trained_at,
        backtest_holdout,
        live: {
          predictions_scored: tally.scored,
          games_pending: tally.pending,
          status: statusOf(tally),
          scores: tally.means,
        },
        inputs,
        attribution,
      },
      reasoning: [
        `Took the backtest of model ${model_version} on ${backtest_holdout.games} games that no constant was chosen on.`,
        `Added up the record: ${tally.scored} games scored, ${tally.pending} pending.`,
      ],
      citations: [
        ...inputs.map(({ name, sha256 }) => ({ step: 1, source: name, locator: `sha256:${sha256}` })),
        { step: 2, source: "track record", locator: "predictions/football" },
      ],
      confidence: { score: 1, label: "settlement", factors: ["computed from named data"] },
      links: [],
      freshness: games.freshness,
    }))
}

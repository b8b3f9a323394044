import type { Pending, TrackRecord } from "../../record/captures/Outcomes.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { recordedConfidence } from "../confidence.ts"
import { calledOffAfter } from "./data/calendar.ts"
import { seasonOf } from "./data/Game.ts"
import { endpoints, type FootballMethods } from "./endpoints.ts"
import { trained } from "./model/Model.ts"
import type { Games, League } from "./ports.ts"

export const attribution = "Data: nflverse (github.com/nflverse), CC BY 4.0; schedules and lines: Lee Sharpe, nfldata."

const statusOf = (scored: number, pending: number): string =>
  scored > 0 ? "scoring" : pending > 0 ? "awaiting_results" : "no_predictions"

/** Whether a predicted game can be scored: scheduled, predicted before its current kickoff, final or not yet called off. */
const isAwaited =
  ({ seasons, checkedAt }: League) =>
  ({ subject, firstAt }: Pending): boolean => {
    const season = seasons.find((one) => one.season === seasonOf(subject))
    const record = season?.records.find(({ game }) => game.id === subject)
    if (season === undefined || record === undefined || firstAt >= record.kickoffAt) return false
    return record.game.score !== undefined || checkedAt.get(season.season)! < record.kickoffAt + calledOffAfter
  }

/** The performance endpoint: the backtest from training, and the predictions scored since. */
export const performanceOver = (games: Games["Type"], record: TrackRecord["Type"]): FootballMethods["performance"] => {
  const { model_version, trained_at, backtest_holdout, inputs } = trained
  return Step.method(function* () {
    const { scored, means, ...tally } = yield* record.tally("football")
    // Without predictions the league is not read: it may be missing.
    const awaited = tally.pending.length === 0 ? [] : tally.pending.filter(isAwaited(yield* games.league))
    const pending = awaited.length
    const gone = tally.pending.length - pending
    return {
      results: {
        model_version,
        trained_at,
        backtest_holdout,
        live: {
          predictions_scored: scored,
          games_pending: pending,
          games_void: gone,
          status: statusOf(scored, pending),
          scores: means,
        },
        inputs,
        attribution,
      },
      reasoning: [
        `Backtest of model ${model_version} on ${backtest_holdout.games} games on which no constant was chosen.`,
        `Record so far: ${plural(scored, "game")} scored, ${pending} pending, ${gone} withdrawn or called off.`,
      ],
      citations: [
        ...inputs.map(({ name, sha256 }) => ({ step: 1, source: name, locator: `sha256:${sha256}` })),
        { step: 2, source: "track record", locator: endpoints.performance.path },
      ],
      confidence: recordedConfidence(1, `backtest over ${backtest_holdout.games} games`),
      links: [],
      freshness: games.freshness,
    }
  })
}

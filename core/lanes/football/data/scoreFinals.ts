import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../../../Failure.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { type Outcome, Outcomes } from "../../../record/captures/Outcomes.ts"
import { type ForecastScores, scoreForecast } from "../model/score.ts"
import { Games } from "../ports.ts"
import { impliedHomeWin, type MarketLines, parseSeason, type Score } from "./Game.ts"

const RecordedLine = Schema.Struct({ home_margin: Schema.Finite, total: Schema.Finite, win_prob_home: Schema.Finite })

const toScores = (who: string, brier: string, scored: ForecastScores) => ({
  [`mae_${who}`]: Math.abs(scored.marginError),
  ...ifDefined(`total_mae_${who}`, scored.totalError === undefined ? undefined : Math.abs(scored.totalError)),
  ...ifDefined(`su_accuracy_${who}`, scored.winner),
  ...ifDefined(brier, scored.brier),
})

/** Scores a recorded line, and the market's line at the same time, against the final. */
export const scoreLine = (
  { home_margin, total, win_prob_home }: typeof RecordedLine.Type,
  market: MarketLines,
  final: Score,
): Readonly<Record<string, number>> => ({
  ...toScores(
    "model",
    "brier_model_wp",
    scoreForecast({ homeMargin: home_margin, total, winHome: win_prob_home }, final),
  ),
  ...(market.spread === undefined
    ? {}
    : toScores(
        "market",
        "brier_market_devig",
        scoreForecast({ homeMargin: market.spread, total: market.total, winHome: impliedHomeWin(market) }, final),
      )),
})

const isSame = ({ home, away }: Score, outcome: Outcome["outcome"]): boolean =>
  outcome["home_score"] === home && outcome["away_score"] === away

/**
 * Scores captured games against their finals: the last capture before kickoff counts. A corrected final adds a revision;
 * earlier entries of the record never change.
 *
 * @returns the number of new outcomes, corrections included
 */
export const scoreFinals: Effect.Effect<number, Failure, Games | Outcomes> = Effect.gen(function* () {
  const games = yield* Games
  const record = yield* Outcomes
  const now = yield* Clock.currentTimeMillis
  const subjects = yield* record.subjects("football")
  const finals: Array<Outcome> = []
  for (const subject of subjects) {
    const season = yield* games.season(parseSeason(subject))
    const game = season?.records.find(({ game }) => game.id === subject)
    const final = game?.game.score
    if (game === undefined || final === undefined) continue
    const last = yield* record.scorable("football", subject, game.kickoffAt)
    if (last === undefined) continue
    const { captureId, output, market, outcome: previous } = last
    if (previous !== undefined && isSame(final, previous.outcome)) continue
    const line = yield* Effect.orDie(Schema.decodeUnknown(RecordedLine)(output))
    finals.push({
      captureId,
      revision: (previous?.revision ?? 0) + 1,
      at: now,
      outcome: { home_score: final.home, away_score: final.away },
      scores: scoreLine(line, market as MarketLines, final),
    })
  }
  return yield* record.append(finals)
})

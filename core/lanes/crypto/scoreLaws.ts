import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { show } from "../../call/Subject.ts"
import type { Failure } from "../../Failure.ts"
import * as normal from "../../math/normal.ts"
import { crpsStudentT } from "../../math/score.ts"
import * as studentT from "../../math/studentT.ts"
import { type LawJudgement, LawScores, type Rescored } from "../../record/captures/LawScores.ts"
import { iso, minute } from "../../time.ts"
import { captureHorizon } from "./capture.ts"
import { signal, type toOutput } from "./endpoints.ts"
import { signalMinutes } from "./facts.ts"
import { assets } from "./fields.ts"
import { Tape } from "./ports.ts"

type Output = ReturnType<typeof toOutput>

const oneSigmaLevel = normal.cdf(1)

/** Scores a captured distribution, in log returns, by the price at its horizon, US dollars. */
export const judgeLaw = (
  { spot, sigma_ln, nu = Number.POSITIVE_INFINITY, location_ln = 0 }: Omit<Output, "p_above">,
  price: number,
): LawJudgement => {
  const t = studentT.make(nu)
  const scale = sigma_ln / t.quantile(oneSigmaLevel)
  const move = Math.log(price / spot) - location_ln
  // On a tape that never moved all probability is at one price.
  if (scale === 0) return { crps: Math.abs(move), low: Number(move > 0), high: Number(move >= 0) }
  const below = t.cdf(move / scale)
  return { crps: scale * crpsStudentT(t)(move / scale), low: below, high: below }
}

/**
 * Scores the hourly captures of the last week against the tape's close at their horizon, once it is there, and again if the
 * exchange has revised it since. Captures of calls are not scored.
 *
 * @returns the number of scored captures
 */
export const scoreLaws: Effect.Effect<number, Failure, LawScores | Tape> = Effect.gen(function* () {
  const { captures, output, scores, replace } = yield* LawScores
  const { window } = yield* Tape
  const now = yield* Clock.currentTimeMillis
  const targets: Array<Rescored> = []
  for (const asset of assets) {
    const tape = yield* window(asset, signalMinutes)
    if (tape === undefined) continue
    const { closes, lastMinute } = tape
    // The close of a minute is the price at its end.
    const from = (lastMinute - closes.length + 2) * minute
    const outcomes = new Map((yield* scores("crypto", asset, iso(from))).map((one) => [one.target, one.outcome]))
    const subject = show({ _tag: "AssetAhead", asset, horizonMinutes: captureHorizon })
    const ahead = captureHorizon * minute
    const query = { lane: "crypto", endpoint: signal.id, subject }
    for (const { id, at } of yield* captures(query, from - ahead, (lastMinute + 2) * minute - ahead)) {
      const target = iso(at + ahead)
      const outcome = closes[Math.round((at + ahead - from) / minute)]
      if (outcome === undefined || Number.isNaN(outcome) || outcomes.get(target) === outcome) continue
      const { modelVersion, output: law } = yield* output(id)
      const identity = {
        instrument: asset,
        target,
        variable: "price",
        lead: captureHorizon,
        captureId: id,
        modelVersion,
        outcome,
      }
      targets.push({ instrument: asset, target, scores: [{ ...identity, ...judgeLaw(law as Output, outcome) }] })
    }
  }
  yield* replace("crypto", targets, now)
  return targets.length
})

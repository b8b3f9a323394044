import type { Service } from "../../../core/endpoint/Port.ts"
import { recordDays } from "../../../core/lanes/lawRecord.ts"
import * as normal from "../../../core/math/normal.ts"
import { crpsNormal } from "../../../core/math/score.ts"
import type { LawRecord, LawScore } from "../../../core/record/captures/LawScores.ts"
import * as Step from "../../../core/Step.ts"
import { day, dayOf, iso } from "../../../core/time.ts"
import { normal as drawn } from "./hash.ts"

/** A normal law of every target. */
interface SimulatedLaw extends Pick<LawScore, "lead" | "variable"> {
  /** Standard deviation, in the unit of the outcome. */
  readonly scale: number
}

/**
 * A simulated record of correct laws: outcomes are drawn from them, the same on every run.
 *
 * @param every milliseconds from target to target; targets are days if this is a day, else instants
 */
export const simulatedLaws = (every: number, laws: ReadonlyArray<SimulatedLaw>): Service<LawRecord> => {
  const today = () => Step.map(Step.now, (now) => Math.floor(now / day) * day)
  return {
    freshness: "mock",
    newest: Step.method(function* () {
      return { at: yield* today(), rows: recordDays }
    }),
    scores: Step.method(function* (instrument: string, first: string) {
      const end = yield* today()
      const scores: Array<LawScore> = []
      for (let at = Date.parse(first); at < end; at += every) {
        const target = every === day ? dayOf(at) : iso(at)
        for (const { variable, lead, scale } of laws) {
          const z = drawn(instrument, target, variable, lead)
          const below = normal.cdf(z)
          scores.push({
            ...{ instrument, target, variable, lead, captureId: "demo", modelVersion: "demo", outcome: scale * z },
            ...{ crps: scale * crpsNormal(z), low: below, high: below },
          })
        }
      }
      return scores
    }),
  }
}

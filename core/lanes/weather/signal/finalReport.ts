import { certain, mixture } from "../../../math/discrete.ts"
import { windowOf } from "../../../math/discretise.ts"
import type { Corrections } from "./calibration.ts"
import { type ExtremeDistribution, round2 } from "./extremes.ts"

/** Before a station has an archive: one final report in a hundred is corrected. */
const prior = { days: 100, changed: 1 } as const
/** Distance of corrections from the first value, in degrees on either side, with weights: a judgement, not fitted. */
const steps = [
  [1, 0.3],
  [2, 0.13],
  [3, 0.07],
] as const

/** The probability that a final report will be corrected. */
export const correctionRate = ({ days, changed }: Corrections = { days: 0, changed: 0 }): number =>
  (changed + prior.changed) / (days + prior.days)

/**
 * The distribution of an extreme after its final report: 1 − ε on the printed value, ε on the values of a possible correction.
 *
 * @param possible whether the day's observations allow a value
 */
export const finalOf = (
  printed: number,
  corrections: Corrections | undefined,
  possible: (tempF: number) => boolean,
): ExtremeDistribution => {
  const others = steps.flatMap(([away, weight]) => [
    [weight, printed + away] as const,
    [weight, printed - away] as const,
  ])
  const open = others.filter(([, tempF]) => possible(tempF))
  const left = open.length === 0 ? others : open
  const total = left.reduce((sum, [weight]) => sum + weight, 0)
  const rate = correctionRate(corrections)
  const parts = [
    [1 - rate, certain(printed)] as const,
    ...left.map(([weight, tempF]) => [(rate * weight) / total, certain(tempF)] as const),
  ]
  const variance = left.reduce((sum, [weight, tempF]) => sum + ((rate * weight) / total) * (tempF - printed) ** 2, 0)
  const sigma = round2(Math.sqrt(variance))
  const { first, last } = windowOf(printed, sigma)
  return { centre: printed, sigma, degrees: mixture(parts, first, last) }
}

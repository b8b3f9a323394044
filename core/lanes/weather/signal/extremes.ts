import { certain, lesser, mixture, moments } from "../../../math/discrete.ts"
import { type Discrete, windowOf } from "../../../math/discretise.ts"
import type { Calibration, Corrections } from "./calibration.ts"
import type { RunningOfficial } from "./runningExtreme.ts"
import type { Variable } from "./temperature.ts"
import { type TemperatureDistribution, temperatureDistribution, toDegrees } from "./temperatureDistribution.ts"

/** The distribution of one official extreme over whole degrees Fahrenheit. */
export interface ExtremeDistribution {
  /** The centre of the distribution, after bias correction. */
  readonly centre: number
  /** Standard deviation. */
  readonly sigma: number
  readonly degrees: Discrete
}

/** Degrees added on each side to the window around the largest component. */
const margin = 10

/** Rounds degrees and days to hundredths, as published. */
export const round2 = (value: number): number => Math.round(value * 100) / 100

const wideWindow = (centre: number, sigma: number): readonly [first: number, last: number] => {
  const { first, last } = windowOf(centre, sigma)
  return [first - margin, last + margin]
}

/** A mixture; its own centre and spread set the range of degrees. */
const measured = (parts: ReadonlyArray<readonly [weight: number, x: Discrete]>): ExtremeDistribution => {
  let mean = 0
  let square = 0
  for (const [weight, x] of parts) {
    const part = moments(x)
    mean += weight * part.mean
    square += weight * (part.sd ** 2 + part.mean ** 2)
  }
  const centre = round2(mean)
  const sigma = round2(Math.sqrt(Math.max(0, square - mean ** 2)))
  const { first, last } = windowOf(centre, sigma)
  return { centre, sigma, degrees: mixture(parts, first, last) }
}

/** The calibrated distribution of a forecast: centre forecast + bias, calibrated spread. */
export const forecastDistribution = (tempF: number, { bias, sigma, skew }: Calibration): TemperatureDistribution =>
  temperatureDistribution(tempF + bias, sigma, skew)

/** The prediction for a future day, with the distribution's own centre and spread. */
export const fromForecast = (distribution: TemperatureDistribution): ExtremeDistribution => {
  const centre = round2(distribution.mean)
  const sigma = round2(distribution.sigma)
  const { first, last } = windowOf(centre, sigma)
  return { centre, sigma, degrees: toDegrees(distribution, first, last) }
}

/** The distribution of the rest of a day, given the running extreme; undefined when no hour is left. */
export type Rest = ((reached: number) => TemperatureDistribution) | undefined

/**
 * An extreme of a day that has begun: of the high max(R, X), of the low min(R, X), R the running extreme and X that of the
 * rest of the day.
 *
 * @param official the distribution of R
 */
export const conditioned = (variable: Variable, official: RunningOfficial, rest: Rest): ExtremeDistribution => {
  if (rest === undefined) return measured(official.map(([weight, reached]) => [weight, certain(reached)] as const))
  const isHigh = variable === "high"
  const further = isHigh ? Math.max : Math.min
  const rests = official.map(([, reached]) => rest(reached))
  const [, farthest] = official.at(-1)!
  const [first, last] = wideWindow(further(official[0][1], rests[0]!.mean), rests[0]!.sigma)
  const end = further(isHigh ? last : first, farthest)
  return measured(
    official.map(([weight, reached], at) => [
      weight,
      toDegrees(rests[at]!, isHigh ? reached : end, isHigh ? end : reached),
    ]),
  )
}

/**
 * The low of a day without an observation yet: min(A, B), A the morning low and B the evening low, independent given the
 * forecast.
 *
 * @param ahead the distributions of the lows that are still to come; at least one
 */
export const conditionedLow = (ahead: ReadonlyArray<TemperatureDistribution>): ExtremeDistribution => {
  const centre = Math.min(...ahead.map(({ mean }) => mean))
  const [first, last] = wideWindow(centre, Math.max(...ahead.map(({ sigma }) => sigma)))
  return measured([[1, ahead.map((one) => toDegrees(one, first, last)).reduce(lesser)]])
}

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
export const afterFinalReport = (
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

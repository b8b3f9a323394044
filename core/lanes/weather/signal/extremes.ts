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

/** Degrees by which a wide window is larger on each side. */
const margin = 10

/** Rounds degrees and days to hundredths, as published. */
export const round2 = (value: number): number => Math.round(value * 100) / 100

const wideWindow = (centre: number, sigma: number): readonly [first: number, last: number] => {
  const { first, last } = windowOf(centre, sigma)
  return [first - margin, last + margin]
}

/** A mixture over whole degrees; the range of degrees follows from its centre and spread. */
const makeMixture = (parts: ReadonlyArray<readonly [weight: number, x: Discrete]>): ExtremeDistribution => {
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

/** The distribution over whole degrees for a future day. */
export const toExtreme = (distribution: TemperatureDistribution): ExtremeDistribution => {
  const centre = round2(distribution.mean)
  const sigma = round2(distribution.sigma)
  const { first, last } = windowOf(centre, sigma)
  return { centre, sigma, degrees: toDegrees(distribution, first, last) }
}

/** The distribution of the extreme of the rest of a day, given the running extreme; undefined if no hour is left. */
export type Rest = ((reached: number) => TemperatureDistribution) | undefined

/**
 * An extreme of a day that has begun: the high is max(R, X) and the low min(R, X), with R the running extreme and X that of
 * the rest of the day.
 *
 * @param official the distribution of R
 */
export const conditionOnReadings = (variable: Variable, official: RunningOfficial, rest: Rest): ExtremeDistribution => {
  if (rest === undefined) return makeMixture(official.map(([weight, reached]) => [weight, certain(reached)] as const))
  const isHigh = variable === "high"
  const further = isHigh ? Math.max : Math.min
  const rests = official.map(([, reached]) => rest(reached))
  const [, farthest] = official.at(-1)!
  const [first, last] = wideWindow(further(official[0][1], rests[0]!.mean), rests[0]!.sigma)
  const end = further(isHigh ? last : first, farthest)
  return makeMixture(
    official.map(([weight, reached], at) => [
      weight,
      toDegrees(rests[at]!, isHigh ? reached : end, isHigh ? end : reached),
    ]),
  )
}

/**
 * The low of a day without an observation yet: min(A, B), with A the morning low and B the evening low, independent given
 * the forecast.
 *
 * @param ahead the distributions of the lows that are still to come, at least one
 */
export const combineLows = (ahead: ReadonlyArray<TemperatureDistribution>): ExtremeDistribution => {
  const centre = Math.min(...ahead.map(({ mean }) => mean))
  const [first, last] = wideWindow(centre, Math.max(...ahead.map(({ sigma }) => sigma)))
  return makeMixture([[1, ahead.map((one) => toDegrees(one, first, last)).reduce(lesser)]])
}

/** Assumed before a station has an archive: one final report in a hundred is corrected. */
const prior = { days: 100, changed: 1 } as const
/** How far corrections are from the first value, in degrees on either side, with weights: a judgement, not fitted. */
const correctionSteps = [
  [1, 0.3],
  [2, 0.13],
  [3, 0.07],
] as const

export const correctionRate = ({ days, changed }: Corrections = { days: 0, changed: 0 }): number =>
  (changed + prior.changed) / (days + prior.days)

/**
 * The distribution of an extreme after its final report: 1 − ε on the printed value, and ε, the correction rate, on the
 * values of a possible correction.
 *
 * @param possible whether the day's observations allow a value
 */
export const afterFinalReport = (
  printed: number,
  corrections: Corrections | undefined,
  possible: (tempF: number) => boolean,
): ExtremeDistribution => {
  const others = correctionSteps.flatMap(([away, weight]) => [
    [weight, printed + away] as const,
    [weight, printed - away] as const,
  ])
  const open = others.filter(([, tempF]) => possible(tempF))
  const candidates = open.length === 0 ? others : open
  const total = candidates.reduce((sum, [weight]) => sum + weight, 0)
  const rate = correctionRate(corrections)
  const components = [
    [1 - rate, certain(printed)] as const,
    ...candidates.map(([weight, tempF]) => [(rate * weight) / total, certain(tempF)] as const),
  ]
  const variance = candidates.reduce(
    (sum, [weight, tempF]) => sum + ((rate * weight) / total) * (tempF - printed) ** 2,
    0,
  )
  const sigma = round2(Math.sqrt(variance))
  const { first, last } = windowOf(printed, sigma)
  return { centre: printed, sigma, degrees: mixture(components, first, last) }
}

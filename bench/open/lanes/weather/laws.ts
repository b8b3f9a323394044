import * as Schema from "effect/Schema"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import { toExtreme } from "../../../../core/lanes/weather/signal/extremes.ts"
import {
  crpsUnskewed,
  type TemperatureDistribution,
  temperatureDistribution,
} from "../../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { type Discrete, discretise, located, windowOf } from "../../../../core/math/discretise.ts"
import * as normal from "../../../../core/math/normal.ts"
import { crpsNormal, crpsStudentT } from "../../../../core/math/score.ts"
import { make as studentT } from "../../../../core/math/studentT.ts"
import { perObject } from "../../../../core/perObject.ts"

const degrees = Schema.Number.pipe(Schema.between(-300, 300))
const spread = Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(100))

/** A normal law. */
const Normal = Schema.Struct({ mean: degrees, sd: spread })

/** Student's t with a location and a scale. */
const StudentsT = Schema.Struct({
  mean: degrees,
  scale: spread,
  nu: Schema.Number.pipe(Schema.greaterThan(1, { description: "a number above 1, so that there is a mean" })),
})

/** The served law: Student's t with 8 degrees of freedom by mean and standard deviation, two-piece where `skew` is not 0. */
export const Served = Schema.Struct({
  mean: degrees,
  sigma: spread,
  skew: Schema.Number.pipe(Schema.between(-0.9, 0.9)),
})

/** How far the sum of a law may be from 1. */
const sumError = 1e-6
const total = (law: ReadonlyArray<number>): number => law.reduce((sum, p) => sum + p, 0)

/** The probabilities of `first`, `first` + 1, … °F. */
const Whole = Schema.Struct({
  first: Schema.Int.pipe(Schema.between(-300, 300)),
  pmf: Schema.Array(Schema.Number.pipe(Schema.between(0, 1))).pipe(
    Schema.minItems(1),
    Schema.maxItems(600),
    Schema.filter((law) => Math.abs(total(law) - 1) <= sumError || `The probabilities sum to ${total(law)}, not to 1.`),
  ),
})

/** The law of an official extreme, degrees Fahrenheit. */
export const WeatherForecast = Schema.Union(Normal, StudentsT, Served, Whole)
export type WeatherForecast = typeof WeatherForecast.Type

/** Width and number of the integration steps on either side for a skewed law, degrees Fahrenheit. */
const width = 0.05
const steps = 1200

/** ∫ (F(x) − [x ≥ actual])² dx of the served law: closed form without skew, else the midpoint rule. */
export const crpsOf = (law: TemperatureDistribution, actual: number): number => {
  if (law.pivot === law.mean) return crpsUnskewed(law, actual)
  let sum = 0
  for (let at = 0.5; at < steps; at++) {
    sum += law.cdf(actual - at * width) ** 2 + law.sf(actual + at * width) ** 2
  }
  return sum * width
}

/** The parts of a forecast that are scored. */
export interface Law {
  /** By whole degrees: the official value is the nearest one. */
  readonly degrees: Discrete
  /** Continuous ranked probability score; absent for a law that is given by whole degrees. */
  readonly crps?: (actual: number) => number
}

/** The served law of a forecast that has its form. */
export const servedLaw = ({ mean, sigma, skew }: typeof Served.Type): TemperatureDistribution =>
  temperatureDistribution(mean, sigma, skew)

/** The distributions of some degrees of freedom: a model has one or a few. */
const standards = new BoundedMap<number, ReturnType<typeof makeStandard>>(64)
const makeStandard = (nu: number) => {
  const t = studentT(nu)
  return { t, crps: crpsStudentT(t) }
}
const standardOf = (nu: number) => getOrMake(standards, nu, makeStandard)

const wholeLaw = ({ first, pmf: given }: typeof Whole.Type): Law => {
  const pmf = Float64Array.from(given)
  const ge = new Float64Array(pmf.length)
  let sum = 0
  for (let at = pmf.length - 1; at >= 0; at--) {
    sum += pmf[at]!
    ge[at] = Math.min(1, sum)
  }
  return { degrees: { first, pmf, ge } }
}

/** A heavy tail needs a wider window than its scale says. */
const tail = 4

const lawFrom = (forecast: WeatherForecast): Law => {
  if ("pmf" in forecast) return wholeLaw(forecast)
  if ("sigma" in forecast) {
    const law = servedLaw(forecast)
    const scores = new Map<number, number>()
    return {
      degrees: toExtreme(law).degrees,
      crps: (actual) => getOrMake(scores, actual, () => crpsOf(law, actual)),
    }
  }
  const { mean } = forecast
  const isNormal = "sd" in forecast
  const scale = isNormal ? forecast.sd : forecast.scale
  const { standard, score } = isNormal
    ? { standard: normal, score: crpsNormal }
    : { standard: standardOf(forecast.nu).t, score: standardOf(forecast.nu).crps }
  const { first, last } = windowOf(mean, isNormal ? scale : tail * scale)
  return {
    degrees: discretise(located(standard, mean, scale), mean, first, last),
    crps: (actual) => scale * score((actual - mean) / scale),
  }
}

/** Kept with the forecast: each is scored several times, and a skewed law takes a millisecond. */
export const lawOf = perObject(lawFrom)

/** P(at least k). */
export const atLeast = ({ first, ge }: Discrete, k: number): number =>
  k <= first ? 1 : Math.min(1, ge[k - first] ?? 0)

/** P(k). */
export const exactly = ({ first, pmf }: Discrete, k: number): number => pmf[k - first] ?? 0

/** Σ (P(at least k) − [actual ≥ k])²: the ranked probability score in degrees. */
export const rankedScore = (law: Discrete, actual: number): number => {
  const { first, pmf } = law
  const last = Math.max(first + pmf.length - 1, actual)
  let sum = 0
  for (let k = Math.min(first, actual) + 1; k <= last; k++) sum += (atLeast(law, k) - (actual >= k ? 1 : 0)) ** 2
  return sum
}

/** The median, each degree's probability spread evenly over its half degrees on both sides. */
export const medianOf = ({ first, pmf }: Discrete): number => {
  let below = 0
  for (let at = 0; at < pmf.length; at++) {
    if (below + pmf[at]! >= 0.5) return first + at - 0.5 + (0.5 - below) / pmf[at]!
    below += pmf[at]!
  }
  // The sum of a law may be a millionth below 1, never half.
  throw new RangeError("The probabilities sum to less than ½.")
}

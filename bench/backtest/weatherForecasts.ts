import {
  bucketOf,
  calibrationAt,
  type ErrorStats,
  type Published,
  untaughtStation,
} from "../../core/lanes/weather/signal/calibration.ts"
import { forecastDistribution, fromForecast } from "../../core/lanes/weather/signal/extremes.ts"
import { foldDays } from "../../core/lanes/weather/signal/recalibration.ts"
import { leadDays } from "../../core/lanes/weather/signal/temperature.ts"
import type { TemperatureDistribution } from "../../core/lanes/weather/signal/temperatureDistribution.ts"
import { byId, type Station } from "../../core/lanes/weather/stations.ts"
import { type ReliabilityBin, reliability } from "../../core/math/reliability.ts"
import { crpsStudentT, shareWithin, uniformDistance } from "../../core/math/score.ts"
import { studentT8, unitSd } from "../../core/math/studentT8.ts"
import { addDays } from "../../core/time.ts"
import type { ForecastRow } from "./weatherData.ts"

const crps = crpsStudentT(studentT8)
/** Width and number of the integration steps on either side for a skewed distribution, degrees Fahrenheit. */
const width = 0.05
const steps = 1200

/** ∫ (F(x) − [x ≥ actual])² dx: closed form without skew, else the midpoint rule. */
export const crpsOf = (law: TemperatureDistribution, actual: number): number => {
  if (law.pivot === law.mean) {
    const scale = law.sigma * unitSd
    return scale * crps((actual - law.mean) / scale)
  }
  let sum = 0
  for (let at = 0.5; at < steps; at++) {
    sum += law.cdf(actual - at * width) ** 2 + law.sf(actual + at * width) ** 2
  }
  return sum * width
}

/** The first days calibrate and are not scored. */
const skipped = 30
/**
 * Days from a target back to the newest day whose error counts. The archive's forecasts are issued at 12:00 UTC of the
 * day before the target, when the job has the report of the day before that and no later one.
 */
const lag = 2
/** Degrees around the forecast at which ge is compared with the outcome. */
const reach = 6
const bins = 20

/** Scores of one station's forecasts. */
export interface Scores {
  /** Continuous ranked probability score, degrees Fahrenheit. */
  readonly crps: number
  /** Share of the official highs between the quantiles .05 and .95. */
  readonly c90: number
  /** Kolmogorov–Smirnov distance of the probability integral transform from uniform. */
  readonly ks: number
  /** Expected calibration error of ge. */
  readonly ece: number
  readonly reliability: ReadonlyArray<ReliabilityBin>
}

export interface StationScores {
  readonly station: string
  readonly days: number
  readonly first: string
  readonly last: string
  /** With the published prior only. */
  readonly prior: Scores
  /** With each day's error counted as the recalibration job counts it. */
  readonly recalibrated: Scores
}

const tally = () => {
  const table = reliability(bins)
  const transforms: Array<number> = []
  let sum = 0
  return {
    add(station: Station, row: ForecastRow, states: ReadonlyArray<Published>) {
      const lead = leadDays(station, "high", row.day, row.at)
      const law = forecastDistribution(row.forecast, calibrationAt(station, "high", row.day, lead, states))
      sum += crpsOf(law, row.actual)
      transforms.push(law.cdf(row.actual))
      const { first, ge } = fromForecast(law).degrees
      for (let k = Math.round(row.forecast) - reach; k <= Math.round(row.forecast) + reach; k++) {
        const p = k <= first ? 1 : (ge[k - first] ?? 0)
        table.add(Math.min(1, p), row.actual >= k)
      }
    },
    scores: (): Scores => ({
      crps: sum / transforms.length,
      c90: shareWithin(transforms, 0.05, 0.95),
      ks: uniformDistance(transforms),
      ece: table.error(),
      reliability: table.bins(),
    }),
  }
}

/** The recalibration job's update from one row. */
const lessonOf = ({ station, day, at, source, forecast, actual }: ForecastRow, lead: number) => {
  const key = { station, day, variable: "high", bucket: bucketOf(lead) } as const
  return {
    snapshot: { ...key, takenAt: at, forecastF: forecast, source },
    residual: { ...key, productId: day, officialF: actual, residualF: actual - forecast, counted: true },
  }
}

const untaught: ReadonlyArray<Published> = untaughtStation.high

/**
 * Scores one station's day-ahead forecasts in order, each with the information of its time: the served distribution
 * with the served recalibration, compared with the same distribution without it.
 */
export const walkForward = (rows: ReadonlyArray<ForecastRow>, id: string): StationScores => {
  const station = byId.get(id)!
  const own = rows.filter((row) => row.station === id).sort((a, b) => (a.day < b.day ? -1 : 1))
  const [prior, recalibrated] = [tally(), tally()]
  let states: ReadonlyArray<ErrorStats> = untaught.map(({ state }) => state)
  let next = 0
  for (const [index, row] of own.entries()) {
    const newest = addDays(row.day, -lag)
    while (own[next]!.day <= newest) {
      const known = own[next]!
      const lead = leadDays(station, "high", known.day, known.at)
      states = foldDays(station, "high", states, [lessonOf(known, lead)])
      next += 1
    }
    if (index < skipped) continue
    prior.add(station, row, untaught)
    recalibrated.add(
      station,
      row,
      states.map((state) => ({ state, revision: 1 })),
    )
  }
  return {
    station: id,
    days: own.length - skipped,
    first: own[skipped]!.day,
    last: own.at(-1)!.day,
    prior: prior.scores(),
    recalibrated: recalibrated.scores(),
  }
}

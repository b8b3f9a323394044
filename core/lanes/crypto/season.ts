import { day } from "../../time.ts"
import artefact from "./model.json" with { type: "json" }

const quarters: ReadonlyArray<number> = artefact.quarters.flat()

/**
 * Variance per minute by hour, relative to the week's average, in New York time: 0–23 for weekdays, 24–47 for Saturdays and
 * Sundays. Fitted on Binance BTCUSDT five-minute bars, March 2024 to May 2025; it does not change any more.
 */
export const hourlyProfile: ReadonlyArray<number> = [
  0.641, 0.662, 0.73, 0.797, 0.802, 0.759, 0.733, 0.863, 1.407, 2.22, 2.517, 2.126, 1.713, 1.571, 1.562, 1.48, 1.265,
  1.037, 0.859, 0.847, 0.988, 1.014, 0.849, 0.69, 0.383, 0.282, 0.29, 0.317, 0.311, 0.295, 0.318, 0.352, 0.407, 0.505,
  0.569, 0.579, 0.602, 0.611, 0.567, 0.554, 0.655, 0.816, 0.925, 0.986, 1.032, 0.952, 0.781, 0.589,
]

const firstYear = 2007
const lastYear = 2100

/** The hour (since the epoch, UTC) of the nth Sunday of a month at `hour` UTC. */
const toSundayHour = (year: number, month: number, nth: number, hour: number): number => {
  const first = Date.UTC(year, month, 1) / day
  // The epoch was a Thursday.
  return (first + ((10 - (first % 7)) % 7) + 7 * (nth - 1)) * 24 + hour
}

/** New York's daylight time by year: from the second Sunday of March to the first Sunday of November, 2:00 local time. */
const daylightTimes = Array.from({ length: lastYear - firstYear + 1 }, (_, at) => ({
  from: toSundayHour(firstYear + at, 2, 2, 7),
  to: toSundayHour(firstYear + at, 10, 1, 6),
}))

const hoursOfYear = 8765.82

/** Converts whole hours since the epoch from UTC to New York time, by the daylight rule of 2007; outside 2007–2100 without it. */
const toLocalHour = (hour: number): number => {
  // The year may be off by one only around New Year, when both years have standard time.
  const summer = daylightTimes[Math.floor(1970 + hour / hoursOfYear) - firstYear]
  return hour - (summer !== undefined && hour >= summer.from && hour < summer.to ? 4 : 5)
}

/** Sunday is 0. */
const toLocalWeekday = (localHour: number): number => (((Math.floor(localHour / 24) + 4) % 7) + 7) % 7

/** Variance per minute relative to the week's average, the same within a slot of the New York week. */
export interface Season {
  readonly minutesPerSlot: 15 | 60
  /** @param slot whole slots since the epoch, UTC */
  readonly multiplier: (slot: number) => number
}

/**
 * The season of `hourlyProfile`.
 *
 * @example
 * ```ts
 * import { hourlySeason } from "./season.ts"
 *
 * // Monday, 10:00 in New York
 * hourlySeason.multiplier(Date.UTC(2025, 5, 2, 14) / 3_600_000) // 2.517
 * ```
 */
export const hourlySeason: Season = {
  minutesPerSlot: 60,
  multiplier(hour) {
    const local = toLocalHour(hour)
    const weekday = toLocalWeekday(local)
    return hourlyProfile[local - 24 * Math.floor(local / 24) + (weekday === 0 || weekday === 6 ? 24 : 0)]!
  },
}

/** Converts whole quarters of an hour since the epoch, UTC, to the quarter of New York's week, from Sunday on: 0–671. */
export const toQuarterOfWeek = (slot: number): number => {
  const hour = Math.floor(slot / 4)
  const local = toLocalHour(hour)
  return 4 * (24 * toLocalWeekday(local) + local - 24 * Math.floor(local / 24)) + slot - 4 * hour
}

/**
 * The season by weekday and quarter of an hour: 672 means of Binance BTCUSDT five-minute bars, March 2024 to May 2025,
 * relative to the variance of their week and shrunk towards `hourlyProfile` with the weight of 200 bars. `npm run train:crypto`
 * writes them.
 *
 * @example
 * ```ts
 * import { quarterlySeason } from "./season.ts"
 *
 * // Mondays of New York, the quarters before and after the stock market opens
 * const open = Date.UTC(2025, 5, 2, 13, 30) / 900_000
 * quarterlySeason.multiplier(open) / quarterlySeason.multiplier(open - 1) // 2…
 * ```
 */
export const quarterlySeason: Season = { minutesPerSlot: 15, multiplier: (slot) => quarters[toQuarterOfWeek(slot)]! }

/**
 * The mean multiplier of the minutes ahead.
 *
 * @param minute the first of them, minutes since the epoch
 * @param minutes how many, at least 1
 *
 * @example
 * ```ts
 * import { hourlySeason, meanMultiplier } from "./season.ts"
 *
 * // (2.22 + 2.517) / 2
 * meanMultiplier(hourlySeason, Date.UTC(2025, 5, 2, 13, 30) / 60_000, 60) // 2.3685
 * ```
 */
export const meanMultiplier = ({ minutesPerSlot, multiplier }: Season, minute: number, minutes: number): number => {
  const end = minute + minutes
  let sum = 0
  for (let at = minute; at < end; ) {
    const slot = Math.floor(at / minutesPerSlot)
    const next = Math.min(end, (slot + 1) * minutesPerSlot)
    sum += multiplier(slot) * (next - at)
    at = next
  }
  return sum / minutes
}

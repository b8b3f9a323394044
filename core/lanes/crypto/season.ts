import { day } from "../../time.ts"
import artefact from "./model.json" with { type: "json" }

const quarters: ReadonlyArray<number> = artefact.quarters.flat()

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
export const toLocalHour = (hour: number): number => {
  // The year may be off by one only around New Year, when both years have standard time.
  const summer = daylightTimes[Math.floor(1970 + hour / hoursOfYear) - firstYear]
  return hour - (summer !== undefined && hour >= summer.from && hour < summer.to ? 4 : 5)
}

/** Sunday is 0. */
export const toLocalWeekday = (localHour: number): number => (((Math.floor(localHour / 24) + 4) % 7) + 7) % 7

/** Variance per minute relative to the week's average, the same within a slot of the New York week. */
export interface Season {
  readonly minutesPerSlot: 15 | 60
  /** @param slot whole slots since the epoch, UTC */
  readonly multiplier: (slot: number) => number
}

/** Converts whole quarters of an hour since the epoch, UTC, to the quarter of New York's week, from Sunday on: 0–671. */
export const toQuarterOfWeek = (slot: number): number => {
  const hour = Math.floor(slot / 4)
  const local = toLocalHour(hour)
  return 4 * (24 * toLocalWeekday(local) + local - 24 * Math.floor(local / 24)) + slot - 4 * hour
}

/**
 * The season by weekday and quarter of an hour: 672 means of Binance BTCUSDT five-minute bars, March 2024 to May 2025,
 * relative to the variance of their week and shrunk towards the means of their hours with the weight of 200 bars. `npm run train:crypto`
 * writes them.
 */
export const quarterlySeason: Season = { minutesPerSlot: 15, multiplier: (slot) => quarters[toQuarterOfWeek(slot)]! }

/**
 * The mean multiplier of the minutes ahead.
 *
 * @param minute the first of them, minutes since the epoch
 * @param minutes how many, at least 1
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

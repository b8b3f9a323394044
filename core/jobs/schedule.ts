import { day, hour, minute, second } from "../time.ts"

/**
 * The slots of a job: the instants `phase + k · period`. UTC has no daylight saving time and epoch milliseconds have no
 * leap seconds, so hours and days are ordinary periods.
 */
export interface Schedule {
  /** Milliseconds from one slot to the next. */
  readonly period: number
  /** Milliseconds from the epoch to its first slot; 0 ≤ phase < period. */
  readonly phase: number
  /** The schedule in words. */
  readonly text: string
}

const checkInteger = (what: string, value: number, min: number, max: number): void => {
  if (Number.isInteger(value) && value >= min && value <= max) return
  throw new RangeError(`${what} must be an integer from ${min} to ${max}, not ${value}.`)
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/**
 * Every `minutes` minutes, counted from the epoch.
 *
 * @param offsetSeconds delay after the full minute, for upstreams that publish a little late
 *
 * @example
 * ```ts
 * import { every, slotsBetween } from "./schedule.ts"
 *
 * // 00:00:20 and 00:05:20, in epoch milliseconds
 * slotsBetween(every(5, 20), 0, 600_000) // [20000, 320000]
 * ```
 */
export const every = (minutes: number, offsetSeconds = 0): Schedule => {
  checkInteger("minutes", minutes, 1, 7 * 24 * 60)
  checkInteger("offsetSeconds", offsetSeconds, 0, minutes * 60 - 1)
  const often = minutes === 1 ? "every minute" : `every ${minutes} minutes`
  return {
    period: minutes * minute,
    phase: offsetSeconds * second,
    text: offsetSeconds === 0 ? often : `${often}, ${offsetSeconds} s in`,
  }
}

export const hourly = (at: number): Schedule => {
  checkInteger("minute", at, 0, 59)
  return { period: hour, phase: at * minute, text: `hourly at :${twoDigits(at)}` }
}

/**
 * Every day at a time of UTC.
 *
 * @example
 * ```ts
 * import { daily } from "./schedule.ts"
 *
 * daily("06:30").text // "daily at 06:30 UTC"
 * ```
 */
export const daily = (time: string): Schedule => {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time)
  if (match === null) throw new RangeError(`A time of day must be hh:mm, not ${JSON.stringify(time)}.`)
  return { period: day, phase: Number(match[1]) * hour + Number(match[2]) * minute, text: `daily at ${time} UTC` }
}

/** The newest slot that is not after `at`. */
export const lastSlot = ({ period, phase }: Schedule, at: number): number =>
  phase + Math.floor((at - phase) / period) * period

/** The first slot after `at`. */
export const nextSlot = (schedule: Schedule, at: number): number => lastSlot(schedule, at) + schedule.period

/** The slots after `from` up to and including `to`. Of adjoining ranges, each slot is in exactly one. */
export const slotsBetween = (schedule: Schedule, from: number, to: number): ReadonlyArray<number> => {
  const count = Math.max(0, (lastSlot(schedule, to) - lastSlot(schedule, from)) / schedule.period)
  const first = nextSlot(schedule, from)
  return Array.from({ length: count }, (_, n) => first + n * schedule.period)
}

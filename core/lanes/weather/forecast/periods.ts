import type * as DateTime from "effect/DateTime"
import { hour } from "../../../time.ts"
import type { Forecast } from "../fields.ts"
import { offsetsOver, stampAt } from "./localTime.ts"

type Wire = Forecast["periods"][number]

/** One period of a forecast, its ends in epoch milliseconds. */
export type Period = Omit<Wire, "start" | "end"> & { readonly startsAt: number; readonly endsAt: number }

/**
 * The periods that start within `hours` and are not over, in order of time. A period that starts before the previous
 * one's end is a repetition and is dropped.
 */
export const cut = (periods: ReadonlyArray<Period>, now: number, hours: number): ReadonlyArray<Period> => {
  let end = Number.NEGATIVE_INFINITY
  return periods
    .filter(({ startsAt, endsAt }) => startsAt < now + hours * hour && endsAt > now && endsAt > startsAt)
    .sort((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt)
    .filter(({ startsAt, endsAt }) => {
      if (startsAt < end) return false
      end = endsAt
      return true
    })
}

/** The share of the next `hours` that cut periods cover, 0–1. */
export const coverage = (periods: ReadonlyArray<Period>, now: number, hours: number): number => {
  const until = now + hours * hour
  const covered = periods.reduce(
    (sum, { startsAt, endsAt }) => sum + Math.min(endsAt, until) - Math.max(startsAt, now),
    0,
  )
  return Math.min(1, covered / (until - now))
}

/** Ordered periods on the wire, with local start and end times. */
export const onClocks = (periods: ReadonlyArray<Period>, zone: DateTime.TimeZone): ReadonlyArray<Wire> => {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return []
  const offset = offsetsOver(zone, first.startsAt, last.endsAt)
  const stamp = (at: number): string => stampAt(at, offset(at))
  return periods.map(({ startsAt, endsAt, name, ...rest }) => ({
    name,
    start: stamp(startsAt),
    end: stamp(endsAt),
    ...rest,
  }))
}

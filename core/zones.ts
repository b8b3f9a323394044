import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** The zone of an IANA name; undefined for an unknown name. */
export const findZone = (name: string): DateTime.TimeZone | undefined =>
  Option.getOrUndefined(DateTime.zoneMakeNamed(name))

/** Milliseconds by which clocks of a zone are ahead of UTC at an instant, daylight time included. */
export const offsetAt = (zone: DateTime.TimeZone, epochMillis: number): number =>
  DateTime.zonedOffset(DateTime.unsafeMakeZoned(epochMillis, { timeZone: zone }))

/** `2026-07-09T14:00:00`: local time, `offset` milliseconds ahead of UTC. */
export const stampAt = (epochMillis: number, offset: number): string =>
  new Date(epochMillis + offset).toISOString().slice(0, 19)

/**
 * The offsets of a zone over some days. Clocks never change twice within weeks: an offset that is the same at both ends
 * holds throughout, and is looked up twice instead of once per period, which is slow.
 */
export const offsetsOver = (zone: DateTime.TimeZone, from: number, to: number): ((epochMillis: number) => number) => {
  const offset = offsetAt(zone, from)
  return offset === offsetAt(zone, to) ? () => offset : (epochMillis) => offsetAt(zone, epochMillis)
}

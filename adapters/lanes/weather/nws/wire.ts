import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { minute } from "../../../../core/time.ts"
import { misshapen, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import type { Api } from "./api.ts"

const decimal = /^-?\d+(\.\d+)?$/

/** A finite number; old payloads have it as a string. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && decimal.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** Epoch milliseconds of an ISO 8601 time with an offset. */
export const instantOf = (value: unknown): number | undefined => {
  const at = typeof value === "string" && instantForm.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const durationForm = /^P(?:(\d{1,2})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?)?$/

/** `2026-07-09T06:00:00+00:00/PT13H`: a start and a duration. */
export const intervalOf = (value: unknown): { readonly from: number; readonly to: number } | undefined => {
  const [start, duration = ""] = typeof value === "string" ? value.split("/") : []
  const from = instantOf(start)
  const match = durationForm.exec(duration)
  if (from === undefined || match === null) return undefined
  const [days, hours, minutes] = match.slice(1).map((digits) => Number(digits ?? 0)) as [number, number, number]
  const length = ((days * 24 + hours) * 60 + minutes) * minute
  return length > 0 ? { from, to: from + length } : undefined
}

/** Bounds at and beyond the records of the United States (−80 °F and 134 °F). */
const isThinkable = (tempF: number): boolean => tempF >= -80 && tempF <= 140

/** Degrees Fahrenheit, unrounded, of a value in `wmoUnit:degC`, `unit:degF` or plain `C`; undefined for other values. */
export const fahrenheitOf = (value: unknown, unit: unknown): number | undefined => {
  const number = numberOf(value)
  const scale = typeof unit === "string" ? /^(?:.*:deg)?([CF])$/.exec(unit)?.[1] : undefined
  if (number === undefined || scale === undefined) return undefined
  const tempF = scale === "F" ? number : (number * 9) / 5 + 32
  return isThinkable(tempF) ? tempF : undefined
}

const perMph: Readonly<Record<string, number>> = { mph: 1, "km/h": 1.609344, "km_h-1": 1.609344, kt: 0.868976 }

/** Miles per hour of `10 to 15 mph`, the highest of them, or of a quantity `{ unitCode, value, maxValue }`. */
export const windMphOf = (wind: unknown): number | undefined => {
  if (typeof wind === "object" && wind !== null) {
    const { unitCode, value, maxValue } = wind as Readonly<Record<string, unknown>>
    const speed = numberOf(maxValue) ?? numberOf(value)
    const unit = typeof unitCode === "string" ? perMph[unitCode.replace(/^.*:/, "")] : undefined
    return speed === undefined || unit === undefined ? undefined : inRange(Math.round(speed / unit), 0, 300)
  }
  const match = typeof wind === "string" ? /^(?:\d{1,3} to )?(\d{1,3}) (mph|km\/h|kt)$/.exec(wind) : null
  return match === null ? undefined : inRange(Math.round(Number(match[1]) / perMph[match[2]!]!), 0, 300)
}

/** A number within its valid range; otherwise undefined. */
export const inRange = (value: number | undefined, least: number, most: number): number | undefined =>
  value !== undefined && value >= least && value <= most ? value : undefined

/** A list whose elements are parsed one by one. */
export const Rows = Schema.Array(Schema.Unknown)

/** Why a row cannot be read: its field, and the value there. */
export const unreadable = (field: string, value: unknown): string =>
  `${field} is ${(JSON.stringify(value) ?? "absent").slice(0, 60)}`

/** A list may have one bad row, and so many more, as a share; with more its source has changed. */
const mostUnreadable = 0.1

/**
 * Parses a list and counts the unreadable elements, which do not affect the others. Fails when no element is readable, or
 * more than one and a tenth of them are not.
 *
 * @param read an object, or why the row cannot be read
 */
export const readable = <A extends object>(
  api: Api,
  what: string,
  rows: ReadonlyArray<unknown>,
  read: (row: unknown) => A | string,
): Effect.Effect<{ readonly good: ReadonlyArray<A>; readonly skipped: number }, UpstreamError> => {
  const results = rows.map(read)
  const good = results.filter((result): result is A => typeof result !== "string")
  const skipped = results.length - good.length
  const isBad = skipped > 1 && skipped > mostUnreadable * rows.length
  if (skipped === 0 || (good.length > 0 && !isBad)) return Effect.succeed({ good, skipped })
  const reason = results.find((result) => typeof result === "string")
  return Effect.fail(
    misshapen(api.upstream, `${skipped} of ${rows.length} ${what} cannot be read; of the first, ${reason}.`),
  )
}

/** A parser of rows of a schema. */
export const shaped = <A, I>(schema: Schema.Schema<A, I>): ((row: unknown) => A | undefined) => {
  const decode = ParseResult.decodeUnknownEither(schema)
  return (row) => Either.getOrUndefined(decode(row))
}

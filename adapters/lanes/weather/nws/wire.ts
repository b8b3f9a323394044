import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { shown } from "../../../../core/sources/identity.ts"
import { most } from "../../../../core/sources/rows.ts"
import { minute } from "../../../../core/time.ts"

export const publicUrl = "https://api.weather.gov"

/** A finite number; old payloads have it as a string. */
export const asNumber = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** Epoch milliseconds of an ISO 8601 time with an offset. */
export const parseInstant = (value: unknown): number | undefined => {
  const instant = typeof value === "string" && instantForm.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}

const durationForm = /^P(?:(\d{1,2})D)?(?:T(?:(\d{1,3})H)?(?:(\d{1,4})M)?)?$/

/** `2026-07-09T06:00:00+00:00/PT13H`: a start and a duration. */
export const parseInterval = (value: unknown): { readonly from: number; readonly to: number } | undefined => {
  const [start, duration = ""] = typeof value === "string" ? value.split("/") : []
  const from = parseInstant(start)
  const match = durationForm.exec(duration)
  if (from === undefined || match === null) return undefined
  const [days, hours, minutes] = match.slice(1).map((digits) => Number(digits ?? 0)) as [number, number, number]
  const length = ((days * 24 + hours) * 60 + minutes) * minute
  return length > 0 ? { from, to: from + length } : undefined
}

/** Bounds at and beyond the records of the United States (−80 °F and 134 °F). */
const isThinkable = (tempF: number): boolean => tempF >= -80 && tempF <= 140

/** Degrees Fahrenheit, unrounded, of a value in `wmoUnit:degC`, `unit:degF` or plain `C`; undefined for other values. */
export const toFahrenheit = (value: unknown, unit: unknown): number | undefined => {
  const number = asNumber(value)
  const scale = typeof unit === "string" ? /^(?:.*:deg)?([CF])$/.exec(unit)?.[1] : undefined
  if (number === undefined || scale === undefined) return undefined
  const tempF = scale === "F" ? number : (number * 9) / 5 + 32
  return isThinkable(tempF) ? tempF : undefined
}

const perMph: Readonly<Record<string, number>> = { mph: 1, "km/h": 1.609344, "km_h-1": 1.609344, kt: 0.868976 }

/** Miles per hour of `10 to 15 mph`, the highest of them, or of a quantity `{ unitCode, value, maxValue }`. */
export const toMph = (wind: unknown): number | undefined => {
  if (typeof wind === "object" && wind !== null) {
    const { unitCode, value, maxValue } = wind as Readonly<Record<string, unknown>>
    const speed = asNumber(maxValue) ?? asNumber(value)
    const unit = String(unitCode).replace(/^.*:/, "")
    if (speed === undefined || !Object.hasOwn(perMph, unit)) return undefined
    return inRange(Math.round(speed / perMph[unit]!), 0, 300)
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
  `${field} is ${shown(JSON.stringify(value) ?? "absent")}`

/** One bad row, and a tenth of them, may be left out: with more, the service has changed. */
export const mostRows = most(0.1)

const Positions = Schema.Array(Schema.Tuple(Schema.Finite, Schema.Finite))
const Polygon = Schema.Struct({ type: Schema.Literal("Polygon"), coordinates: Schema.Array(Positions) })

/** Where a cell lies; older payloads have its middle beside its outline. */
export const Outline = Schema.Union(Polygon, Schema.Struct({ geometries: Schema.Array(Schema.Unknown) }))

const asPolygon = Schema.is(Polygon)
/** A little more than two cells of 2.5 km, degrees: near the coast a point's cell is beside it. */
const margin = 0.05

export const containsPoint = (
  outline: typeof Outline.Type,
  { lat, lon }: { readonly lat: number; readonly lon: number },
): boolean => {
  const corners = ("geometries" in outline ? outline.geometries.filter(asPolygon) : [outline]).flatMap(
    ({ coordinates: [ring = []] }) => ring,
  )
  const isWithin = (values: ReadonlyArray<number>, value: number) =>
    value >= Math.min(...values) - margin && value <= Math.max(...values) + margin
  return (
    isWithin(
      corners.map(([x]) => x),
      lon,
    ) &&
    isWithin(
      corners.map(([, y]) => y),
      lat,
    )
  )
}

export const shaped = <A, I>(schema: Schema.Schema<A, I>): ((row: unknown) => A | undefined) => {
  const decode = ParseResult.decodeUnknownEither(schema)
  return (row) => Either.getOrUndefined(decode(row))
}

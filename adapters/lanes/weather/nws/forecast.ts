import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import type { Period } from "../../../../core/lanes/weather/forecast/periods.ts"
import { day } from "../../../../core/time.ts"
import { misshapen, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import type { Api } from "./api.ts"
import {
  fahrenheitOf,
  inRange,
  instantOf,
  numberOf,
  Rows,
  readable,
  shaped,
  textOf,
  unreadable,
  windMphOf,
} from "./wire.ts"

/** `GET /gridpoints/{office}/{x},{y}/forecast` and `…/forecast/hourly`; `updated` is the older name of `updateTime`. */
const Wire = Schema.Struct({
  properties: Schema.Struct({
    updateTime: Schema.optional(Schema.Unknown),
    updated: Schema.optional(Schema.Unknown),
    periods: Rows,
  }),
})

/** A period; only the first five fields are required. */
const Row = Schema.Struct({
  startTime: Schema.String,
  endTime: Schema.String,
  isDaytime: Schema.Boolean,
  temperature: Schema.Unknown,
  shortForecast: Schema.String,
  temperatureUnit: Schema.optional(Schema.Unknown),
  name: Schema.optional(Schema.Unknown),
  probabilityOfPrecipitation: Schema.optional(Schema.Unknown),
  windSpeed: Schema.optional(Schema.Unknown),
  windDirection: Schema.optional(Schema.Unknown),
})
const rowOf = shaped(Row)

const Quantity = Schema.Struct({ value: Schema.Unknown, unitCode: Schema.optional(Schema.Unknown) })
const quantityOf = shaped(Quantity)

/** A temperature, with its unit in a second field or, in the newer shape, in the same object. */
const temperatureOf = ({ temperature, temperatureUnit = "F" }: typeof Row.Type): number | undefined => {
  const quantity = quantityOf(temperature)
  return quantity === undefined
    ? fahrenheitOf(temperature, temperatureUnit)
    : fahrenheitOf(quantity.value, quantity.unitCode)
}

const compass = /^[NESW]{1,3}$/
/** Longest valid period: half a day plus a clock change, with a margin. */
const longest = day

/** One period, or why it has no valid time, temperature, weather or chance of precipitation. */
export const periodOf = (value: unknown): Period | string => {
  const row = rowOf(value)
  if (row === undefined) return unreadable("the period", value)
  const [startsAt, endsAt, tempF] = [instantOf(row.startTime), instantOf(row.endTime), temperatureOf(row)]
  if (startsAt === undefined) return unreadable("startTime", row.startTime)
  if (endsAt === undefined || endsAt <= startsAt || endsAt - startsAt > longest) {
    return unreadable("endTime", row.endTime)
  }
  if (tempF === undefined) return unreadable("temperature", row.temperature)
  const direction = textOf(row.windDirection)
  const printed = numberOf(quantityOf(row.probabilityOfPrecipitation)?.value)
  const chance = inRange(printed, 0, 100)
  if (chance !== printed) return unreadable("probabilityOfPrecipitation", printed)
  return {
    startsAt,
    endsAt,
    name: textOf(row.name) ?? "",
    is_day: row.isDaytime,
    temp_f: Math.round(tempF),
    ...ifDefined("precip_pct", chance === undefined ? undefined : Math.round(chance)),
    ...ifDefined("wind_mph_max", windMphOf(row.windSpeed)),
    ...ifDefined("wind_dir", direction !== undefined && compass.test(direction) ? direction : undefined),
    summary: row.shortForecast,
  }
}

export interface Periods {
  readonly updatedAt: number
  readonly periods: ReadonlyArray<Period>
  /** Number of unreadable periods. */
  readonly skipped: number
}

/** A grid cell's half-day or hourly periods. */
export const periods = (api: Api, path: string): Effect.Effect<Periods, UpstreamError> =>
  Effect.gen(function* () {
    const { properties } = yield* api.get(Wire, path, { units: "us" })
    const updatedAt = instantOf(properties.updateTime ?? properties.updated)
    if (updatedAt === undefined) return yield* misshapen(api.upstream, "The forecast has no update time.")
    if (properties.periods.length === 0) return yield* misshapen(api.upstream, "The forecast has no periods.")
    const { good, skipped } = yield* readable(api, "periods", properties.periods, periodOf)
    return { updatedAt, periods: good, skipped }
  })

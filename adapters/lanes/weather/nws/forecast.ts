import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { present } from "../../../../core/endpoint/Field.ts"
import type { Period } from "../../../../core/lanes/weather/forecast/periods.ts"
import { day } from "../../../../core/time.ts"
import type { UpstreamError } from "../../../upstream/upstream.ts"
import type { Api } from "./api.ts"
import {
  fahrenheitOf,
  inRange,
  instantOf,
  misshapen,
  numberOf,
  Rows,
  readable,
  shaped,
  textOf,
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

/** What a period is none without; the rest of it may be missing or bad. */
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

/** A number with its unit beside it or, in the newer shape, inside. */
const temperatureOf = ({ temperature, temperatureUnit = "F" }: typeof Row.Type): number | undefined => {
  const quantity = quantityOf(temperature)
  return quantity === undefined
    ? fahrenheitOf(temperature, temperatureUnit)
    : fahrenheitOf(quantity.value, quantity.unitCode)
}

const compass = /^[NESW]{1,3}$/
/** Half a day with an hour gained or lost, and some. */
const longest = day

/** One period; undefined where its time, temperature or weather cannot be told. */
export const periodOf = (value: unknown): Period | undefined => {
  const row = rowOf(value)
  if (row === undefined) return undefined
  const [startsAt, endsAt, tempF] = [instantOf(row.startTime), instantOf(row.endTime), temperatureOf(row)]
  if (startsAt === undefined || endsAt === undefined || tempF === undefined) return undefined
  if (endsAt <= startsAt || endsAt - startsAt > longest) return undefined
  const direction = textOf(row.windDirection)
  const chance = inRange(numberOf(quantityOf(row.probabilityOfPrecipitation)?.value), 0, 100)
  return {
    startsAt,
    endsAt,
    name: textOf(row.name) ?? "",
    is_day: row.isDaytime,
    temp_f: Math.round(tempF),
    ...present("precip_pct", chance === undefined ? undefined : Math.round(chance)),
    ...present("wind_mph_max", windMphOf(row.windSpeed)),
    ...present("wind_dir", direction !== undefined && compass.test(direction) ? direction : undefined),
    summary: row.shortForecast,
  }
}

export interface Periods {
  readonly updatedAt: number
  readonly periods: ReadonlyArray<Period>
  /** How many could not be read. */
  readonly skipped: number
}

/** A grid cell's half-day or hourly periods. */
export const periods = (api: Api, path: string): Effect.Effect<Periods, UpstreamError> =>
  Effect.gen(function* () {
    const { properties } = yield* api.get(Wire, path, { units: "us" })
    const updatedAt = instantOf(properties.updateTime ?? properties.updated)
    if (updatedAt === undefined) return yield* misshapen(api, "The forecast does not say when it was updated.")
    if (properties.periods.length === 0) return yield* misshapen(api, "The forecast has no periods.")
    const { good, skipped } = yield* readable(api, "periods", properties.periods, periodOf)
    return { updatedAt, periods: good, skipped }
  })

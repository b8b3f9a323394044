import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { type Period, whyImplausiblePeriods } from "../../../../core/lanes/weather/forecast/periods.ts"
import type { PointForecast } from "../../../../core/lanes/weather/ports.ts"
import { makeIdentityCheck } from "../../../../core/sources/identity.ts"
import { rows } from "../../../../core/sources/rows.ts"
import { day } from "../../../../core/time.ts"
import { findZone } from "../../../../core/zones.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import {
  asNumber,
  asText,
  containsPoint,
  inRange,
  mostRows,
  Outline,
  parseInstant,
  Rows,
  shaped,
  toFahrenheit,
  toMph,
  unreadable,
} from "./wire.ts"

/** `GET /gridpoints/{office}/{x},{y}/forecast` and `…/forecast/hourly`; `updated` is the older name of `updateTime`. */
const Wire = Schema.Struct({
  geometry: Outline,
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
const parseRow = shaped(Row)

const Quantity = Schema.Struct({ value: Schema.Unknown, unitCode: Schema.optional(Schema.Unknown) })
const parseQuantity = shaped(Quantity)

/** A temperature, with its unit in a second field or, in the newer shape, in the same object. */
const readTemperature = ({ temperature, temperatureUnit = "F" }: typeof Row.Type): number | undefined => {
  const quantity = parseQuantity(temperature)
  return quantity === undefined
    ? toFahrenheit(temperature, temperatureUnit)
    : toFahrenheit(quantity.value, quantity.unitCode)
}

const compass = /^[NESW]{1,3}$/
/** Longest valid period: half a day plus a clock change, with a margin. */
const longest = day

/** One period, or why it has no valid time, temperature, weather or chance of precipitation. */
export const readPeriod = (value: unknown): Period | string => {
  const row = parseRow(value)
  if (row === undefined) return unreadable("the period", value)
  const [startsAt, endsAt, tempF] = [parseInstant(row.startTime), parseInstant(row.endTime), readTemperature(row)]
  if (startsAt === undefined) return unreadable("startTime", row.startTime)
  if (endsAt === undefined || endsAt <= startsAt || endsAt - startsAt > longest) {
    return unreadable("endTime", row.endTime)
  }
  if (tempF === undefined) return unreadable("temperature", row.temperature)
  const direction = asText(row.windDirection)
  const printed = asNumber(parseQuantity(row.probabilityOfPrecipitation)?.value)
  const chance = inRange(printed, 0, 100)
  if (chance !== printed) return unreadable("probabilityOfPrecipitation", printed)
  return {
    startsAt,
    endsAt,
    name: asText(row.name) ?? "",
    is_day: row.isDaytime,
    temp_f: Math.round(tempF),
    ...ifDefined("precip_pct", chance === undefined ? undefined : Math.round(chance)),
    ...ifDefined("wind_mph_max", toMph(row.windSpeed)),
    ...ifDefined("wind_dir", direction !== undefined && compass.test(direction) ? direction : undefined),
    summary: row.shortForecast,
  }
}

export interface Periods {
  readonly updatedAt: number
  readonly periods: ReadonlyArray<Period>
  readonly skipped: number
  readonly outline: typeof Outline.Type
}

export type Place = PointForecast["location"]

export const cellPath = ({ grid: { office, x, y } }: Place): string => `/gridpoints/${office}/${x},${y}`

interface Asked {
  readonly place: Place
  readonly hourly: boolean
}

const checkIdentity = makeIdentityCheck<Asked, typeof Wire.Type>({
  name: ({ place }) => `The forecast at ${place.lat}, ${place.lon}`,
  says: {
    polygon: ({ geometry }, { place }) => [
      containsPoint(geometry, place) ? "around the point" : "elsewhere",
      "around the point",
    ],
  },
})
const readRows = rows(readPeriod, mostRows)

export const periodsPath = ({ place, hourly }: Asked): string => `${cellPath(place)}/forecast${hourly ? "/hourly" : ""}`

/** A grid cell's half-day or hourly periods; those that contradict its clocks are refused. */
export const periods = Upstream.question(Upstream.readJson(Wire), {
  path: periodsPath,
  query: () => ({ units: "us" }),
  unstated: "The cell: its outline has to hold the point.",
  identity: (wire, asked: Asked, now): Either.Either<Periods, string> =>
    Either.gen(function* () {
      const { properties, geometry: outline } = yield* checkIdentity(wire, asked, now)
      const updatedAt = parseInstant(properties.updateTime ?? properties.updated)
      if (updatedAt === undefined) return yield* Either.left("the forecast has no update time")
      if (properties.periods.length === 0) return yield* Either.left("the forecast has no periods")
      const { good, refused } = yield* readRows(properties.periods)
      const reason = whyImplausiblePeriods(good, findZone(asked.place.timezone)!)
      return reason === undefined
        ? { updatedAt, periods: good, skipped: refused.length, outline }
        : yield* Either.left(reason)
    }),
})

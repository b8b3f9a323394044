import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Extreme, GridForecast } from "../../../../core/lanes/weather/ports.ts"
import { day, hour } from "../../../../core/time.ts"
import { misshapen, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import type { Api } from "./api.ts"
import { fahrenheitOf, instantOf, intervalOf, Rows, readable, shaped, unreadable } from "./wire.ts"

/** One quantity over time; `uom` may be missing where there are no values. */
const Series = Schema.Struct({ uom: Schema.optional(Schema.String), values: Rows })

/** `GET /gridpoints/{office}/{x},{y}`: the raw grid. Equal hours that follow each other are one interval. */
const Wire = Schema.Struct({
  properties: Schema.Struct({
    updateTime: Schema.String,
    temperature: Series,
    maxTemperature: Series,
    minTemperature: Series,
  }),
})
type Series = typeof Series.Type

const Row = Schema.Struct({ validTime: Schema.Unknown, value: Schema.Unknown })
const rowOf = shaped(Row)

/** Longest valid interval; no grid reaches farther. */
const longest = 14 * day

/** An interval with its value, or why it cannot be. */
export const extremeOf =
  (unit: string | undefined) =>
  (value: unknown): Extreme | string => {
    const row = rowOf(value)
    const interval = intervalOf(row?.validTime)
    if (interval === undefined || interval.to - interval.from > longest) return unreadable("validTime", row?.validTime)
    const tempF = fahrenheitOf(row?.value, unit)
    return tempF === undefined ? unreadable("value", [row?.value, unit]) : { ...interval, tempF }
  }

/** Whether an interval has a value: grids have none for hours that are not forecast. */
const hasValue = (value: unknown): boolean => rowOf(value)?.value !== null

/** The valid intervals of a series, in order. */
const extremes = (api: Api, name: string, { uom, values }: Series) =>
  Effect.map(readable(api, `values of ${name}`, values.filter(hasValue), extremeOf(uom)), ({ good }) =>
    [...good].sort((a, b) => a.from - b.from),
  )

/** One temperature for each full hour of the intervals; the first one counts. */
export const hoursOf = (intervals: ReadonlyArray<Extreme>): GridForecast["hourly"] => {
  const hours = new Map<number, number>()
  for (const { from, to, tempF } of intervals) {
    for (let at = from; at < to; at += hour) if (!hours.has(at)) hours.set(at, tempF)
  }
  return [...hours].map(([at, tempF]) => ({ at, tempF })).sort((a, b) => a.at - b.at)
}

/** A cell of the raw grid. A bad value leaves its hour empty; a grid without hours, extremes or update time fails. */
export const grid = (api: Api, path: string): Effect.Effect<GridForecast, UpstreamError> =>
  Effect.gen(function* () {
    const { properties } = yield* api.get(Wire, path)
    const updatedAt = instantOf(properties.updateTime)
    if (updatedAt === undefined) return yield* misshapen(api.upstream, "The grid has no update time.")
    const hourly = hoursOf(yield* extremes(api, "temperature", properties.temperature))
    const maxima = yield* extremes(api, "maxTemperature", properties.maxTemperature)
    const minima = yield* extremes(api, "minTemperature", properties.minTemperature)
    const lacking = [hourly, maxima, minima].findIndex((series) => series.length === 0)
    if (lacking !== -1) {
      const name = ["temperature", "maxTemperature", "minTemperature"][lacking]
      return yield* misshapen(api.upstream, `The grid has no values of ${name}.`)
    }
    return {
      updatedAt,
      hourly,
      maxima,
      minima,
      source: "National Weather Service forecast grid",
      locator: api.address(path),
    }
  })

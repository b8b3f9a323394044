import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Extreme, GridForecast } from "../../../../core/lanes/weather/ports.ts"
import { day, hour } from "../../../../core/time.ts"
import { misshapen, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import type { Api } from "./api.ts"
import { fahrenheitOf, instantOf, intervalOf, Rows, shaped } from "./wire.ts"

/** One quantity over time; `uom` may be missing where there are no values. */
const Series = Schema.Struct({ uom: Schema.optional(Schema.String), values: Rows })

/** `GET /gridpoints/{office}/{x},{y}`: the raw grid. Equal hours that follow each other are one interval. */
const Wire = Schema.Struct({
  properties: Schema.Struct({
    updateTime: Schema.String,
    temperature: Series,
    maxTemperature: Schema.optional(Schema.Unknown),
    minTemperature: Schema.optional(Schema.Unknown),
  }),
})
const seriesOf = shaped(Series)

const Row = Schema.Struct({ validTime: Schema.Unknown, value: Schema.Unknown })
const rowOf = shaped(Row)

/** Longest valid interval; no grid reaches farther. */
const longest = 14 * day

/** The valid intervals of a series, in order. */
export const extremesOf = (series: typeof Series.Type | undefined): ReadonlyArray<Extreme> =>
  (series?.values ?? [])
    .flatMap((value) => {
      const row = rowOf(value)
      const [interval, tempF] = [intervalOf(row?.validTime), fahrenheitOf(row?.value, series?.uom)]
      return interval === undefined || tempF === undefined || interval.to - interval.from > longest
        ? []
        : [{ ...interval, tempF }]
    })
    .sort((a, b) => a.from - b.from)

/** One temperature for each full hour of the intervals; the first one counts. */
export const hoursOf = (intervals: ReadonlyArray<Extreme>): GridForecast["hourly"] => {
  const hours = new Map<number, number>()
  for (const { from, to, tempF } of intervals) {
    for (let at = from; at < to; at += hour) if (!hours.has(at)) hours.set(at, tempF)
  }
  return [...hours].map(([at, tempF]) => ({ at, tempF })).sort((a, b) => a.at - b.at)
}

/** A cell of the raw grid. A bad value leaves its hour empty; a grid without hours or update time fails. */
export const grid = (api: Api, path: string): Effect.Effect<GridForecast, UpstreamError> =>
  Effect.gen(function* () {
    const { properties } = yield* api.get(Wire, path)
    const updatedAt = instantOf(properties.updateTime)
    if (updatedAt === undefined) return yield* misshapen(api.upstream, "The grid has no update time.")
    const hourly = hoursOf(extremesOf(properties.temperature))
    if (hourly.length === 0) return yield* misshapen(api.upstream, "The grid has no temperatures.")
    return {
      updatedAt,
      hourly,
      maxima: extremesOf(seriesOf(properties.maxTemperature)),
      minima: extremesOf(seriesOf(properties.minTemperature)),
      source: "National Weather Service forecast grid",
      locator: api.address(path),
    }
  })

import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { whyImplausibleGrid } from "../../../../core/lanes/weather/forecast/plausibleGrid.ts"
import type { Extreme, GridForecast } from "../../../../core/lanes/weather/ports.ts"
import type { Station } from "../../../../core/lanes/weather/stations.ts"
import { makeIdentityCheck } from "../../../../core/sources/identity.ts"
import { rows } from "../../../../core/sources/rows.ts"
import { day, hour } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { cellPath, type Place } from "./forecast.ts"
import {
  asNumber,
  containsPoint,
  mostRows,
  Outline,
  parseInstant,
  parseInterval,
  publicUrl,
  Rows,
  shaped,
  toFahrenheit,
  unreadable,
} from "./wire.ts"

/** One quantity over time; `uom` may be missing where there are no values. */
const Series = Schema.Struct({ uom: Schema.optional(Schema.String), values: Rows })

/** `GET /gridpoints/{office}/{x},{y}`: the raw grid. Equal hours that follow each other are one interval. */
const Wire = Schema.Struct({
  geometry: Outline,
  properties: Schema.Struct({
    gridId: Schema.optional(Schema.Unknown),
    gridX: Schema.optional(Schema.Unknown),
    gridY: Schema.optional(Schema.Unknown),
    updateTime: Schema.Unknown,
    temperature: Series,
    maxTemperature: Series,
    minTemperature: Series,
  }),
})
type Series = typeof Series.Type

const Row = Schema.Struct({ validTime: Schema.Unknown, value: Schema.Unknown })
const parseRow = shaped(Row)

/** Longest valid interval; no grid reaches further. */
const longest = 14 * day

/** An interval with its value, or why it is unreadable. */
export const readExtreme =
  (unit: string | undefined) =>
  (value: unknown): Extreme | string => {
    const row = parseRow(value)
    const interval = parseInterval(row?.validTime)
    if (interval === undefined || interval.to - interval.from > longest) return unreadable("validTime", row?.validTime)
    const tempF = toFahrenheit(row?.value, unit)
    return tempF === undefined ? unreadable("value", [row?.value, unit]) : { ...interval, tempF }
  }

/** Whether an interval has a value: grids have none for hours that are not forecast. */
const hasValue = (value: unknown): boolean => parseRow(value)?.value !== null

/** The valid intervals of a series, in order. */
const extremes = (name: string, { uom, values }: Series): Either.Either<ReadonlyArray<Extreme>, string> =>
  Either.flatMap(rows(readExtreme(uom), mostRows)(values.filter(hasValue)), ({ good }) =>
    good.length === 0
      ? Either.left(`the grid has no values of ${name}`)
      : Either.right([...good].sort((a, b) => a.from - b.from)),
  )

/** One temperature for each full hour of the intervals; the first one counts. */
export const toHours = (intervals: ReadonlyArray<Extreme>): GridForecast["hourly"] => {
  const hours = new Map<number, number>()
  for (const { from, to, tempF } of intervals) {
    for (let at = from; at < to; at += hour) if (!hours.has(at)) hours.set(at, tempF)
  }
  return [...hours].map(([at, tempF]) => ({ at, tempF })).sort((a, b) => a.at - b.at)
}

interface Asked {
  readonly station: Station
  readonly place: Place
}

const checkIdentity = makeIdentityCheck<Asked, typeof Wire.Type>({
  name: ({ station, place }) => `The grid of ${station.id}, ${cellPath(place)}`,
  says: {
    gridId: ({ properties: { gridId } }, { place }) => [String(gridId), place.grid.office],
    gridX: ({ properties: { gridX } }, { place }) => [asNumber(gridX), place.grid.x],
    gridY: ({ properties: { gridY } }, { place }) => [asNumber(gridY), place.grid.y],
    polygon: ({ geometry }, { station }) => [
      containsPoint(geometry, station.coordinates) ? "around the station" : "elsewhere",
      "around the station",
    ],
  },
})

/**
 * A cell of the raw grid. A bad value leaves its hour empty. A grid without hours, extremes or update time is refused,
 * as is one that contradicts itself or the course of the sun.
 */
export const grid = Upstream.question(Upstream.readJson(Wire), {
  path: ({ place }: Asked) => cellPath(place),
  identity: (wire, asked, now): Either.Either<GridForecast, string> =>
    Either.gen(function* () {
      const { properties } = yield* checkIdentity(wire, asked, now)
      const updatedAt = parseInstant(properties.updateTime)
      if (updatedAt === undefined) return yield* Either.left("the grid has no update time")
      const forecast: GridForecast = {
        updatedAt,
        hourly: toHours(yield* extremes("temperature", properties.temperature)),
        maxima: yield* extremes("maxTemperature", properties.maxTemperature),
        minima: yield* extremes("minTemperature", properties.minTemperature),
        source: "National Weather Service forecast grid",
        locator: `${publicUrl}${cellPath(asked.place)}`,
      }
      const reason = whyImplausibleGrid(forecast, asked.station.coordinates)
      return reason === undefined ? forecast : yield* Either.left(reason)
    }),
})

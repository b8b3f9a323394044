import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../../../../core/Failure.ts"
import { zoneOf } from "../../../../core/lanes/weather/forecast/localTime.ts"
import type { PointForecast } from "../../../../core/lanes/weather/ports.ts"
import { misshapen } from "../../../runtime/upstream/upstream.ts"
import { type Api, failureOf, nowhere } from "./api.ts"
import { numberOf, shaped } from "./wire.ts"

/** `GET /points/{lat},{lon}`: the office and grid cell of a point. */
const Wire = Schema.Struct({
  properties: Schema.Struct({
    gridId: Schema.NullOr(Schema.String),
    gridX: Schema.Unknown,
    gridY: Schema.Unknown,
    timeZone: Schema.Unknown,
    relativeLocation: Schema.optional(Schema.Unknown),
  }),
})

const Town = Schema.Struct({
  properties: Schema.Struct({ city: Schema.NonEmptyString, state: Schema.NonEmptyString }),
})
const townOf = shaped(Town)

export type Place = PointForecast["location"]

/** The grid cell of a point. The coordinates have at most four decimals; more cause a redirect. */
export const place = (api: Api, lat: number, lon: number): Effect.Effect<Place, Failure> =>
  Effect.gen(function* () {
    const { properties } = yield* api.get(Wire, `/points/${lat},${lon}`)
    const { gridId: office, timeZone: timezone } = properties
    const [x, y] = [numberOf(properties.gridX), numberOf(properties.gridY)]
    if (office === null) return yield* nowhere()
    // These values enter the next request's path and must be safe.
    if (!/^[A-Z]{3,4}$/.test(office) || !Number.isSafeInteger(x) || !Number.isSafeInteger(y)) {
      return yield* misshapen(api.upstream, "The point has no grid cell.")
    }
    if (typeof timezone !== "string" || zoneOf(timezone) === undefined) {
      return yield* misshapen(api.upstream, "The point has no time zone.")
    }
    const town = townOf(properties.relativeLocation)?.properties
    const name = town === undefined ? `${lat}, ${lon}` : `${town.city}, ${town.state}`
    return { lat, lon, name, grid: { office, x: x!, y: y! }, timezone }
  }).pipe(Effect.catchTag("UpstreamError", (error) => Effect.fail(failureOf(error, "InvalidPoint"))))

export const cellPath = ({ grid: { office, x, y } }: Place): string => `/gridpoints/${office}/${x},${y}`

import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { makeIdentityCheck } from "../../../../core/sources/identity.ts"
import { findZone } from "../../../../core/zones.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import type { Place } from "./forecast.ts"
import { asNumber, shaped } from "./wire.ts"

/** `GET /points/{lat},{lon}`: the office and grid cell of a point. */
const Wire = Schema.Struct({
  geometry: Schema.optional(Schema.Struct({ coordinates: Schema.Tuple(Schema.Finite, Schema.Finite) })),
  properties: Schema.Struct({
    gridId: Schema.NullOr(Schema.String),
    gridX: Schema.Unknown,
    gridY: Schema.Unknown,
    timeZone: Schema.Unknown,
    relativeLocation: Schema.optional(Schema.Unknown),
  }),
})

const parseTown = shaped(
  Schema.Struct({ properties: Schema.Struct({ city: Schema.NonEmptyString, state: Schema.NonEmptyString }) }),
)

interface Asked {
  readonly lat: number
  readonly lon: number
}

const checkIdentity = makeIdentityCheck<Asked, typeof Wire.Type>({
  name: ({ lat, lon }) => `The cell of ${lat}, ${lon}`,
  says: {
    point: ({ geometry }, { lat, lon }) => {
      const [x, y] = geometry?.coordinates ?? [lon, lat]
      return [`${y}, ${x}`, `${lat}, ${lon}`]
    },
  },
})

/** The grid cell of a point, `"none"` outside of all grids. The coordinates have at most four decimals; more cause a redirect. */
export const point = Upstream.question(Upstream.readJson(Wire), {
  path: ({ lat, lon }: Asked) => `/points/${lat},${lon}`,
  unstated: "The point, where the answer does not repeat it: the outline of the cell that it names has to hold it.",
  identity: (wire, asked, now): Either.Either<Place | "none", string> =>
    Either.gen(function* () {
      const { properties } = yield* checkIdentity(wire, asked, now)
      const { gridId: office, timeZone: timezone } = properties
      const [x, y] = [asNumber(properties.gridX), asNumber(properties.gridY)]
      if (office === null) return "none"
      // These values enter the next request's path and must be safe.
      if (!/^[A-Z]{3,4}$/.test(office) || !Number.isSafeInteger(x) || !Number.isSafeInteger(y)) {
        return yield* Either.left("the point has no grid cell")
      }
      if (typeof timezone !== "string" || findZone(timezone) === undefined) {
        return yield* Either.left("the point has no time zone")
      }
      const town = parseTown(properties.relativeLocation)?.properties
      const name = town === undefined ? `${asked.lat}, ${asked.lon}` : `${town.city}, ${town.state}`
      return { lat: asked.lat, lon: asked.lon, name, grid: { office, x: x!, y: y! }, timezone }
    }),
})

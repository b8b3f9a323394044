import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "../../../../core/Failure.ts"
import type { Feeds } from "../../../../core/feeds/Feeds.ts"
import { onCalls } from "../../../../core/feeds/onCalls.ts"
import { gridFeeds, weatherFeeds } from "../../../../core/lanes/weather/due.ts"
import { zoneOf } from "../../../../core/lanes/weather/forecast/localTime.ts"
import { implausibleGrid } from "../../../../core/lanes/weather/forecast/plausibleGrid.ts"
import { implausiblePeriods } from "../../../../core/lanes/weather/forecast/plausiblePeriods.ts"
import { endsEarly } from "../../../../core/lanes/weather/forecast/reach.ts"
import { Forecasts, type GridForecast, type PointForecast } from "../../../../core/lanes/weather/ports.ts"
import { byId, type Station } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { day, hour, iso, minute } from "../../../../core/time.ts"
import { cacheUpstream } from "../../../runtime/upstream/cacheUpstream.ts"
import { misshapen, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { alerts } from "./alerts.ts"
import * as Api from "./api.ts"
import { type Periods, periods } from "./forecast.ts"
import { grid } from "./grid.ts"
import { numberOf, shaped } from "./wire.ts"

/** `GET /points/{lat},{lon}`: the office and grid cell of a point. */
const PointWire = Schema.Struct({
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

type Place = PointForecast["location"]

/** The grid cell of a point. The coordinates have at most four decimals; more cause a redirect. */
const place = (api: Api.Api, lat: number, lon: number): Effect.Effect<Place, Failure> =>
  Effect.gen(function* () {
    const { properties } = yield* api.get(PointWire, `/points/${lat},${lon}`)
    const { gridId: office, timeZone: timezone } = properties
    const [x, y] = [numberOf(properties.gridX), numberOf(properties.gridY)]
    if (office === null) return yield* Api.nowhere()
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
  }).pipe(Effect.catchTag("UpstreamError", (error) => Effect.fail(Api.failureOf(error, "InvalidPoint"))))

const cellPath = ({ grid: { office, x, y } }: Place): string => `/gridpoints/${office}/${x},${y}`

/** A grid older than this is stale. */
const staleAfter = 12 * hour

interface Dated {
  readonly updatedAt: number
}

const usableUntil = ({ updatedAt }: Dated): number => updatedAt + staleAfter

/** Fails on a stale grid, and on one from the future, which would never become stale. */
const current =
  (api: Api.Api) =>
  <A extends Dated>(found: A): Effect.Effect<A, Failure> =>
    Step.gen(function* () {
      const now = yield* Step.now
      if (found.updatedAt > now + hour)
        return yield* Api.failureOf(misshapen(api.upstream, "The grid is from the future."))
      if (now < usableUntil(found)) return found
      return yield* fail("data_freshness_stale", {
        detail: `The forecast grid was last updated at ${iso(found.updatedAt)}.`,
        ...Api.retryStale,
      })
    })

const source = { source: Api.title }

/** The grid of a station; one that contradicts itself or the sun is refused. */
const stationGrid = (
  api: Api.Api,
  { coordinates }: Station,
  path: string,
): Effect.Effect<GridForecast, UpstreamError> =>
  Effect.flatMap(grid(api, path), (found) => {
    const reason = implausibleGrid(found, coordinates)
    return reason === undefined ? Effect.succeed(found) : misshapen(api.upstream, reason)
  })

/** The periods of a cell; those that contradict its clocks are refused. */
const pointPeriods = (api: Api.Api, timezone: string, path: string): Effect.Effect<Periods, UpstreamError> =>
  Effect.flatMap(periods(api, path), (found) => {
    const reason = implausiblePeriods(found.periods, zoneOf(timezone)!)
    return reason === undefined ? Effect.succeed(found) : misshapen(api.upstream, reason)
  })

/**
 * Point forecasts and the raw grids of stations, fetched on demand and cached for ten minutes. While the weather service
 * fails, the last forecast is served with the flag `last_good` until its grid is twelve hours old; alerts are never older
 * than a minute.
 */
export const layer: Layer.Layer<Forecasts, never, Api.Nws | Feeds> = Layer.effect(
  Forecasts,
  Effect.gen(function* () {
    const api = yield* Api.Nws
    const isCurrent = current(api)
    const report = yield* onCalls
    const places = yield* cacheUpstream(
      (key) => {
        const [lat, lon] = key.split(",").map(Number) as [number, number]
        return report(weatherFeeds.points, place(api, lat, lon))
      },
      { ...source, ttlMs: day, capacity: 4_096, usableUntil: () => Number.POSITIVE_INFINITY },
    )
    const forecasts = yield* cacheUpstream(
      (key) => {
        const [zone = "", path = ""] = key.split(" ")
        return report(
          path.endsWith("/hourly") ? weatherFeeds.hourly : weatherFeeds.forecasts,
          Effect.flatMap(Effect.mapError(pointPeriods(api, zone, path), Api.failureOf), isCurrent),
          (found, now) =>
            endsEarly(
              "forecast",
              found.periods.map(({ endsAt }) => endsAt),
              now,
            ),
        )
      },
      { ...source, ttlMs: 10 * minute, capacity: 512, usableUntil },
    )
    const grids = yield* cacheUpstream(
      (key) => {
        const [id = "", path = ""] = key.split(" ")
        return report(
          gridFeeds.get(id)!,
          Effect.flatMap(Effect.mapError(stationGrid(api, byId.get(id)!, path), Api.failureOf), isCurrent),
          ({ hourly }, now) =>
            endsEarly(
              "grid",
              hourly.map(({ at }) => at),
              now,
            ),
        )
      },
      { ...source, ttlMs: 10 * minute, capacity: 64, usableUntil },
    )
    const listed = yield* cacheUpstream(
      (point) => report(weatherFeeds.alerts, Effect.mapError(alerts(api, point), Api.failureOf)),
      { ...source, ttlMs: minute, capacity: 4_096 },
    )

    return {
      freshness: "live",
      point: Step.method(function* (lat: number, lon: number, hourly: boolean) {
        const { value: location } = yield* places(`${lat},${lon}`)
        const path = `${cellPath(location)}/forecast${hourly ? "/hourly" : ""}`
        const point = `${lat},${lon}`
        const [{ value: found, stale }, { value: list }] = yield* Step.all([
          forecasts(`${location.timezone} ${path}`),
          listed(point),
        ])
        const { updatedAt, periods: all, skipped } = yield* isCurrent(found)
        return {
          location,
          updatedAt,
          periods: all,
          alerts: list.alerts,
          source: "National Weather Service forecast",
          locator: api.address(path),
          alertSource: "National Weather Service active alerts",
          alertLocator: api.address(`/alerts/active?point=${point}`),
          flags: [
            ...(stale ? ["last_good"] : []),
            ...(skipped > 0 ? ["periods_skipped"] : []),
            ...(list.skipped > 0 ? ["alerts_skipped"] : []),
          ],
        }
      }),
      grid: Step.method(function* ({ id, coordinates: { lat, lon } }: Station) {
        const { value: location } = yield* places(`${lat},${lon}`)
        const { value } = yield* grids(`${id} ${cellPath(location)}`)
        return yield* isCurrent(value)
      }),
    }
  }),
)

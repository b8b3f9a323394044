import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import type { Feeds } from "../../../../core/feeds/Feeds.ts"
import { onCalls } from "../../../../core/feeds/onCalls.ts"
import { gridFeeds, weatherFeeds } from "../../../../core/lanes/weather/due.ts"
import { whyTooShort } from "../../../../core/lanes/weather/forecast/plausibleGrid.ts"
import { Forecasts, type GridForecast } from "../../../../core/lanes/weather/ports.ts"
import { byId, type Station } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { day, hour, iso, minute } from "../../../../core/time.ts"
import { type CachedValue, cacheUpstream } from "../../../runtime/upstream/cacheUpstream.ts"
import type * as Upstream from "../../../runtime/upstream/Definition.ts"
import { implausible, misshapen } from "../../../runtime/upstream/upstream.ts"
import { alerts } from "./alerts.ts"
import * as Api from "./api.ts"
import { cellPath, type Periods, type Place, periods, periodsPath } from "./forecast.ts"
import { grid } from "./grid.ts"
import { point } from "./points.ts"
import { containsPoint } from "./wire.ts"

const fetchPlace = (api: Upstream.Source, lat: number, lon: number): Effect.Effect<Place, Failure> =>
  Effect.flatMap(
    Effect.mapError(api.ask(point, { lat, lon }), (error) => Api.toNwsFailure(error, "InvalidPoint")),
    (place) => (place === "none" ? Effect.fail(Api.nowhere()) : Effect.succeed(place)),
  )

const staleAfter = 12 * hour

interface Dated {
  readonly updatedAt: number
}

const usableUntil = ({ updatedAt }: Dated): number => updatedAt + staleAfter

/** Fails on a stale grid, and on one from the future, which would never become stale. */
const current =
  (api: Upstream.Source) =>
  <A extends Dated>(found: A): Effect.Effect<A, Failure> =>
    Step.gen(function* () {
      const now = yield* Step.now
      if (found.updatedAt > now + hour)
        return yield* Api.toNwsFailure(misshapen(api.upstream, "The grid is from the future."))
      if (now < usableUntil(found)) return found
      return yield* fail("data_freshness_stale", {
        detail: `The forecast grid was last updated at ${iso(found.updatedAt)}.`,
        ...Api.retryStale,
      })
    })

const source = { source: Api.title }

/**
 * Reads at the cell of a point. If the cell is gone, the point is looked up again, at most once a minute.
 *
 * @param places the cells of points by `lat,lon`, as last read
 */
const makeReader = (
  places: (key: string) => Effect.Effect<CachedValue<Place>, Failure>,
  again: (lat: number, lon: number) => Effect.Effect<Place, Failure>,
) => {
  const renewed = new BoundedMap<string, { readonly place: Place; readonly askedAt: number }>(points)
  return <A>(lat: number, lon: number, read: (place: Place) => Effect.Effect<A, Failure>) =>
    Step.gen(function* () {
      const key = `${lat},${lon}`
      const { value: cached } = yield* places(key)
      const now = yield* Step.now
      const last = renewed.get(key)
      const place = last !== undefined && now - last.askedAt < day ? last.place : cached
      const first = yield* Step.attempted(read(place))
      if (Either.isRight(first)) return { place, value: first.right }
      if (!Api.isGone(first.left) || (last !== undefined && now - last.askedAt < minute)) return yield* first.left
      const next = yield* again(lat, lon)
      renewed.set(key, { place: next, askedAt: now })
      if (cellPath(next) === cellPath(place)) return yield* first.left
      return { place: next, value: yield* read(next) }
    })
}

const listSources = (api: Upstream.Source, path: string, point: string) => ({
  source: "National Weather Service forecast",
  locator: api.address(path),
  alertSource: "National Weather Service active alerts",
  alertLocator: api.address(`/alerts/active?point=${point}`),
})

const lackingPeriods = ({ periods }: Periods, now: number) => {
  const ends = periods.map(({ endsAt }) => endsAt)
  return whyTooShort("forecast", ends, now)
}
const lackingHours = ({ hourly }: GridForecast, now: number) => {
  const hours = hourly.map(({ at }) => at)
  return whyTooShort("grid", hours, now)
}

/** Cells in memory, by point. */
const points = 4_096

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
        return report(weatherFeeds.points, fetchPlace(api, lat, lon))
      },
      { ...source, ttlMs: day, capacity: points, usableUntil: () => Number.POSITIVE_INFINITY },
    )
    /** A point of each requested cell. */
    const requested = new BoundedMap<string, Place>(points)
    const forecasts = yield* cacheUpstream(
      (key) => {
        const request = { place: requested.get(key)!, hourly: key.endsWith("/hourly") }
        return report(
          request.hourly ? weatherFeeds.hourly : weatherFeeds.forecasts,
          Effect.flatMap(Effect.mapError(api.ask(periods, request), Api.toNwsFailure), isCurrent),
          lackingPeriods,
        )
      },
      { ...source, ttlMs: 10 * minute, capacity: 512, usableUntil },
    )
    const grids = yield* cacheUpstream(
      (key) => {
        const { id, place } = JSON.parse(key) as { readonly id: string; readonly place: Place }
        return report(
          gridFeeds.get(id)!,
          Effect.flatMap(
            Effect.mapError(api.ask(grid, { station: byId.get(id)!, place }), (error) => {
              const failure = Api.toNwsFailure(error)
              return Api.isGone(failure) ? Api.withoutCell(error) : failure
            }),
            isCurrent,
          ),
          lackingHours,
        )
      },
      // The grid of a cell that is gone does not stand in for that of the point's new cell.
      { ...source, ttlMs: 10 * minute, capacity: 64, usableUntil, standsIn: (failure) => !Api.isGone(failure) },
    )
    const listed = yield* cacheUpstream(
      (point) => report(weatherFeeds.alerts, Effect.mapError(api.ask(alerts, point), Api.toNwsFailure)),
      { ...source, ttlMs: minute, capacity: 4_096 },
    )

    const atCell = makeReader(places, (lat, lon) => report(weatherFeeds.points, fetchPlace(api, lat, lon)))
    return {
      freshness: "live",
      point: Step.method(function* (lat: number, lon: number, hourly: boolean) {
        const point = `${lat},${lon}`
        const [{ place, value }, { value: list }] = yield* Step.all([
          atCell(lat, lon, (place) => {
            const key = `${place.timezone} ${periodsPath({ place, hourly })}`
            requested.set(key, place)
            return forecasts(key)
          }),
          listed(point),
        ])
        const { updatedAt, periods: all, skipped, outline } = yield* isCurrent(value.value)
        // The forecast of a cell may have been requested for another of its points.
        if (!containsPoint(outline, place)) {
          return yield* Api.toNwsFailure(implausible(api.upstream, "The outline of the cell does not hold the point"))
        }
        return {
          location: place,
          updatedAt,
          periods: all,
          alerts: list.alerts,
          ...listSources(api, periodsPath({ place, hourly }), point),
          flags: [
            ...(value.stale ? ["last_good"] : []),
            ...(skipped > 0 ? ["periods_skipped"] : []),
            ...(list.skipped > 0 ? ["alerts_skipped"] : []),
          ],
        }
      }),
      grid: Step.method(function* ({ id, coordinates: { lat, lon } }: Station) {
        const read = yield* Step.attempted(atCell(lat, lon, (place) => grids(JSON.stringify({ id, place }))))
        if (Either.isRight(read)) return yield* isCurrent(read.right.value.value)
        if (read.left.code !== "not_found") return yield* read.left
        return yield* report(gridFeeds.get(id)!, Effect.fail(Api.withoutCell(read.left)))
      }),
    }
  }),
)

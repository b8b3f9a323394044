import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Due } from "../../../../core/feeds/Due.ts"
import type { Feeds } from "../../../../core/feeds/Feeds.ts"
import { onCalls } from "../../../../core/feeds/onCalls.ts"
import { mlbFeeds } from "../../../../core/lanes/baseball/due.ts"
import { type Listings, SeasonLines, Slates, type Sourced } from "../../../../core/lanes/baseball/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { plural } from "../../../../core/text.ts"
import { addDays, day, hour, minute } from "../../../../core/time.ts"
import { type CachedValue, cacheUpstream } from "../../../runtime/upstream/cacheUpstream.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { type RequestPolicy, toFailure, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { termsNotAccepted } from "../../LaneModule.ts"
import { mlb } from "./api.ts"
import { batterSeasons } from "./batters.ts"
import { lineUps } from "./boxScore.ts"
import { pitcherLog, seasonLineUntil } from "./pitcher.ts"
import { listings, schedule } from "./schedule.ts"
import { standings } from "./standings.ts"

/** Until when an answer stands in for a newer one that cannot be fetched. */
const usableFor =
  (millis: number) =>
  ({ fetchedAt }: Sourced): number =>
    fetchedAt + millis

const markStale = <A extends Sourced>({ value, stale }: CachedValue<A>): A => ({ ...value, stale: stale })

/** A UTC day and the day before: evening games in America end on the next UTC day. */
const toDates = (date: string) => ({ startDate: addDays(date, -1), endDate: date })

const source = { source: mlb.title }

const makeSlates = (api: Upstream.Source): Effect.Effect<typeof Slates.Service, never, Feeds> =>
  Effect.gen(function* () {
    const report = yield* onCalls
    const reported = (feed: Due, read: Effect.Effect<Listings, UpstreamError>) =>
      report(feed, Effect.mapError(read, toFailure), ({ unreadable }) =>
        unreadable === 0 ? undefined : `${plural(unreadable, "game")} cannot be read.`,
      )
    const kept = { ...source, ttlMs: minute, capacity: 512, usableUntil: usableFor(15 * minute) }
    const around = yield* cacheUpstream((date) => reported(mlbFeeds.schedule, schedule(api, toDates(date))), kept)
    const of = yield* cacheUpstream((gamePk) => reported(mlbFeeds.game, listings(api, gamePk)), kept)
    const posted = yield* cacheUpstream(
      (gamePk) => report(mlbFeeds.lineUps, Effect.mapError(lineUps(api, gamePk), toFailure)),
      kept,
    )
    return {
      freshness: "live",
      around: (date) => Step.map(around(date), markStale),
      of: (gamePk) => Step.map(of(String(gamePk)), markStale),
      lineUps: (gamePk) => Step.map(posted(String(gamePk)), markStale),
    }
  })

const makeLines = (api: Upstream.Source): Effect.Effect<typeof SeasonLines.Service, never, Feeds> =>
  Effect.gen(function* () {
    const report = yield* onCalls
    const fetchStandings = (season: number, before: string | undefined) =>
      report(
        before === undefined ? mlbFeeds.lastStandings : mlbFeeds.standings,
        Effect.mapError(standings(api, season, before), toFailure),
      )
    const usableUntil = usableFor(6 * hour)
    const running = yield* cacheUpstream(
      (key) => {
        const [season, before] = key.split("/")
        return fetchStandings(Number(season), before)
      },
      { ...source, ttlMs: 10 * minute, capacity: 256, usableUntil },
    )
    const whole = yield* cacheUpstream((season) => fetchStandings(Number(season), undefined), {
      ...source,
      ttlMs: day,
      capacity: 32,
      usableUntil: usableFor(30 * day),
    })
    const pitchers = yield* cacheUpstream(
      (key) => {
        const [id, season] = key.split("/").map(Number) as [number, number]
        return report(mlbFeeds.pitchers, Effect.mapError(pitcherLog(api, id, season), toFailure))
      },
      { ...source, ttlMs: 30 * minute, capacity: 2_048, usableUntil },
    )
    const batters = yield* cacheUpstream(
      (key) => {
        const [season, ids] = key.split("/") as [string, string]
        return report(mlbFeeds.batters, Effect.mapError(batterSeasons(api, ids, Number(season)), toFailure))
      },
      { ...source, ttlMs: day, capacity: 256, usableUntil: usableFor(30 * day) },
    )
    return {
      freshness: "live",
      teams: (season, before) =>
        Step.map(before === undefined ? whole(String(season)) : running(`${season}/${before}`), markStale),
      pitcher: (id, season, before) =>
        Step.map(pitchers(`${id}/${season}`), (found) => {
          const { games: _, ...log } = markStale(found)
          return { ...log, season: seasonLineUntil(found.value, before) }
        }),
      batters: (ids, season) => Step.map(batters(`${season}/${ids.join(",")}`), markStale),
    }
  })

/**
 * Schedule, standings and pitching lines from MLB's StatsAPI, fetched on demand and cached: the schedule for a minute,
 * lines for 10 minutes and more. While the service fails, the last answer is served as stale.
 */
export const layer = (
  settings: Upstream.Settings<"mlb">,
  policy: RequestPolicy = {},
): Layer.Layer<Slates | SeasonLines, never, Feeds | HttpClient.HttpClient> =>
  Layer.unwrapEffect(
    Effect.map(Upstream.open(mlb, settings, policy), (api) =>
      Layer.merge(Layer.effect(Slates, makeSlates(api)), Layer.effect(SeasonLines, makeLines(api))),
    ),
  )

const refused = Effect.fail(termsNotAccepted(mlb))

/** Without accepted terms every read fails, without a request. */
export const layerRefused: Layer.Layer<Slates | SeasonLines> = Layer.merge(
  Layer.succeed(Slates, { freshness: "live", around: () => refused, of: () => refused, lineUps: () => refused }),
  Layer.succeed(SeasonLines, {
    freshness: "live",
    teams: () => refused,
    pitcher: () => refused,
    batters: () => refused,
  }),
)

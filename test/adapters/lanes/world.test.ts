import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { afterEach, assert, describe, it } from "@effect/vitest"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { vi } from "vitest"
import { baseball } from "../../../adapters/lanes/baseball/module.ts"
import { crypto } from "../../../adapters/lanes/crypto/module.ts"
import { module as filings } from "../../../adapters/lanes/filings/mod.ts"
import { football } from "../../../adapters/lanes/football/module.ts"
import { markets, sources } from "../../../adapters/lanes/markets/module.ts"
import { weather } from "../../../adapters/lanes/weather/module.ts"
import * as World from "../../../adapters/lanes/world.ts"
import { runOnce } from "../../../adapters/runtime/scheduler/runOnce.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { freshnesses } from "../../../core/endpoint/Answer.ts"
import { LaneSets } from "../../../core/endpoint/LaneSets.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import type { Football } from "../../../core/lanes/football/Football.ts"
import { Games, type Season } from "../../../core/lanes/football/ports.ts"
import { Markets } from "../../../core/lanes/markets/Markets.ts"
import { PricingLanes } from "../../../core/lanes/markets/ports.ts"
import { stations } from "../../../core/lanes/weather/stations.ts"
import * as Step from "../../../core/Step.ts"
import * as App from "../../../services/app.ts"
import { type Settings, worldConfig } from "../../../services/Config.ts"
import { Jobs, layer as jobsOf } from "../../../services/jobs.ts"
import { archiveRoutes, productRoutes } from "../../support/climateUpstreams.ts"
import { clockAt } from "../../support/clock.ts"
import { contract } from "../../support/contracts.ts"
import type { Fault } from "../../support/faults.ts"
import { faults } from "../../support/faults.ts"
import * as lane from "../../support/footballLane.ts"
import { samples, storeOf } from "../../support/footballStore.ts"
import { forecast, grid, nwsRoutes, point } from "../../support/nws.ts"
import { json, type Replay, type Route, replay } from "../../support/replay.ts"
import { settings } from "../../support/running.ts"
import { kalshiStand, listedAt } from "../../support/venues.ts"

/** Gateway, jobs and store of a configuration, put together as the server does it. */
const served = (config: Settings) =>
  jobsOf(config).pipe(Layer.provideMerge(App.gateway(config)), Layer.provideMerge(App.store(config)))

const upstreams = (urls: Partial<Settings["upstreams"]>) => ({ ...settings().upstreams, ...urls })

/** Calls with a live key, which are paid for. */
const paying = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { id } = yield* accounts.create("tester")
  yield* accounts.credit(id, MicroUsd(10_000_000))
  const { plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
  const { call } = yield* Gateway
  return <Id extends keyof typeof catalogue.endpoints>(
    endpoint: Id,
    input: Parameters<typeof call<(typeof catalogue.endpoints)[Id]>>[1],
  ) => call(catalogue.endpoints[endpoint], input, { authorization: `Bearer ${Redacted.value(plaintext)}` })
})

/** Runs a job to its good end, and gives what it said. */
const ran = (name: string) =>
  Effect.gen(function* () {
    const job = (yield* Jobs).find((each) => each.name === name)
    assert.isDefined(job, name)
    const attempt = yield* runOnce(job!)
    assert.deepInclude(attempt, { _tag: "Finished", outcome: "ok" })
    return attempt._tag === "Finished" ? attempt.detail : ""
  })

/** How often each question was asked, by its path and query. */
const asked = ({ requests }: Replay): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const { path, query } of requests) times.set(`${path}?${query}`, (times.get(`${path}?${query}`) ?? 0) + 1)
  return times
}

/**
 * Counts how many answers an upstream owes at once. It keeps all waiting until it owes as many as it may be asked for, and
 * a while longer, in which more would come if they could.
 */
const counting = (upstream: Replay, limit: number) => {
  let [owed, most] = [0, 0]
  let open = () => {}
  const reached = new Promise<void>((resolve) => {
    open = resolve
  })
  const slow: Fault = (good, response) => {
    most = Math.max(most, ++owed)
    if (owed === limit) setTimeout(open, 200)
    void reached.then(() =>
      setTimeout(() => {
        owed--
        faults.none(good, response)
      }, 5),
    )
  }
  upstream.spoil(slow)
  return () => most
}

/** A clock that stands, by which the archive's pause between two requests is over at once. */
const unpaused = (millis: number): Clock.Clock => {
  const clock = clockAt(millis)
  return Object.assign(Object.create(clock), {
    sleep: (duration: Duration.Duration) =>
      clock.sleep(Duration.lessThanOrEqualTo(duration, "250 millis") ? Duration.zero : duration),
  })
}

/** A service whose methods note themselves when they are called. */
const watched =
  (called: Array<unknown>) =>
  <Service extends object>(service: Service): Service =>
    Object.fromEntries(
      Object.entries(service).map(([name, method]) => {
        const watch = (...args: ReadonlyArray<unknown>): unknown => {
          called.push(watch)
          return method(...args)
        }
        return [name, watch]
      }),
    ) as Service

describe("an upstream of a world in live mode", { timeout: 120_000 }, () => {
  it.scopedLive("is asked once for what the lane, the markets' pricing and the forecasts job all want", () => {
    const test = Effect.gen(function* () {
      const nws = yield* replay(nwsRoutes(() => listedAt))
      const kalshi = yield* replay(kalshiStand().routes)
      const config = settings({
        weather: "live",
        markets: "live",
        upstreams: upstreams({ nws: nws.url, kalshi: kalshi.url }),
      })
      yield* Effect.gen(function* () {
        const call = yield* paying
        const { answer } = yield* call("weather_signal", { station: "KNYC", target: "2026-07-12" })
        assert.strictEqual(answer.freshness, "live")
        const forecast = ["/points/40.7789,-73.9692?", "/gridpoints/OKX/34,45?"]
        assert.deepStrictEqual(
          [...asked(nws)],
          [
            [forecast[0], 1],
            [forecast[1], 1],
          ],
        )
        assert.match(yield* ran("markets-quotes"), /^[1-9]\d* contracts priced$/)
        assert.lengthOf(nws.requests, 2)
        assert.match(yield* ran("weather-forecasts"), /^[1-9]\d* new$/)
        const all = asked(nws)
        // The job asks for the cells of the other stations, and for nothing twice.
        assert.lengthOf(
          [...all.keys()].filter((question) => question.startsWith("/points/")),
          stations.length,
        )
        // Here the cells are one: each station has its own grid of it.
        for (const [question, times] of all) {
          assert.strictEqual(times, question.startsWith("/gridpoints/") ? stations.length : 1, question)
        }
      }).pipe(Effect.provide(served(config)))
    })
    return Effect.withClock(test, clockAt(listedAt))
  })

  it.scopedLive("has one limit on requests for lane and jobs together", () => {
    const cell = /^\/gridpoints\/OKX\/\d+,45/
    let cells = 0
    // Every point has a cell of its own, so that no question is another's.
    const own: ReadonlyArray<Route> = [
      {
        path: /^\/points\//,
        reply: () => json({ properties: { ...point.properties, gridX: ++cells } }),
      },
      { path: new RegExp(`${cell.source}/forecast$`), reply: () => json(forecast(listedAt, 12, 14)) },
      {
        path: new RegExp(`${cell.source}$`),
        reply: ({ path }) => json(grid(listedAt, { gridX: Number(/(\d+),/.exec(path)![1]), gridY: 45 })),
      },
    ]
    const test = Effect.gen(function* () {
      const now = () => listedAt
      const nws = yield* replay([...own, ...nwsRoutes(now), ...productRoutes(now)])
      const iem = yield* replay(archiveRoutes(now))
      const [atOnce, atArchive] = [counting(nws, 8), counting(iem, 1)]
      const config = settings({ weather: "live", upstreams: upstreams({ nws: nws.url, iem: iem.url }) })
      yield* Effect.gen(function* () {
        const call = yield* paying
        const calls = [
          ...stations.map(({ id }) => Effect.asVoid(call("weather_settlement", { station: id, day: "2026-02-02" }))),
          ...Array.from({ length: 40 - stations.length }, (_, index) =>
            Effect.asVoid(call("weather_forecast", { lat: 30 + index / 2, lon: -100 })),
          ),
        ]
        assert.lengthOf(calls, 40)
        yield* Effect.all([...calls, ran("weather-forecasts"), ran("weather-reports")], {
          concurrency: "unbounded",
          discard: true,
        })
        const found = (upstream: Replay, path: RegExp) => [...asked(upstream).keys()].filter((one) => path.test(one))
        assert.lengthOf(found(nws, cell), 40)
        assert.lengthOf(found(iem, /^\/json\/cli\.py/), stations.length)
        assert.isAbove(found(nws, /^\/products\//).length, stations.length)
        // Each limit was reached, and neither was passed.
        assert.strictEqual(atOnce(), 8)
        assert.strictEqual(atArchive(), 1)
      }).pipe(Effect.provide(served(config)))
    })
    return Effect.withClock(test, unpaused(listedAt))
  })
})

describe("the football walk of a world", () => {
  /** The module, and how often a season's weeks were read: the walk reads them with every gameday, and nobody else. */
  const counted = () => {
    const reads = { weeks: 0 }
    const seen = new WeakMap<Season, Season>()
    const watched = (season: Season): Season => {
      const known = seen.get(season) ?? {
        ...season,
        get weeks() {
          reads.weeks++
          return season.weeks
        },
      }
      seen.set(season, known)
      return known
    }
    const watching = Layer.effect(
      Games,
      Effect.map(Games, (games) => ({
        ...games,
        league: Effect.map(games.league, (league) => ({ ...league, seasons: league.seasons.map(watched) })),
      })),
    )
    const module: typeof football = {
      ...football,
      live: (own, modes) => Layer.provideMerge(watching, football.live!(own, modes)),
    }
    return { reads, module }
  }

  it.scoped("is gone once for the lane and the markets", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(lane.now)
      const { reads, module } = counted()
      const config = worldConfig(settings({ football: "live", markets: "live" }))
      const world = World.layer(catalogue, [weather, module, baseball, crypto, markets, filings] as const, config)
      const pricing = sources(config.modes, config.settings("markets") as never)
      yield* Effect.gen(function* () {
        const { live, test } = yield* LaneSets
        const line = (set: typeof live) => Step.run(set.get("nfl_fair_line")!({ game_id: "2024_03_LV_KC" }))
        const answer = yield* line(live)
        assert.strictEqual(answer.freshness, "live")
        const walked = reads.weeks
        assert.isAbove(walked, 0)

        const event = "KXNFLGAME-24SEP22LVKC"
        const { price } = yield* PricingLanes
        const { signals, warnings } = yield* price([
          contract({ domain: "nfl", series: "KXNFLGAME", event, ticker: `${event}-KC` }),
        ])
        assert.deepStrictEqual(warnings, [])
        assert.deepStrictEqual(
          signals.map(({ record }) => record.output()),
          [answer.record!.output()],
        )
        assert.strictEqual(reads.weeks, walked)
        // Test keys have a league of their own.
        yield* Effect.exit(line(test))
        assert.strictEqual(reads.weeks, walked)
      }).pipe(
        Effect.provide(
          pricing.pipe(
            Layer.provideMerge(world),
            Layer.provideMerge(FetchHttpClient.layer),
            Layer.provideMerge(storeOf(samples, lane.now)),
          ),
        ),
      )
    }),
  )
})

describe("the lanes of a world", () => {
  afterEach(() => void vi.restoreAllMocks())

  for (const mode of freshnesses) {
    it.scopedLive(`are built once per mode for gateway, jobs and pages together: ${mode}`, () =>
      Effect.gen(function* () {
        const called: Array<unknown> = []
        const made = catalogue.lanes.map(
          ({ name, tag }) =>
            [name, vi.spyOn(tag as typeof Football, "of").mockImplementation(watched(called))] as const,
        )
        const of = { weather: mode, football: mode, baseball: mode, crypto: mode, markets: mode }
        const config = settings(of)
        const context = yield* Layer.build(served(config))
        yield* Effect.provide(App.routes(config), context)
        for (const [name, spy] of made) {
          // A lane that has no live data is one for both kinds of keys.
          assert.strictEqual(spy.mock.results.length, name in of && mode !== "mock" ? 2 : 1, name)
        }
        // What the pages and jobs are given is what live keys are answered by.
        const { live } = Context.get(context, LaneSets)
        const service = Context.get(context, Markets)
        for (const [id, method] of [
          ["markets_edge", service.edge],
          ["markets_performance", service.performance],
        ] as const) {
          live.get(id)!({})
          assert.strictEqual(called.at(-1), method, id)
        }
        assert.strictEqual(made.find(([name]) => name === "markets")![1].mock.results.at(-1)?.value, service)
      }),
    )
  }
})

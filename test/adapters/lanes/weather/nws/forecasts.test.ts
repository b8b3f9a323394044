// Proof: takes about ten seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { title } from "../../../../../adapters/lanes/weather/nws/api.ts"
import type { Failure } from "../../../../../core/Failure.ts"
import { cutToWindow } from "../../../../../core/lanes/weather/forecast/periods.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"
import { faults, isSaid, troubles, withFault } from "../../../../support/faults.ts"
import { cell, forecast, grid, period, point, problem } from "../../../../support/nws.ts"
import { now, type World, within, world } from "../../../../support/nwsWorld.ts"
import { impatient, patient } from "../../../../support/policy.ts"
import { type Fault, json, type Route } from "../../../../support/replay.ts"

const minute = 60_000
const hour = 60 * minute
const knyc = byId.get("KNYC")!

/** The fault of requests whose path fits; the others are answered well. */
const on =
  (path: RegExp, fault: Fault): Fault =>
  (good, response) =>
    (path.test(response.req.url ?? "") ? fault : faults.none)(good, response)

const asks = (...effects: ReadonlyArray<Effect.Effect<unknown, Failure>>) => effects

interface Question {
  readonly name: string
  readonly path: RegExp
  readonly ask: (world: World) => Effect.Effect<unknown, Failure>
  /** Its payload has no numbers. */
  readonly wordsOnly?: boolean
}

const questions: ReadonlyArray<Question> = [
  { name: "a point", path: /^\/points/, ask: (w) => w.forecasts.point(40.7, -74, false) },
  { name: "half days", path: /\/forecast\?/, ask: (w) => w.forecasts.point(40.7, -74, false) },
  { name: "hours", path: /\/hourly/, ask: (w) => w.forecasts.point(40.7, -74, true) },
  { name: "alerts", path: /^\/alerts/, ask: (w) => w.forecasts.point(40.7, -74, false), wordsOnly: true },
  { name: "a raw grid", path: /34,45$/, ask: (w) => w.forecasts.grid(knyc) },
  { name: "observations", path: /^\/stations/, ask: (w) => w.observations.since(knyc, now - 6 * hour) },
]

for (const { name, path, ask, wordsOnly = false } of questions) {
  describe.concurrent(`the weather service, asked for ${name}`, () => {
    const suffered = troubles.filter(([fault]) => !(wordsOnly && (fault === "notANumber" || fault === "infinite")))
    for (const [fault, reason, requests] of suffered) {
      within(
        `is down for a moment and remembered as that, no longer: ${fault}`,
        (made) =>
          Effect.gen(function* () {
            const { nws, clock } = made
            nws.spoil(on(path, faults[fault]))
            const asked = () =>
              nws.requests.filter(({ path: wanted, query }) => path.test(`${wanted}?${query}`) || path.test(wanted))
                .length
            const failure = yield* Effect.flip(ask(made)).pipe(Effect.orDie)
            assert.strictEqual(failure.code, "upstream_unavailable")
            assert.isTrue(isSaid(failure.message, title, reason), failure.message)
            assert.strictEqual(asked(), requests)
            // A crowd does not make it worse, and what was bad is never good.
            nws.spoil()
            yield* Effect.flip(ask(made)).pipe(Effect.orDie)
            assert.strictEqual(asked(), requests)
            clock.set(now + minute + 1)
            yield* ask(made)
            assert.strictEqual(asked(), requests + 1)
          }),
        [],
        reason === "timeout" ? impatient : patient,
      )
    }
  })
}

describe("a grid that is too old", () => {
  const dated = (updateTime: unknown): ReadonlyArray<Route> => [
    { path: /\/forecast/, reply: json(forecast(now, 12, 14, { updateTime })) },
    { path: "/gridpoints/OKX/34,45", reply: json(grid(now, { ...cell(34, 45), updateTime })) },
  ]
  const ages: ReadonlyArray<readonly [what: string, updateTime: unknown, code: string | undefined]> = [
    ["of this minute", new Date(now).toISOString(), undefined],
    ["of nearly twelve hours", new Date(now - 12 * hour + 1).toISOString(), undefined],
    ["of twelve hours", new Date(now - 12 * hour).toISOString(), "data_freshness_stale"],
    ["of days", "2026-07-05T18:00:00+00:00", "data_freshness_stale"],
    ["of an hour ahead, as clocks differ", new Date(now + hour).toISOString(), undefined],
    ["of more than an hour ahead", new Date(now + hour + 1).toISOString(), "upstream_unavailable"],
    ["from tomorrow", "2026-07-10T18:00:00+00:00", "upstream_unavailable"],
    ["without a date", null, "upstream_unavailable"],
    ["with another date", "yesterday", "upstream_unavailable"],
  ]
  for (const [what, updateTime, code] of ages) {
    within(
      `is refused, and one that is not is served: ${what}`,
      ({ forecasts: { point: pointOf, grid: gridOf } }) =>
        Effect.gen(function* () {
          for (const ask of asks(pointOf(40.7, -74, false), gridOf(knyc))) {
            const found = yield* Effect.either(ask)
            assert.strictEqual(found._tag === "Left" ? found.left.code : undefined, code)
            if (code === "data_freshness_stale" && found._tag === "Left") {
              assert.strictEqual(found.left.retryAfterMs, 60_000)
            }
          }
        }),
      dated(updateTime),
    )
  }

  within(
    "is refused while it is remembered, too",
    ({ forecasts: { point: pointOf }, clock }) =>
      Effect.gen(function* () {
        yield* pointOf(40.7, -74, false)
        clock.set(now + 9 * minute)
        const failure = yield* Effect.flip(pointOf(40.7, -74, false)).pipe(Effect.orDie)
        assert.strictEqual(failure.code, "data_freshness_stale")
      }),
    dated(new Date(now - 12 * hour + 5 * minute).toISOString()),
  )

  within("is one that its office let expire", ({ forecasts: { point: pointOf, grid: gridOf }, nws }) =>
    Effect.gen(function* () {
      nws.spoil(on(/gridpoints/, (_, response) => faults.none(problem(503, "ForecastGridExpired"), response)))
      for (const ask of asks(pointOf(40.7, -74, true), gridOf(knyc))) {
        const failure = yield* Effect.flip(ask).pipe(Effect.orDie)
        assert.deepStrictEqual([failure.code, failure.retryAfterMs], ["data_freshness_stale", 60_000])
        assert.notInclude(failure.message, "problems")
      }
    }),
  )
})

describe("a point without a forecast", () => {
  const cases: ReadonlyArray<readonly [what: string, route: Route, code: string]> = [
    ["outside of every grid", { path: /^\/points/, reply: problem(404, "InvalidPoint") }, "not_found"],
    [
      "in no grid",
      { path: /^\/points/, reply: json({ properties: { ...point.properties, gridId: null } }) },
      "not_found",
    ],
    ["at sea", { path: /\/forecast$/, reply: problem(404, "MarineForecastNotSupported") }, "not_found"],
    // Offices have lost cells for an hour, and paths have been mistyped.
    ["in a lost cell", { path: /\/forecast$/, reply: problem(404, "InvalidPoint") }, "upstream_unavailable"],
    ["on another server", { path: /^\/points/, reply: { status: 404, body: "<html></html>" } }, "upstream_unavailable"],
    [
      "that is another kind of problem",
      { path: /^\/points/, reply: problem(400, "BadRequest") },
      "upstream_unavailable",
    ],
  ]
  for (const [what, route, code] of cases) {
    within(
      `is ${code}: ${what}`,
      ({ forecasts: { point: pointOf } }) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(pointOf(40.7, -74, false)).pipe(Effect.orDie)
          assert.strictEqual(failure.code, code)
          if (code === "not_found")
            assert.deepStrictEqual(
              failure.hints?.map(({ field }) => field),
              ["lat", "lon"],
            )
        }),
      [route],
    )
  }

  const bad: ReadonlyArray<readonly [what: string, changes: Readonly<Record<string, unknown>>]> = [
    ["an office that is a path", { gridId: "../alerts" }],
    ["an office in small letters", { gridId: "okx" }],
    ["half a cell", { gridX: 34.5 }],
    ["a cell in words", { gridY: "north" }],
    ["no cell", { gridX: null }],
    ["no zone", { timeZone: null }],
    ["a zone that does not exist", { timeZone: "America/Atlantis" }],
  ]
  for (const [what, changes] of bad) {
    within(
      `is not guessed: ${what}`,
      ({ forecasts: { point: pointOf }, nws }) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(pointOf(40.7, -74, false)).pipe(Effect.orDie)
          assert.isTrue(isSaid(failure.message, title, "shape"), failure.message)
          assert.strictEqual(nws.requests.length, 1)
        }),
      [{ path: /^\/points/, reply: json({ properties: { ...point.properties, ...changes } }) }],
    )
  }

  within(
    "is not one whose town is unknown or whose cell is between quotes",
    ({ forecasts: { point: pointOf } }) =>
      Effect.gen(function* () {
        const { location } = yield* pointOf(40.7, -74, false)
        assert.deepStrictEqual([location.name, location.grid], ["40.7, -74", { office: "OKX", x: 34, y: 45 }])
      }),
    [{ path: /^\/points/, reply: json({ properties: { ...point.properties, gridX: "34", relativeLocation: null } }) }],
  )

  within(
    "is not looked for where a redirect leads: the service declares none",
    ({ forecasts: { point: pointOf } }) =>
      Effect.gen(function* () {
        const { message, cause } = yield* Effect.flip(pointOf(40.5, -75, false)).pipe(Effect.orDie)
        assert.include(message, "(status 301)")
        assert.match(String(cause), /a redirect to \/points\/40.5000,-75.0000/)
      }),
    [{ path: "/points/40.5,-75", reply: { status: 301, headers: { location: "/points/40.5000,-75.0000" }, body: "" } }],
  )
})

describe("a forecast", () => {
  const spoiled = [
    period(now + 2 * hour, 1),
    period(now, 1, { name: "first" }),
    period(now, 1, { name: "first" }),
    period(now + hour, 1, { temperature: null }),
  ]
  within(
    "loses only those of its periods that are bad, and says so",
    ({ forecasts: { point: pointOf } }) =>
      Effect.gen(function* () {
        const found = yield* pointOf(40.7, -74, true)
        const periods = cutToWindow(found.periods, now, 12)
        assert.deepStrictEqual(
          periods.map(({ startsAt }) => (startsAt - now) / hour),
          [0, 2],
        )
        assert.deepStrictEqual(found.flags, ["periods_skipped"])
      }),
    [{ path: /hourly/, reply: json(forecast(now, 1, 1, { periods: spoiled })) }],
  )

  for (const [what, periods] of [
    ["no periods", []],
    ["a tenth of its periods spoiled", [...spoiled, null]],
    ["no period that can be read", [null, {}, period(now, 1, { temperature: null })]],
  ] as const) {
    within(
      `is none with ${what}`,
      ({ forecasts: { point: pointOf } }) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(pointOf(40.7, -74, false)).pipe(Effect.orDie)
          assert.isTrue(isSaid(failure.message, title, "shape"), failure.message)
        }),
      [{ path: /\/forecast$/, reply: json(forecast(now, 12, 1, { periods })) }],
    )
  }

  within("stands in while there is no newer one, with a flag, until its grid is twelve hours old", (made) =>
    Effect.gen(function* () {
      const { forecasts: port, nws, clock } = made
      const [fresh, grids] = [yield* port.point(40.7, -74, false), yield* port.grid(knyc)]
      nws.spoil(on(/gridpoints/, faults.serverError))
      clock.set(now + 11 * minute)
      assert.deepStrictEqual(yield* port.point(40.7, -74, false), { ...fresh, flags: ["last_good"] })
      assert.deepStrictEqual(yield* port.grid(knyc), grids)
      clock.set(fresh.updatedAt + 12 * hour - 1)
      assert.deepStrictEqual((yield* port.point(40.7, -74, false)).flags, ["last_good"])
      clock.set(fresh.updatedAt + 12 * hour + minute)
      for (const ask of asks(port.point(40.7, -74, false), port.grid(knyc))) {
        assert.strictEqual((yield* Effect.flip(ask).pipe(Effect.orDie)).code, "upstream_unavailable")
      }
    }),
  )

  within("has alerts of the last minute or is none", ({ forecasts: port, nws, clock }) =>
    Effect.gen(function* () {
      yield* port.point(40.7, -74, false)
      nws.spoil(on(/alerts/, faults.serverError))
      clock.set(now + minute)
      yield* port.point(40.7, -74, false)
      clock.set(now + minute + 1)
      assert.strictEqual(
        (yield* Effect.flip(port.point(40.7, -74, false)).pipe(Effect.orDie)).code,
        "upstream_unavailable",
      )
    }),
  )

  within("is three requests for a crowd", ({ forecasts: port, nws }) =>
    Effect.gen(function* () {
      yield* Effect.all(
        Array.from({ length: 50 }, () => port.point(40.7, -74, false)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(nws.requests.length, 3)
    }),
  )

  it.scopedLive("of many points is asked for eight at a time", () =>
    Effect.gen(function* () {
      const { nws, clock, forecasts: port } = yield* world()
      let [open, most] = [0, 0]
      nws.spoil((good, response) => {
        open++
        most = Math.max(most, open)
        response.on("close", () => open--)
        withFault.delay(50)(good, response)
      })
      yield* Effect.all(
        Array.from({ length: 24 }, (_, index) => port.point(40 + index / 100, -74, false)),
        { concurrency: "unbounded" },
      ).pipe(Effect.withClock(clock))
      assert.isAtMost(most, 8)
      assert.isAtLeast(most, 4)
    }),
  )

  within(
    "is refused at once where hundreds wait",
    ({ forecasts: port, nws }) =>
      Effect.gen(function* () {
        nws.spoil(faults.hang)
        const asked = yield* Effect.forEach(
          Array.from({ length: 300 }, (_, index) => index),
          (index) => Effect.fork(Effect.flip(port.point(40 + index / 1_000, -74, false))),
        )
        const last = yield* Fiber.join(asked.at(-1)!).pipe(Effect.orDie)
        assert.isTrue(isSaid(last.message, title, "busy"), last.message)
        assert.isAtMost(nws.requests.length, 8)
        yield* Fiber.interruptAll(asked)
      }),
    [],
    // No request is given up while the test lasts: whoever hears of it at all hears of it at once.
    { ...patient, timeoutMs: 3_600_000 },
  )
})

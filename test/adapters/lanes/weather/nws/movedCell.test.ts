import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { byId } from "../../../../../core/lanes/weather/stations.ts"
import { type Fault, faults } from "../../../../support/faults.ts"
import { cell, forecast, grid, point, problem } from "../../../../support/nws.ts"
import { now, within } from "../../../../support/nwsWorld.ts"
import { json, type Payload } from "../../../../support/replay.ts"

const minute = 60_000
const knyc = byId.get("KNYC")!
const gone = problem(404, "MarineForecastNotSupported")
const moved = json({ properties: { ...point.properties, ...cell(36, 46) } })

/** Other answers to the requests whose path fits, the first that does. */
const instead =
  (...answers: ReadonlyArray<readonly [path: RegExp, payload: Payload]>): Fault =>
  (good, response) => {
    const [, payload = good] = answers.find(([path]) => path.test(response.req.url ?? "")) ?? []
    faults.none(payload, response)
  }

describe("a cell that the weather service moved", () => {
  within("is looked for at once: its station and its point are served from the new one", (world) =>
    Effect.gen(function* () {
      const { forecasts, nws, clock } = world
      yield* forecasts.grid(knyc)
      yield* forecasts.point(40.7, -74, false)
      const at = now + 11 * minute
      nws.spoil(
        instead(
          [/^\/points/, moved],
          [/OKX\/36,46$/, json(grid(at))],
          [/OKX\/36,46\/forecast/, json(forecast(at, 12, 14))],
          [/gridpoints/, gone],
        ),
      )
      clock.set(at)
      assert.match((yield* forecasts.grid(knyc)).locator, /OKX\/36,46$/)
      const { location, locator } = yield* forecasts.point(40.7, -74, false)
      assert.deepStrictEqual([location.grid.x, location.grid.y], [36, 46])
      assert.match(locator, /OKX\/36,46\/forecast$/)
      // Neither is asked for again while it is kept.
      const before = nws.requests.length
      yield* forecasts.grid(knyc)
      assert.strictEqual(nws.requests.length, before)
    }),
  )

  within("is the source's failure for a station, and asked for once a minute", ({ forecasts, nws, clock }) =>
    Effect.gen(function* () {
      const points = () => nws.requests.filter(({ path }) => path.startsWith("/points")).length
      nws.spoil(instead([/gridpoints/, gone]))
      for (const [after, asked] of [
        [0, 2],
        [20_000, 2],
        [61_000, 3],
      ] as const) {
        clock.set(now + after)
        const failure = yield* Effect.flip(forecasts.grid(knyc)).pipe(Effect.orDie)
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.isUndefined(failure.hints)
        assert.match(failure.message, /no forecast cell of this station now/)
        assert.strictEqual(points(), asked)
      }
      // The caller of a point chose it.
      const failure = yield* Effect.flip(forecasts.point(40.7, -74, false)).pipe(Effect.orDie)
      assert.strictEqual(failure.code, "not_found")
    }),
  )

  within("is the source's failure where the point itself is said to have none", ({ forecasts, nws }) =>
    Effect.gen(function* () {
      nws.spoil(instead([/points/, problem(404, "InvalidPoint")]))
      const failure = yield* Effect.flip(forecasts.grid(knyc)).pipe(Effect.orDie)
      assert.strictEqual(failure.code, "upstream_unavailable")
    }),
  )

  const others: ReadonlyArray<readonly [what: string, path: RegExp, payload: Payload, reason: RegExp]> = [
    ["a grid of another cell", /34,45$/, json(grid(now, cell(34, 46))), /its gridY is 46, not 45/],
    ["a grid that names no cell", /34,45$/, json(grid(now, { gridX: null })), /its gridX is not stated/],
    [
      "the cell of another point",
      /^\/points/,
      json({ ...point, geometry: { type: "Point", coordinates: [-80, 26] } }),
      /its point is 26, -80, not 40.7789, -73.9692/,
    ],
    [
      "a grid around another point",
      /34,45$/,
      json({
        ...grid(now, cell(34, 45)),
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [-80, 26],
              [-80, 26.02],
              [-80.02, 26],
            ],
          ],
        },
      }),
      /its polygon is elsewhere/,
    ],
  ]
  for (const [what, path, payload, reason] of others) {
    within(`is none with ${what}`, ({ forecasts, nws }) =>
      Effect.gen(function* () {
        nws.spoil(instead([path, payload]))
        assert.match((yield* Effect.flip(forecasts.grid(knyc)).pipe(Effect.orDie)).message, reason)
      }),
    )
  }

  within(
    "is none of another point's forecast, of another point's alerts, or of another station's observations",
    (world) =>
      Effect.gen(function* () {
        const { forecasts, observations, nws, clock } = world
        const alerts = { type: "FeatureCollection", updated: new Date(now).toISOString(), features: [] }
        for (const [lat, path, payload, reason] of [
          [
            40.7,
            /\/forecast\?/,
            json({
              ...forecast(now, 12, 14),
              geometry: {
                type: "Polygon",
                coordinates: [
                  [
                    [-80, 26],
                    [-80, 26.02],
                    [-80.02, 26],
                  ],
                ],
              },
            }),
            /its polygon is elsewhere/,
          ],
          [
            40.8,
            /^\/alerts/,
            json({ ...alerts, title: "Current watches, warnings, and advisories for 26 N, 80 W" }),
            /its point is 26,-80, not 40.8,-74/,
          ],
        ] as const) {
          clock.set(clock.unsafeCurrentTimeMillis() + 2 * minute)
          nws.spoil(instead([path, payload]))
          assert.match((yield* Effect.flip(forecasts.point(lat, -74, false)).pipe(Effect.orDie)).message, reason)
        }
        const foreign = {
          features: [{ properties: { station: "https://api.weather.gov/stations/KMIA", timestamp: null } }],
        }
        nws.spoil(instead([/^\/stations/, json(foreign)]))
        const failure = yield* Effect.flip(observations.since(knyc, now - 60 * minute)).pipe(Effect.orDie)
        assert.match(failure.message, /station is "KMIA", not KNYC/)
      }),
  )
})

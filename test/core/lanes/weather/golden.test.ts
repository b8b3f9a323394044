import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { mock } from "../../../../adapters/lanes/weather/mock/mod.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { digestOf } from "../../../support/digest.ts"

const lane = Weather.layer.pipe(Layer.provide(mock))
/** Before dawn, in the afternoon and late in the evening in the east; in winter and in summer. */
const times = ["2026-01-15T09:10:00Z", "2026-01-15T20:10:00Z", "2026-07-09T17:00:00Z", "2026-07-10T03:40:00Z"]

const each = <A>(ask: (weather: typeof Weather.Service) => Effect.Effect<A>) =>
  Effect.forEach(times, (now) =>
    Effect.zipRight(TestClock.setTime(Date.parse(now)), Effect.flatMap(Weather, ask)).pipe(Effect.provide(lane)),
  )

// A change of these belongs into CHANGELOG.md: users read and tests of the record recompute what was answered.
describe("answers over the generated weather are the same in each release", () => {
  it.effect("signals", () =>
    Effect.gen(function* () {
      const [first, second] = ["2026-01-15", "2026-07-09"]
      const asked = [
        { station: "KNYC" },
        { station: "KLAX" },
        { station: "KDEN", target: first },
        { station: "KMIA", target: second },
        { station: "KAUS", target: "2026-01-17" },
        { station: "KBOS", target: "2026-07-12" },
        { station: "KNYC", target: "2025-07-12" },
      ] as const
      assert.deepStrictEqual(yield* each(({ signal }) => Effect.forEach(asked, (params) => digestOf(signal(params)))), [
        ["e4a21ea3", "0d98a59c", "a1807344", "77842942", "11556ee9", "b290e25b", "8e7fa259"],
        ["aab992ef", "97bdb862", "aaa7398c", "77842942", "9763c32b", "b290e25b", "8e7fa259"],
        ["ff240dbe", "142bd7bf", "fb23828a", "639c8618", "2b5b0cee", "8a593e09", "44581073"],
        ["10121dda", "a1bf522c", "fb23828a", "86cafc43", "2b5b0cee", "42b5e654", "44581073"],
      ])
    }),
  )

  it.effect("settlements and histories", () =>
    Effect.gen(function* () {
      const days = [
        { station: "KNYC" },
        { station: "KLAX", day: "2026-01-14" },
        { station: "KDEN", day: "2026-07-09" },
        { station: "KMDW", day: "2026-07-11" },
        { station: "KMDW", day: "1990-07-11" },
      ] as const
      const spans = [
        { station: "KNYC", start: "2025-12-20", end: "2026-01-20", limit: 50 },
        { station: "KHOU", start: "2026-07-01", end: "2026-07-09", limit: 4 },
        { station: "KHOU", start: "2026-07-09", end: "2026-07-01", limit: 4 },
      ] as const
      assert.deepStrictEqual(
        yield* each(({ settlement, history }) =>
          Effect.all([
            Effect.forEach(days, (params) => digestOf(settlement(params))),
            Effect.forEach(spans, (params) => digestOf(history(params))),
          ]),
        ),
        [
          [
            ["803a584b", "6b7bf1ac", "5e6cf062", "d573aa5e", "69882bb8"],
            ["63ddc31b", "1da8e071", "b4b23dc1"],
          ],
          [
            ["803a584b", "68226f26", "5e6cf062", "d573aa5e", "69882bb8"],
            ["63ddc31b", "1da8e071", "b4b23dc1"],
          ],
          [
            ["6c141194", "68226f26", "5e6cf062", "d573aa5e", "69882bb8"],
            ["aa04b6ca", "c8aaec67", "e5e66ed8"],
          ],
          [
            ["6c141194", "68226f26", "baa4b2c7", "d573aa5e", "69882bb8"],
            ["1659dad3", "df2b8376", "04f7e309"],
          ],
        ],
      )
    }),
  )

  it.effect("forecasts", () =>
    Effect.gen(function* () {
      const points = [
        { lat: 40.78, lon: -73.97, hours: 48, hourly: false },
        { lat: 64.84, lon: -147.72, hours: 168, hourly: true },
        { lat: 25.79, lon: -80.32, hours: 12, hourly: true },
        { lat: 48.86, lon: 2.35, hours: 48, hourly: false },
      ]
      assert.deepStrictEqual(
        yield* each(({ forecast }) => Effect.forEach(points, (params) => digestOf(forecast(params)))),
        [
          ["63d155b8", "6003e8e7", "436be035", "1239be8a"],
          ["75b3bed2", "c52b54d9", "29e060d3", "ad1b1884"],
          ["d81df2b8", "c5aaa95b", "7a8a652a", "76eb91fb"],
          ["0f13ca50", "a5ba698d", "7409cea2", "53ac8cd5"],
        ],
      )
    }),
  )
})

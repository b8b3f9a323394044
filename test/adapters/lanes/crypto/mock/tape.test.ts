import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as mock from "../../../../../adapters/lanes/crypto/mock/tape.ts"
import { Feeds } from "../../../../../core/feeds/Feeds.ts"
import { Crypto } from "../../../../../core/lanes/crypto/Crypto.ts"
import { type Asset, assets } from "../../../../../core/lanes/crypto/fields.ts"
import { Tape } from "../../../../../core/lanes/crypto/ports.ts"
import { clockAt } from "../../../../support/clock.ts"

const minuteOf = (year: number, month: number, day = 1, hour = 0, minute = 0): number =>
  Date.UTC(year, month - 1, day, hour, minute) / 60_000

const bases: Readonly<Record<Asset, number>> = { BTC: 65_000, ETH: 3_200 }

/** As a deep comparison, for thousands of them. */
const assertSame = (found: Float64Array, expected: Float64Array): void =>
  assert.isTrue(found.length === expected.length && found.every((close, at) => close === expected[at]))

describe("the mock tape", () => {
  const golden: ReadonlyArray<readonly [asset: Asset, from: number, closes: ReadonlyArray<number>]> = [
    ["BTC", minuteOf(2020, 1), [65_014.49, 64_997.32, 64_939.39]],
    ["ETH", minuteOf(2020, 1), [3_203.55, 3_202.57, 3_203.14]],
    ["BTC", minuteOf(2026, 7, 8, 14, 25), [66_687.42, 66_734.09, 66_638.9, 66_508.79, 66_549.83]],
    ["ETH", minuteOf(2026, 7, 8, 14, 25), [5_006.5, 5_001.1, 5_006.06, 5_003.09, 5_004.29]],
    ["BTC", minuteOf(2035, 11, 30, 23, 59), [78_301.31, 78_351.59]],
    ["ETH", minuteOf(2035, 11, 30, 23, 59), [3_454.5, 3_452.24]],
  ]
  for (const [asset, from, closes] of golden) {
    it(`${asset} from ${new Date(from * 60_000).toISOString()} on is as always`, () => {
      assert.deepStrictEqual([...mock.closes(asset, from, from + closes.length)], closes)
    })
  }

  it("has one value for a minute, whatever it is asked with", () => {
    const from = minuteOf(2026, 3, 8, 6)
    for (const asset of assets) {
      const whole = mock.closes(asset, from, from + 500)
      for (const [start, end] of [
        [0, 1],
        [0, 120],
        [1, 2],
        [63, 65],
        [127, 400],
        [499, 500],
      ] as const) {
        assert.deepStrictEqual(mock.closes(asset, from + start, from + end), whole.slice(start, end))
      }
      const around = mock.closes(asset, from - 10_000, from + 10_000)
      assert.deepStrictEqual(around.slice(10_000, 10_500), whole)
      assert.strictEqual(mock.closes(asset, from, from).length, 0)
    }
  })

  it.effect("is the same minute by minute over a day as when it is drawn anew", () => {
    const clock = clockAt(0)
    return Effect.gen(function* () {
      const tape = yield* Tape
      const first = minuteOf(2026, 7, 8)
      const fresh = Object.fromEntries(assets.map((asset) => [asset, mock.closes(asset, first - 500, first + 1_440)]))
      for (let lastMinute = first; lastMinute < first + 1_440; lastMinute++) {
        clock.set((lastMinute + 1) * 60_000 + 17_000)
        for (const asset of assets) {
          for (const minutes of [1, 120, 300]) {
            // Windows of some lengths are asked for now and then: several minutes are drawn at once.
            if (minutes === 300 && lastMinute % 7 > 2) continue
            const window = yield* tape.window(asset, minutes)
            assert.strictEqual(window!.lastMinute, lastMinute)
            const end = lastMinute - first + 501
            assertSame(window!.closes, fresh[asset]!.slice(end - minutes, end))
          }
        }
      }
      // A clock that went back, and one that leapt.
      for (const lastMinute of [first + 100, first + 99, first - 300, first + 1_000, first + 1_439]) {
        clock.set((lastMinute + 1) * 60_000)
        const window = yield* tape.window("BTC", 120)
        const end = lastMinute - first + 501
        assertSame(window!.closes, fresh["BTC"]!.slice(end - 120, end))
      }
    }).pipe(Effect.provide(mock.layer), Effect.withClock(clock))
  })

  it.effect("and the lane over it answer as of the clock of whoever asks, not of whoever built them", () =>
    Effect.gen(function* () {
      const { signal } = yield* Crypto
      for (const minute of [minuteOf(2026, 7, 8, 14, 25), minuteOf(2024, 2, 29), minuteOf(2034, 1)]) {
        const { record, results } = yield* Effect.withClock(
          signal({ asset: "BTC", horizon_minutes: 60 }),
          clockAt(minute * 60_000),
        )
        assert.strictEqual(record?.at, minute * 60_000)
        assert.strictEqual(results.spot, mock.closes("BTC", minute - 1, minute)[0])
      }
    }).pipe(Effect.provide(Crypto.layer.pipe(Layer.provide([Feeds.layerNone, mock.layer])))),
  )

  for (const asset of assets) {
    for (const year of [2020, 2023, 2026, 2034]) {
      it(`${asset} moves in ${year} as such prices do: in clusters, with fat tails`, () => {
        const from = minuteOf(year, 3)
        const closes = mock.closes(asset, from, from + 60 * 1_440)
        const squares = Array.from(closes.subarray(1), (close, at) => Math.log(close / closes[at]!) ** 2)
        const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length
        const variance = squares.reduce((sum, square) => sum + (square - mean) ** 2, 0)
        const autocorrelation = (lag: number) => {
          let sum = 0
          for (let at = lag; at < squares.length; at++) sum += (squares[at]! - mean) * (squares[at - lag]! - mean)
          return sum / variance
        }
        assert.isAbove(autocorrelation(1), 0.05)
        assert.isAbove(autocorrelation(10), 0.05)
        const fourth = squares.reduce((sum, square) => sum + square * square, 0) / squares.length
        assert.isAbove(fourth / mean ** 2, 4)
        const annual = Math.sqrt(mean * 525_600)
        assert.isTrue(annual > 0.3 && annual < 0.9, `${annual}`)
      })
    }

    it(`${asset} stays between a fifth and five times its base until 2035`, () => {
      for (let year = 2020; year < 2036; year++) {
        for (let month = 1; month <= 12; month++) {
          const [close] = mock.closes(asset, minuteOf(year, month), minuteOf(year, month) + 1)
          const ratio = close! / bases[asset]
          assert.isTrue(ratio > 0.2 && ratio < 5, `${ratio} in ${year}-${month}`)
          assert.strictEqual(Math.round(close! * 100) / 100, close)
        }
      }
    })
  }
})

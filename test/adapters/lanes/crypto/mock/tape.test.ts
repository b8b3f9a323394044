import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as mock from "../../../../../adapters/lanes/crypto/mock/tape.ts"
import { Feeds } from "../../../../../core/feeds/Feeds.ts"
import { Crypto } from "../../../../../core/lanes/crypto/Crypto.ts"
import { type Asset, assets } from "../../../../../core/lanes/crypto/fields.ts"
import { clockAt } from "../../../../support/clock.ts"

const minuteOf = (year: number, month: number, day = 1, hour = 0, minute = 0): number =>
  Date.UTC(year, month - 1, day, hour, minute) / 60_000

const bases: Readonly<Record<Asset, number>> = { BTC: 65_000, ETH: 3_200 }

describe("the mock tape", () => {
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

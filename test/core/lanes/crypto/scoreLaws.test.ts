import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as candles from "../../../../adapters/lanes/crypto/store/Candles.ts"
import * as hasher from "../../../../adapters/runtime/node/hasher.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import * as sqlCaptures from "../../../../adapters/store/record/Captures.ts"
import * as sqlLaws from "../../../../adapters/store/record/LawScores.ts"
import * as recordLog from "../../../../adapters/store/record/RecordLog.ts"
import { makeDistribution } from "../../../../core/lanes/crypto/distribution.ts"
import { CandleStore, CryptoLaws } from "../../../../core/lanes/crypto/ports.ts"
import { judgeLaw, scoreLaws } from "../../../../core/lanes/crypto/scoreLaws.ts"
import { crpsNormal } from "../../../../core/math/score.ts"
import { Captures } from "../../../../core/record/captures/Captures.ts"
import { iso } from "../../../../core/time.ts"
import { captured } from "../../../support/captures.ts"
import { hour, midnight, minute } from "../../../support/cryptoJobs.ts"

describe("a law of the price", () => {
  it("is scored in log returns, a normal one by the closed form", () => {
    const { crps, low, high } = judgeLaw({ spot: 60_000, sigma_ln: 0.01 }, 60_000 * Math.exp(0.02))
    assert.approximately(crps, 0.01 * crpsNormal(2), 1e-12)
    assert.approximately(low, 0.977249868, 1e-9)
    assert.strictEqual(high, low)
  })

  it("has the step of the served distribution, whatever its tails", () => {
    const { sigmaLn, nu, spot, location, pAbove } = makeDistribution(60_000, 0.004, 4.15, 0.001)
    for (const price of [55_000, 59_900, 60_000, 60_500]) {
      const { low, high } = judgeLaw({ spot, sigma_ln: sigmaLn, nu, location_ln: location! }, price)
      assert.approximately(low, 1 - pAbove(price), 1e-12)
      assert.strictEqual(high, low)
    }
  })

  it("has the score that integrating its distribution function gives", () => {
    const { sigmaLn, nu, spot, pAbove } = makeDistribution(60_000, 0.004, 4.15)
    const price = 60_500
    const move = Math.log(price / spot)
    const width = 1e-5
    let sum = 0
    // Mid-points on either side of the outcome.
    for (let at = -100_000; at < 100_000; at++) {
      sum += width * (Number(at < 0) - pAbove(spot * Math.exp(move + (at + 0.5) * width))) ** 2
    }
    assert.approximately(judgeLaw({ spot, sigma_ln: sigmaLn, nu }, price).crps, sum, 1e-8)
  })

  it("is all at spot for a tape that never moved", () => {
    assert.deepStrictEqual(judgeLaw({ spot: 100, sigma_ln: 0, nu: 4 }, 100), { crps: 0, low: 0, high: 1 })
    assert.deepStrictEqual(judgeLaw({ spot: 100, sigma_ln: 0, nu: 4 }, 110), { crps: Math.log(1.1), low: 1, high: 1 })
    assert.deepStrictEqual(judgeLaw({ spot: 100, sigma_ln: 0, nu: 4 }, 90), { crps: -Math.log(0.9), low: 0, high: 0 })
  })
})

const store = Layer.mergeAll(
  candles.layerStore,
  candles.layerTape,
  sqlCaptures.layer,
  sqlLaws.layer,
  sqlLaws.layerRecord(CryptoLaws, "crypto"),
  recordLog.layer,
).pipe(Layer.provide(Layer.merge(sqlite.layer(":memory:"), hasher.layer)))

const law = { spot: 60_000, sigma_ln: 0.004, nu: 4.15 }

const candle = (at: number, close: number) => ({
  ...{ minute: at / minute, high: close, low: close, close, volume: 1 },
})

describe("the scores of captured price laws", () => {
  it.effect("are of the hourly captures, on the close of the minute that ends at the horizon", () =>
    Effect.gen(function* () {
      const { append } = yield* Captures
      const tape = yield* CandleStore
      const { scores } = yield* CryptoLaws
      const taken = (id: string, at: number, changes: Parameters<typeof captured>[0] = {}) =>
        captured({ id, at, modelVersion: "m", output: { ...law, p_above: [] }, ...changes })
      yield* append([
        taken("one", midnight),
        taken("two", midnight + hour),
        taken("three", midnight + 2 * hour),
        taken("bought", midnight + minute, { kind: "on_demand" }),
        taken("priced", midnight, { subject: `BTC/${iso(midnight + hour)}` }),
        taken("ether", midnight, { subject: "ETH/60" }),
      ])
      const closes = Array.from({ length: 150 }, (_, at) => candle(midnight + at * minute, 60_000 + at))
      // The minute that ends with the second horizon is missing.
      yield* tape.append(
        "BTC",
        "coinbase",
        closes.filter(({ minute: at }) => at !== midnight / minute + 119),
      )
      yield* TestClock.setTime(midnight + 150 * minute)
      assert.strictEqual(yield* scoreLaws, 1)
      const of = (captureId: string, end: number, outcome: number) => ({
        ...{ instrument: "BTC", target: iso(end), variable: "price", lead: 60, captureId, modelVersion: "m", outcome },
        ...judgeLaw(law, outcome),
      })
      const first = of("one", midnight + hour, 60_059)
      assert.deepStrictEqual(yield* scores("BTC", ""), [first])
      assert.strictEqual(yield* scoreLaws, 0)
      // The missing minute comes, the tape goes on to the third horizon, and the first is revised.
      yield* tape.append("BTC", "kraken", [closes[119]!])
      yield* tape.append("BTC", "coinbase", [
        candle(midnight + 59 * minute, 60_500),
        ...Array.from({ length: 30 }, (_, at) => candle(midnight + (150 + at) * minute, 61_000)),
      ])
      assert.strictEqual(yield* scoreLaws, 3)
      assert.deepStrictEqual(yield* scores("BTC", ""), [
        of("one", midnight + hour, 60_500),
        of("two", midnight + 2 * hour, 60_119),
        of("three", midnight + 3 * hour, 61_000),
      ])
      assert.deepStrictEqual(yield* scores("ETH", ""), [])
    }).pipe(Effect.provide(store)),
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import type { Answer } from "../../../../core/endpoint/Answer.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import type { Asset } from "../../../../core/lanes/crypto/fields.ts"
import { CryptoLaws, Tape, type Window } from "../../../../core/lanes/crypto/ports.ts"
import {
  alternating,
  assertAnswer,
  assertNotRising,
  hour,
  isSignal,
  isSpot,
  type Signal,
  type Spot,
  signalOf,
  spotOf,
  week,
  window,
} from "../../../support/crypto.ts"

describe("spot", () => {
  it.effect("is the last close, with the volatility of 119 returns", () =>
    Effect.gen(function* () {
      // ln 1.001 = 0.000999500333083533…, 119 times.
      const answer = yield* spotOf(window(alternating(120)))
      const { realized_vol, ...rest } = answer.results
      assert.deepStrictEqual(rest, {
        asset: "BTC",
        spot: 60_060,
        tape: { source: "testbase", last_candle_age_s: 30, stale: false },
      })
      assert.closeTo(realized_vol.sigma_1h, 0.0077421, 1e-15)
      assert.closeTo(realized_vol.expected_move_1h_usd, 464.99, 1e-9)
      assert.closeTo(realized_vol.annualized_est, 0.724621, 1e-12)
      assert.strictEqual(realized_vol.window, "120 one-minute closes of the last 120 minutes")
      assert.isTrue(isSpot(answer.results))
      assertAnswer(answer)
      assert.deepStrictEqual(answer.citations, [{ step: 1, source: "testbase", locator: "/v1/crypto/spot?asset=BTC" }])
      assert.deepStrictEqual(answer.reasoning, [
        "Spot: last close of the BTC-USD one-minute tape, 60060 USD at 2026-07-08T14:30:00.000Z, by testbase.",
        "Volatility: root mean square of one-minute log returns, 120 closes; one-hour sigma 0.00774.",
      ])
      assert.deepStrictEqual(answer.confidence, {
        score: 1,
        label: "settlement",
        factors: ["last candle 30 s old (stale above 120 s)"],
      })
      assert.deepStrictEqual(answer.links, [
        { id: "BTC", endpoints: ["/v1/crypto/spot?asset=BTC", "/v1/crypto/signal?asset=BTC"] },
      ])
      assert.strictEqual(answer.freshness, "live")
    }),
  )

  it.effect("uses the last 120 closes only", () =>
    Effect.gen(function* () {
      const calm = yield* spotOf(window(alternating(120)))
      for (const before of [[1], [1, 100_000], alternating(2_000, 1, 9)]) {
        const { results } = yield* spotOf(window([...before, ...alternating(120)]))
        assert.deepStrictEqual(results, calm.results)
        const signal = yield* signalOf(window([...before, ...alternating(120)]))
        assert.deepStrictEqual(signal.results.realized_vol, calm.results.realized_vol)
      }
      // A first return of ln 2 among the 119 counts.
      const jumped = yield* spotOf(window([30_000, ...alternating(119)]))
      const variance = (Math.log(2) ** 2 + 118 * Math.log(1.001) ** 2) / 119
      assert.closeTo(jumped.results.realized_vol.sigma_1h, Math.sqrt(variance * 60), 0.51e-8)
      assert.closeTo(jumped.results.realized_vol.annualized_est, Math.sqrt(variance * 525_600), 0.51e-6)
    }),
  )

  it.effect("does not bridge gaps", () =>
    Effect.gen(function* () {
      // 120 minutes, of which 40 have no close; the price doubles in the gap and no return spans it.
      const closes = alternating(120).map((close, at) => (at < 50 ? close : at < 90 ? Number.NaN : 2 * close))
      const { results } = yield* spotOf(window(closes))
      assert.strictEqual(results.spot, 120_120)
      assert.closeTo(results.realized_vol.sigma_1h, 0.0077421, 1e-15)
      assert.strictEqual(results.realized_vol.window, "80 one-minute closes of the last 120 minutes")
      assert.isTrue(isSpot(results))
    }),
  )

  it.effect("is the requested asset's", () =>
    Effect.gen(function* () {
      const { results, links, citations } = yield* spotOf(window(alternating(120)), 30, "ETH")
      assert.strictEqual(results.asset, "ETH")
      assert.strictEqual(links[0]?.id, "ETH")
      assert.match(citations[0]!.locator, /asset=ETH$/)
    }),
  )
})

describe("a signal", () => {
  for (const [asset, index] of [
    ["BTC", "BRTI"],
    ["ETH", "ERTI"],
  ] as const) {
    it.effect(`names the index of the asset: ${asset}, ${index}`, () =>
      Effect.gen(function* () {
        const { results } = yield* signalOf(window(alternating(121)), { asset })
        assert.match(results.market_note, new RegExp(` settles on CF Benchmarks ${index},`))
        assert.match(results.settlement_basis!.venue_source, new RegExp(`^CF Benchmarks ${index},`))
      }),
    )
  }
})

describe("the age of the tape", () => {
  const cases: ReadonlyArray<readonly [seconds: number, age: number, stale: boolean]> = [
    [-90, 0, false],
    [0, 0, false],
    [0.04, 0, false],
    [59.96, 60, false],
    [119.9, 119.9, false],
    [120, 120, false],
    [120.1, 120.1, true],
    [3_600, 3_600, true],
    [30 * 86_400, 30 * 86_400, true],
  ]
  for (const [seconds, age, stale] of cases) {
    it.effect(`${seconds} s after its last candle: ${stale ? "stale" : "fresh"}`, () =>
      Effect.gen(function* () {
        const spot = yield* spotOf(window(week), seconds)
        assert.deepStrictEqual(spot.results.tape, { source: "testbase", last_candle_age_s: age, stale })
        assert.strictEqual(spot.results.spot, week.at(-1))
        // From ten minutes on it says nothing of the price.
        assert.strictEqual(spot.confidence.score, stale ? (seconds < 600 ? 0.89 : 0) : 1)
        assert.strictEqual(
          spot.reasoning.some((text) => /^BTC candles end with 2026-07-08T14:29Z; .* is due\.$/.test(text)),
          stale,
        )
        assert.isTrue(isSpot(spot.results))
        const signal = yield* Effect.either(signalOf(window(week), {}, seconds))
        if (!stale) {
          assert.deepStrictEqual(Either.getOrThrow(signal).results.tape, spot.results.tape)
          return
        }
        const failure = Either.getOrThrow(Either.flip(signal))
        assert.strictEqual(failure.code, "data_freshness_stale")
        assert.strictEqual(failure.status, 503)
        assert.strictEqual(failure.retryAfterMs, 60_000)
        assert.match(failure.message, /^BTC candles end with 2026-07-08T14:29Z; .*Z is due\. A late source/)
      }),
    )
  }
})

describe("a tape without enough closes", () => {
  const missing = (count: number) => Array.from({ length: count }, () => Number.NaN)
  const cases: ReadonlyArray<readonly [name: string, whole: Window | undefined, code: string | undefined]> = [
    ["none", undefined, "upstream_unavailable"],
    ["no closes", window([]), "data_freshness_stale"],
    ["one close", window([60_000]), "data_freshness_stale"],
    ["59 closes", window(alternating(59)), "data_freshness_stale"],
    ["59 closes of 120 minutes", window([...missing(61), ...alternating(59)]), "data_freshness_stale"],
    ["59 closes after a week and a gap", window([...week, ...missing(61), ...alternating(59)]), "data_freshness_stale"],
    ["every other close", window(week.map((close, at) => (at % 2 === 0 ? close : Number.NaN))), "data_freshness_stale"],
    ["no last close", window([...alternating(119), Number.NaN]), "data_freshness_stale"],
    ["a price of 0", window([...alternating(80), 0, ...alternating(39)]), "data_freshness_stale"],
    ["60 closes", window(alternating(60)), undefined],
    ["60 closes after a gap", window([...missing(60), ...alternating(60)]), undefined],
  ]
  for (const [name, whole, code] of cases) {
    it.effect(`${name}: ${code ?? "is enough"}`, () =>
      Effect.gen(function* () {
        for (const answer of [yield* Effect.either(spotOf(whole)), yield* Effect.either(signalOf(whole))]) {
          if (code === undefined) {
            assertAnswer(Either.getOrThrow<Answer<Spot | Signal>, Failure>(answer))
            continue
          }
          const failure = Either.getOrThrow(Either.flip<Answer<Spot | Signal>, Failure>(answer))
          assert.deepStrictEqual([failure.code, failure.status, failure.retryAfterMs], [code as never, 503, 60_000])
          assert.match(failure.message, /BTC/)
        }
      }),
    )
  }

  it.effect("passes on the tape's failure", () =>
    Effect.gen(function* () {
      const failure = fail("storage_unavailable", { retryAfterMs: 1_000 })
      const broken = Layer.succeed(Tape, { freshness: "live", window: () => Effect.fail(failure) })
      const lane = Effect.provide(Crypto, Layer.provide(Crypto.layer, [CryptoLaws.layerNone, Feeds.layerNone, broken]))
      assert.strictEqual(yield* Effect.flip(Effect.flatMap(lane, ({ spot }) => spot({ asset: "ETH" }))), failure)
      assert.strictEqual(yield* Effect.flip(Effect.flatMap(lane, ({ signal }) => signal(hour))), failure)
    }),
  )
})

describe("a flat tape", () => {
  it.effect("has volatility 0 and probabilities 0 or 1", () =>
    Effect.gen(function* () {
      const flat = window(Array.from({ length: 10_085 }, () => 60_000))
      const spot = yield* spotOf(flat)
      assert.deepStrictEqual(spot.results.realized_vol, {
        sigma_1h: 0,
        expected_move_1h_usd: 0,
        annualized_est: 0,
        window: "120 one-minute closes of the last 120 minutes",
      })
      const { results } = yield* signalOf(flat)
      assert.deepStrictEqual([results.sigma_ln, results.expected_move_1sd_usd, results.annualized_vol_est], [0, 0, 0])
      assert.strictEqual(results.p_above.length, 21)
      for (const { strike, p_above } of results.p_above) assert.strictEqual(p_above, strike < 60_000 ? 1 : 0)
      assertNotRising(results.p_above)
      assert.isTrue(isSignal(results))
    }),
  )
})

describe("an answer over any tape", () => {
  const price = fc.double({ min: 1e-3, max: 1e7, noNaN: true })
  const step = fc.oneof(
    { weight: 20, arbitrary: fc.double({ min: -0.01, max: 0.01, noNaN: true }) },
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.constant(Number.NaN) },
    { weight: 1, arbitrary: fc.double({ min: -2, max: 2, noNaN: true }) },
  )
  const walk = fc.tuple(price, fc.array(step, { minLength: 50, maxLength: 400, size: "max" })).map(([start, steps]) => {
    let last = start
    return steps.map((by) => {
      if (Number.isNaN(by)) return by
      last = Math.min(1e12, Math.max(1e-9, last * Math.exp(by)))
      return last
    })
  })
  const junk = fc.array(
    fc.oneof(price, fc.constantFrom(Number.NaN, 0, -1, Number.POSITIVE_INFINITY, Number.MIN_VALUE)),
    { maxLength: 200 },
  )
  const asked = fc.record({
    asset: fc.constantFrom<Asset>("BTC", "ETH"),
    horizon_minutes: fc.integer({ min: 5, max: 1440 }),
    strikes: fc.option(
      fc.array(fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true }), {
        minLength: 1,
        maxLength: 50,
      }),
      {
        nil: undefined,
      },
    ),
  })

  it.effect("contains no NaN, fits its schema and does not rise with the strike", () =>
    Effect.gen(function* () {
      let answered = 0
      const cases = fc.sample(fc.tuple(fc.oneof({ weight: 4, arbitrary: walk }, junk), asked), {
        numRuns: 400,
        seed: 7,
      })
      for (const [closes, { strikes, ...params }] of cases) {
        const shown = JSON.stringify([closes, strikes, params])
        const spot = yield* Effect.either(spotOf(window(closes), 10, params.asset))
        const signal = yield* Effect.either(
          signalOf(window(closes), strikes === undefined ? params : { ...params, strikes }, 10),
        )
        assert.isTrue(Either.isRight(signal) ? Either.isRight(spot) : true, shown)
        if (Either.isRight(spot)) {
          assert.isTrue(isSpot(spot.right.results), shown)
          assertAnswer(spot.right)
        } else assert.strictEqual(spot.left.code, "data_freshness_stale")
        if (Either.isRight(signal)) {
          answered++
          assert.isTrue(isSignal(signal.right.results), shown)
          assertNotRising(signal.right.results.p_above)
          assertAnswer(signal.right)
          const { result, delta } = yield* signal.right.extras!.counterfactual!
          assert.notInclude(JSON.stringify([result, delta]), "null", shown)
        } else assert.strictEqual(signal.left.code, "data_freshness_stale")
      }
      assert.isAbove(answered, 60)
    }),
  )
})

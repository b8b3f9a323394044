import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { decimals } from "../../../../core/endpoint/Field.ts"
import { round } from "../../../../core/endpoint/Rounding.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import { blendT2 } from "../../../../core/lanes/crypto/distribution.ts"
import { endpoints, scoreConfidence } from "../../../../core/lanes/crypto/endpoints.ts"
import { CryptoLaws } from "../../../../core/lanes/crypto/ports.ts"
import { RecordInputs } from "../../../../core/record/captures/RecordInputs.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import {
  alternating,
  ask,
  askBaseline,
  assertAnswer,
  assertNotRising,
  clock,
  hour,
  isSignal,
  lastMinute,
  secondsAfter,
  signalOf,
  spotOf,
  tapeOf,
  week,
  window,
} from "../../../support/crypto.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

describe("signal", () => {
  it.effect("is recomputed from its stored inputs", () =>
    Effect.gen(function* () {
      const { record } = yield* ask(window(week), ({ signal }) => signal(hour))
      const { output, inputs, params, modelVersion } = record!
      const { text, putShared } = inputs(sha256)
      const again = Crypto.recomputations[endpoints.signal.id]!(params, JSON.parse(text), "prediction", modelVersion)
      const stored = RecordInputs.layerMemory(new Map(putShared.map((part) => [part.hash, part.text()])))
      const kept = stored.pipe(Layer.provide(Layer.succeed(SyncSha256, { sha256 })))
      assert.deepStrictEqual(yield* Effect.provide(again, kept), output())
    }),
  )

  it.effect("has its model's values in every field", () =>
    Effect.gen(function* () {
      // The textbook model over returns of ±ln 1.001: sigma = ln 1.001 · √60.
      const answer = yield* askBaseline(window(alternating(121, 60_060, 60_000)), ({ signal }) =>
        signal({ ...hour, strikes: [60_060, 60_060 * Math.exp(0.00774209629), 60_060 * Math.exp(-0.00774209629)] }),
      )
      const { sigma_ln, expected_move_1sd_usd, annualized_vol_est, p_above, realized_vol, market_note, ...rest } =
        answer.results
      assert.closeTo(sigma_ln, 0.0077421, 1e-15)
      assert.closeTo(expected_move_1sd_usd, 464.99, 1e-9)
      assert.closeTo(annualized_vol_est, 0.724621, 1e-12)
      assert.deepStrictEqual(
        p_above.map(({ strike }) => Math.round(strike * 100) / 100),
        [59_596.81, 60_060, 60_526.79],
      )
      // Φ(1), Φ(0), Φ(−1).
      for (const [at, expected] of [0.8413447460685429, 0.5, 0.15865525393145707].entries()) {
        assert.closeTo(p_above[at]!.p_above, expected, 0.5e-6)
      }
      assert.deepStrictEqual(rest, {
        asset: "BTC",
        spot: 60_060,
        horizon_minutes: 60,
        model_version: "lognormal-120",
        tape: { source: "testbase", last_candle_age_s: 30, stale: false },
        settlement_basis: {
          model_source: "testbase",
          venue_source: "CF Benchmarks BRTI, averaged over the 60 s before the hour",
          same: false,
        },
        quality_flags: [],
      })
      assert.closeTo(realized_vol!.sigma_1h, sigma_ln, 1e-15)
      assert.include(market_note, "testbase")
      assert.include(market_note, "BRTI")
      assert.isTrue(isSignal(answer.results))
      assertAnswer(answer)
      assert.deepStrictEqual(answer.confidence.label, "reasoned")
      assert.deepStrictEqual(answer.links[0]?.id, "BTC")
    }),
  )

  for (const horizon_minutes of [5, 60, 61, 1440]) {
    it.effect(`over ${horizon_minutes} minutes: sigma_ln is the half-width of the central 68.27 %`, () =>
      Effect.gen(function* () {
        const served = blendT2.at(window(week), horizon_minutes, (lastMinute + 1) * 60_000 + 30_000)!
        const spot = week.at(-1)!
        const strikes = [spot * Math.exp(-served.sigmaLn), spot, spot * Math.exp(served.sigmaLn)]
        const { results } = yield* signalOf(window(week), { horizon_minutes, strikes })
        const [above, even, below] = results.p_above.map(({ p_above }) => p_above)
        assert.closeTo(above! - below!, 0.6826894921370859, 1e-6)
        assert.strictEqual(even, 0.5)
        assert.strictEqual(results.horizon_minutes, horizon_minutes)
        assert.strictEqual(results.spot, spot)
        assert.strictEqual(results.sigma_ln, round(served.sigmaLn, decimals.volatility))
        assert.strictEqual(results.expected_move_1sd_usd, round(spot * served.sigmaLn, decimals.usd))
        assert.closeTo(results.annualized_vol_est, served.sigmaLn * Math.sqrt(525_600 / horizon_minutes), 0.51e-6)
        assert.strictEqual(results.model_version, "blend-t-2")
      }),
    )

    it.effect(`over ${horizon_minutes} minutes: 21 strikes rise in even steps around spot`, () =>
      Effect.gen(function* () {
        for (const asset of ["BTC", "ETH"] as const) {
          const { results } = yield* signalOf(window(week), { asset, horizon_minutes })
          assert.strictEqual(results.p_above.length, 21)
          assertNotRising(results.p_above)
          const strikes = results.p_above.map(({ strike }) => strike)
          const step = strikes[1]! - strikes[0]!
          for (let at = 1; at < 21; at++) assert.closeTo(strikes[at]! - strikes[at - 1]!, step, 1e-6)
          assert.closeTo(strikes[10]!, results.spot, step / 2 + 1e-6)
          const leading = step / 10 ** Math.floor(Math.log10(step) + 1e-9)
          assert.include([1, 2, 5], Math.round(leading * 1e6) / 1e6)
          // The nearest such step: at most 3.5 is 2, at least 1.5.
          const wanted = (results.sigma_ln * results.spot) / 4
          assert.isTrue(step / wanted > 0.57 && step / wanted < 1.34, `${step} for ${wanted}`)
        }
      }),
    )
  }

  it.effect("prices the given strikes: sorted, without duplicates, at any distance", () =>
    Effect.gen(function* () {
      const given = yield* signalOf(window(week), { strikes: [70_000, 50_000, 70_000, 60_000.5, 50_000] })
      assert.deepStrictEqual(
        given.results.p_above.map(({ strike }) => strike),
        [50_000, 60_000.5, 70_000],
      )
      assert.include(given.reasoning[3], "3 strikes")
      const far = [Number.MAX_VALUE, 1e300, 1e9, 1e-9, 1e-300, Number.MIN_VALUE]
      const { results } = yield* signalOf(window(week), { strikes: far })
      assertNotRising(results.p_above)
      assert.deepStrictEqual(
        results.p_above.map(({ strike, p_above }) => [strike, Math.round(p_above * 1e6) / 1e6]),
        far.toReversed().map((strike) => [strike, strike < 1 ? 1 : 0]),
      )
      assert.isTrue(isSignal(results))
      // Grid and list agree where they meet.
      const grid = (yield* signalOf(window(week))).results.p_above
      const same = yield* signalOf(window(week), { strikes: grid.map(({ strike }) => strike).reverse() })
      assert.deepStrictEqual(same.results.p_above, grid)
    }),
  )

  it.effect("is cached per minute, horizon and window", () =>
    ask(
      window(week),
      ({ signal }) =>
        Effect.gen(function* () {
          for (const seconds of [0, 59.999, 0, 60, 119, 1]) {
            yield* secondsAfter(seconds)
            for (const horizon_minutes of [5, 60, 240, 60]) {
              const at = (lastMinute + 1) * 60_000 + seconds * 1_000
              const { results } = yield* signal({ ...hour, horizon_minutes })
              const { sigmaLn } = blendT2.at(window(week), horizon_minutes, at)!
              assert.strictEqual(results.sigma_ln, round(sigmaLn, decimals.volatility))
            }
          }
        }),
      0,
    ),
  )

  it.effect("has as counterfactual a more volatile tape, by the same model", () =>
    Effect.gen(function* () {
      for (const asked of [{}, { horizon_minutes: 1440 }, { strikes: [1, 64_000, 65_000, 1e9] }]) {
        const answer = yield* signalOf(window(week), asked)
        const { p_above, sigma_ln, realized_vol } = answer.results
        const strikes = p_above.map(({ strike }) => strike)
        const { input, from, to, result, delta } = yield* answer.extras!.counterfactual!
        assert.strictEqual(input, "realized_vol.sigma_1h")
        assert.strictEqual(from, round(realized_vol!.sigma_1h, decimals.ratio))
        assert.closeTo(to, 1.1 * realized_vol!.sigma_1h, 1e-6)
        const last = week.at(-1)!
        // Every return a tenth larger, back from the last close.
        const tape = week.map((close) => last * Math.exp(1.1 * Math.log(close / last)))
        const { results: other } = yield* signalOf(window(tape), { ...asked, strikes })
        assert.closeTo(result["sigma_ln"]!, other.sigma_ln, 1.1e-8)
        assert.closeTo(result["sigma_ln"]! / sigma_ln, 1.1, 1e-5)
        const largest = Math.max(...p_above.map((row, at) => Math.abs(row.p_above - other.p_above[at]!.p_above)))
        assert.closeTo(delta["max_change_p_above"]!, largest, 4e-6)
      }
    }),
  )

  it.effect("has the baseline model's answer as its alternative", () =>
    Effect.gen(function* () {
      for (const asked of [{}, { horizon_minutes: 1440 }, { strikes: [1, 64_000, 65_000, 1e9] }]) {
        const answer = yield* signalOf(window(week), asked)
        const { p_above } = answer.results
        const strikes = p_above.map(({ strike }) => strike)
        const { results: baseline } = yield* askBaseline(window(week), ({ signal }) =>
          signal({ ...hour, ...asked, strikes }),
        )
        const largest = Math.max(...p_above.map((row, at) => Math.abs(row.p_above - baseline.p_above[at]!.p_above)))
        assert.isAbove(largest, 0)
        const [alternative, ...more] = yield* answer.extras!.alternatives!
        assert.isEmpty(more)
        assert.strictEqual(alternative!.id, "lognormal-120")
        assert.include(alternative!.label, `sigma_ln ${baseline.sigma_ln.toPrecision(3)}`)
        assert.include(alternative!.why, `more than ${largest.toFixed(3)}`)
      }
    }),
  )

  it.effect("has a quality flag and lower confidence when sources disagree", () =>
    Effect.gen(function* () {
      const doubtful = window(week, { flags: ["source_disagreement"] })
      const [good, bad] = [yield* signalOf(window(week)), yield* signalOf(doubtful)]
      assert.deepStrictEqual(bad.results, { ...good.results, quality_flags: ["source_disagreement"] })
      assert.isBelow(bad.confidence.score, good.confidence.score)
      assert.include(bad.confidence.factors, "quality flag source_disagreement: ×0.80")
      assert.isTrue(isSignal(bad.results))
      const [sure, unsure] = [yield* spotOf(window(week)), yield* spotOf(doubtful)]
      assert.deepStrictEqual(unsure.results, sure.results)
      assert.deepStrictEqual([sure.confidence.score, unsure.confidence.score], [1, 0.9])
      assert.include(unsure.confidence.factors, "quality flag source_disagreement")
    }),
  )

  it.effect("has its tape's freshness", () =>
    Effect.gen(function* () {
      for (const freshness of ["mock", "shadow", "live"] as const) {
        yield* secondsAfter(1)
        const lane = Layer.provide(Crypto.layer, [
          CryptoLaws.layerNone,
          Feeds.layerNone,
          tapeOf(window(week), freshness),
        ])
        const { spot, signal } = yield* Effect.provide(Crypto, lane)
        assert.strictEqual((yield* spot({ asset: "BTC" })).freshness, freshness)
        assert.strictEqual((yield* signal(hour)).freshness, freshness)
      }
    }).pipe(Effect.withClock(clock)),
  )
})

describe("the confidence of a signal", () => {
  const score = (minutes: number, age: number, horizon: number) =>
    scoreConfidence(window(week.slice(week.length - minutes)), age, horizon).score

  it("is 0.9 at best", () => {
    assert.strictEqual(score(10_085, 0, 5), 0.9)
    assert.strictEqual(score(10_080, 60, 5), 0.9)
    assert.strictEqual(score(10_085, 0, 1440), 0.72)
    assert.strictEqual(score(120, 0, 5), 0.63)
    assert.strictEqual(score(10_085, 600, 5), 0)
    assert.strictEqual(score(10_085, 1e9, 5), 0)
  })

  const notRising = (scores: ReadonlyArray<number>) => {
    for (const [at, value] of scores.entries()) {
      assert.isTrue(value >= 0 && value <= 0.9, `${value}`)
      if (at > 0) assert.isAtMost(value, scores[at - 1]!)
    }
    assert.isBelow(scores.at(-1)!, scores[0]!)
  }

  it("falls with age, horizon and missing history", () => {
    for (const minutes of [60, 120, 5_000, 10_085]) {
      notRising([0, 30, 60, 61, 90, 120, 300, 599, 601].map((age) => score(minutes, age, 60)))
      notRising([5, 6, 15, 60, 240, 1439, 1440].map((horizon) => score(minutes, 30, horizon)))
    }
    notRising([10_085, 10_080, 9_000, 1_440, 300, 120, 119, 90, 60, 1, 0].map((minutes) => score(minutes, 30, 60)))
    notRising(
      [0, 1, 10, 60, 119].map((holes) => {
        const closes = week.map((close, at) => (at >= week.length - 1 - holes && at < week.length - 1 ? NaN : close))
        return scoreConfidence(window(closes), 30, 60).score
      }),
    )
  })
})

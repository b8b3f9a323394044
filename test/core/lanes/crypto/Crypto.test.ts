import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import type { Answer, Freshness } from "../../../../core/endpoint/Answer.ts"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { Crypto, confidenceOf } from "../../../../core/lanes/crypto/Crypto.ts"
import { blendT1, lognormal120 } from "../../../../core/lanes/crypto/distribution.ts"
import { type Asset, endpoints } from "../../../../core/lanes/crypto/endpoints.ts"
import { Tape, type Window } from "../../../../core/lanes/crypto/ports.ts"

type Spot = Endpoint.Results<typeof endpoints.spot>
type Signal = Endpoint.Results<typeof endpoints.signal>
interface Asked {
  readonly asset: Asset
  readonly horizon_minutes: number
  readonly strikes?: ReadonlyArray<number>
}

/** Wednesday, 2026-07-08, 14:29 UTC. */
const lastMinute = Date.UTC(2026, 6, 8, 14, 29) / 60_000

const window = (closes: ReadonlyArray<number> | Float64Array, changes: Partial<Window> = {}): Window => ({
  closes: Float64Array.from(closes),
  lastMinute,
  source: "testbase",
  flags: [],
  ...changes,
})

/** A tape that has this and no more. Asked for fewer minutes, it gives the last ones, the same array every time. */
const tapeOf = (whole: Window | undefined, freshness: Freshness = "live") => {
  const cut = new Map<number, Window>()
  return Layer.succeed(Tape, {
    freshness,
    window: (_, minutes) =>
      Effect.sync(() => {
        if (whole === undefined) return undefined
        if (!cut.has(minutes)) cut.set(minutes, { ...whole, closes: whole.closes.slice(-minutes) })
        return cut.get(minutes)
      }),
  })
}

const secondsAfter = (seconds: number) => TestClock.setTime((lastMinute + 1) * 60_000 + seconds * 1_000)

/** Asks the lane over a tape, so many seconds after its last candle ended. */
const asking =
  (layer: Layer.Layer<Crypto, never, Tape>) =>
  <A>(
    whole: Window | undefined,
    body: (lane: Crypto["Type"]) => Effect.Effect<A, Failure>,
    seconds = 30,
  ): Effect.Effect<A, Failure> =>
    Effect.zipRight(
      secondsAfter(seconds),
      Effect.provide(Effect.flatMap(Crypto, body), Layer.provide(layer, tapeOf(whole))),
    )
const ask = asking(Crypto.layer)
const askBaseline = asking(Crypto.layerOf(lognormal120, blendT1))

const hour: Asked = { asset: "BTC", horizon_minutes: 60 }
const spotOf = (whole: Window | undefined, seconds = 30, asset: Asset = "BTC") =>
  ask(whole, (lane) => lane.spot({ asset }), seconds)
const signalOf = (whole: Window | undefined, asked: Partial<Asked> = {}, seconds = 30) =>
  ask(whole, (lane) => lane.signal({ ...hour, ...asked }), seconds)

const alternating = (count: number, low = 60_000, high = 60_060) =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? low : high))

/** A week of a walk whose steps grow and shrink; the same numbers always. */
const week = (() => {
  const closes: Array<number> = []
  let seed = 12_345
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  for (let price = 65_000, at = 0; at < 10_085; at++) {
    price *= Math.exp((random() + random() + random() - 1.5) * 0.001 * (1 + 0.5 * Math.sin(at / 200)))
    closes.push(Math.round(price * 100) / 100)
  }
  return closes
})()

const isSpot = Schema.is(endpoints.spot.results, { onExcessProperty: "error" })
const isSignal = Schema.is(endpoints.signal.results, { onExcessProperty: "error" })

/** What every answer owes, whatever the tape. */
const assertAnswer = (answer: Answer<unknown>) => {
  assert.isNotEmpty(answer.reasoning)
  assert.isNotEmpty(answer.citations)
  for (const { step, source, locator } of answer.citations) {
    assert.isTrue(Number.isInteger(step) && step >= 1 && step <= answer.reasoning.length, `step ${step}`)
    assert.strictEqual(source, "testbase")
    assert.match(locator, /^\/v1\/crypto\/spot\?asset=(BTC|ETH)$/)
  }
  assert.isTrue(answer.confidence.score >= 0 && answer.confidence.score <= 1, `${answer.confidence.score}`)
  for (const { endpoint } of answer.extras?.suggestions ?? []) assert.isTrue(catalogue.byId.has(endpoint), endpoint)
}

const assertNotRising = (rows: Signal["p_above"]) => {
  for (const [at, { strike, p_above }] of rows.entries()) {
    assert.isTrue(p_above >= 0 && p_above <= 1, `${p_above} at ${strike}`)
    if (at === 0) continue
    assert.isAbove(strike, rows[at - 1]!.strike)
    assert.isAtMost(p_above, rows[at - 1]!.p_above)
  }
}

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
      assert.closeTo(realized_vol.sigma_1h, 0.00774209629, 1e-11)
      assert.closeTo(realized_vol.expected_move_1h_usd, 464.99030318, 1e-6)
      assert.closeTo(realized_vol.annualized_est, 0.72462051, 1e-8)
      assert.strictEqual(realized_vol.window, "120 one-minute closes of the last 120 minutes")
      assert.isTrue(isSpot(answer.results))
      assertAnswer(answer)
      assert.deepStrictEqual(answer.citations, [{ step: 1, source: "testbase", locator: "/v1/crypto/spot?asset=BTC" }])
      assert.deepStrictEqual(answer.reasoning, [
        "Spot: last close of the BTC-USD one-minute tape, 60060 USD at 2026-07-08T14:30:00.000Z.",
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

  it.effect("looks at 120 closes and at nothing before them", () =>
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
      assert.closeTo(jumped.results.realized_vol.sigma_1h, Math.sqrt(variance * 60), 1e-12)
      assert.closeTo(jumped.results.realized_vol.annualized_est, Math.sqrt(variance * 525_600), 1e-9)
    }),
  )

  it.effect("keeps gaps as gaps", () =>
    Effect.gen(function* () {
      // 120 minutes, of which 40 have no close; the price doubles in the gap and no return spans it.
      const closes = alternating(120).map((close, at) => (at < 50 ? close : at < 90 ? Number.NaN : 2 * close))
      const { results } = yield* spotOf(window(closes))
      assert.strictEqual(results.spot, 120_120)
      assert.closeTo(results.realized_vol.sigma_1h, 0.00774209629, 1e-11)
      assert.strictEqual(results.realized_vol.window, "80 one-minute closes of the last 120 minutes")
      assert.isTrue(isSpot(results))
    }),
  )

  it.effect("is of the asset that was asked for", () =>
    Effect.gen(function* () {
      const { results, links, citations } = yield* spotOf(window(alternating(120)), 30, "ETH")
      assert.strictEqual(results.asset, "ETH")
      assert.strictEqual(links[0]?.id, "ETH")
      assert.match(citations[0]!.locator, /asset=ETH$/)
    }),
  )
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
    it.effect(`${seconds} s after its last candle: spot says ${stale ? "stale" : "fresh"}`, () =>
      Effect.gen(function* () {
        const spot = yield* spotOf(window(week), seconds)
        assert.deepStrictEqual(spot.results.tape, { source: "testbase", last_candle_age_s: age, stale })
        assert.strictEqual(spot.results.spot, week.at(-1))
        assert.strictEqual(spot.confidence.score, stale ? 0.9 : 1)
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
        assert.include(failure.message, `BTC candle ended ${age} s ago`)
      }),
    )
  }
})

describe("a tape that cannot be answered from", () => {
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

  it.effect("fails as the tape fails", () =>
    Effect.gen(function* () {
      const failure = fail("storage_unavailable", { retryAfterMs: 1_000 })
      const broken = Layer.succeed(Tape, { freshness: "live", window: () => Effect.fail(failure) })
      const lane = Effect.provide(Crypto, Layer.provide(Crypto.layer, broken))
      assert.strictEqual(yield* Effect.flip(Effect.flatMap(lane, ({ spot }) => spot({ asset: "ETH" }))), failure)
      assert.strictEqual(yield* Effect.flip(Effect.flatMap(lane, ({ signal }) => signal(hour))), failure)
    }),
  )
})

describe("a tape that stood still", () => {
  it.effect("has volatility 0 and sure prices", () =>
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

describe("signal", () => {
  it.effect("is what its model says of the tape, in every field", () =>
    Effect.gen(function* () {
      // The textbook model over returns of ±ln 1.001: sigma = ln 1.001 · √60.
      const answer = yield* askBaseline(window(alternating(121, 60_060, 60_000)), ({ signal }) =>
        signal({ ...hour, strikes: [60_060, 60_060 * Math.exp(0.00774209629), 60_060 * Math.exp(-0.00774209629)] }),
      )
      const { sigma_ln, expected_move_1sd_usd, annualized_vol_est, p_above, realized_vol, market_note, ...rest } =
        answer.results
      assert.closeTo(sigma_ln, 0.00774209629, 1e-11)
      assert.closeTo(expected_move_1sd_usd, 464.99030318, 1e-6)
      assert.closeTo(annualized_vol_est, 0.72462051, 1e-8)
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
        const served = blendT1.at(window(week), horizon_minutes, (lastMinute + 1) * 60_000 + 30_000)!
        const spot = week.at(-1)!
        const strikes = [spot * Math.exp(-served.sigmaLn), spot, spot * Math.exp(served.sigmaLn)]
        const { results } = yield* signalOf(window(week), { horizon_minutes, strikes })
        const [above, even, below] = results.p_above.map(({ p_above }) => p_above)
        assert.closeTo(above! - below!, 0.6826894921370859, 1e-6)
        assert.closeTo(even!, 0.5, 1e-15)
        assert.strictEqual(results.horizon_minutes, horizon_minutes)
        assert.strictEqual(results.spot, spot)
        assert.strictEqual(results.sigma_ln, served.sigmaLn)
        assert.strictEqual(results.expected_move_1sd_usd, spot * served.sigmaLn)
        assert.closeTo(results.annualized_vol_est, served.sigmaLn * Math.sqrt(525_600 / horizon_minutes), 1e-15)
        assert.strictEqual(results.model_version, "blend-t-1")
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
          // The nearest such step: never off by more than half as much again.
          const wanted = (results.sigma_ln * results.spot) / 4
          assert.isTrue(step / wanted > 0.66 && step / wanted < 1.5, `${step} for ${wanted}`)
        }
      }),
    )
  }

  it.effect("prices the strikes that were given: sorted, once each, however far away", () =>
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

  it.effect("is remembered for its minute, horizon and window, and for no others", () =>
    ask(
      window(week),
      ({ signal }) =>
        Effect.gen(function* () {
          for (const seconds of [0, 59.999, 0, 60, 119, 1]) {
            yield* secondsAfter(seconds)
            for (const horizon_minutes of [5, 60, 240, 60]) {
              const at = (lastMinute + 1) * 60_000 + seconds * 1_000
              const { results } = yield* signal({ ...hour, horizon_minutes })
              assert.strictEqual(results.sigma_ln, blendT1.at(window(week), horizon_minutes, at)?.sigmaLn)
            }
          }
        }),
      0,
    ),
  )

  it.effect("has a tape with more volatility and one at a higher price as its counterfactual, by the same model", () =>
    Effect.gen(function* () {
      for (const asked of [{}, { horizon_minutes: 1440 }, { strikes: [1, 64_000, 65_000, 1e9] }]) {
        const answer = yield* signalOf(window(week), asked)
        const { spot, p_above, sigma_ln, realized_vol } = answer.results
        const strikes = p_above.map(({ strike }) => strike)
        const { input, from, to, result, delta } = yield* answer.extras!.counterfactual!
        assert.strictEqual(input, "realized_vol.sigma_1h and spot, each changed alone")
        assert.deepStrictEqual(from, { volatility: realized_vol!.sigma_1h, spot })
        const last = week.at(-1)!
        const tapes = {
          // Every return a tenth larger, back from the last close.
          volatility: week.map((close) => last * Math.exp(1.1 * Math.log(close / last))),
          spot: week.map((close) => (1 + sigma_ln) * close),
        }
        for (const [name, closes] of Object.entries(tapes)) {
          const { results: other } = yield* signalOf(window(closes), { ...asked, strikes })
          const told = (result as Record<string, typeof other>)[name]!
          assert.closeTo(told.spot, other.spot, 1e-6)
          assert.closeTo(told.sigma_ln, other.sigma_ln, 1e-12)
          for (const [at, row] of told.p_above.entries()) assert.closeTo(row.p_above, other.p_above[at]!.p_above, 2e-6)
          const { max_change_p_above } = (delta as Record<string, { max_change_p_above: number }>)[name]!
          const largest = Math.max(...p_above.map((row, at) => Math.abs(row.p_above - told.p_above[at]!.p_above)))
          assert.strictEqual(max_change_p_above, largest)
        }
        const { volatility, spot: higher } = result as Record<string, typeof answer.results>
        assert.closeTo(volatility!.sigma_ln / sigma_ln, 1.1, 1e-6)
        assert.closeTo(higher!.sigma_ln / sigma_ln, 1, 1e-9)
        const { volatility: more, spot: moved } = to as { readonly volatility: number; readonly spot: number }
        assert.closeTo(more, 1.1 * realized_vol!.sigma_1h, 1e-12)
        assert.closeTo(moved, higher!.spot, 1e-6)
      }
    }),
  )

  it.effect("names the baseline's own answer as its alternative", () =>
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

  it.effect("says so, and is less sure, when sources disagree", () =>
    Effect.gen(function* () {
      const doubtful = window(week, { flags: ["sources_disagree"] })
      const [good, bad] = [yield* signalOf(window(week)), yield* signalOf(doubtful)]
      assert.deepStrictEqual(bad.results, { ...good.results, quality_flags: ["sources_disagree"] })
      assert.isBelow(bad.confidence.score, good.confidence.score)
      assert.include(bad.confidence.factors, "quality flag sources_disagree: ×0.80")
      assert.isTrue(isSignal(bad.results))
      const [sure, unsure] = [yield* spotOf(window(week)), yield* spotOf(doubtful)]
      assert.deepStrictEqual(unsure.results, sure.results)
      assert.deepStrictEqual([sure.confidence.score, unsure.confidence.score], [1, 0.9])
      assert.include(unsure.confidence.factors, "quality flag sources_disagree")
    }),
  )

  it.effect("is as fresh as its tape", () =>
    Effect.gen(function* () {
      for (const freshness of ["mock", "shadow", "live"] as const) {
        yield* secondsAfter(1)
        const lane = Layer.provide(Crypto.layer, tapeOf(window(week), freshness))
        const { spot, signal } = yield* Effect.provide(Crypto, lane)
        assert.strictEqual((yield* spot({ asset: "BTC" })).freshness, freshness)
        assert.strictEqual((yield* signal(hour)).freshness, freshness)
      }
    }),
  )
})

describe("the confidence of a signal", () => {
  const score = (minutes: number, age: number, horizon: number) =>
    confidenceOf(window(week.slice(week.length - minutes)), age, horizon).score

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

  it("falls with age, with the horizon, and with what the history lacks", () => {
    for (const minutes of [60, 120, 5_000, 10_085]) {
      notRising([0, 30, 60, 61, 90, 120, 300, 599, 601].map((age) => score(minutes, age, 60)))
      notRising([5, 6, 15, 60, 240, 1439, 1440].map((horizon) => score(minutes, 30, horizon)))
    }
    notRising([10_085, 10_080, 9_000, 1_440, 300, 120, 119, 90, 60, 1, 0].map((minutes) => score(minutes, 30, 60)))
    notRising(
      [0, 1, 10, 60, 119].map((holes) => {
        const closes = week.map((close, at) => (at >= week.length - 1 - holes && at < week.length - 1 ? NaN : close))
        return confidenceOf(window(closes), 30, 60).score
      }),
    )
  })
})

describe("no answer", () => {
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

  it.effect("holds a NaN, breaks its schema or rises, whatever the tape", () =>
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

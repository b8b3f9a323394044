import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import type { Freshness } from "../../../../core/endpoint/Answer.ts"
import { fail } from "../../../../core/Failure.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { endpoints } from "../../../../core/lanes/weather/endpoints.ts"
import type { Guidance } from "../../../../core/lanes/weather/guidance/Guidance.ts"
import { initialStack } from "../../../../core/lanes/weather/guidance/stack.ts"
import {
  type ErrorStats,
  initialErrors,
  initialStation,
  learnError,
} from "../../../../core/lanes/weather/signal/calibration.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { addDays } from "../../../../core/time.ts"
import { isDistribution } from "./model.ts"
import { day, grid, hour, hourly, issuance, readings, start, type World, weatherOver } from "./world.ts"

/** The lane's answer, so many local standard hours into the day, with the readings that are in by then. */
const ask = (atHour: number, target: string | undefined = undefined, world: Partial<World> = {}) => {
  const now = start + atHour * hour
  const params = { station: "KNYC", ...(target === undefined ? {} : { target }) } as const
  return Effect.zipRight(
    TestClock.setTime(now),
    Effect.provide(
      Effect.flatMap(Weather, (weather) => weather.signal(params)),
      weatherOver({
        grid: Effect.succeed(grid({ updatedAt: now - 20 * 60_000 })),
        readings: Effect.succeed(readings(now)),
        ...world,
      }),
    ),
  )
}

const valid = Schema.validateSync(endpoints.signal.results)

const listed = (map: Readonly<Record<string, number>>) => {
  const keys = Object.keys(map)
    .map(Number)
    .sort((a, b) => a - b)
  assert.deepStrictEqual(
    keys,
    keys.map((_, at) => keys[0]! + at),
  )
  return { first: keys[0]!, values: Float64Array.from(keys, (key) => map[key]!) }
}

describe("the temperature signal", () => {
  it.effect("answers for today by default, in the catalogue's shape", () =>
    Effect.gen(function* () {
      for (const [atHour, target, expected] of [
        [10.9, undefined, day],
        [10.9, day, day],
        [10.9, addDays(day, 1), addDays(day, 1)],
        [10.9, addDays(day, 6), addDays(day, 6)],
        // Half past midnight on the clocks of July is still yesterday's climate day.
        [23.5, undefined, day],
        [0.5, undefined, day],
      ] as const) {
        const { results, confidence, citations, reasoning, links } = yield* ask(atHour, target)
        valid(results)
        assert.strictEqual(results.target_day, expected)
        assert.strictEqual(confidence.label, "reasoned")
        assert.isTrue(confidence.score > 0 && confidence.score < 0.9)
        for (const { step } of citations) assert.isTrue(step >= 1 && step <= reasoning.length)
        for (const { endpoints: paths } of links) {
          for (const path of paths) assert.isTrue(catalogue.byPath.has(path.split("?")[0]!), path)
        }
      }
    }),
  )

  it.effect("gives maps of contiguous degrees whose parts agree", () =>
    Effect.gen(function* () {
      for (const [atHour, ahead] of [
        [3, 0],
        [10.9, 0],
        [18.9, 0],
        [9, 3],
      ] as const) {
        const { projection, uncertainty, probabilities } = (yield* ask(atHour, addDays(day, ahead))).results
        for (const { pmf, ge } of [probabilities, probabilities.low]) {
          const [mass, tail] = [listed(pmf), listed(ge)]
          assert.strictEqual(mass.first, tail.first)
          isDistribution({ pmf: mass.values, ge: tail.values })
        }
        const half = Math.max(20, Math.ceil(5 * uncertainty.sigma_f))
        const keys = Object.keys(probabilities.pmf).map(Number)
        assert.deepStrictEqual(
          [Math.min(...keys), Math.max(...keys)],
          [Math.round(projection.high_f) - half, Math.round(projection.high_f) + half],
        )
        for (const [degree, p] of Object.entries(probabilities.low.le)) {
          assert.approximately(p + (probabilities.low.ge[Number(degree) + 1] ?? 0), 1, 1e-12)
        }
      }
    }),
  )

  it.effect("widens with the days ahead, and states its own and the venue's settlement source", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach([0, 1, 2, 3, 4, 5, 6], (ahead) => ask(2, addDays(day, ahead)))
      const sigmas = answers.map(({ results }) => results.uncertainty.sigma_f)
      const leads = answers.map(({ results }) => results.uncertainty.lead_days)
      for (let at = 1; at < sigmas.length; at++) {
        assert.isAbove(sigmas[at]!, sigmas[at - 1]!)
        assert.approximately(leads[at]! - leads[at - 1]!, 1, 0.011)
      }
      const { market_note, settlement_basis } = answers[0]!.results
      assert.match(market_note, /CLINYC .*KXHIGHNY .*The Weather Company/)
      assert.deepStrictEqual(settlement_basis, {
        model_source: "National Weather Service daily climate report CLINYC",
        venue_source: "The Weather Company",
        same: false,
      })
    }),
  )

  const silent = readings(start + 7 * hour)
  const down = fail("upstream_unavailable", { detail: "The grid is down." })
  const refusals: ReadonlyArray<
    readonly [
      name: string,
      atHour: number,
      target: string | undefined,
      world: Partial<World>,
      code: string,
      told: RegExp,
    ]
  > = [
    ["yesterday", 10, addDays(day, -1), {}, "invalid_parameter", /^target must be from 2026-07-09.*to 2026-07-15\.$/],
    ["a week ahead", 10, addDays(day, 7), {}, "invalid_parameter", /^target must be from/],
    ["yesterday, when the clocks of July say so", 23.5, addDays(day, -1), {}, "invalid_parameter", /^target must be/],
    ["a grid that fails", 10, undefined, { grid: Effect.fail(down) }, "upstream_unavailable", /The grid is down/],
    [
      "a thermometer that fails",
      10,
      undefined,
      { readings: Effect.fail(fail("upstream_unavailable")) },
      "upstream_unavailable",
      /is not responding/,
    ],
    [
      "a store that fails",
      10,
      undefined,
      { states: Effect.fail(fail("storage_unavailable")) },
      "storage_unavailable",
      /cannot be used at the moment/,
    ],
    [
      "an archive that fails",
      10,
      undefined,
      { versions: Effect.fail(fail("storage_unavailable")) },
      "storage_unavailable",
      /cannot be used at the moment/,
    ],
    [
      "an old grid",
      10,
      addDays(day, 2),
      { grid: Effect.succeed(grid({ updatedAt: start - 2.01 * hour })) },
      "data_freshness_stale",
      /last updated at 2026-07-09T02:59:24/,
    ],
    [
      "a silent thermometer",
      10,
      undefined,
      { readings: Effect.succeed(silent) },
      "data_freshness_stale",
      /KNYC for over 3 h \(last: 2026-/,
    ],
    [
      "no reading at all",
      10,
      undefined,
      { readings: Effect.succeed([]) },
      "data_freshness_stale",
      /^No observation from KNYC for over 3 h\.$/,
    ],
    [
      "a grid that ends in the afternoon",
      10,
      undefined,
      { grid: Effect.succeed(grid({ updatedAt: start, hourly: hourly(0, 14) })) },
      "upstream_unavailable",
      /Only 14 of 24 hours of 2026-07-09 at KNYC/,
    ],
    [
      "readings with a hole",
      10,
      undefined,
      { readings: Effect.succeed(readings(start + 10 * hour).filter(({ at }) => at < start || at > start + 7 * hour)) },
      "upstream_unavailable",
      /Only 17 of 24 hours/,
    ],
  ]
  for (const [name, atHour, target, world, code, told] of refusals) {
    it.effect(`refuses ${name}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(ask(atHour, target, world))
        assert.strictEqual(failure.code, code)
        const [hint] = failure.hints ?? []
        assert.match(hint?.suggestion ?? failure.message, told)
        if (code === "invalid_parameter") assert.deepInclude(hint, { field: "target", action: "change" })
        if (code === "data_freshness_stale") assert.strictEqual(failure.retryAfterMs, 600_000)
      }),
    )
  }

  it.effect("needs no thermometer for a day to come, and asks for none", () =>
    Effect.gen(function* () {
      const world = { readings: Effect.dieMessage("asked for"), versions: Effect.dieMessage("asked for") }
      const { results } = yield* ask(10, addDays(day, 1), world)
      assert.strictEqual(results.projection.hours_covered, 24)
    }),
  )

  it.effect("gives the final report's value once it is in, and cites it", () =>
    Effect.gen(function* () {
      const report = issuance({}, start + 23.2 * hour)
      const versions = Effect.succeed([report, issuance({ status: "preliminary", highF: 84 }, start + 16 * hour)])
      const { results, citations, confidence } = yield* ask(23.5, undefined, { versions })
      assert.approximately(results.probabilities.pmf[86]!, 0.99, 1e-12)
      assert.approximately(results.probabilities.low.pmf[65]!, 0.99, 1e-12)
      assert.deepStrictEqual([results.projection.high_f, results.projection.low_f], [86, 65])
      assert.match(results.uncertainty.calibration, /^final/)
      assert.deepInclude(citations, { step: 2, source: "test reports", locator: report.productId })
      assert.strictEqual(confidence.score, 0.99)
    }),
  )

  it.effect("has its percentiles beside those of the blend, which change nothing else while they have no weight", () =>
    Effect.gen(function* () {
      const target = addDays(day, 1)
      const law = { station: "KNYC", day: target, issuedAt: start, tempF: 88 } as const
      const two = (["nbm", "gfs_mos"] as const).map((source) => ({ ...law, source, variable: "high" as const }))
      const blend: Guidance = {
        ...{ ...law, source: "nbp", variable: "high", sigmaF: 3 },
        percentilesF: [84, 86, 88, 90, 92],
      }
      // With weights of the other two in use, too.
      const stack = { ...initialStack, weights: [0.4, 0.1], gain: { estimate: -0.2, low: -0.3, high: -0.1 } }
      const states = Effect.succeed({
        ...initialStation,
        high: initialStation.high.map(() => ({ state: { ...initialErrors, stack }, revision: 1 })),
      })
      const stacked = yield* ask(10.9, target, { states, seconds: two })
      const stackedBeside = yield* ask(10.9, target, { states, seconds: [...two, blend] })
      assert.include(stacked.results.model_version, "-stacked")
      assert.strictEqual(stackedBeside.results.model_version, stacked.results.model_version)
      assert.deepStrictEqual(stackedBeside.results.probabilities, stacked.results.probabilities)
      const alone = yield* ask(10.9, target, { states, seconds: [blend] })
      const none = yield* ask(10.9, target, { states, seconds: [] })
      assert.deepStrictEqual(alone.results.probabilities, none.results.probabilities)
      assert.strictEqual(alone.results.model_version, none.results.model_version)
      const without = yield* ask(10.9, target, { seconds: two })
      const beside = yield* ask(10.9, target, { seconds: [...two, blend] })
      valid(beside.results)
      assert.isUndefined(without.results.percentiles)
      const { percentiles, second_forecasts: seconds, ...rest } = beside.results
      const { second_forecasts: others, ...same } = without.results
      assert.deepStrictEqual(rest, same)
      assert.deepStrictEqual(beside.confidence, without.confidence)
      assert.deepStrictEqual(seconds?.slice(0, 2), others)
      assert.deepInclude(seconds![2], { source: "National Blend of Models (NBP)", high_f: 88, weight: 0 })
      const [own, theirs] = percentiles!
      assert.deepStrictEqual(theirs, {
        ...{ variable: "high", source: "National Blend of Models (NBP)", issued_at: new Date(start).toISOString() },
        ...{ mean_f: 88, sigma_f: 3, p10_f: 84, p25_f: 86, p50_f: 88, p75_f: 90, p90_f: 92 },
      } as typeof theirs)
      const { ge } = beside.results.probabilities
      for (const [level, degree] of [
        [0.1, own!.p10_f],
        [0.5, own!.p50_f],
        [0.9, own!.p90_f],
      ] as const) {
        assert.isAtLeast(1 - (ge[String(degree + 1)] ?? 0), level)
        assert.isBelow(1 - ge[String(degree)]!, level)
      }
      assert.isUndefined(own!.crps)
    }),
  )

  it.effect("has the scores of both laws once twenty days have them, each at its own lead", () =>
    Effect.gen(function* () {
      const target = addDays(day, 1)
      const sums = (mean: number, days: number) => [days, days, mean * days, (mean ** 2 + 0.01) * days] as const
      const state: ErrorStats = { ...initialErrors, percentiles: [sums(1.5, 25), sums(0.2, 25)] }
      const states = {
        ...initialStation,
        high: initialStation.high.map((each, bucket) => (bucket === 1 ? { state, revision: 1 } : each)),
      }
      const seconds = (["high", "low"] as const).map((variable) => ({
        ...{ station: "KNYC", day: target, source: "nbp" as const, variable, issuedAt: start, tempF: 70 },
        percentilesF: [66, 68, 70, 72, 74],
      }))
      const { results } = yield* ask(10.9, target, { seconds, states: Effect.succeed(states) })
      const scores = results.percentiles!.map(({ variable, crps }) => [variable, crps && Math.round(crps * 1e6) / 1e6])
      assert.deepStrictEqual(scores, [
        ["high", 1.5],
        ["high", 1.3],
        ["low", undefined],
        ["low", undefined],
      ])
    }),
  )

  it.effect("is as fresh as the worst of its sources", () =>
    Effect.forEach(
      [
        ["live", "live", "live", "live"],
        ["live", "mock", "shadow", "mock"],
        ["shadow", "live", "live", "shadow"],
      ] as const,
      ([forecasts, observations, reports, expected]: readonly [Freshness, Freshness, Freshness, Freshness]) =>
        Effect.map(ask(10, undefined, { freshness: { forecasts, observations, reports } }), ({ freshness }) =>
          assert.strictEqual(freshness, expected),
        ),
    ),
  )

  it.effect("trusts itself less with an older grid, a longer lead and fewer errors counted", () =>
    Effect.gen(function* () {
      const state = Array.from({ length: 60 }, (_, at) => addDays("2026-04-01", at)).reduce<ErrorStats>(
        (before, of) => learnError(before, { day: of, error: 1, sigma: 2, source: "grid" }),
        initialErrors,
      )
      const states = { ...initialStation, high: initialStation.high.map(() => ({ state, revision: 4 })) }
      const score = (ahead: number, ageHours: number, world: Partial<World> = {}) =>
        Effect.map(
          ask(10, addDays(day, ahead), {
            grid: Effect.succeed(grid({ updatedAt: start + (10 - ageHours) * hour })),
            ...world,
          }),
          ({ confidence }) => confidence.score,
        )
      assert.strictEqual(yield* score(0, 0), 0.72)
      assert.strictEqual(yield* score(0, 0, { states: Effect.succeed(states) }), 0.9)
      assert.strictEqual(yield* score(0, 6), 0.54)
      assert.strictEqual(yield* score(0, 12), 0.36)
      assert.approximately(yield* score(6, 0), 0.72 * (1 - (0.4 * 6.21) / 7), 0.006)
    }),
  )

  it.effect("names the model's version, which changes when something is learned", () =>
    Effect.gen(function* () {
      const plain = yield* ask(-0.5, day)
      const state = Array.from({ length: 10 }, (_, at) => addDays("2026-06-01", at)).reduce<ErrorStats>(
        (before, of) => learnError(before, { day: of, error: 2, sigma: 2, source: "grid" }),
        initialErrors,
      )
      const states = { ...initialStation, high: initialStation.high.map(() => ({ state, revision: 4 })) }
      const learned = yield* ask(-0.5, day, { states: Effect.succeed(states) })
      assert.deepStrictEqual(
        [plain, learned].map(({ results }) => results.model_version),
        ["temperature-t8-3.0", "temperature-t8-3.4"],
      )
      assert.match(learned.results.uncertainty.calibration, /^partial: 10 errors at .* 2026-06-01 to 2026-06-10$/)
      assert.isAbove(learned.results.projection.high_f, plain.results.projection.high_f)
    }),
  )

  it.effect("runs the same model on a forecast a degree warmer, when that is asked for", () =>
    Effect.gen(function* () {
      const { results, extras } = yield* ask(2, addDays(day, 1))
      const other = yield* extras!.counterfactual!
      assert.deepStrictEqual([other.input, other.from, other.to], ["forecast_high_f", 85, 86])
      assert.deepInclude(other.result as object, { high_f: results.projection.high_f + 1 })
      const { high_f, low_f, max_change_ge } = other.delta as Record<string, number>
      assert.approximately(high_f!, 1, 1e-9)
      assert.approximately(low_f!, 1, 0.011)
      assert.isTrue(max_change_ge! > 0.1 && max_change_ge! < 0.5)
      const alternatives = yield* extras!.alternatives!
      const ranked = Object.values(results.probabilities.pmf).sort((a, b) => b - a)
      assert.deepStrictEqual(
        alternatives.map(({ score }) => score),
        ranked.slice(1, 4),
      )
      for (const { endpoint, params } of extras!.suggestions!) {
        const { params: schema } = catalogue.byId.get(endpoint)!.endpoint
        assert.isTrue(Either.isRight(Schema.decodeUnknownEither(schema as never)(params)), endpoint)
      }
    }),
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Lane from "../../../../../core/lanes/Lane.ts"
import type { Challenge, Challenger } from "../../../../../core/lanes/markets/challenge/Challenge.ts"
import { benchModels } from "../../../../../core/lanes/markets/challenge/endpoints.ts"
import { add, empty, type Sums } from "../../../../../core/record/scoreboard/challengers.ts"

const closeTime = Date.UTC(2026, 6, 13)
const hour = 3_600_000

/** The sums of a challenger with a probability of so many contracts that all came true, each of another week. */
const addReliability = (count: number, p: number): Sums => {
  const sums = empty()
  for (let at = 0; at < count; at++) {
    const close = closeTime - at * 7 * 24 * hour
    add(
      sums,
      {
        ...{ domain: "weather", event: `KXHIGHNY-26JUL${at}`, model: 500_000, market: 800_000, happened: true },
        ...{ capturedAt: close - hour, closeTime: close },
      },
      { p, at: close - 2 * hour, anchoredAt: close - 2 * hour },
    )
  }
  return sums
}

const challenger = (model: string, sums: Sums, changes: Partial<Challenger> = {}): Challenger => ({
  ...{ model, since: closeTime - 48 * hour, accountModels: { entered: 2, withdrawn: 1 }, sums },
  ...changes,
})

const table = (challengers: ReadonlyArray<Challenger>, settledAt?: number) =>
  Lane.method(benchModels, {
    challenge: {
      freshness: "live",
      challengers: Effect.succeed({ challengers, ...(settledAt === undefined ? {} : { settledAt }) }),
    } as unknown as typeof Challenge.Service,
  })({})

describe("the table of challengers", () => {
  it.effect("has those with most shared contracts first, then by name, as of the last result", () =>
    Effect.gen(function* () {
      const all = [
        challenger("b", addReliability(1, 0)),
        challenger("c", addReliability(3, 0)),
        challenger("a", addReliability(1, 0)),
      ]
      const { results } = yield* table(all, closeTime)
      assert.deepStrictEqual(
        results.models.map(({ model, shared_rows }) => [model, shared_rows]),
        [
          ["c", 3],
          ["a", 1],
          ["b", 1],
        ],
      )
      assert.deepStrictEqual([results.count, results.as_of], [3, "2026-07-13T00:00:00.000Z"])
    }),
  )

  it.effect("has the scores of all three on the same contracts, and how long before the close they were made", () =>
    Effect.gen(function* () {
      const [row] = (yield* table([challenger("a", addReliability(10, 900_000))], closeTime)).results.models
      assert.approximately(row!.brier!, 0.01, 1e-12)
      assert.approximately(row!.brier_model!, 0.25, 1e-12)
      assert.approximately(row!.brier_market!, 0.04, 1e-12)
      assert.deepStrictEqual([row!.lead_seconds, row!.capture_lead_seconds], [7_200, 3_600])
      assert.approximately(row!.difference_to_model!.estimate, -0.24, 1e-12)
      assert.approximately(row!.difference_to_market!.low, -0.03, 1e-9)
    }),
  )

  it.effect("has no score without a shared contract, and no interval of a few weeks", () =>
    Effect.gen(function* () {
      const late = empty()
      late.unscored = 4
      const { models } = (yield* table([challenger("late", late), challenger("one", addReliability(9, 0))], closeTime))
        .results
      assert.deepStrictEqual(
        models.map((row) => ["brier" in row, "difference_to_model" in row, row.unscored_rows]),
        [
          [true, false, 0],
          [false, false, 4],
        ],
      )
    }),
  )

  it.effect("says who has withdrawn, and is as of now where nothing has settled", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(closeTime)
      const { results, confidence } = yield* table([challenger("a", empty(), { withdrawnAt: closeTime - hour })])
      assert.strictEqual(results.as_of, "2026-07-13T00:00:00.000Z")
      const { status, withdrawn_at, account_models_entered } = results.models[0]!
      assert.deepStrictEqual(
        [status, withdrawn_at, account_models_entered],
        ["withdrawn", "2026-07-12T23:00:00.000Z", 2],
      )
      assert.deepStrictEqual(confidence.factors, ["1 challenger"])
    }),
  )
})

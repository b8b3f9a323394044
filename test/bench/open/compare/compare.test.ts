import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Comparison, compare } from "../../../../bench/open/compare/compare.ts"
import { rows } from "../../../../bench/open/compare/rows.ts"
import { table } from "../../../../bench/open/compare/table.ts"
import { benchTask } from "../../../support/benchTask.ts"

const task = benchTask()
const options = { seed: 1, replicates: 200 }
const own = {
  kind: "own" as const,
  name: "constant",
  forecasts: new Map(task.cases.slice(0, 14).map(({ id }) => [id, { p: 0.3 }])),
}
const partOf = ({ parts }: Comparison, group: string) => parts.find((part) => part.group === group)!

describe("a comparison", () => {
  it.live("scores all on the rows that every one answered", () =>
    Effect.gen(function* () {
      const { comparison } = yield* compare(task, [own], options)
      assert.deepStrictEqual(
        comparison.contenders.map(({ kind, name, answered }) => [kind, name, answered]),
        [
          ["own", "constant", 14],
          // It knows nothing on the first day.
          ["served", "share so far", 18],
          ["market", "even market", 10],
        ],
      )
      // Days 2, 4 and 6: the first day has no served forecast, odd days no market, days from 7 on none of the own.
      const [brier] = partOf(comparison, "all").measures
      assert.deepStrictEqual([brier!.rows, brier!.clusters], [6, 3])
      const mean = (...values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value) / values.length
      const expected = {
        constant: mean(0.09, 0.09, 0.49),
        "share so far": mean(1 / 4, 1 / 4, (1 - 2 / 6) ** 2),
        "even market": 0.01,
      }
      for (const { contender, value, low, high } of brier!.scores) {
        assert.closeTo(value, expected[contender as keyof typeof expected], 1e-12)
        // Of three days there is none.
        assert.deepStrictEqual([low, high], [Number.NaN, Number.NaN])
      }
      for (const { of, minus, value } of brier!.differences) {
        assert.strictEqual(of, "constant")
        assert.closeTo(value, expected.constant - expected[minus as keyof typeof expected], 1e-12)
      }
    }),
  )

  it.live("says who is better only where the interval excludes 0", () =>
    Effect.gen(function* () {
      const long = benchTask(60)
      const all = { ...own, forecasts: new Map(long.cases.map(({ id }) => [id, { p: 1 / 3 }])) }
      const { comparison } = yield* compare(long, [all], options)
      const [againstServed, againstMarket] = partOf(comparison, "all").measures[0]!.differences
      assert.strictEqual(againstMarket!.better, "even market")
      // Three days leave no interval, and nobody is better.
      assert.isUndefined(
        partOf((yield* compare(task, [own], options)).comparison, "all").measures[0]!.differences[1]!.better,
      )
      assert.strictEqual(againstServed!.better === undefined, againstServed!.low <= 0 && againstServed!.high >= 0)
    }),
  )

  it.live("has no rows where the market knows nothing, and says so with dashes", () =>
    Effect.gen(function* () {
      const { comparison } = yield* compare(task, [own], options)
      const odd = partOf(comparison, "odd")
      // The market has no forecast there at all, and keeps nobody from being compared.
      assert.deepStrictEqual(
        odd.measures[0]!.scores.map(({ contender }) => contender),
        ["constant", "share so far"],
      )
      assert.strictEqual(odd.measures[0]!.rows, 6)
      assert.include(table(comparison), "odd: 10 questions")
    }),
  )

  it.live("gives the same bytes for the same seed, and others for another", () =>
    Effect.gen(function* () {
      const run = (seed: number) =>
        Effect.map(compare(benchTask(40), [], { seed, replicates: 50 }), ({ comparison }) => JSON.stringify(comparison))
      assert.strictEqual(yield* run(1), yield* run(1))
      assert.notStrictEqual(yield* run(1), (yield* run(2)).replace('"seed":2', '"seed":1'))
    }),
  )

  it.live("writes every row with outcome, forecasts and scores", () =>
    Effect.gen(function* () {
      const { contenders } = yield* compare(task, [own], options)
      const lines = [...rows(task, contenders)]
      assert.strictEqual(lines.length, task.cases.length + 1)
      assert.strictEqual(
        lines[0],
        "id,at,cluster,groups,outcome,constant,constant: Brier,share so far,share so far: Brier,even market,even market: Brier\r\n",
      )
      assert.strictEqual(
        lines[5],
        '2/a,1970-01-01T00:00:00.200Z,2,all; even,false,"{""p"":0.3}",0.09,"{""p"":0.5}",0.25,"{""p"":0.1}",0.010000000000000002\r\n',
      )
    }),
  )
})

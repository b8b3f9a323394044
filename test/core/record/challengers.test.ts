import { assert, describe, it } from "@effect/vitest"
import { clusterBootstrap } from "../../../core/math/bootstrap.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import * as Board from "../../../core/record/scoreboard/board.ts"
import { add, empty, type Shared, scoresOf, sharedOf } from "../../../core/record/scoreboard/challengers.ts"
import { intervalsOf, seed } from "../../../core/record/scoreboard/scores.ts"
import { settledRows } from "../../support/settledRows.ts"

const row = (changes: Partial<Shared>): Shared => ({
  domain: "weather",
  event: "E1",
  challenger: 500_000,
  model: 500_000,
  market: 320_000,
  happened: true,
  anchored: true,
  ...changes,
})

const rows = [
  row({ challenger: 700_000 }),
  row({ challenger: 100_000, happened: false, anchored: false }),
  row({ challenger: 400_000, event: "E2" }),
]

const sumsOf = (all: ReadonlyArray<Shared>) => {
  const sums = empty()
  for (const one of all) add(sums, one)
  return sums
}

describe("a challenger's scores", () => {
  it("are the mean squared errors on the same rows, and the differences of a bootstrap over events", () => {
    const scores = scoresOf(sumsOf(rows))!
    assert.deepStrictEqual([scores.shared, scores.anchored], [3, 2])
    assert.closeTo(scores.challenger, (0.3 ** 2 + 0.1 ** 2 + 0.6 ** 2) / 3, 1e-15)
    assert.closeTo(scores.model, 0.25, 1e-15)
    assert.closeTo(scores.market, (0.68 ** 2 + 0.32 ** 2 + 0.68 ** 2) / 3, 1e-15)
    // The two events in the order of the names of their groups; count, challenger, model and market of each.
    const events = [Float64Array.of(2, 0.1, 0.5, 0.5648), Float64Array.of(1, 0.36, 0.25, 0.4624)]
    const names = ["E1", "E2"].map((event) => Board.groupOf({ domain: "weather", event }))
    if (names[0]! > names[1]!) events.reverse()
    const [toModel, toMarket] = clusterBootstrap(
      [Float64Array.from(events.flatMap((sums) => [...sums]))],
      4,
      2,
      ([drawn], into) => {
        into[0] = (drawn![1]! - drawn![2]!) / drawn![0]!
        into[1] = (drawn![1]! - drawn![3]!) / drawn![0]!
      },
      2_000,
      xoshiro128(seed),
      0.95,
    )
    for (const end of ["low", "high"] as const) {
      assert.closeTo(scores.differences!.model[end], toModel![end], 1e-12)
      assert.closeTo(scores.differences!.market[end], toMarket![end], 1e-12)
    }
  })

  it("are the scoreboard's where the challenger says what our model said", () => {
    const board = Board.empty()
    const sums = empty()
    for (const settled of settledRows(600, 3)) {
      Board.add(board, settled)
      const scored = Board.headToHead(settled)
      if (scored !== undefined) add(sums, { ...scored, challenger: scored.model })
    }
    const { model, market, difference } = intervalsOf(board).get("all")!
    const scores = scoresOf(sums)!
    assert.strictEqual(scores.challenger, scores.model)
    assert.deepStrictEqual([scores.differences!.model.low, scores.differences!.model.high], [0, 0])
    assert.closeTo(scores.differences!.market.low, difference.low, 1e-12)
    assert.closeTo(scores.differences!.market.high, difference.high, 1e-12)
    assert.isTrue(model.low < scores.model && scores.model < model.high)
    assert.isTrue(market.low < scores.market && scores.market < market.high)
  })

  it("have no interval with one event, and are none without a row", () => {
    assert.isUndefined(scoresOf(empty()))
    const one = scoresOf(sumsOf(rows.slice(0, 2)))!
    assert.strictEqual(one.shared, 2)
    assert.isUndefined(one.differences)
  })

  it("are as if a removed row had never been added", () => {
    const sums = sumsOf(rows)
    add(sums, rows[2]!, -1)
    assert.strictEqual(sharedOf(sums), 2)
    assert.deepStrictEqual(scoresOf(sums), scoresOf(sumsOf(rows.slice(0, 2))))
    assert.strictEqual(sums.changes, 4)
  })
})

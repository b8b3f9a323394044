import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { modelName as baseballModel } from "../../bench/open/lanes/baseball/task.ts"
import { modelName as footballModel } from "../../bench/open/lanes/football/models.ts"
import { card, restatedBars } from "../../bench/tools/cards.ts"
import type { Figures } from "../../bench/tools/figures.ts"

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"))
const figures: Readonly<Record<string, Figures>> = read("bench/tools/figures.json")
const lanes = ["football", "baseball", "crypto-ETH", "crypto-BTC", "crypto-ETH-2024", "crypto-BTC-2023", "weather"]

describe("the figures of the model cards", () => {
  it.each(lanes)("of %s have an interval each, and the served model first", (lane) => {
    const { contenders, parts, bootstrap } = figures[lane]!
    assert.strictEqual(contenders[0]!.kind, "served")
    assert.isAtLeast(bootstrap.replicates, 1000)
    for (const { measures } of parts) {
      for (const { scores, differences } of measures) {
        for (const { value, low, high } of [...scores, ...differences]) assert.isTrue(low <= value && value <= high)
        for (const { minus, value } of differences) {
          const other = scores.find(({ contender }) => contender === minus)!
          assert.approximately(value, scores[0]!.value - other.value, 2e-5 * Math.abs(other.value))
        }
      }
    }
  })

  it("are those of the served models", () => {
    const scoreOf = (lane: string, at: number) => figures[lane]!.parts[0]!.measures[at]!.scores[0]!.value
    const [football, baseball] = [read("core/lanes/football/model/model.json"), read("core/lanes/baseball/model.json")]
    assert.deepStrictEqual(
      [figures["football"]!, figures["baseball"]!].map(({ contenders }) => contenders[0]!.name),
      [footballModel, baseballModel],
    )
    assert.approximately(scoreOf("football", 0), football.backtest_holdout.spread.mae_model, 5e-5)
    assert.approximately(scoreOf("baseball", 0), baseball.backtest.overall.brier_model, 5e-7)
  })

  it("begin with the gap to the close", () => {
    const lines = card(["baseball"], "")().split("\n")
    const rows = lines.filter((line) => line.startsWith("| to ") || line.startsWith("| of "))
    assert.match(rows[0]!, /^\| to market close \| \+\.\d+ \[-?\.\d+, \.\d+\] \|/)
  })

  it("are held to the bars of football, which are gaps", () => {
    const text = restatedBars()
    assert.match(text, /gap to the close, 2015–2025, 3028 games/)
    for (const bar of ["≤ +.20", "≤ +.00500", "≤ +.10"]) assert.include(text, bar)
  })
})

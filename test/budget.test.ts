import { assert, describe, it } from "@effect/vitest"
import { budgetFile, linesByRoom, lowered, readBudget } from "../bench/tools/budget.ts"

const lines = linesByRoom()
const budget = readBudget()

describe("the budget of lines", () => {
  it("has a figure for each room, and none for one that is gone", () => {
    assert.deepStrictEqual(Object.keys(budget).sort(), Object.keys(lines).sort())
  })

  it.each(Object.entries(lines))("holds %s", (room, count) => {
    assert.isAtMost(
      count,
      budget[room]!,
      `lines of ${room}: delete as many as you add, or raise ${budgetFile} and say why`,
    )
  })

  it("is lowered by its command, and never raised", () => {
    assert.deepStrictEqual(lowered({ core: 10, web: 5, gone: 1 }, { core: 12, web: 4, new: 3 }), {
      core: 10,
      web: 4,
      new: 3,
    })
  })
})

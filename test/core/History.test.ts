import { assert, describe, it } from "@effect/vitest"
import { historyAt, LookAhead } from "../../core/History.ts"

const facts = [1, 2, 2, 5].map((at, place) => ({ at, fact: `${place}` }))

describe("the history of a question", () => {
  it.each([
    [0, []],
    [1, ["0"]],
    [2, ["0", "1", "2"]],
    [4.9, ["0", "1", "2"]],
    [5, ["0", "1", "2", "3"]],
  ] as const)("at %d has what was known then", (asOf, known) => {
    const history = historyAt(facts, asOf)
    assert.strictEqual(history.length, known.length)
    assert.deepStrictEqual(history.since(0), known)
    assert.deepStrictEqual(history.last(2), known.slice(-2))
    assert.deepStrictEqual(history.last(99), known)
    assert.deepStrictEqual(history.until(asOf), known)
    assert.strictEqual(history.at(-1), known.at(-1))
  })

  it.each([
    ["a time after the question's", (history: ReturnType<typeof historyAt>) => history.until(4.1)],
    ["no time", (history: ReturnType<typeof historyAt>) => history.until(Number.NaN)],
    ["a place that is not known yet", (history: ReturnType<typeof historyAt>) => history.at(3)],
  ])("refuses %s", (_, ask) => {
    assert.throws(() => ask(historyAt(facts, 4)), LookAhead)
  })

  it("is not the task's own list", () => {
    const list = historyAt(facts, 2).since(0) as Array<string>
    list.push("more")
    assert.strictEqual(historyAt(facts, 2).length, 3)
  })
})

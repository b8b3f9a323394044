import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { walk, walkSteps } from "../../../../bench/open/compare/walk.ts"

const one = (id: string, at: number) => ({ id, at, cluster: id, groups: [], question: `${id}?`, outcome: 0 })
const task = {
  facts: [1, 2, 3].map((at) => ({ at, fact: at * 10 })),
  cases: [one("a", 0), one("b", 2), one("c", 9)],
}

describe("a walk through questions", () => {
  it("asks them in order, each with the facts up to its time and none later", () => {
    const seen = [...walkSteps(task, (question, history) => [question, history.asOf, history.since(0)])]
    assert.deepStrictEqual(seen, [
      { id: "a", forecast: ["a?", 0, []] },
      { id: "b", forecast: ["b?", 2, [10, 20]] },
      { id: "c", forecast: ["c?", 9, [10, 20, 30]] },
    ])
  })

  it.effect("keeps the forecasts by id, without those that a model did not make; 0 is one", () =>
    Effect.map(
      walk(task, (question) => (question === "b?" ? undefined : question === "a?" ? 0 : 1)),
      (found) =>
        assert.deepStrictEqual(
          [...found],
          [
            ["a", 0],
            ["c", 1],
          ],
        ),
    ),
  )

  it.live("goes on over many turns of the event loop", () =>
    Effect.map(
      walk({ facts: [], cases: Array.from({ length: 101 }, (_, at) => one(String(at), at)) }, (question) => question),
      (found) => {
        assert.strictEqual(found.size, 101)
        assert.strictEqual(found.get("100"), "100?")
      },
    ),
  )

  it.effect("is a defect where the model throws", () =>
    Effect.map(
      Effect.exit(
        walk(task, () => {
          throw new Error("A bad model.")
        }),
      ),
      (exit) => {
        assert.strictEqual(exit._tag, "Failure")
        if (exit._tag === "Failure") assert.strictEqual(exit.cause._tag, "Die")
      },
    ),
  )
})

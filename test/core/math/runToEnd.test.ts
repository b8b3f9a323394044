import { assert, describe, it } from "@effect/vitest"
import { runToEnd } from "../../../core/math/runToEnd.ts"

describe("work in steps", () => {
  it("runs through all of them and returns what it returns at the end", () => {
    const seen: Array<number> = []
    const steps = function* () {
      for (let at = 0; at < 3; at++) {
        seen.push(at)
        yield at
      }
      return "done"
    }
    assert.strictEqual(runToEnd(steps()), "done")
    assert.deepStrictEqual(seen, [0, 1, 2])
  })

  it("may have no step at all", () => {
    assert.strictEqual(
      runToEnd(
        // biome-ignore lint/correctness/useYield: there is nothing to do before the end
        (function* () {
          return 7
        })(),
      ),
      7,
    )
  })

  it("throws what a step throws", () => {
    const steps = function* () {
      yield 1
      throw new RangeError("A bad step.")
    }
    assert.throws(() => runToEnd(steps()), RangeError, "A bad step.")
  })
})

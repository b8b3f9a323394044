import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { oncePerState } from "../../core/oncePerState.ts"
import { perObject } from "../../core/perObject.ts"

describe("a function of an object", () => {
  it("is computed once for each, with the arguments of its first call", () => {
    let runs = 0
    const found = perObject((key: { readonly name: string }, more: number) => {
      runs++
      return { text: `${key.name}${more}` }
    })
    const [a, b] = [{ name: "a" }, { name: "a" }]
    assert.deepStrictEqual(found(a, 1), { text: "a1" })
    assert.strictEqual(found(a, 2), found(a, 1))
    assert.strictEqual(runs, 1)
    assert.deepStrictEqual(found(b, 2), { text: "a2" })
    assert.strictEqual(runs, 2)
  })
})

describe("long work about an object", () => {
  const counted = () => {
    const runs: Array<string> = []
    const of = oncePerState((key: { readonly name: string }, state: number) =>
      Effect.sync(() => {
        runs.push(`${key.name}${state}`)
        return runs.length
      }),
    )
    return { runs, of }
  }

  it.effect("is run once for each state, and only the newest value is kept", () =>
    Effect.gen(function* () {
      const { runs, of } = counted()
      const [a, b] = [{ name: "a" }, { name: "b" }]
      assert.strictEqual(yield* of(a, 1), 1)
      assert.strictEqual(yield* of(a, 1), 1)
      assert.strictEqual(yield* of(b, 1), 2)
      assert.strictEqual(yield* of(a, 2), 3)
      assert.strictEqual(yield* of(a, 2), 3)
      assert.strictEqual(yield* of(a, 1), 4)
      assert.deepStrictEqual(runs, ["a1", "b1", "a2", "a1"])
    }),
  )

  it.effect("is shared by callers that come while it runs", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      let runs = 0
      const of = oncePerState((_: object, state: number) =>
        Effect.zipRight(
          Effect.sync(() => runs++),
          Effect.as(Deferred.await(gate), state),
        ),
      )
      const key = {}
      const callers = yield* Effect.fork(Effect.all([of(key, 7), of(key, 7), of(key, 7)], { concurrency: 3 }))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(callers), [7, 7, 7])
      assert.strictEqual(runs, 1)
    }),
  )

  it.effect("is run again after a failure", () =>
    Effect.gen(function* () {
      let runs = 0
      const of = oncePerState((_: object, _state: number) => (++runs === 1 ? Effect.fail("no") : Effect.succeed("yes")))
      const key = {}
      assert.strictEqual(yield* Effect.flip(of(key, 1)), "no")
      assert.strictEqual(yield* of(key, 1), "yes")
      assert.strictEqual(yield* of(key, 1), "yes")
      assert.strictEqual(runs, 2)
    }),
  )
})

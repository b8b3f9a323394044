import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { withBoard } from "../../../../adapters/web/docs/withBoard.ts"

describe("a page with the board", () => {
  it.effect("waits a second for the first board, also in a request that cannot be interrupted", () =>
    Effect.gen(function* () {
      const page = yield* withBoard(Effect.never, (board) => board?.freshness ?? "without a board")
      const shown = yield* Effect.fork(Effect.uninterruptible(page))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(shown), "without a board")
    }),
  )
})

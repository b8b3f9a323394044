import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { finish, makeFork } from "../../../../adapters/server/http/finish.ts"

const fork = Effect.runSync(makeFork)

/** A call on its way, how it ends, and the client's way to cancel it. */
const calling = (work: Effect.Effect<void>, answerMs = 60_000) => {
  let cancel: (() => void) | undefined
  let fibers = 0
  const ended = new Promise<Exit.Exit<void>>((resolve) =>
    finish(fork, work, {
      answerMs,
      onCancel: (interrupt) => {
        cancel = interrupt
        return () => {
          cancel = undefined
        }
      },
      onEnd: resolve,
      onFork: () => void fibers++,
    }),
  )
  return { ended, fibers, cancel: () => cancel?.(), isCancellable: () => cancel !== undefined }
}

describe("a call that has begun", () => {
  it("and is done already needs no fiber", async () => {
    const { ended, fibers, isCancellable } = calling(Exit.void)
    assert.isTrue(Exit.isSuccess(await ended))
    assert.deepStrictEqual([fibers, isCancellable()], [0, false])
  })

  it("ends in a fiber, after which its client cancels nothing", async () => {
    const { ended, fibers, isCancellable } = calling(Effect.sleep(5))
    assert.isTrue(isCancellable())
    assert.isTrue(Exit.isSuccess(await ended))
    assert.deepStrictEqual([fibers, isCancellable()], [1, false])
  })

  it("is interrupted by its client where it may be", async () => {
    const { ended, cancel } = calling(Effect.interruptible(Effect.never))
    cancel()
    assert.isTrue(Exit.isInterrupted(await ended))
  })

  it("is interrupted after the longest time for an answer", async () => {
    assert.isTrue(Exit.isInterrupted(await calling(Effect.interruptible(Effect.never), 10).ended))
  })

  it("goes on to its end where it may not be interrupted", async () => {
    const { ended, cancel } = calling(Effect.sleep(20), 5)
    cancel()
    assert.isTrue(Exit.isSuccess(await ended))
  })
})

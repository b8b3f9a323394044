import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Board } from "../../describe/figures.ts"

/** A reader waits this long for the first board of a process, whose sums may take seconds; then the page comes without. */
const boardWait = "1 second"

/**
 * A document with the board in it: the last one read, at most once a minute, in a fiber of its own, so that no reader
 * waits for a slow store. Without a board after a failed read, also one that is a bug: the rest of the page needs none.
 */
export const withBoard = <Document>(
  read: Effect.Effect<Board | undefined>,
  documentOf: (board: Board | undefined) => Document,
): Effect.Effect<Effect.Effect<Document>> => {
  let shown: Board | undefined
  let document = documentOf(shown)
  const show = (board: Board | undefined) =>
    Effect.sync(() => {
      if (board === shown) return
      shown = board
      document = documentOf(board)
    })
  const reading = Effect.flatMap(read, show).pipe(
    Effect.tapErrorCause((cause) =>
      Effect.zipRight(
        show(undefined),
        // A stop of the process interrupts the read, which is no failure.
        Effect.unless(Effect.logWarning("The scoreboard could not be read", cause), () =>
          Cause.isInterruptedOnly(cause),
        ),
      ),
    ),
  )
  return Effect.map(Effect.cachedWithTTL(Effect.forkDaemon(reading), "1 minute"), (begun) =>
    Effect.gen(function* () {
      const fiber = yield* begun
      // A request may run uninterruptible, and a wait that cannot be interrupted has no time-out.
      if (shown === undefined) yield* Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), boardWait)
      return document
    }),
  )
}

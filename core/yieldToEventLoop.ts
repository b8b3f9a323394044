import * as Effect from "effect/Effect"

/** Of Node, Deno and Bun: calls back once the sockets were served. */
const runtime = globalThis as { readonly setImmediate?: (callback: () => void) => unknown }

/**
 * Returns to the event loop in the middle of long work, so that timers and sockets are served. A yield of the fiber does not:
 * Effect runs thousands of yields in one turn. A timer does not either where two fibers work: after the work of one, the
 * other's is due, and both run on before the sockets; and its millisecond would be a third of the time of short pieces.
 */
export const yieldToEventLoop: Effect.Effect<void> =
  runtime.setImmediate === undefined
    ? Effect.sleep(0)
    : Effect.async((resume) => {
        const nextTurn = () => resume(Effect.void)
        runtime.setImmediate!(nextTurn)
      })

/**
 * Does long work piece by piece, such as a generator's steps or slices of rows, and returns to the event loop after each.
 *
 * @param work on a piece; by default making it is the work
 * @returns what the generator returns
 */
export const inTurns = <A, B, E = never, R = never>(
  pieces: Iterable<A, B>,
  work: (piece: A) => Effect.Effect<unknown, E, R> = () => Effect.void,
): Effect.Effect<B, E, R> =>
  Effect.gen(function* () {
    const iterator = pieces[Symbol.iterator]()
    for (let next = iterator.next(); ; next = iterator.next()) {
      if (next.done === true) return next.value
      yield* work(next.value)
      yield* yieldToEventLoop
    }
  })

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

/** Runs work that is cut into steps to its end, and returns to the event loop after each. */
export const runInTurns = <A>(steps: Generator<unknown, A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) yield* yieldToEventLoop
    return step.value
  })

import * as Effect from "effect/Effect"

/**
 * Returns to the event loop in the middle of long work, so that sockets are served. A yield of the fiber does not: Effect
 * runs thousands of yields in one turn of the event loop.
 */
export const breath: Effect.Effect<void> = Effect.sleep(0)

/** Runs work that is cut into steps to its end, and returns to the event loop after each. */
export const inTurns = <A>(steps: Generator<unknown, A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) yield* breath
    return step.value
  })

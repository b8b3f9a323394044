import * as Effect from "effect/Effect"

/** Node, Deno and Bun: calls back once the sockets were served. */
const { setImmediate: afterSockets } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown }

/** A turn of the event loop, for files in short pieces: the millisecond of the timer of `yieldToEventLoop` would be a third of their time. */
export const eventLoopTurn: Effect.Effect<void> =
  afterSockets === undefined ? Effect.sleep(0) : Effect.async((resume) => void afterSockets(() => resume(Effect.void)))

/**
 * Returns to the event loop in the middle of long work, so that timers and sockets are served. A yield of the fiber does
 * not: Effect runs thousands of yields in one turn of the event loop. A timer alone does not either where two fibers work:
 * after the work of one, the other's timer is due, and both run on before the sockets.
 */
export const yieldToEventLoop: Effect.Effect<void> = Effect.zipRight(Effect.sleep(0), eventLoopTurn)

/** Runs work that is cut into steps to its end, and returns to the event loop after each. */
export const runInTurns = <A>(steps: Generator<unknown, A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) yield* yieldToEventLoop
    return step.value
  })

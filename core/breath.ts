import * as Effect from "effect/Effect"

/**
 * Returns to the event loop in the middle of long work, so that sockets are served. A yield of the fiber does not: Effect
 * runs thousands of yields in one turn of the event loop.
 */
export const breath: Effect.Effect<void> = Effect.sleep(0)

import * as Effect from "effect/Effect"

/**
 * Lets everything else that is due have its turn, sockets included, in the middle of long work. A yield of the fiber does
 * not: thousands of those follow each other before the event loop goes on.
 */
export const breath: Effect.Effect<void> = Effect.sleep(0)

import * as Effect from "effect/Effect"

/** Absent where the runtime has no event loop of Node's kind. */
const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown }

/**
 * Returns to the event loop in the middle of long work, so that sockets are served. A yield of the fiber does not: Effect
 * runs thousands of yields in one turn of the event loop. A timer of 0 would wait for a whole millisecond.
 */
export const breath: Effect.Effect<void> =
  setImmediate === undefined ? Effect.sleep(0) : Effect.async((resume) => void setImmediate(() => resume(Effect.void)))

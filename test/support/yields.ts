import * as Effect from "effect/Effect"

/** Counts the yields to the event loop from here to `stop`, of all that runs in this process. */
export const countYields = (): { readonly count: () => number; readonly stop: () => void } => {
  const { setImmediate } = globalThis
  let count = 0
  globalThis.setImmediate = Object.assign((callback: () => void) => {
    if (callback.name === "nextTurn") count++
    return setImmediate(callback)
  }, setImmediate)
  return {
    count: () => count,
    stop: () => {
      globalThis.setImmediate = setImmediate
    },
  }
}

/** The result of work, with the number of its yields. */
export const withYields = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(countYields),
    ({ count }) => Effect.map(work, (result) => [result, count()] as const),
    ({ stop }) => Effect.sync(stop),
  )

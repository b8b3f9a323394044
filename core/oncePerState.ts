import * as Effect from "effect/Effect"
import { perObject } from "./perObject.ts"
import * as Step from "./Step.ts"

/**
 * Runs long work on an object once for each state of the object: concurrent callers share one run. Only the newest value is
 * kept.
 *
 * @param compute `state` is equal while the value stays the same
 */
export const oncePerState = <K extends object, S, A, E = never>(
  compute: (key: K, state: S) => Effect.Effect<A, E>,
): ((key: K, state: S) => Effect.Effect<A, E>) => {
  interface Entry {
    readonly lock: Effect.Semaphore
    newest?: { readonly state: S; readonly value: Effect.Effect<A> }
  }
  const keyEntry = perObject((_: K): Entry => ({ lock: Effect.unsafeMakeSemaphore(1) }))
  return (key, state) => {
    const entry = keyEntry(key)
    const kept = () => (entry.newest?.state === state ? entry.newest?.value : undefined)
    const run = Effect.suspend(
      () =>
        kept() ??
        Effect.tap(compute(key, state), (value) => {
          entry.newest = { state, value: Effect.succeed(value) }
        }),
    )
    return Step.suspend(() => kept() ?? entry.lock.withPermits(1)(run))
  }
}

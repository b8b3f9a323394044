import * as Effect from "effect/Effect"
import { perObject } from "../perObject.ts"
import * as Step from "../Step.ts"

/**
 * Long work about an object that is run once for each of its states: concurrent callers share one run. The newest value
 * is kept.
 *
 * @param compute `state` is equal while the value stays the same
 */
export const oncePerState = <K extends object, S, A, E = never>(
  compute: (key: K, state: S) => Effect.Effect<A, E>,
): ((key: K, state: S) => Effect.Effect<A, E>) => {
  const newest = new WeakMap<K, { readonly state: S; readonly value: Effect.Effect<A> }>()
  const oneOf = perObject((_: K) => Effect.unsafeMakeSemaphore(1))
  return (key, state) => {
    const run = Effect.suspend(() => {
      const before = newest.get(key)
      if (before !== undefined && before.state === state) return before.value
      return Effect.tap(compute(key, state), (value) => {
        newest.set(key, { state, value: Effect.succeed(value) })
      })
    })
    return Step.suspend(() => {
      const before = newest.get(key)
      return before !== undefined && before.state === state ? before.value : oneOf(key).withPermits(1)(run)
    })
  }
}

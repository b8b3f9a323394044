import * as Effect from "effect/Effect"
import * as Step from "../Step.ts"

/** A function of an object that is computed once for each, with the other arguments of the first call. */
export const perObject = <K extends object, Args extends ReadonlyArray<unknown>, A extends object>(
  compute: (key: K, ...args: Args) => A,
): ((key: K, ...args: Args) => A) => {
  const values = new WeakMap<K, A>()
  return (key, ...args) => {
    const cached = values.get(key)
    if (cached !== undefined) return cached
    const value = compute(key, ...args)
    values.set(key, value)
    return value
  }
}

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

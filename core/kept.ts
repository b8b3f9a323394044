import { BoundedMap } from "./BoundedMap.ts"
import * as Step from "./Step.ts"

/**
 * Keeps what is made by key, each until it has another version. Who reads the version before what it is of makes again what
 * changes meanwhile.
 *
 * @param most keys
 */
export const kept = <A, E = never>(most = Number.POSITIVE_INFINITY) => {
  const all = new BoundedMap<string, { readonly version: string | number; readonly value: A }>(most)
  return Step.fn(function* (key: string, version: string | number, make: () => Step.Step<A, E>) {
    const cached = all.get(key)
    if (cached?.version === version) return cached.value
    const value = yield* make()
    all.set(key, { version, value })
    return value
  })
}

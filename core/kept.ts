import { BoundedMap } from "./BoundedMap.ts"
import * as Step from "./Step.ts"

/**
 * Keeps one value per key until the key's version changes. Read the version before the data that it describes: what changes
 * in between is then made again.
 *
 * @param maxKeys maximum number of keys
 */
export const keepByVersion = <A, E = never>(maxKeys = Number.POSITIVE_INFINITY) => {
  const all = new BoundedMap<string, { readonly version: string | number; readonly value: A }>(maxKeys)
  return Step.fn(function* (key: string, version: string | number, make: () => Step.Step<A, E>) {
    const cached = all.get(key)
    if (cached?.version === version) return cached.value
    const value = yield* make()
    all.set(key, { version, value })
    return value
  })
}

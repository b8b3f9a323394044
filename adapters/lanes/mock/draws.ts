import { BoundedMap } from "../../../core/BoundedMap.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import { hashSeed } from "./hash.ts"

/** A sequence of random numbers, deterministic by name. */
export interface Draws {
  /** Uniform in [0, 1). */
  readonly uniform: () => number
  /** Standard normal. */
  readonly normal: () => number
  /** A whole number from 0 up to, not including, `n`. */
  readonly below: (n: number) => number
  readonly pick: <A>(values: ReadonlyArray<A>) => A
}

/** Mulberry32 over the hash of a name, for many draws at once, where a hash per draw would be slow. */
export const draws = (...name: ReadonlyArray<string | number>): Draws => {
  let state = hashSeed(name.join("/"))
  const uniform = () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let word = Math.imul(state ^ (state >>> 15), 1 | state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return ((word ^ (word >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(uniform() * n)
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    below,
    pick: (values) => values[below(values.length)]!,
  }
}

/** Caches the values of a function by its arguments; keeps the last `most`. */
export const memoize = <Key extends ReadonlyArray<string | number | boolean | undefined>, A>(
  make: (...key: Key) => A,
  most = Number.POSITIVE_INFINITY,
): ((...key: Key) => A) => {
  const values = new BoundedMap<string, { readonly value: A }>(most)
  return (...key) => getOrMake(values, key.join("/"), () => ({ value: make(...key) })).value
}

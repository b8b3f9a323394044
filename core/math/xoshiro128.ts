import type { Generator } from "./bootstrap.ts"

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by))

/**
 * A fast generator of 32-bit words for resampling: xoshiro128**, its state filled from the seed by SplitMix32's finaliser
 * (that of MurmurHash3). The same seed gives the same draws everywhere. Not for secrets.
 * Source: D. Blackman and S. Vigna, ACM Trans. Math. Softw. 47 (2021) 36; reference code at prng.di.unimi.it.
 *
 * @param seed any integer
 *
 * @example
 * ```ts
 * import { xoshiro128 } from "./xoshiro128.ts"
 *
 * const die = xoshiro128(1)
 * // one of 0 to 5
 * die.integer(6) // 3
 * ```
 */
export const xoshiro128 = (seed: number): Generator & { readonly word: () => number } => {
  const state = new Int32Array(4)
  for (let at = 0, counter = seed | 0; at < 4; at++) {
    counter = (counter + 0x9e_37_79_b9) | 0
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x85_eb_ca_6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35)
    state[at] = mixed ^ (mixed >>> 16)
  }
  return fromState(state)
}

/**
 * `xoshiro128` from its four words of state: for the reference vectors.
 *
 * @param words four integers of 32 bits, not all 0
 * @throws RangeError for another number of words, and when all are 0: such a generator gives only zeros
 */
export const fromState = (words: ArrayLike<number>): Generator & { readonly word: () => number } => {
  if (words.length !== 4) throw new RangeError(`The state has ${words.length} words, not 4.`)
  let [a, b, c, d] = [words[0]! | 0, words[1]! | 0, words[2]! | 0, words[3]! | 0]
  if ((a | b | c | d) === 0) throw new RangeError("The 4 words of the state are all 0.")
  const word = (): number => {
    const out = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotated(d, 11)
    return out
  }
  // The high bits, scaled: the bias is at most max / 2^32, negligible for resampling.
  return { word, integer: (max) => Math.floor((word() / 4_294_967_296) * max) }
}

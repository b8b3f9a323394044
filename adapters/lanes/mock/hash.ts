import { fnv1a } from "../../../core/math/fnv1a.ts"

const avalanche = (value: number): number => {
  let word = value
  word = Math.imul(word ^ (word >>> 16), 0x85_eb_ca_6b)
  word = Math.imul(word ^ (word >>> 13), 0xc2_b2_ae_35)
  return (word ^ (word >>> 16)) >>> 0
}

const unit = (word: number): number => (word + 0.5) / 4_294_967_296

const boxMuller = (radius: number, angle: number): number =>
  Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle)

/** FNV-1a of a text with a final avalanche: the same text, the same 32 bits, on every machine. */
export const hashSeed = (text: string): number => avalanche(fnv1a(text))

/** Uniform in (0, 1), by its parts, so that mock data of any moment need no history. */
export const uniform = (...parts: ReadonlyArray<string | number>): number => unit(hashSeed(parts.join("/")))

/** Standard normal, by its parts (Box–Muller). */
export const normal = (...parts: ReadonlyArray<string | number>): number =>
  boxMuller(uniform(...parts, "r"), uniform(...parts, "a"))

/** The same by integers, for generators that draw thousands of values at once. */
export const normalAt = (seed: number, a: number, b: number): number => {
  const word = avalanche(seed ^ Math.imul(a + 1, 0x9e_37_79_b9) ^ avalanche(b + 0x7f_4a_7c_15))
  return boxMuller(unit(word), unit(avalanche(word ^ 0x5b_d1_e9_95)))
}

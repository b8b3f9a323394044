/**
 * The 32-bit FNV-1a hash of a text's UTF-16 code units. It must never change, since results are stored.
 * Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
 *
 * @returns 0 to 2^32 − 1
 *
 * @example
 * ```ts
 * import { fnv1a } from "./fnv1a.ts"
 *
 * fnv1a("a") // 3826002220
 * ```
 */
export const fnv1a = (text: string): number => {
  let word = 0x81_1c_9d_c5
  for (let index = 0; index < text.length; index++) word = Math.imul(word ^ text.charCodeAt(index), 0x01_00_01_93)
  return word >>> 0
}

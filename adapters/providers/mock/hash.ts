/** A 32-bit mix of a text (FNV-1a with a final avalanche): the same text, the same value, on every machine. */
const mix = (text: string): number => {
  let word = 0x81_1c_9d_c5
  for (let index = 0; index < text.length; index++) {
    word = Math.imul(word ^ text.charCodeAt(index), 0x01_00_01_93)
  }
  word = Math.imul(word ^ (word >>> 16), 0x85_eb_ca_6b)
  word = Math.imul(word ^ (word >>> 13), 0xc2_b2_ae_35)
  return (word ^ (word >>> 16)) >>> 0
}

/** Uniform in (0, 1), named by its parts: what mock data is made of, so that any moment can be asked without a history. */
export const uniform = (...parts: ReadonlyArray<string | number>): number =>
  (mix(parts.join("/")) + 0.5) / 4_294_967_296

/** Standard normal, named by its parts (Box–Muller). */
export const normal = (...parts: ReadonlyArray<string | number>): number =>
  Math.sqrt(-2 * Math.log(uniform(...parts, "r"))) * Math.cos(2 * Math.PI * uniform(...parts, "a"))

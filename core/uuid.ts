import * as Encoding from "effect/Encoding"

/**
 * A UUID of version 4 from 16 bytes, random or of a hash.
 *
 * @example
 * ```ts
 * import { formatUuid } from "./uuid.ts"
 *
 * formatUuid(new Uint8Array(16)) // "00000000-0000-4000-8000-000000000000"
 * ```
 */
export const formatUuid = (bytes: Uint8Array): string => {
  const hex = Encoding.encodeHex(
    bytes.map((byte, at) => (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte)),
  )
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

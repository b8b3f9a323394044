import * as Effect from "effect/Effect"

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const base32 = (value: number, width: number): string => {
  let text = ""
  for (let rest = value, digit = 0; digit < width; digit++, rest = Math.floor(rest / 32))
    text = crockford[rest % 32]! + text
  return text
}

/**
 * A ULID: 48 bits of time and 80 random bits in 26 characters of Crockford base32, sortable by time.
 *
 * @param millis epoch milliseconds
 * @param bytes at least 10 random bytes from `offset`
 */
export const encode = (millis: number, bytes: Uint8Array, offset = 0): string => {
  let random = ""
  for (let group = 0; group < 2; group++) {
    const start = offset + group * 5
    // 40 bits in two exact halves of 20: shifts would overflow 32 bits.
    const high = (bytes[start]! << 12) | (bytes[start + 1]! << 4) | (bytes[start + 2]! >>> 4)
    const low = ((bytes[start + 2]! & 15) << 16) | (bytes[start + 3]! << 8) | bytes[start + 4]!
    random += base32(high, 4) + base32(low, 4)
  }
  return base32(millis, 10) + random
}

const ulidPattern = new RegExp(`^[${crockford}]{26}$`)

/** The time of a ULID, epoch milliseconds; undefined if it is none. */
export const decodeTime = (ulid: string): number | undefined =>
  ulidPattern.test(ulid)
    ? [...ulid.slice(0, 10)].reduce((sum, digit) => sum * 32 + crockford.indexOf(digit), 0)
    : undefined

/** Makes ids of a kind: a prefix such as `acct`, and a ULID of the time. */
export const makeNewId =
  (randomBytes: (length: number) => Effect.Effect<Uint8Array>) =>
  (prefix: string, at: number): Effect.Effect<string> =>
    Effect.map(randomBytes(10), (bytes) => `${prefix}_${encode(at, bytes)}`)

export type NewId = ReturnType<typeof makeNewId>

import * as Either from "effect/Either"

/** Deepest nesting of objects and arrays in a request. No endpoint needs more than five levels. */
export const deepest = 32

const [quote, backslash, openArray, closeArray, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Whether JSON nests deeper than `most`, without recursion. The result for other text is meaningless. */
const isDeeper = (bytes: Uint8Array, most: number): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === openArray || byte === openObject) {
      if (++depth > most) return true
    } else if (byte === closeArray || byte === closeObject) depth--
  }
  return false
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/**
 * Parses JSON in UTF-8 from a client. Nesting is limited to `deepest` because later steps recurse.
 *
 * @returns the value, or the error
 */
export const parse = (bytes: Uint8Array): Either.Either<unknown, "not JSON" | "too deep"> => {
  if (isDeeper(bytes, deepest)) return Either.left("too deep")
  try {
    return Either.right(JSON.parse(decoder.decode(bytes)))
  } catch {
    return Either.left("not JSON")
  }
}

const refused = (path: string, what: string): TypeError =>
  new TypeError(`${path} is ${what}, which JSON cannot represent.`)

/** Written as a range because the bundler would compile `\p{Surrogate}` anew for each text. */
const loneSurrogate = /[\uD800-\uDFFF]/u

const writeString = (text: string, path: string): string => {
  // Half of a surrogate pair has no UTF-8 encoding, so it cannot be hashed.
  if (loneSurrogate.test(text)) throw refused(path, "text with a lone surrogate")
  return JSON.stringify(text)
}

const writeValue = (value: unknown, path: string): string => {
  switch (typeof value) {
    case "string":
      return writeString(value, path)
    case "boolean":
      return String(value)
    case "number":
      if (!Number.isFinite(value)) throw refused(path, String(value))
      return JSON.stringify(value)
    case "object": {
      if (value === null) return "null"
      // Not `map`, which skips holes.
      if (Array.isArray(value))
        return `[${Array.from(value, (item, at) => writeValue(item, `${path}[${at}]`)).join(",")}]`
      const prototype = Object.getPrototypeOf(value)
      if (prototype !== Object.prototype && prototype !== null) throw refused(path, "an object of a class")
      const fields = Object.keys(value)
        .sort()
        .map((name) => {
          const at = `${path}.${name}`
          return `${writeString(name, at)}:${writeValue((value as Readonly<Record<string, unknown>>)[name], at)}`
        })
      return `{${fields.join(",")}}`
    }
    default:
      throw refused(path, value === undefined ? "undefined" : `a ${typeof value}`)
  }
}

/**
 * The canonical JSON text of a value (RFC 8785): names in the order of their UTF-16 code units, numbers and strings as
 * ECMAScript writes them, no white space. Parsing and writing it again gives the same bytes.
 *
 * @throws TypeError, which names the path, on values that JSON cannot represent: NaN, infinities, undefined, lone
 *   surrogates, functions, symbols, big integers, objects of a class
 * @example
 * ```ts
 * import { canonical } from "./canonical.ts"
 *
 * canonical({ b: 1e21, a: [true, "é"] }) // '{"a":[true,"é"],"b":1e+21}'
 * ```
 */
export const canonical = (value: unknown): string => writeValue(value, "$")

/**
 * A JSON copy of a value, without undefined fields, which canonical JSON cannot represent.
 *
 * @throws TypeError on values that `JSON.stringify` rejects
 */
export const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A

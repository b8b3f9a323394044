import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Hash from "effect/Hash"

/** A cursor belongs to one endpoint and one set of filters; the page size and the field selection may change. */
const fingerprint = (endpoint: string, filters: Readonly<Record<string, unknown>>): number =>
  Hash.string(
    JSON.stringify([
      endpoint,
      Object.entries(filters)
        .filter(([name]) => name !== "cursor" && name !== "limit")
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  )

/** The opaque form of "the rows after this sort key". */
export const encode = (endpoint: string, filters: Readonly<Record<string, unknown>>, key: string): string =>
  Encoding.encodeBase64Url(JSON.stringify([fingerprint(endpoint, filters), key]))

/** The sort key, or undefined when the cursor is not one of ours or belongs to other filters. */
export const decode = (
  endpoint: string,
  filters: Readonly<Record<string, unknown>>,
  cursor: string,
): string | undefined => {
  const text = Encoding.decodeBase64UrlString(cursor)
  if (Either.isLeft(text)) return undefined
  try {
    const value: unknown = JSON.parse(text.right)
    return Array.isArray(value) &&
      value.length === 2 &&
      value[0] === fingerprint(endpoint, filters) &&
      typeof value[1] === "string"
      ? value[1]
      : undefined
  } catch {
    return undefined
  }
}

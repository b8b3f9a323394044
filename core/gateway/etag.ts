import type { Format } from "./Call.ts"

/**
 * The entity tag of results. Weak: `_meta` differs from answer to answer. 128 bits name the results.
 *
 * @param digest hex, 256 bits: keyed for what is sold (`EntityTags`), a bare SHA-256 for what anybody may read
 */
export const of = (digest: string): string => `W/"${digest.slice(0, 32)}"`

/** The tag of the same results in another format. */
export const inFormat = (etag: string, format: Format): string =>
  format === "json" ? etag : `${etag.slice(0, -1)}-${format}"`

/** A cache has one answer to a question, or a few. A longer list is a search for the answer, and is not read at all. */
export const mostNamed = 16

/** Whether an `If-None-Match` header names an entity tag, by weak comparison (RFC 9110, 13.1.2). */
export const isNamed = (header: string, etag: string): boolean => {
  if (header.trim() === "*") return true
  const named = header.split(",", mostNamed + 1)
  return named.length <= mostNamed && named.some((each) => each.trim().replace(/^W\//, "") === etag.slice("W/".length))
}

import type { Format } from "./Call.ts"

/**
 * The entity tag of results. Weak: `_meta` differs from answer to answer. 128 bits name the results.
 *
 * @param digest hex SHA-256 of the results
 */
export const of = (digest: string): string => `W/"${digest.slice(0, 32)}"`

/** The tag of the same results in another format. */
export const inFormat = (etag: string, format: Format): string =>
  format === "json" ? etag : `${etag.slice(0, -1)}-${format}"`

/** Whether an `If-None-Match` header names an entity tag, by weak comparison (RFC 9110, 13.1.2). */
export const isNamed = (header: string, etag: string): boolean =>
  header.trim() === "*" || header.split(",").some((each) => each.trim().replace(/^W\//, "") === etag.slice("W/".length))

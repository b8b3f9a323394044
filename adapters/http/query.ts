import type { Raw } from "../../core/endpoint/decode.ts"

const none: Raw = { _tag: "Text", entries: [] }

/** A server must accept the absolute form too (RFC 9112, 3.2.2). The authority in it decides nothing here. */
const authority = /^https?:\/\/[^/?#]*/i

/** Path and query of a request target, without building a URL: nothing is normalised, so nothing can be smuggled. */
export const split = (requestTarget: string): { readonly path: string; readonly raw: Raw } => {
  const target = requestTarget.startsWith("/") ? requestTarget : requestTarget.replace(authority, "")
  const at = target.indexOf("?")
  return at === -1
    ? { path: target, raw: none }
    : { path: target.slice(0, at), raw: { _tag: "Text", entries: new URLSearchParams(target.slice(at + 1)) } }
}

/** The most specific first. */
const ranges = ["application/json", "application/*", "*/*"]

/** Whether an `Accept` header lets JSON through: the most specific range in it decides (RFC 9110, 12.5.1). */
export const acceptsJson = (accept: string | undefined): boolean => {
  if (accept === undefined || accept === "*/*") return true
  const given = accept.split(",").map((range) => range.split(";").map((part) => part.trim().toLowerCase()))
  for (const range of ranges) {
    const found = given.find(([type]) => type === range)
    if (found !== undefined) return !found.some((part) => /^q=0(\.0*)?$/.test(part))
  }
  return false
}

import type { Raw } from "../../../core/endpoint/decode.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import type { Format } from "../../../core/gateway/Call.ts"

const noQuery: Raw = { _tag: "Text", entries: [], text: "" }

/** The parameters of a query string, parsed when they are read. */
const toRaw = (text: string): Raw => ({
  _tag: "Text",
  text,
  entries: { [Symbol.iterator]: () => new URLSearchParams(text)[Symbol.iterator]() },
})

/** A server must accept the absolute form too (RFC 9112, 3.2.2). Its authority is ignored. */
const authority = /^https?:\/\/[^/?#]*/i

/** Path and query of a request target. Not parsed as a URL: normalising would let paths be smuggled past the routes. */
export const splitTarget = (requestTarget: string): { readonly path: string; readonly raw: Raw } => {
  const target = requestTarget.startsWith("/") ? requestTarget : requestTarget.replace(authority, "")
  const mark = target.indexOf("?")
  return mark === -1
    ? { path: target, raw: noQuery }
    : { path: target.slice(0, mark), raw: toRaw(target.slice(mark + 1)) }
}

/** The query of a request target, as pages read it. */
export const parseQuery = (requestTarget: string): URLSearchParams => {
  const { raw } = splitTarget(requestTarget)
  return new URLSearchParams(raw._tag === "Text" ? raw.text : "")
}

/** Media types of an answer, the envelope first. */
const types: ReadonlyArray<readonly [format: Format, type: string]> = [
  ["json", "application/json"],
  ["csv", "text/csv"],
  ["ndjson", "application/x-ndjson"],
]

const mediaTypes = types.map(([, type]) => type)

const everything = "*/*"

/** The weight of a media type in an `Accept` header: the most specific range decides (RFC 9110, 12.5.1). */
const findWeight = (given: ReadonlyArray<ReadonlyArray<string>>, type: string): number => {
  for (const range of [type, `${type.split("/")[0]}/*`, everything]) {
    const accepted = given.find(([each]) => each === range)
    if (accepted === undefined) continue
    const q = accepted.find((part) => part.startsWith("q="))
    const value = q === undefined ? 1 : Number(q.slice(2))
    return Number.isFinite(value) ? value : 1
  }
  return 0
}

/** The best match of an `Accept` header among the offered types, the first of equals; undefined for none. */
export const selectMediaType = (accept: string | undefined, offered: ReadonlyArray<string>): string | undefined => {
  if (accept === undefined) return offered[0]
  const given = accept.split(",").map((range) => range.split(";").map((part) => part.trim().toLowerCase()))
  let best: string | undefined
  let heaviest = 0
  for (const type of offered) {
    const found = findWeight(given, type)
    if (found > heaviest) [best, heaviest] = [type, found]
  }
  return best
}

/** The 406 that names the offered types. */
export const notAcceptable = (offered: ReadonlyArray<string>): Failure => {
  const forms = offered.join(" or ")
  return fail("not_acceptable", {
    detail: `Available media types: ${offered.join(", ")}.`,
    hints: [{ field: "Accept", action: "change", suggestion: `Send ${forms}, or leave Accept out.` }],
  })
}

/** An endpoint's media types: lists add CSV and NDJSON. */
export const listMediaTypes = (lists: boolean): ReadonlyArray<string> => (lists ? mediaTypes : mediaTypes.slice(0, 1))

/**
 * The format that an `Accept` header selects; undefined for none.
 *
 * @param lists whether the answer is a list, which can be CSV or NDJSON
 */
export const negotiateFormat = (accept: string | undefined, lists: boolean): Format | undefined => {
  if (accept === undefined || accept === everything) return "json"
  const best = selectMediaType(accept, listMediaTypes(lists))
  return types.find(([, type]) => type === best)?.[0]
}

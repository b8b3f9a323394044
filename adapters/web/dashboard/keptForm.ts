import { deflateRawSync, inflateRawSync } from "node:zlib"
import { fail } from "../../../core/Failure.ts"
import { defaultLimits } from "../../server/http/listener.ts"
import type { Sent } from "./Page.ts"
import { cookieOf, type Origin } from "./site.ts"

/*
 * A form that was sent after its session had ended is kept in a cookie while its person signs in again, by whichever way,
 * so that nothing typed is lost. It is shown again and not sent: the page asks to check it.
 */

/** Most characters of the cookie's value: browsers take cookies of 4,096 with name and attributes. */
const longest = 3_500

/** Not typed, or to be typed again. */
const isLeftOut = (name: string): boolean => /^form_|confirm|secret|token|password/.test(name)

const tooLong = "too-long"

const cookie = ({ cookie: { name, attributes } }: Origin, value: string, seconds: number): string =>
  `${name.replace("session", "form")}=${value}; ${attributes}; Max-Age=${seconds}`

/**
 * The cookie of a form; undefined: it was no form of a page.
 *
 * @param to the address of its page
 */
export const keep = (place: Origin, to: string, values: URLSearchParams): string | undefined => {
  if (!values.has("action")) return undefined
  const typed = new URLSearchParams([...values].filter(([name]) => !isLeftOut(name)))
  const value = deflateRawSync(`${to}\n${typed}`).toString("base64url")
  return cookie(place, value.length > longest ? tooLong : value, 600)
}

export const drop = (place: Origin): string => cookie(place, "", 0)

/** A kept form: the address of its page and its values; `too-long`: it could not be kept. */
export const keptIn = (
  header: string | undefined,
  place: Origin,
): { readonly to: string; readonly sent: Sent } | typeof tooLong | undefined => {
  const value = cookieOf(header, place.cookie.name.replace("session", "form")) ?? ""
  if (value === "" || value === tooLong) return value === "" ? undefined : tooLong
  try {
    const text = inflateRawSync(Buffer.from(value, "base64url"), {
      maxOutputLength: defaultLimits.body + 2_000,
    }).toString()
    const [to = "", typed = ""] = text.split("\n", 2)
    const values = new URLSearchParams(typed)
    const failure = fail("invalid_request_body", {
      detail: "Your session had ended, so this form was not sent. Check it, and send it again.",
    })
    return { to, sent: { action: values.get("action") ?? "", values, failure } }
  } catch {
    // Not a value of ours.
    return undefined
  }
}

/** The kept form of the page at an address; undefined: it has none. */
export const sentAt = (header: string | undefined, place: Origin, to: string): Sent | undefined => {
  const kept = keptIn(header, place)
  return kept === undefined || kept === tooLong || kept.to !== to ? undefined : kept.sent
}

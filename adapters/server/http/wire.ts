import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { RateLimitState } from "../../../core/account/Bucket.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Format } from "../../../core/gateway/Call.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as Slices from "./slices.ts"

export type Headers = Readonly<Record<string, string>>

export interface Wire {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
  /** The body in pieces, instead of `body`. */
  readonly pieces?: Iterable<string>
}

/** CORS allows every origin: keys travel in a header, never in a cookie. */
export const commonHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "X-Request-Id, Retry-After, Allow, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, X-Idempotent-Replay, X-Charged-Micros, X-Next-Cursor, Payment-Required, Payment-Response, ETag, Deprecation, Sunset, Link, Accept-Ranges, Content-Range",
  "x-content-type-options": "nosniff",
}

/** Keyed answers are private and paid for: no cache may store them. */
export const jsonHeaders = {
  ...commonHeaders,
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
}

/** Keyless answers may be cached by anyone for 30 s. */
export const publicHeaders = { ...jsonHeaders, "cache-control": "public, max-age=30" }

const allow = "GET, HEAD, OPTIONS"

const rowTypes: Readonly<Record<Exclude<Format, "json">, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
}

const imfDate = (day: string): string => new Date(`${day}T00:00:00Z`).toUTCString()

/** Headers of all of an endpoint's answers, such as deprecation (RFC 9745, RFC 8594). */
const makeEndpointHeaders = ({ rows, deprecation }: Endpoint.Any): Headers => ({
  ...ifDefined("vary", rows && "Accept"),
  ...(deprecation && {
    deprecation: `@${Date.parse(deprecation.since) / 1_000}`,
    sunset: imfDate(deprecation.sunset),
    ...ifDefined("link", deprecation.link && `<${deprecation.link}>; rel="deprecation"`),
  }),
})

/** Headers known before the call; `flat` is the same as names and values in turn, which Node writes faster. */
export interface FixedHeaders {
  readonly named: Headers
  readonly flat: ReadonlyArray<string>
}

const precompute = (named: Headers): FixedHeaders => ({ named, flat: Object.entries(named).flat() })

/** Headers of an endpoint's answers, computed once. Failures and signals must not be stored at all. */
export const makeHeaders = (
  endpoint: Endpoint.Any,
): { readonly succeeded: FixedHeaders; readonly failed: FixedHeaders } => {
  const endpointHeaders = makeEndpointHeaders(endpoint)
  const failed = { ...jsonHeaders, ...endpointHeaders }
  const succeeded = Endpoint.isKeyless(endpoint)
    ? { ...publicHeaders, ...endpointHeaders }
    : endpoint.kind === "Signal"
      ? failed
      : { ...failed, "cache-control": "private, no-cache" }
  return { succeeded: precompute(succeeded), failed: precompute(failed) }
}

type SetHeader = (name: string, value: string) => void

/** The contract's four headers plus the two IETF draft headers. */
const setLimitHeaders = ({ limit, remaining, resetSeconds }: RateLimitState, set: SetHeader): void => {
  set("x-ratelimit-limit", String(limit))
  set("x-ratelimit-remaining", String(remaining))
  set("x-ratelimit-reset", String(resetSeconds))
  set("ratelimit-policy", `"default";q=${limit};w=60`)
  set("ratelimit", `"default";r=${remaining};t=${resetSeconds}`)
}

/** Headers that differ between the answers of an endpoint. */
const setCallHeaders = (served: Omit<Served, "body">, set: SetHeader): void => {
  if (served.etag !== undefined) set("etag", served.etag)
  set("x-request-id", served.requestId)
  if (served.retryAfterMs !== undefined) set("retry-after", String(Math.ceil(served.retryAfterMs / 1000)))
  if (served.limit !== undefined) setLimitHeaders(served.limit, set)
  if (served.replayed) set("x-idempotent-replay", "true")
  if (served.required !== undefined) set("payment-required", served.required)
  if (served.receipt !== undefined) set("payment-response", served.receipt)
  if (served.status === 401) set("www-authenticate", "Bearer")
}

/** The headers of an answer with a body in one piece, as names and values in turn: those of `of`. */
export const flatHeaders = (served: Served, body: string, { flat }: FixedHeaders): Array<string> => {
  const headers = [...flat, "content-length", String(served.body.bytes ?? Buffer.byteLength(body))]
  setCallHeaders(served, (name, value) => void headers.push(name, value))
  return headers
}

/** `Link` to the next page of a list (RFC 8288), relative to the requested page. */
const nextLink = (target: string, cursor: string): string => {
  const mark = target.indexOf("?")
  const query = new URLSearchParams(mark === -1 ? "" : target.slice(mark + 1))
  query.set("cursor", cursor)
  return `<?${query}>; rel="next"`
}

/**
 * A served call with the headers of every answer, failures included.
 *
 * @param known headers known before the call
 * @param target the request target, for the link to the next page. Absent for HEAD: the cursor is computed from
 *   results, which HEAD has not paid for
 */
export const of = (served: Served, known: Headers = jsonHeaders, target?: string): Wire =>
  withText(served, served.body.toText(), known, target)

/** The same for a body that is already text. */
export const withText = (
  served: Omit<Served, "body">,
  body: string,
  known: Headers = jsonHeaders,
  target?: string,
): Wire => {
  const headers: Record<string, string> = { ...known }
  if (served.rows !== undefined) {
    headers["content-type"] = rowTypes[served.rows.format]
    headers["x-charged-micros"] = String(served.charged ?? 0)
    const { next } = served.rows
    if (next !== undefined && target !== undefined) {
      headers["x-next-cursor"] = next
      headers["link"] = [known["link"] ?? [], nextLink(target, next)].flat().join(", ")
    }
  } else if (served.status === 304) delete headers["content-type"]
  else headers["content-length"] = String(Buffer.byteLength(body))
  setCallHeaders(served, (name, value) => {
    headers[name] = value
  })
  return { status: served.status, headers, body, ...ifDefined("pieces", served.rows?.text) }
}

/** An answer of the admin API: no CORS, so that no page of another origin can read it. */
export interface AdminAnswer extends Pick<Served, "status" | "requestId"> {
  readonly body: string
  readonly retryAfterMs?: number | undefined
  readonly extra?: Record<string, string>
}

export const toAdminAnswer = ({ extra, body, ...sent }: AdminAnswer): Wire => {
  const { headers, ...rest } = withText({ retryAfterMs: undefined, limit: undefined, replayed: false, ...sent }, body, {
    ...jsonHeaders,
    ...extra,
  })
  for (const name of Object.keys(headers)) if (name.startsWith("access-control-")) delete headers[name]
  return { ...rest, headers }
}

/** The headers of the 204 to a CORS preflight and to OPTIONS. */
export const preflight = {
  ...commonHeaders,
  allow,
  "access-control-allow-methods": "GET, HEAD, POST, DELETE, OPTIONS",
  "access-control-allow-headers":
    "Authorization, Accept, Content-Type, Idempotency-Key, If-None-Match, Payment-Signature, X-Request-Id",
  "access-control-max-age": "86400",
}

/** The connections of a listener. */
export interface Connections {
  /** The newest answer of each; it is written after the earlier ones. */
  readonly newest: WeakMap<Socket, ServerResponse>
  /** During shutdown the newest answer of a connection is its last. */
  draining: boolean
}

/** Call it right before an answer's head. */
export const closeIfDraining = ({ draining, newest }: Connections, response: ServerResponse): void => {
  if (draining && newest.get(response.req.socket) === response) response.shouldKeepAlive = false
}

/** Whether an answer can be written; call it right before its head. */
const canWrite = (connections: Connections, response: ServerResponse): boolean => {
  if (response.destroyed || response.headersSent) return false
  closeIfDraining(connections, response)
  return true
}

export const send = (connections: Connections, response: ServerResponse, wire: Wire): void => {
  const { status, headers, body, pieces } = wire
  if (!canWrite(connections, response)) return
  // A GET reports its charge in the body, so its length may differ from this one's (RFC 9110, 8.6).
  if (response.req.method === "HEAD") delete headers["content-length"]
  response.writeHead(status, headers)
  if (response.req.method === "HEAD") response.end()
  else if (pieces !== undefined) Slices.endWithLines(response, pieces)
  else Slices.endWith(response, body)
}

/** Sends a call's answer with its endpoint's headers. */
export const sendServed = (
  connections: Connections,
  response: ServerResponse,
  served: Served,
  { succeeded, failed }: ReturnType<typeof makeHeaders>,
): void => {
  const headers = served.status < 400 ? succeeded : failed
  const { method, url } = response.req
  if (method === "HEAD" || served.rows !== undefined || served.status === 304) {
    send(connections, response, of(served, headers.named, method === "HEAD" ? undefined : url))
  } else if (canWrite(connections, response)) {
    const body = served.body.toText()
    response.writeHead(served.status, flatHeaders(served, body, headers))
    Slices.endWith(response, body)
  }
}

import type { Taken } from "../../core/account/Bucket.ts"
import { codes } from "../../core/endpoint/Failure.ts"
import type { Served } from "../../core/gateway/Gateway.ts"

/** What leaves on the socket. */
export interface Wire {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** The whole API surface answers browsers of any origin: keys travel in a header, never in a cookie. */
const common = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "X-Request-Id, Retry-After, Allow, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, X-Idempotent-Replay",
  "x-content-type-options": "nosniff",
}

/** Keyed answers are private and paid for; nothing between may keep them. */
const json = { ...common, "content-type": "application/json; charset=utf-8", "cache-control": "no-store" }

export const allow = "GET, HEAD, OPTIONS"

/** The contract's four headers, and the IETF draft's two beside them. */
const limitHeaders = (headers: Record<string, string>, { limit, remaining, resetSeconds }: Taken): void => {
  headers["x-ratelimit-limit"] = String(limit)
  headers["x-ratelimit-remaining"] = String(remaining)
  headers["x-ratelimit-reset"] = String(resetSeconds)
  headers["ratelimit-policy"] = `"default";q=${limit};w=60`
  headers["ratelimit"] = `"default";r=${remaining};t=${resetSeconds}`
}

/** A served call with the headers that every answer carries, failures included. */
export const of = (served: Served, extra?: Record<string, string>): Wire => {
  const headers: Record<string, string> = { ...json }
  headers["content-length"] = String(Buffer.byteLength(served.body))
  headers["x-request-id"] = served.requestId
  if (served.retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(served.retryAfterMs / 1000))
  if (served.limit !== undefined) limitHeaders(headers, served.limit)
  if (served.replayed) headers["x-idempotent-replay"] = "true"
  if (served.status === 401) headers["www-authenticate"] = "Bearer"
  if (extra !== undefined) Object.assign(headers, extra)
  return { status: served.status, headers, body: served.body }
}

/** An answer of the operator's surface, which no page of another origin is to read. */
export interface Sent extends Pick<Served, "status" | "requestId" | "body"> {
  readonly retryAfterMs?: number | undefined
  readonly extra?: Record<string, string>
}

export const confidential = ({ extra, ...sent }: Sent): Wire => {
  const { headers, ...rest } = of({ retryAfterMs: undefined, limit: undefined, replayed: false, ...sent }, extra)
  for (const name of Object.keys(headers)) if (name.startsWith("access-control-")) delete headers[name]
  return { ...rest, headers }
}

/** The headers of the 204 to a CORS preflight and to OPTIONS. */
export const preflight = {
  ...common,
  allow,
  "access-control-allow-methods": allow,
  "access-control-allow-headers": "Authorization, Accept, Content-Type, Idempotency-Key, X-Request-Id",
  "access-control-max-age": "86400",
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
const html = (text: string): string => escape(text).replace(/`([^`]*)`/g, "<code>$1</code>")

/** The page behind `docs_url`. */
export const errorPage = (code: keyof typeof codes): string => {
  const { status, recoverable, message, docs } = codes[code]
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${code}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em;border-radius:.2em}</style>
<h1><code>${code}</code></h1>
<p>${html(message)}</p>
<p>${html(docs)}</p>
<dl><dt>HTTP status</dt><dd>${status}</dd><dt>Recoverable</dt><dd>${
    recoverable ? "Yes: mend the request or wait, then try again." : "No: a person has to act."
  }</dd></dl>
</html>
`
}

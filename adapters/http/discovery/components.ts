import { MicroUsd } from "../../../core/account/Money.ts"
import * as Quote from "../../../core/account/Quote.ts"
import * as Envelope from "../../../core/endpoint/Envelope.ts"
import { type Code, codes, fail } from "../../../core/Failure.ts"
import { referring } from "./schemas.ts"

type Json = Readonly<Record<string, unknown>>

/** A reference to a component. */
export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** A schema whose references lead to the document's own components. */
export const local = (schema: unknown): Json => referring(schema, (name) => `#/components/schemas/${name}`) as Json

const header = (description: string, type: "integer" | "string" = "string"): Json => ({ description, schema: { type } })

/** The headers of answers. */
export const headers = {
  "X-Request-Id": header("Names this call; the same as `_meta.request_id` and `error.request_id`."),
  "X-RateLimit-Limit": header("Calls a minute.", "integer"),
  "X-RateLimit-Remaining": header("Calls left now.", "integer"),
  "X-RateLimit-Reset": header("Seconds until all of them are.", "integer"),
  RateLimit: header('What is left, as the IETF draft has it: `"default";r=59;t=1`.'),
  "RateLimit-Policy": header('The limit, as the IETF draft has it: `"default";q=60;w=60`.'),
  "Retry-After": header("Seconds after which the call may succeed.", "integer"),
  ETag: header(
    "Names the results. Sent back as `If-None-Match`, it makes an unchanged answer a 304 that costs nothing.",
  ),
  "Cache-Control": header("Whether and how long the answer may be kept."),
  "X-Idempotent-Replay": header(
    "`true`: the answer of an earlier call with the same `Idempotency-Key`; nothing was charged.",
  ),
  "X-Charged-Micros": header("CSV and NDJSON: micro-dollars taken from the wallet.", "integer"),
  "X-Next-Cursor": header("CSV and NDJSON: `cursor` of the next page."),
  Deprecation: header("Since when the endpoint is deprecated: `@` and Unix seconds (RFC 9745)."),
  Sunset: header("After when it may be gone (RFC 8594)."),
  Link: header('CSV and NDJSON: `rel="next"` is the next page. `rel="deprecation"`: where the way on is described.'),
  "WWW-Authenticate": header("`Bearer`."),
} as const

export type Header = keyof typeof headers

export const limitHeaders: ReadonlyArray<Header> = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
]

/** Headers of deprecated endpoints alone. */
export const ofDeprecated: ReadonlyArray<Header> = ["Deprecation", "Sunset"]

/** The components of some headers. */
export const headersNamed = (names: ReadonlyArray<Header>): Json =>
  Object.fromEntries(names.map((name) => [name, headers[name]]))

export const headersOf = (names: ReadonlyArray<Header>): Json =>
  Object.fromEntries(names.map((name) => [name, ref("headers", name)]))

/** Request headers that are no matter of one endpoint. */
export const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A UUIDv4. The same key with the same request is answered again for 24 hours and charged once; with another request it is a 422.",
    schema: { type: "string", format: "uuid" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Entity tags of answers that the caller has.",
    schema: { type: "string" },
  },
} as const

const requestId = "req_01JZ0000000000000000000000"

const exampleOf = (code: Code, baseUrl: string): unknown => {
  const waits: Partial<Record<Code, number>> = { rate_limit_exceeded: 1_000, idempotency_in_progress: 1_000 }
  const retryAfterMs = waits[code]
  const quote = Quote.make({
    endpoint: "/v1/weather/settlement",
    price: MicroUsd(1_000),
    balance: MicroUsd(400),
    now: Date.UTC(2026, 6, 9, 12),
    topupUrl: `${baseUrl}/errors/insufficient_funds`,
    forAgent: false,
  })
  const failure = fail(code, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(code === "insufficient_funds" ? { quote } : {}),
  })
  return Envelope.failure(failure, requestId, baseUrl)
}

export const codesOf = (status: number): ReadonlyArray<Code> =>
  (Object.keys(codes) as ReadonlyArray<Code>).filter((code) => codes[code].status === status)

const retryable = new Set([409, 429, 503])

/** The component that a status of the error table has. */
export const failureName = (status: number): string => `Failure${status}`

/**
 * The answers of failures, a component per status of the error table.
 *
 * @param limited whether they tell what is left of a rate limit
 */
export const failures = (baseUrl: string, statuses: ReadonlySet<number>, limited = true): Json =>
  Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => {
        const all = codesOf(status)
        const names: ReadonlyArray<Header> = [
          "X-Request-Id",
          ...(status === 401 ? (["WWW-Authenticate"] as const) : limited ? limitHeaders : []),
          ...(retryable.has(status) ? (["Retry-After"] as const) : []),
        ]
        return [
          failureName(status),
          {
            description: all.map((code) => `\`${code}\`: ${codes[code].message}`).join("\n\n"),
            headers: headersOf(names),
            content: {
              "application/json": {
                schema: ref("schemas", "Error"),
                examples: Object.fromEntries(all.map((code) => [code, { value: exampleOf(code, baseUrl) }])),
              },
            },
          },
        ]
      }),
  )

import { MicroUsd } from "../../core/account/Money.ts"
import * as Quote from "../../core/account/Quote.ts"
import type { Accept } from "../../core/call/Accept.ts"
import * as Envelope from "../../core/endpoint/Envelope.ts"
import { type Code, codeNames, codes, fail } from "../../core/Failure.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { rewriteRefs } from "./schemas.ts"

type Json = Readonly<Record<string, unknown>>

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** A schema whose references point to the document's own components. */
export const local = (schema: unknown): Json => rewriteRefs(schema, (name) => `#/components/schemas/${name}`) as Json

const header = (description: string, type: "integer" | "string" = "string"): Json => ({ description, schema: { type } })

export const headers = {
  "X-Request-Id": header("Names this call; the same as `_meta.request_id` and `error.request_id`."),
  "X-RateLimit-Limit": header("Calls a minute.", "integer"),
  "X-RateLimit-Remaining": header("Calls left.", "integer"),
  "X-RateLimit-Reset": header("Seconds until the full limit is available again.", "integer"),
  RateLimit: header('Calls left, as in the IETF draft: `"default";r=59;t=1`.'),
  "RateLimit-Policy": header('The limit, as in the IETF draft: `"default";q=60;w=60`.'),
  "Retry-After": header("Retry after this many seconds.", "integer"),
  ETag: header("Tag of the results. Send it as `If-None-Match`: an unchanged answer is a free 304."),
  "Cache-Control": header("Whether and how long the answer may be cached."),
  "X-Idempotent-Replay": header("`true`: the stored answer of an earlier call with the same `Idempotency-Key`; free."),
  "X-Charged-Micros": header("CSV and NDJSON: micro-dollars charged.", "integer"),
  "X-Next-Cursor": header("CSV and NDJSON: `cursor` of the next page."),
  Deprecation: header("Deprecation time: `@` and Unix seconds (RFC 9745)."),
  Sunset: header("Time after which the endpoint may be removed (RFC 8594)."),
  Link: header('CSV and NDJSON: `rel="next"` is the next page. `rel="deprecation"`: migration guide.'),
  "Payment-Required": header(
    "x402: the terms on which the call is answered with a signed payment, base64 of JSON; where the operator accepts payments.",
  ),
  "Payment-Response": header("x402: the receipt of a payment that came with the call, base64 of JSON."),
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

/** Headers of deprecated endpoints only. */
export const ofDeprecated: ReadonlyArray<Header> = ["Deprecation", "Sunset"]

export const headersNamed = (names: ReadonlyArray<Header>): Json =>
  Object.fromEntries(names.map((name) => [name, headers[name]]))

export const headersOf = (names: ReadonlyArray<Header>): Json =>
  Object.fromEntries(names.map((name) => [name, ref("headers", name)]))

/** Request headers common to many endpoints. */
export const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "UUIDv4. Repeating the request with the same value within 24 hours returns the stored answer and is charged once; another request with it is a 422.",
    schema: { type: "string", format: "uuid" },
  },
  PaymentSignature: {
    name: "Payment-Signature",
    in: "header",
    description:
      "x402: a payment signed on one of the terms in `Payment-Required` of a 402. It is taken only for a call that is answered.",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Entity tags of cached answers.",
    schema: { type: "string" },
  },
} as const

const requestId = "req_01JZ0000000000000000000000"

/** A price of 0.001 USD in USDC on Base. */
const exampleAccept: Accept = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "1000",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  payTo: `0x${"0".repeat(40)}`,
  maxTimeoutSeconds: 300,
  extra: { name: "USD Coin", version: "2" },
}

const makeExample = (code: Code, baseUrl: string): unknown => {
  const retryAfterMs = fail(code).remedies[0]?.action === "wait" ? 1_000 : undefined
  const quote = Quote.make({
    endpoint: "/v1/weather/settlement",
    price: MicroUsd(1_000),
    balance: MicroUsd(400),
    now: Date.UTC(2026, 6, 9, 12),
    accepts: [exampleAccept],
    topupUrl: `${baseUrl}${Quote.topUpPath}`,
    forAgent: false,
  })
  const failure = fail(code, {
    ...ifDefined("retryAfterMs", retryAfterMs),
    ...(codes[code].status === 402 ? { quote } : {}),
  })
  return Envelope.failure(failure, requestId, baseUrl)
}

export const codesOf = (status: number): ReadonlyArray<Code> =>
  codeNames.filter((code) => codes[code].status === status)

const retryable = new Set([409, 429, 503])

export const failureName = (status: number): string => `Failure${status}`

/**
 * Error responses, one component per status of the error table.
 *
 * @param limited whether they have rate limit headers
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
          ...(status === 402 ? (["Payment-Required"] as const) : []),
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
                examples: Object.fromEntries(all.map((code) => [code, { value: makeExample(code, baseUrl) }])),
              },
            },
          },
        ]
      }),
  )

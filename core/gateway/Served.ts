import type { RateLimitState } from "../account/Bucket.ts"
import type { MicroUsd } from "../account/Money.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import type { Failure } from "../Failure.ts"
import type { Call, Format, Progress, Stage } from "./Call.ts"
import * as Rows from "./rows.ts"

/** The reply that a transport writes. Failures are replies too. */
export interface Served {
  readonly status: number
  readonly requestId: string
  /** Empty with `rows` and with status 304. */
  readonly body: Envelope.Body
  /** A list as CSV or NDJSON, in pieces. */
  readonly rows?: {
    readonly format: Exclude<Format, "json">
    readonly text: Iterable<string>
    /** `cursor` of the next page. */
    readonly next?: string
  }
  /** The charge, where the body has no `_meta`. */
  readonly charged?: MicroUsd
  readonly etag?: string | undefined
  readonly retryAfterMs: number | undefined
  /** The value of the header `PAYMENT-REQUIRED`: the terms of payment. */
  readonly required?: string
  /** The value of the header `PAYMENT-RESPONSE`: the receipt of a payment that came with the call. */
  readonly receipt?: string
  /** State of the rate limit; undefined if the call failed before it. */
  readonly limit: RateLimitState | undefined
  /** The body is that of an earlier call with the same `Idempotency-Key`. */
  readonly replayed: boolean
}

export interface Finished {
  readonly answer: Answer<unknown> | undefined
  readonly prepared: Envelope.Prepared
  readonly etag?: string
  readonly charged: MicroUsd
  readonly replayed: boolean
  /** The client has these results already: not sent, not charged. */
  readonly unchanged?: boolean
  /** False: a quote in place of the endpoint's results. */
  readonly ownResults?: boolean
}

export const succeeded = (
  { call, stage: { limit, receipt } }: Progress,
  endpoint: Endpoint.Any,
  { prepared, charged, replayed, etag, unchanged, ownResults = true }: Finished,
  now: number,
): Served => {
  const { requestId, context } = call
  const { format = "json" } = context
  const always = { requestId, limit, replayed, etag, retryAfterMs: undefined }
  const fields = receipt === undefined ? always : { ...always, receipt }
  if (unchanged === true) return { status: 304, body: Envelope.empty, ...fields }
  if (format !== "json" && endpoint.rows !== undefined && ownResults) {
    const { rows, nextCursor } = Envelope.listRows(prepared, endpoint.rows)
    const text = Rows.listText(endpoint, rows, format)
    // HEAD is free, and a cursor contains the key of a row that is sold.
    const next = context.head === true ? undefined : nextCursor
    return {
      status: 200,
      body: Envelope.empty,
      rows: { format, text, ...(next === undefined ? {} : { next }) },
      charged,
      ...fields,
    }
  }
  const latencyMs = Math.max(0, now - call.startedAt)
  return { status: 200, body: Envelope.finish(prepared, { requestId, latencyMs, charged }), ...fields }
}

export const failed = (
  failure: Failure,
  {
    requestId,
    limit,
    receipt,
    context,
  }: Pick<Call, "requestId"> & Partial<Pick<Call, "context">> & Pick<Stage, "limit" | "receipt">,
  baseUrl: string,
): Served => ({
  status: failure.status,
  requestId,
  body: Envelope.body(Envelope.failure(failure, requestId, baseUrl, context?.errorsUrl)),
  retryAfterMs: failure.retryAfterMs,
  ...(failure.required === undefined ? {} : { required: failure.required }),
  ...(receipt === undefined ? {} : { receipt }),
  limit,
  replayed: false,
})

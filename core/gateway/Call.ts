import type { RateLimitState } from "../account/Bucket.ts"
import type { Price } from "../account/decide.ts"
import type { Caller } from "../account/Keyring.ts"
import type { Decoded } from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import type { Failure } from "../Failure.ts"
import type { Offer } from "../payment/CallPaymentGate.ts"

/** The envelope, or the rows of a list alone. */
export type Format = "json" | "csv" | "ndjson"

/** Where a caller sets its key, for hints. */
export interface KeyPlace {
  readonly field: string
  readonly suggestion: string
}

/** A request's headers and client address, as the transport received them. */
export interface RequestContext {
  /** The value of the `Authorization` header, unparsed. */
  readonly authorization: string | undefined
  /** SHA-256 of a key, for calls that the service makes for an account; in place of `authorization`. */
  readonly keyHash?: string
  /** Where its caller sets that value, for hints; absent: in the header. */
  readonly keyPlace?: KeyPlace
  /** Address of the list of error codes, where the caller may reach no page; absent: below the base URL. */
  readonly errorsUrl?: string
  /** HEAD: all checks and the answer's headers, without body and charge. */
  readonly head?: boolean
  /** The value of the `Idempotency-Key` header: a UUIDv4 under which the answer is stored for 24 hours. */
  readonly idempotencyKey?: string
  /** Name of that value in hints, where the transport does not send it as a header. */
  readonly idempotencyField?: string
  /** The value of the `If-None-Match` header: entity tags of answers that the client has. */
  readonly ifNoneMatch?: string
  /** Format of a list; absent: JSON. */
  readonly format?: Format
  /** The client's own id of its request, unparsed; only for the log. */
  readonly clientRequestId?: string | undefined
  /** The client's header of W3C Trace Context, unparsed. */
  readonly traceparent?: string
  /** The value of the header `PAYMENT-SIGNATURE`: a signed payment, unparsed. */
  readonly payment?: string
  /** The client's address; limits calls without a key. */
  readonly address?: string
  /** Identifies the client's connection: its key is hashed once. */
  readonly connection?: object
}

export interface Call {
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Start time on the meter's clock. */
  readonly since: number
  readonly context: RequestContext
}

/** A call's state after the steps so far, for its reply, audit row and log line. */
export interface Stage {
  readonly caller?: Caller | undefined
  readonly limit?: RateLimitState | undefined
  /** SHA-256 of endpoint, parameters and options. */
  readonly paramsHash?: string | undefined
  /** The value of the header `PAYMENT-RESPONSE`, once a payment was taken. */
  readonly receipt?: string
}

/** A call and its newest stage. A stage is never changed, only followed by the next one. */
export interface Progress {
  readonly call: Call
  stage: Stage
}

/** The call is counted against its rate limit. Without a caller it needs none, or a payment may replace the key. */
export interface Authorized extends Pick<Stage, "caller" | "limit"> {
  /** The failure of a call that is not admitted. */
  readonly refused?: Failure | undefined
}

/** An authorized call with valid parameters. */
export interface Question extends Pick<Stage, "caller" | "limit"> {
  readonly call: Call
  readonly endpoint: Endpoint.Any
  readonly decoded: Decoded
  readonly paramsHash: string
}

export interface KeyedQuestion extends Question {
  readonly caller: Caller
  /** The payment that stands in for a key. */
  readonly payment?: Offer
}

/** A question with its price, which the caller can pay from its wallet or by a payment that is not taken yet. */
export interface Quoted {
  readonly question: KeyedQuestion
  readonly price: Price
  readonly payment: Offer | undefined
}

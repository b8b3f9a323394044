import type { Taken } from "../account/Bucket.ts"
import type { Caller } from "../account/Keyring.ts"

/** The envelope, or the rows of a list alone. */
export type Format = "json" | "csv" | "ndjson"

/** What a transport knows about a request besides its parameters. */
export interface RequestContext {
  /** The value of the `Authorization` header, as it came. */
  readonly authorization: string | undefined
  /** HEAD: every check and the answer's headers, but no body and no charge. */
  readonly head?: boolean
  /** The value of the `Idempotency-Key` header: a UUIDv4 under which the answer is kept for 24 hours. */
  readonly idempotencyKey?: string
  /** What the transport calls that value, where it is no header: hints name it. */
  readonly idempotencyField?: string
  /** The value of the `If-None-Match` header: the entity tags of answers that the client has. */
  readonly ifNoneMatch?: string
  /** How a list is wanted; JSON where it is left out. */
  readonly format?: Format
  /** The id that the client gave its request, as it came: for the log alone. */
  readonly clientRequestId?: string | undefined
  /** The client's address; limits calls without a key. */
  readonly address?: string
}

/** A call on its way: what is learned of it serves its answer whether it succeeds or fails. */
export interface Call {
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly context: RequestContext
  caller?: Caller
  limit?: Taken
  /** SHA-256 of endpoint, parameters and options, once they are known to be good. */
  paramsHash?: string
}

import type { ErrorBody, Hint, Quote } from "./generated.ts"

/** The `error` of an error envelope. */
export type ErrorPayload = ErrorBody["error"]
export type Code = ErrorPayload["code"]

/** The service answered with an error; nothing was charged. The message ends with the suggestions of the hints. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError"
  readonly status: number
  readonly code: Code
  /** False: a person must act. */
  readonly recoverable: boolean
  readonly hints: ReadonlyArray<Hint>
  readonly requestId: string
  readonly docsUrl: string
  /** Milliseconds until a retry may succeed; undefined if waiting does not help. */
  readonly retryAfterMs: number | undefined
  /** The error as received. */
  readonly payload: ErrorPayload
  constructor(status: number, payload: ErrorPayload, retryAfterMs: number | undefined) {
    super([payload.message, ...payload.hints.map(({ suggestion }) => suggestion)].join(" "))
    this.status = status
    this.payload = payload
    this.code = payload.code
    this.recoverable = payload.recoverable
    this.hints = payload.hints
    this.requestId = payload.request_id
    this.docsUrl = payload.docs_url
    this.retryAfterMs = retryAfterMs
  }
}

/** 402: the wallet balance is below the price of the call. */
export class InsufficientFunds extends ServiceError {
  override readonly name = "InsufficientFunds"
  readonly quote: Quote
  constructor(status: number, payload: ErrorPayload & { readonly quote: Quote }, retryAfterMs: number | undefined) {
    super(status, payload, retryAfterMs)
    this.quote = payload.quote
  }
}

/** 429: the rate limit was exceeded, and waiting would take longer than the client allows. */
export class RateLimited extends ServiceError {
  override readonly name = "RateLimited"
}

/** 429: the agent's cap is reached. `retryAfterMs` is set if the cap resets. */
export class BudgetExceeded extends ServiceError {
  override readonly name = "BudgetExceeded"
}

/** No answer from the service: a network error, or an intermediary answered instead. */
export class Unreachable extends Error {
  override readonly name = "Unreachable"
  /** The intermediary's status. */
  readonly status: number | undefined
  constructor(message: string, options: { readonly status?: number; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.status = options.status
  }
}

const isErrorBody = (body: unknown): body is { readonly error: ErrorPayload } =>
  typeof body === "object" && body !== null && "error" in body && typeof (body.error as ErrorPayload)?.code === "string"

/** The error for a status outside 2xx. */
export const toError = (
  status: number,
  body: unknown,
  retryAfterMs: number | undefined,
): ServiceError | Unreachable => {
  if (!isErrorBody(body)) return new Unreachable(`Status ${status} without an error envelope.`, { status })
  const { error } = body
  const { quote } = error
  const retryMs = error.retry_after_ms ?? retryAfterMs
  if (error.code === "insufficient_funds" && quote !== undefined) {
    return new InsufficientFunds(status, { ...error, quote }, retryMs)
  }
  if (["rate_limit_exceeded", "account_rate_limited"].includes(error.code))
    return new RateLimited(status, error, retryMs)
  if (error.code === "agent_budget_exceeded") return new BudgetExceeded(status, error, retryMs)
  return new ServiceError(status, error, retryMs)
}

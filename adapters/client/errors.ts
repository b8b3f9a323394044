import type { ErrorBody, Hint, Quote } from "./generated.ts"

/** An error envelope. */
export type Failed = ErrorBody["error"]
export type Code = Failed["code"]

/** The service answered with an error. Nothing was charged. Its message ends with what the hints suggest. */
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
  readonly failed: Failed
  constructor(status: number, failed: Failed, retryAfterMs: number | undefined) {
    super([failed.message, ...failed.hints.map(({ suggestion }) => suggestion)].join(" "))
    this.status = status
    this.failed = failed
    this.code = failed.code
    this.recoverable = failed.recoverable
    this.hints = failed.hints
    this.requestId = failed.request_id
    this.docsUrl = failed.docs_url
    this.retryAfterMs = retryAfterMs
  }
}

/** 402: the wallet balance is below the price of the call. */
export class InsufficientFunds extends ServiceError {
  override readonly name = "InsufficientFunds"
  readonly quote: Quote
  constructor(status: number, failed: Failed & { readonly quote: Quote }, retryAfterMs: number | undefined) {
    super(status, failed, retryAfterMs)
    this.quote = failed.quote
  }
}

/** 429: rate limit exceeded, for longer than the client waits. */
export class RateLimited extends ServiceError {
  override readonly name = "RateLimited"
}

/** 429: the agent's cap is reached. `retryAfterMs` is set if the cap resets. */
export class BudgetExceeded extends ServiceError {
  override readonly name = "BudgetExceeded"
}

/** No answer of the service: a network error, or an intermediary answered instead. */
export class Unreachable extends Error {
  override readonly name = "Unreachable"
  /** The intermediary's status. */
  readonly status: number | undefined
  constructor(message: string, rest: { readonly status?: number; readonly cause?: unknown }) {
    super(message, { cause: rest.cause })
    this.status = rest.status
  }
}

const isFailed = (body: unknown): body is { readonly error: Failed } =>
  typeof body === "object" && body !== null && "error" in body && typeof (body.error as Failed)?.code === "string"

/** The error for a status outside 2xx. */
export const errorOf = (
  status: number,
  body: unknown,
  retryAfterMs: number | undefined,
): ServiceError | Unreachable => {
  if (!isFailed(body)) return new Unreachable(`Status ${status} without an error envelope.`, { status })
  const { error } = body
  const { quote } = error
  const after = error.retry_after_ms ?? retryAfterMs
  if (error.code === "insufficient_funds" && quote !== undefined) {
    return new InsufficientFunds(status, { ...error, quote }, after)
  }
  if (["rate_limit_exceeded", "account_rate_limited"].includes(error.code)) return new RateLimited(status, error, after)
  if (error.code === "agent_budget_exceeded") return new BudgetExceeded(status, error, after)
  return new ServiceError(status, error, after)
}

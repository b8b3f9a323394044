import type { Code, Hint, Quote } from "../../core/Failure.ts"

/** What a failure's envelope holds. */
export interface Failed {
  readonly code: Code
  readonly message: string
  readonly recoverable: boolean
  readonly retry_after_ms: number | null
  readonly docs_url: string
  readonly request_id: string
  readonly hints: ReadonlyArray<Hint>
  readonly quote?: Quote
}

/** The service answered with a failure. Nothing was charged. */
export class ServiceError extends Error {
  override readonly name: string = "ServiceError"
  readonly status: number
  readonly code: Code
  /** False: a person has to act. */
  readonly recoverable: boolean
  readonly hints: ReadonlyArray<Hint>
  readonly requestId: string
  readonly docsUrl: string
  /** When the call may succeed, milliseconds from now; undefined where waiting does not help. */
  readonly retryAfterMs: number | undefined
  /** The failure as it came. */
  readonly failed: Failed
  constructor(status: number, failed: Failed, retryAfterMs: number | undefined) {
    super(failed.message)
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

/** 402: the wallet holds less than the call costs. */
export class InsufficientFunds extends ServiceError {
  override readonly name = "InsufficientFunds"
  readonly quote: Quote
  constructor(status: number, failed: Failed & { readonly quote: Quote }, retryAfterMs: number | undefined) {
    super(status, failed, retryAfterMs)
    this.quote = failed.quote
  }
}

/** 429: the key's calls of this minute are used up, for longer than the client would wait. */
export class RateLimited extends ServiceError {
  override readonly name = "RateLimited"
}

/** 429: the key's agent has reached its cap. `retryAfterMs` is there where the cap resets by itself. */
export class BudgetExceeded extends ServiceError {
  override readonly name = "BudgetExceeded"
}

/** No answer of the service arrived: the network failed, or something between answered in its place. */
export class Unreachable extends Error {
  override readonly name = "Unreachable"
  /** The status of what answered in its place. */
  readonly status: number | undefined
  constructor(message: string, rest: { readonly status?: number; readonly cause?: unknown }) {
    super(message, { cause: rest.cause })
    this.status = rest.status
  }
}

const isFailed = (body: unknown): body is { readonly error: Failed } =>
  typeof body === "object" && body !== null && "error" in body && typeof (body.error as Failed)?.code === "string"

/** The error of an answer that is no success. */
export const errorOf = (
  status: number,
  body: unknown,
  retryAfterMs: number | undefined,
): ServiceError | Unreachable => {
  if (!isFailed(body)) return new Unreachable(`Status ${status} without the service's envelope.`, { status })
  const { error } = body
  const { quote } = error
  const after = error.retry_after_ms ?? retryAfterMs
  if (error.code === "insufficient_funds" && quote !== undefined) {
    return new InsufficientFunds(status, { ...error, quote }, after)
  }
  if (error.code === "rate_limit_exceeded") return new RateLimited(status, error, after)
  if (error.code === "agent_budget_exceeded") return new BudgetExceeded(status, error, after)
  return new ServiceError(status, error, after)
}

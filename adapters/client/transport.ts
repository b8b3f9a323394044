import { RateLimited, ServiceError, toError, Unreachable } from "./errors.ts"

export interface Retries {
  /** Attempts per call, including the first. */
  readonly attempts: number
  /** Pause after the first attempt in milliseconds; it doubles after each further one. */
  readonly baseMs: number
  /** Maximum pause in milliseconds. If `Retry-After` is longer, the call is not retried. */
  readonly maxDelayMs: number
}

export const defaultRetries: Retries = { attempts: 4, baseMs: 200, maxDelayMs: 10_000 }

export interface Transport {
  readonly send: typeof globalThis.fetch
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  readonly retries: Retries
}

/** `Retry-After` in milliseconds. The service sends seconds. */
const readRetryAfter = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined
}

/** Whether a retry may help: 408 and 5xx. */
const passes = (status: number): boolean => status >= 500 || status === 408

/**
 * The pause before the next attempt; undefined: do not retry. An error envelope with `recoverable: false` is never
 * retried, whatever its status.
 */
const pauseAfter = (error: unknown, attempt: number, { attempts, baseMs, maxDelayMs }: Retries): number | undefined => {
  if (attempt >= attempts) return undefined
  const backoff = Math.min(maxDelayMs, baseMs * 2 ** (attempt - 1))
  if (error instanceof Unreachable) return error.status === undefined || passes(error.status) ? backoff : undefined
  if (!(error instanceof ServiceError) || !error.recoverable) return undefined
  const again = error instanceof RateLimited || passes(error.status) || error.code === "idempotency_in_progress"
  const pause = error.retryAfterMs ?? backoff
  return again && pause <= maxDelayMs ? pause : undefined
}

/** One attempt; the parsed body of a 2xx. */
const once = async ({ send }: Transport, url: string, init: RequestInit): Promise<unknown> => {
  let response: Response
  let text: string
  try {
    // A redirect could lead the key to another server.
    response = await send(url, { ...init, redirect: "manual" })
    text = await response.text()
  } catch (cause) {
    // The caller's abort is not a network error.
    if (init.signal?.aborted) throw init.signal.reason
    throw new Unreachable("Could not connect, or the response ended early.", { cause })
  }
  const { status, type } = response
  // Browsers hide the status.
  if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
    throw new Unreachable("The server redirects elsewhere, and the client does not follow: correct baseUrl.", {
      status,
    })
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new Unreachable(`Status ${status} with a body that is not JSON.`, { status, cause })
  }
  if (!response.ok) throw toError(status, body, readRetryAfter(response.headers))
  return body
}

/** Retries a request until it succeeds, fails for good or attempts run out. */
export const request = async (transport: Transport, url: string, init: RequestInit): Promise<unknown> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(transport, url, init)
    } catch (error) {
      const pause = pauseAfter(error, attempt, transport.retries)
      if (pause === undefined) throw error
      await transport.sleep(pause, init.signal ?? undefined)
    }
  }
}

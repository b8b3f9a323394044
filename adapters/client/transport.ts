import { errorOf, RateLimited, ServiceError, Unreachable } from "./errors.ts"

export interface Retries {
  /** Attempts of one call, the first included. */
  readonly attempts: number
  /** The pause after the first attempt, milliseconds; it doubles with every further one. */
  readonly baseMs: number
  /** The longest pause. A service that asks for a longer one is not waited for. */
  readonly longestMs: number
}

export const defaultRetries: Retries = { attempts: 4, baseMs: 200, longestMs: 10_000 }

export interface Transport {
  readonly send: typeof globalThis.fetch
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  readonly retries: Retries
}

/** The milliseconds of a `Retry-After` header in seconds, the form that the service sends. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined
}

/** What may pass by itself: the service or something between it and here was late, or did not do its part. */
const passes = (status: number): boolean => status >= 500 || status === 408

/**
 * The pause before the next attempt; undefined when there should be none. Where the service speaks for itself, what it
 * does not call recoverable is not asked again, whatever its status.
 */
const pauseAfter = (error: unknown, attempt: number, { attempts, baseMs, longestMs }: Retries): number | undefined => {
  if (attempt >= attempts) return undefined
  const backoff = Math.min(longestMs, baseMs * 2 ** (attempt - 1))
  if (error instanceof Unreachable) return error.status === undefined || passes(error.status) ? backoff : undefined
  if (!(error instanceof ServiceError) || !error.recoverable) return undefined
  const again = error instanceof RateLimited || passes(error.status) || error.code === "idempotency_in_progress"
  const pause = error.retryAfterMs ?? backoff
  return again && pause <= longestMs ? pause : undefined
}

/** One attempt: the parsed body of a 2xx. */
const once = async ({ send }: Transport, url: string, init: RequestInit): Promise<unknown> => {
  let response: Response
  let text: string
  try {
    response = await send(url, init)
    text = await response.text()
  } catch (cause) {
    // What the caller ended is no failure of the network.
    if (init.signal?.aborted) throw init.signal.reason
    throw new Unreachable("The service could not be reached, or its answer broke off.", { cause })
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new Unreachable(`Status ${response.status} with a body that is no JSON.`, { status: response.status, cause })
  }
  if (!response.ok) throw errorOf(response.status, body, retryAfterOf(response.headers))
  return body
}

/** The same request until it is answered, fails for good, or has been tried often enough. */
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

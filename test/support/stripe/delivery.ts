import { setTimeout as pause } from "node:timers/promises"
import Stripe from "stripe"
import type { StripeEvent } from "./objects.ts"

export interface Endpoint {
  readonly url: string
  readonly secret: string
}

/** How messages travel. */
export interface Travel {
  /** False: they are kept, and sent with `release`. */
  readonly deliver: boolean
  /** How often each is sent, whatever is answered. */
  readonly copies: number
  /** In any order, spread over `deliveryMs`. */
  readonly shuffle: boolean
  readonly deliveryMs: number
  /** Until the next attempt after an answer that is not 2xx. */
  readonly retryMs: number
  readonly attempts: number
}

/** Signs a body as Stripe does. */
export const signed = (payload: string, secret: string, timestamp = Math.floor(Date.now() / 1_000)): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })

/** Bodies are indented, so that nobody who parses and writes them again has the bytes that were signed. */
export const bodyOf = (event: unknown): string => JSON.stringify(event, null, 2)

/** Sends messages to the one endpoint of the account. */
export const deliveries = (travel: () => Travel, random: () => number) => {
  const stop = new AbortController()
  const answers: Array<{ readonly event: string; readonly type: string; readonly status: number }> = []
  let endpoint: Endpoint | undefined
  let kept: Array<StripeEvent> = []
  let pending = 0
  let inOrder: Promise<void> = Promise.resolve()

  const attempt = async (event: StripeEvent): Promise<boolean> => {
    if (endpoint === undefined) return true
    const body = bodyOf(event)
    const status = await fetch(endpoint.url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        "stripe-signature": signed(body, endpoint.secret),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]),
    }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      // Nobody listens, or the receiver was killed.
      () => 0,
    )
    answers.push({ event: event.id, type: event.type, status })
    return status >= 200 && status < 300
  }

  const again = async (event: StripeEvent, attempts: number): Promise<void> => {
    for (let rest = attempts; rest > 0 && !stop.signal.aborted; rest--) {
      await pause(travel().retryMs)
      if (await attempt(event)) return
    }
  }

  const counted = async (work: () => Promise<void>): Promise<void> => {
    pending++
    try {
      await work()
    } finally {
      pending--
    }
  }

  const send = (event: StripeEvent): void => {
    const { copies, shuffle, deliveryMs, attempts } = travel()
    for (let copy = 0; copy < copies; copy++) {
      const once = async (after: Promise<void>, ms: number): Promise<void> => {
        await after
        if (ms > 0) await pause(ms)
        if (!(await attempt(event))) void counted(() => again(event, attempts - 1))
      }
      if (shuffle) void counted(() => once(Promise.resolve(), random() * Math.max(deliveryMs, 20)))
      else {
        const before = inOrder
        inOrder = counted(() => once(before, deliveryMs))
      }
    }
  }

  return {
    /** The answers so far; 0: none. */
    answers,
    pending: (): number => pending,
    to: (next: Endpoint | undefined): void => {
      endpoint = next
    },
    tell: (event: StripeEvent): void => {
      if (travel().deliver) send(event)
      else kept.push(event)
    },
    /** Sends what was kept. */
    release: (): void => {
      const all = kept
      kept = []
      all.forEach(send)
    },
    /** Resolves when nothing is under way. */
    idle: async (): Promise<void> => {
      while (pending > 0) await pause(5)
    },
    stop: (): void => stop.abort(),
  }
}

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Failure } from "../Failure.ts"
import type { ErrorClass, Reason } from "./Webhook.ts"

/** A delivery that was handed out for one attempt. Times are epoch milliseconds. */
export interface Taken {
  readonly seq: number
  readonly attempt: number
  readonly webhookId: string
  readonly eventId: string
  readonly url: string
  /** The newest first. */
  readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
  readonly body: string
  /** Attempts that failed before this one. */
  readonly failures: number
  readonly expiresAt: number
}

/** What becomes of a delivery after an attempt. */
export type Next =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retry"; readonly dueAt: number }
  /** `gone` disables the webhook too. */
  | { readonly _tag: "Dead"; readonly reason: Extract<Reason, "exhausted" | "gone"> }
  /** The attempt was cut off by the end of its worker and counts as none. */
  | { readonly _tag: "Released" }

/** The end of an attempt. */
export interface Ended {
  readonly seq: number
  readonly attempt: number
  readonly at: number
  readonly durationMs: number
  readonly status?: number
  readonly error?: ErrorClass
  readonly detail?: string
  readonly response?: string
  readonly next: Next
}

export interface Turn {
  /** Names the worker: what it holds is its own until the lease ends. */
  readonly holder: string
  readonly now: number
  readonly ended: ReadonlyArray<Ended>
  /** How many due deliveries to hand out, by webhook. */
  readonly take: ReadonlyMap<string, number>
  /** Longer than an attempt can last. */
  readonly leaseMs: number
  /** How long after its first attempt a delivery is still tried. */
  readonly windowMs: number
}

/** What waits. */
export interface Due {
  /** Webhooks with deliveries that may be taken now. */
  readonly webhooks: ReadonlyArray<string>
  /** Whether something has run out of time. */
  readonly expired: boolean
  /** When the next delivery becomes due; absent: none waits. */
  readonly nextAt?: number
}

/** Port of the worker that delivers: who takes what, and how it went. */
export class DeliveryQueue extends Context.Tag("core/events/DeliveryQueue")<
  DeliveryQueue,
  {
    readonly due: (now: number) => Effect.Effect<Due, Failure>
    /**
     * One transaction: writes down how attempts ended, then hands out what is due. However many workers there are, a
     * delivery is with one of them, until it ends or its lease does. The first attempts of events that one charge
     * caused for one agent are handed out one after the other, in their order.
     */
    readonly turn: (turn: Turn) => Effect.Effect<ReadonlyArray<Taken>, Failure>
  }
>() {}

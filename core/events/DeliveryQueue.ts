import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Failure } from "../Failure.ts"
import type { ErrorClass, Reason } from "./Webhook.ts"

/** A delivery leased for one attempt. Times are epoch milliseconds. */
export interface LeasedDelivery {
  readonly seq: number
  readonly attempt: number
  readonly webhookId: string
  readonly eventId: string
  readonly url: string
  /** The newest first. */
  readonly secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
  readonly body: string
  /** Failed attempts before this one. */
  readonly failures: number
  readonly expiresAt: number
}

/** A delivery's next state after an attempt. */
export type AttemptOutcome =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retry"; readonly dueAt: number }
  /** `gone` disables the webhook too. `eventId` is for the `webhook.failing` event that may be sent to the account. */
  | { readonly _tag: "Dead"; readonly reason: Extract<Reason, "exhausted" | "gone">; readonly eventId: string }
  /** The worker ended during the attempt; the attempt does not count. */
  | { readonly _tag: "Released" }

export interface AttemptEnd {
  readonly seq: number
  readonly attempt: number
  readonly at: number
  readonly durationMs: number
  readonly status?: number
  readonly error?: ErrorClass
  readonly detail?: string
  readonly response?: string
  readonly next: AttemptOutcome
}

export interface LeaseRequest {
  /** The worker's name; its leases are exclusive until they end. */
  readonly leaseOwner: string
  readonly now: number
  readonly endedAttempts: ReadonlyArray<AttemptEnd>
  /** Number of due deliveries to lease, by webhook. */
  readonly leases: ReadonlyMap<string, number>
  /** Longer than the longest attempt. */
  readonly leaseMs: number
  /** How long after its first attempt a delivery is retried. */
  readonly windowMs: number
}

export interface QueueStatus {
  /** Webhooks with deliveries that are due. */
  readonly webhooks: ReadonlyArray<string>
  /** Whether a delivery's window has ended. */
  readonly hasExpired: boolean
  /** When the next delivery becomes due; absent: none is pending. */
  readonly nextAt?: number
}

/** Port of the delivery worker: leases deliveries and records attempts. */
export class DeliveryQueue extends Context.Tag("market-signals/core/events/DeliveryQueue")<
  DeliveryQueue,
  {
    readonly status: (now: number) => Effect.Effect<QueueStatus, Failure>
    /**
     * One transaction: records ended attempts, then leases due deliveries. A delivery is leased to at most one worker,
     * until its attempt or its lease ends. The first attempts of events that one charge caused for one agent are leased
     * one after the other, in order.
     */
    readonly recordAndLease: (request: LeaseRequest) => Effect.Effect<ReadonlyArray<LeasedDelivery>, Failure>
  }
>() {}

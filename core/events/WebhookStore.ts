import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Failure } from "../Failure.ts"
import type { Page } from "../Page.ts"
import type { EventType } from "./Event.ts"
import type { Cause, Delivery, Webhook } from "./Webhook.ts"

/** A delivery outside the subscription: a replay or a test. */
export interface Queued extends Pick<Delivery, "webhookId" | "eventId" | "type"> {
  readonly cause: Exclude<Cause, "event">
  readonly at: number
  /** The body of a test, whose event is not stored. */
  readonly body?: string
}

/** Its keys are the numbers of deliveries. */
export interface DeliveryFilter extends Page<number> {
  readonly webhookId?: string
  readonly accountId?: string
  readonly eventId?: string
  readonly type?: EventType
  /** Only dead letters whose event was not sent to the webhook again. */
  readonly dead?: boolean
}

/** Write port behind `Webhooks`. Every method is one short transaction. */
export class WebhookStore extends Context.Tag("market-signals/core/events/WebhookStore")<
  WebhookStore,
  {
    /** False: the account has its most webhooks. */
    readonly insert: (webhook: Webhook, secret: Redacted.Redacted, most: number) => Effect.Effect<boolean, Failure>
    readonly find: (id: string) => Effect.Effect<Webhook | undefined, Failure>
    readonly ofAccount: (accountId: string) => Effect.Effect<ReadonlyArray<Webhook>, Failure>
    /** A pause suspends the retry window of the webhook's deliveries. */
    readonly setStatus: (id: string, status: "active" | "paused", at: number) => Effect.Effect<void, Failure>
    /** Permanent: deletes its secrets and ends its pending deliveries. */
    readonly remove: (id: string, at: number) => Effect.Effect<void, Failure>
    /** The previous secret signs too until `previousUntil`. */
    readonly replaceSecret: (
      id: string,
      secret: Redacted.Redacted,
      previousUntil: number,
    ) => Effect.Effect<void, Failure>
    /** Queues all that are not pending for the same webhook already, nothing for a deleted one; returns the queued ids. */
    readonly queue: (all: ReadonlyArray<Queued>) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** The newest events of an account, newest first. */
    readonly events: (
      accountId: string,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly type: EventType }>, Failure>
    /** Events whose newest delivery to a webhook is dead. */
    readonly undelivered: (webhookId: string) => Effect.Effect<ReadonlySet<string>, Failure>
    /** The newest deliveries, newest first. */
    readonly deliveries: (filter: DeliveryFilter) => Effect.Effect<ReadonlyArray<Delivery>, Failure>
  }
>() {}

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Failure } from "../Failure.ts"
import type { Page } from "../Page.ts"
import type { EventType } from "./Event.ts"
import type { Cause, Delivery, Webhook } from "./Webhook.ts"

/** A requested delivery: a replay or a test. */
export interface DeliveryRequest extends Pick<Delivery, "webhookId" | "eventId" | "type"> {
  readonly cause: Exclude<Cause, "event">
  readonly at: number
  /** The body of a test, whose event is not stored. */
  readonly body?: string
}

/** The cursor is a delivery's number. */
export interface DeliveryFilter extends Page<number> {
  readonly webhookId?: string
  readonly accountId?: string
  readonly eventId?: string
  readonly type?: EventType
  /** True: only dead letters whose event has no later delivery to that webhook. */
  readonly dead?: boolean
}

/** The store behind `Webhooks`. Every write is one short transaction. */
export class WebhookStore extends Context.Tag("market-signals/core/events/WebhookStore")<
  WebhookStore,
  {
    /** False: the account already has `limit` webhooks. */
    readonly insert: (webhook: Webhook, secret: Redacted.Redacted, limit: number) => Effect.Effect<boolean, Failure>
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
    /** Skips events already pending for the webhook, and deleted webhooks; returns the ids of the queued events. */
    readonly queue: (all: ReadonlyArray<DeliveryRequest>) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** Newest first. */
    readonly events: (
      accountId: string,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly type: EventType }>, Failure>
    /** Events whose newest delivery to a webhook is dead. */
    readonly undelivered: (webhookId: string) => Effect.Effect<ReadonlySet<string>, Failure>
    /** The newest deliveries of a webhook, or else of an account, newest first; without either there are none. */
    readonly deliveries: (filter: DeliveryFilter) => Effect.Effect<ReadonlyArray<Delivery>, Failure>
  }
>() {}

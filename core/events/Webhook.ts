import type { EventType } from "./Event.ts"

/** `disabled`: its receiver answered 410 Gone. */
export const statuses = ["active", "paused", "disabled"] as const
export type Status = (typeof statuses)[number]

/** The host of a webhook's URL; of e-mail the address. */
export const webhookHost = ({ url }: Pick<Webhook, "url">): string => new URL(url).host || url.slice("mailto:".length)

/** A URL of an account that receives events, without its secrets. Times are epoch milliseconds. */
export interface Webhook {
  readonly id: string
  readonly accountId: string
  readonly url: string
  readonly events: ReadonlyArray<EventType>
  readonly status: Status
  readonly createdAt: number
  /** End of the time in which the rotated secret still signs; absent: no rotation. */
  readonly previousUntil?: number
}

export const causes = ["event", "replay", "test"] as const
export type Cause = (typeof causes)[number]

/** Why an attempt failed. */
export const errors = [
  /** The receiver answered with a status outside 200 to 299. */
  "status",
  /** It answered 3xx; redirects are never followed. */
  "redirect",
  "timeout",
  /** The host has no address. */
  "dns",
  "connect",
  "tls",
  /** The connection broke before a response. */
  "reset",
  /** The response was not HTTP. */
  "protocol",
  /** The guard blocked the URL or its address. */
  "blocked",
  /** A server error; the log has the cause. */
  "internal",
] as const
export type ErrorClass = (typeof errors)[number]

/** Why a delivery is a dead letter. */
export const reasons = [
  /** The last attempt failed. */
  "exhausted",
  /** Its window ended before the next attempt. */
  "expired",
  /** The receiver answered 410 Gone. */
  "gone",
  /** Its webhook was disabled by another delivery's 410. */
  "disabled",
  "deleted",
] as const
export type Reason = (typeof reasons)[number]

/** One attempt. Neither `status` nor `error`: it is in flight, or its process ended first. */
export interface Attempt {
  readonly number: number
  readonly at: number
  readonly durationMs?: number
  readonly status?: number
  readonly error?: ErrorClass
  /** Text from the operating system, the guard or the receiver's status line. */
  readonly detail?: string
  /** The first characters of the response. */
  readonly response?: string
}

/** One event on its way to one webhook. */
export interface Delivery {
  /** Ascends in the order in which deliveries are queued. */
  readonly seq: number
  readonly webhookId: string
  readonly eventId: string
  readonly type: EventType
  readonly cause: Cause
  readonly createdAt: number
  /** The event was sent to the webhook again by a later delivery. */
  readonly isRepeated: boolean
  readonly state:
    | { readonly _tag: "Pending"; readonly dueAt: number }
    /** Its webhook is paused: sent when that is resumed. */
    | { readonly _tag: "Waiting" }
    | { readonly _tag: "UnderWay" }
    | { readonly _tag: "Delivered"; readonly at: number }
    | { readonly _tag: "Dead"; readonly at: number; readonly reason: Reason }
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
}

import type { EventType } from "./Event.ts"

/** `disabled`: its receiver answered 410 Gone. */
export const statuses = ["active", "paused", "disabled"] as const
export type Status = (typeof statuses)[number]

/** An address of an account's owner that events are sent to. Its secrets are not part of it. Times are epoch milliseconds. */
export interface Webhook {
  readonly id: string
  readonly accountId: string
  readonly url: string
  /** What it is sent. */
  readonly events: ReadonlyArray<EventType>
  readonly status: Status
  readonly createdAt: number
  /** While a rotated secret still signs: until when. */
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
  /** The connection broke before there was an answer. */
  "reset",
  /** What came was no HTTP. */
  "protocol",
  /** The guard: the URL or the address behind it may not be called. */
  "blocked",
  /** A fault of ours; the log has it. */
  "internal",
] as const
export type ErrorClass = (typeof errors)[number]

/** Why a delivery will not be tried again by itself. */
export const reasons = [
  /** The last attempt failed. */
  "exhausted",
  /** Nobody could try it before its window ended. */
  "expired",
  /** The receiver answered 410 Gone. */
  "gone",
  /** Its webhook was disabled by another delivery's 410. */
  "disabled",
  "deleted",
] as const
export type Reason = (typeof reasons)[number]

/** One attempt. Neither `status` nor `error`: it is under way, or its process ended before it did. */
export interface Attempt {
  readonly number: number
  readonly at: number
  readonly durationMs?: number
  readonly status?: number
  readonly error?: ErrorClass
  /** What the operating system, the guard or the receiver's status line says. */
  readonly detail?: string
  /** How the answer begins. */
  readonly response?: string
}

/** One event on its way to one webhook. */
export interface Delivery {
  readonly webhookId: string
  readonly eventId: string
  readonly type: EventType
  readonly cause: Cause
  readonly createdAt: number
  readonly state:
    | { readonly _tag: "Pending"; readonly dueAt: number }
    /** Its webhook is paused: nothing is sent until that is resumed. */
    | { readonly _tag: "Waiting" }
    | { readonly _tag: "UnderWay" }
    | { readonly _tag: "Delivered"; readonly at: number }
    | { readonly _tag: "Dead"; readonly at: number; readonly reason: Reason }
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
}

import type { Code } from "../Failure.ts"

/** An alert is paused by its owner, or with a reason because a firing could not be paid. */
export const statuses = ["active", "paused"] as const

/** A condition on the answers of a call, whose crossing is sent to its account as `alert.fired`. */
export interface Alert {
  readonly id: string
  readonly accountId: string
  /** The agent whose caps its firings count against. */
  readonly agentId?: string
  /** The key that its firings are charged to. It is made for the alert, and nobody has its plaintext. */
  readonly keyId: string
  readonly name?: string
  /** Path and query of the call that is watched. */
  readonly call: string
  /** In the unit of the watch; absent for a report. */
  readonly threshold?: number
  readonly hysteresis?: number
  readonly status: (typeof statuses)[number]
  /** The error code with which a firing would fail, or has failed. */
  readonly reason?: Code
  /** Charged firings so far. */
  readonly crossings: number
  /** Epoch milliseconds of the last one. */
  readonly firedAt?: number
  readonly createdAt: number
}

/** Maximum number of alerts of an account: each is checked every second. */
export const maxAlerts = 100

import * as Effect from "effect/Effect"
import { type Failure, fail, type Hint } from "../Failure.ts"

/** Event types of this version. */
export const types = ["agent.budget_warning", "agent.budget_exceeded"] as const
export type EventType = (typeof types)[number]

/** Names that are never sent: of v1.1, and of endpoints that are not offered. */
export const reserved: ReadonlyArray<string> = ["alert.fired", "regime.changed", "job.completed", "job.failed"]

/** An event as stored by the transaction that caused it. */
export interface Event {
  /** A UUID, the same on every delivery, so that receivers can skip repetitions. */
  readonly id: string
  readonly type: EventType
  /** Epoch milliseconds. */
  readonly at: number
  /** False: caused by a test key. */
  readonly livemode: boolean
  readonly data: BudgetData
}

/** Wire fields of both budget events. */
export interface BudgetData {
  readonly agent_id: string
  readonly agent_name: string
  /** UTC month, YYYY-MM. */
  readonly period: string
  readonly cap_micros: number
  readonly spent_micros: number
  readonly percent: number
  readonly resets_at: string
}

const isEmitted = (name: string): name is EventType => (types as ReadonlyArray<string>).includes(name)

const refusal = (name: string): Hint => ({
  field: "events",
  action: reserved.includes(name) ? "remove" : "change",
  suggestion: reserved.includes(name)
    ? `${name} is reserved and never sent. Use one of ${types.join(", ")}.`
    : `Unknown event ${JSON.stringify(name.slice(0, 64))}. Use one of ${types.join(", ")}.`,
})

/** The event types of a subscription, without duplicates. Fails with a hint for every unknown or reserved name. */
export const subscription = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<EventType>, Failure> => {
  const unique = [...new Set(names)]
  const known = unique.filter(isEmitted)
  const hints: ReadonlyArray<Hint> =
    unique.length === 0
      ? [{ field: "events", action: "add", suggestion: `Name at least one event: ${types.join(", ")}.` }]
      : unique.filter((name) => !isEmitted(name)).map(refusal)
  return hints.length === 0 ? Effect.succeed(known) : Effect.fail(fail("invalid_parameter", { hints }))
}

/** The body that is signed and sent: the same text on every delivery of an event. */
export const body = ({ id, type, at, livemode, data }: Event): string =>
  JSON.stringify({ id, type, timestamp: new Date(at).toISOString(), api_version: "v1", livemode, data })

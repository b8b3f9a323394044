import * as Effect from "effect/Effect"
import { type Failure, fail, type Hint } from "../Failure.ts"

/** What this version emits. */
export const types = ["agent.budget_warning", "agent.budget_exceeded"] as const
export type EventType = (typeof types)[number]

/** Names that are taken and not emitted, each with its reason. */
export const reserved: Readonly<Record<string, string>> = {
  "alert.fired": "comes with v1.1",
  "regime.changed": "belongs to endpoints that are not offered",
  "job.completed": "belongs to endpoints that are not offered",
  "job.failed": "belongs to endpoints that are not offered",
}

/** Something that happened, as its transaction wrote it down. */
export interface Event {
  /** A UUID; receivers recognise a repeated delivery by it. */
  readonly id: string
  readonly type: EventType
  /** Epoch milliseconds. */
  readonly at: number
  /** False: caused by a test key. */
  readonly livemode: boolean
  readonly data: BudgetData
}

/** The fields of both budget events, as they stand on the wire. */
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
  action: Object.hasOwn(reserved, name) ? "remove" : "change",
  suggestion: Object.hasOwn(reserved, name)
    ? `${name} is reserved and not emitted: it ${reserved[name]}. Events are ${types.join(", ")}.`
    : `There is no event ${JSON.stringify(name.slice(0, 64))}. Events are ${types.join(", ")}.`,
})

/** The event types of a subscription, each once; every name that cannot be subscribed to is a hint. */
export const subscription = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<EventType>, Failure> => {
  const unique = [...new Set(names)]
  const known = unique.filter(isEmitted)
  const hints: ReadonlyArray<Hint> =
    unique.length === 0
      ? [{ field: "events", action: "add", suggestion: `Name at least one event: ${types.join(", ")}.` }]
      : unique.filter((name) => !isEmitted(name)).map(refusal)
  return hints.length === 0 ? Effect.succeed(known) : Effect.fail(fail("invalid_parameter", { hints }))
}

/** The bytes that are signed and sent: the same for the same event, however often. */
export const body = ({ id, type, at, livemode, data }: Event): string =>
  JSON.stringify({ id, type, timestamp: new Date(at).toISOString(), api_version: "v1", livemode, data })

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { monthOf, nextMonth } from "../account/Agent.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import * as Field from "../endpoint/Field.ts"
import { type Failure, fail, type Hint } from "../Failure.ts"
import { iso } from "../time.ts"

/** Event types of this version. */
export const types = ["agent.budget_warning", "agent.budget_exceeded"] as const
export type EventType = (typeof types)[number]

/** The meaning of each type, for the documents. */
export const meanings: Readonly<Record<EventType, string>> = {
  "agent.budget_warning": "An agent's spend has reached 80 % of its monthly cap.",
  "agent.budget_exceeded": "An agent's spend has reached its monthly cap, or a call was rejected because of it.",
}

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

const BudgetData = Schema.Struct({
  agent_id: Field.text(),
  agent_name: Field.text(),
  period: Field.text("The UTC month, YYYY-MM."),
  cap_micros: Field.integer("The agent's monthly cap, micro-dollars."),
  spent_micros: Field.integer("Spent in the month, micro-dollars."),
  percent: Field.integer("Of the cap, rounded down."),
  resets_at: Field.instant("Start of the next UTC month."),
}).annotations({ identifier: "BudgetData" })

/** Wire fields of both budget events. */
export type BudgetData = typeof BudgetData.Encoded

/** The body of a delivery, by type, for the documents. */
export const schema = (type: EventType) =>
  Schema.Struct({
    id: Field.text("A UUID, the same on every delivery of the event: skip ids that were processed."),
    type: Schema.Literal(type),
    timestamp: Field.instant("When the event happened."),
    api_version: Schema.Literal(Envelope.version),
    livemode: Field.boolean("false: caused by a test key, or a test event."),
    data: BudgetData,
  }).annotations({ description: meanings[type] })

type Body = ReturnType<typeof schema>["Encoded"]

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

const wireOf = ({ id, type, at, livemode, data }: Event): Body => ({
  id,
  type,
  timestamp: iso(at),
  api_version: Envelope.version,
  livemode,
  data,
})

/** The body that is signed and sent: the same text on every delivery of an event. */
export const body = (event: Event): string => JSON.stringify(wireOf(event))

/** The data of a test event: a non-existent agent at 80 % or 100 % of its cap. */
export const exampleData = (type: EventType, at: number): BudgetData => {
  const percent = type === "agent.budget_warning" ? 80 : 100
  return {
    agent_id: `agt_${"0".repeat(26)}`,
    agent_name: "example",
    period: monthOf(at),
    cap_micros: 1_000_000,
    spent_micros: percent * 10_000,
    percent,
    resets_at: iso(nextMonth(at)),
  }
}

/** The body of a test event, for the documents. */
export const example = (type: EventType): Body => {
  const at = Date.UTC(2026, 6, 9, 14, 30)
  const id = "9f1c2d34-5b6a-4c7d-8e9f-0a1b2c3d4e5f"
  return wireOf({ id, type, at, livemode: false, data: exampleData(type, at) })
}

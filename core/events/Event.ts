import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { monthOf, nextMonth } from "../account/Agent.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import * as Field from "../endpoint/Field.ts"
import { type Failure, fail, type Hint } from "../Failure.ts"
import { iso } from "../time.ts"

/** An event type: its meaning and the schema of its data. */
interface EventSpec<Data> {
  readonly meaning: string
  readonly data: Schema.Schema<Data>
  /** The data of a test event. */
  readonly example: (at: number) => Data
}

const defineSpec = <Data>(spec: EventSpec<Data>): EventSpec<Data> => spec

const BudgetData = Schema.Struct({
  agent_id: Field.text(),
  agent_name: Field.text(),
  period: Field.text("The UTC month, YYYY-MM."),
  cap_micros: Field.integer("The agent's monthly cap, micro-dollars."),
  spent_micros: Field.integer("Spent in the month, micro-dollars."),
  percent: Field.integer("Of the cap, rounded down."),
  resets_at: Field.instant("Start of the next UTC month."),
}).annotations({ identifier: "BudgetData" })

/** A budget event; its example is a non-existent agent that has spent some percent of its cap. */
const budget = (percent: number, meaning: string) =>
  defineSpec({
    meaning,
    data: BudgetData,
    example: (at) => ({
      agent_id: `agt_${"0".repeat(26)}`,
      agent_name: "example",
      period: monthOf(at),
      cap_micros: 1_000_000,
      spent_micros: percent * 10_000,
      percent,
      resets_at: iso(nextMonth(at)),
    }),
  })

/** What an alert reacts to: a new report, an edge at its threshold, a move by its threshold. */
export const alertKinds = ["report", "edge", "move"] as const
export type AlertKind = (typeof alertKinds)[number]

const measuredValue = (meaning: string) =>
  Schema.Union(Schema.Number, Schema.String).annotations({ description: meaning })

const AlertData = Schema.Struct({
  alert_id: Field.text(),
  name: Field.optional(Field.text("The alert's name.")),
  agent_id: Field.optional(Field.text("The agent whose caps the firing counts against.")),
  kind: Schema.Literal(...alertKinds),
  call: Field.text("Path and query of the call that is watched."),
  threshold: Field.optional(Field.number("Omitted for a report.")),
  unit: Field.optional(Field.text("Of the threshold and of the values.")),
  crossing: Field.integer("1 for the alert's first, one more for each later one."),
  crossed_at: Field.instant("When it was seen."),
  changes: Schema.Array(
    Schema.Struct({
      subject: Field.text("A contract, a game, a climate day or a report."),
      measure: Field.text("`edge`, `expected_gain`, `report`, or the field that moved."),
      value: measuredValue("For an edge its size, whatever its side; for a report its version."),
      before: Field.optional(
        measuredValue("The earlier value: the level the move is measured from, or the previous version of the report."),
      ),
    }).annotations({ identifier: "AlertChange" }),
  ),
  key_id: Field.text("The alert's key, to which the call was charged."),
  request_id: Field.optional(Field.text("Of the call; omitted where a restart came between call and event.")),
  charged_micros: Field.optional(Field.integer("Micro-dollars; omitted like `request_id`.")),
  results: Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
    description: "The `results` of the call, as the call itself answers them.",
  }),
}).annotations({ identifier: "AlertData" })

const specs = {
  "agent.budget_warning": budget(80, "An agent's spend has reached 80 % of its monthly cap."),
  "agent.budget_exceeded": budget(
    100,
    "An agent's spend has reached its monthly cap, or a call was rejected because of it.",
  ),
  "wallet.low": defineSpec({
    meaning:
      "A charge has taken the wallet's balance below the account's threshold. It is sent again only if the balance has been at or above the threshold in between.",
    data: Schema.Struct({
      balance_micros: Field.integer("The balance after the charge, micro-dollars."),
      threshold_micros: Field.integer("The account's threshold, micro-dollars."),
    }).annotations({ identifier: "WalletLowData" }),
    example: () => ({ balance_micros: 990_000, threshold_micros: 1_000_000 }),
  }),
  "alert.fired": defineSpec({
    meaning:
      "An alert's condition came true: a report was issued or corrected, an edge reached the threshold, or a fair line or a temperature moved by it. Once for each crossing; it costs the call that it answers.",
    data: AlertData,
    example: (at) => ({
      alert_id: `alt_${"0".repeat(26)}`,
      name: "example",
      kind: "edge" as const,
      call: "/v1/markets/edge?domain=weather",
      threshold: 0.1,
      unit: "probability",
      crossing: 1,
      crossed_at: iso(at),
      changes: [{ subject: "KXHIGHNY-26JUL09-B84.5", measure: "edge", value: 0.12 }],
      key_id: `key_${"0".repeat(26)}`,
      request_id: `req_${"0".repeat(26)}`,
      charged_micros: 10_000,
      results: { count: 0, edges: [] },
    }),
  }),
  "webhook.failing": defineSpec({
    meaning:
      "A webhook was disabled by 410 Gone, or a delivery failed for 24 hours. At most once a day for each webhook.",
    data: Schema.Struct({
      webhook_id: Field.text(),
      host: Field.text("Host of the webhook's URL, or its e-mail address."),
      reason: Schema.Literal("gone", "exhausted"),
    }).annotations({ identifier: "WebhookFailingData" }),
    example: () => ({ webhook_id: `whk_${"0".repeat(26)}`, host: "hooks.example.com", reason: "exhausted" as const }),
  }),
}

export type EventType = keyof typeof specs

export const types = Object.keys(specs) as ReadonlyArray<EventType> as Arr.NonEmptyReadonlyArray<EventType>

/** Wire fields of an event's data, by type. */
export type DataOf<Type extends EventType> = Schema.Schema.Type<(typeof specs)[Type]["data"]>

/** `specs`, typed so that a generic `type` gives its data. */
const specByType: { readonly [Type in EventType]: EventSpec<DataOf<Type>> } = specs

export const eventMeaning = (type: EventType): string => specByType[type].meaning

/** The first sentence of the meaning of each type. */
export const meanings = Object.fromEntries(
  types.map((type) => [type, eventMeaning(type).replace(/\. .*/, ".")]),
) as Readonly<Record<EventType, string>>

/** Reserved event names, for endpoints that do not exist. They are never sent. */
export const reserved: ReadonlyArray<string> = ["regime.changed", "job.completed", "job.failed"]

/** An event as stored by the transaction that caused it. */
export type Event<Type extends EventType = EventType> = {
  readonly [Each in Type]: {
    /** A UUID, the same on every delivery, so that receivers can skip repetitions. */
    readonly id: string
    readonly type: Each
    /** Epoch milliseconds. */
    readonly at: number
    /** False: caused by a test key. */
    readonly livemode: boolean
    readonly data: DataOf<Each>
  }
}[Type]

/** The body of a delivery, by type, for the documents. */
export const schema = (type: EventType) =>
  Schema.Struct({
    id: Field.text("A UUID, the same on every delivery of the event: skip ids that were processed."),
    type: Schema.Literal(type),
    timestamp: Field.instant("When the event happened."),
    api_version: Schema.Literal(Envelope.version),
    livemode: Field.boolean("false: caused by a test key, or a test event."),
    data: specByType[type].data,
  }).annotations({ description: eventMeaning(type) })

type Body = ReturnType<typeof schema>["Encoded"]

const isEventType = (name: string): name is EventType => (types as ReadonlyArray<string>).includes(name)

const unknownEventHint = (name: string): Hint => ({
  field: "events",
  action: reserved.includes(name) ? "remove" : "change",
  suggestion: reserved.includes(name)
    ? `${name} is reserved and never sent. Use one of ${types.join(", ")}.`
    : `Unknown event ${JSON.stringify(name.slice(0, 64))}. Use one of ${types.join(", ")}.`,
})

/** The event types of a subscription, without duplicates. Fails with a hint for every unknown or reserved name. */
export const subscription = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<EventType>, Failure> => {
  const unique = [...new Set(names)]
  const emitted = unique.filter(isEventType)
  const hints: ReadonlyArray<Hint> =
    unique.length === 0
      ? [{ field: "events", action: "add", suggestion: `Name at least one event: ${types.join(", ")}.` }]
      : unique.filter((name) => !isEventType(name)).map(unknownEventHint)
  return hints.length === 0 ? Effect.succeed(emitted) : Effect.fail(fail("invalid_parameter", { hints }))
}

const toWire = ({ id, type, at, livemode, data }: Event): Body => ({
  id,
  type,
  timestamp: iso(at),
  api_version: Envelope.version,
  livemode,
  data,
})

/** The body that is signed and sent: the same text on every delivery of an event. */
export const toBody = (event: Event): string => JSON.stringify(toWire(event))

export const makeTestEvent = <Type extends EventType>(type: Type, id: string, at: number): Event<Type> => ({
  id,
  type,
  at,
  livemode: false,
  data: specByType[type].example(at),
})

/** The body of a test event, for the documents. */
export const example = (type: EventType): Body =>
  toWire(makeTestEvent(type, "9f1c2d34-5b6a-4c7d-8e9f-0a1b2c3d4e5f", Date.UTC(2026, 6, 9, 14, 30)))

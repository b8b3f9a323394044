import * as Schema from "effect/Schema"
import { optional } from "../../core/endpoint/Field.ts"
import { shaped } from "../../core/endpoint/shaped.ts"
import { types } from "../../core/events/Event.ts"
import * as Core from "../../core/events/Webhook.ts"

const text = Schema.String
const count = Schema.Number.pipe(Schema.int(), Schema.nonNegative())

export { NewSecret, shape as webhook, Webhook } from "../../core/events/fields.ts"

const Attempt = Schema.Struct({
  number: count,
  at: text,
  duration_ms: optional(count),
  status: optional(count),
  error: optional(Schema.Literal(...Core.errors, "interrupted")),
  detail: optional(text),
  response: optional(text),
})

export const Delivery = Schema.Struct({
  webhook: text,
  event: text,
  type: Schema.Literal(...types),
  cause: Schema.Literal(...Core.causes),
  created_at: text,
  state: Schema.Literal("pending", "waiting", "under_way", "delivered", "dead").annotations({
    description: "`waiting`: queued while the webhook is paused.",
  }),
  next_attempt_at: optional(text),
  ended_at: optional(text),
  sent_again: Schema.Boolean.annotations({
    description: "Whether a later delivery sends the event to the webhook again.",
  }),
  reason: optional(Schema.Literal(...Core.reasons)),
  attempts: Schema.Array(Attempt),
})

const states = {
  Pending: "pending",
  Waiting: "waiting",
  UnderWay: "under_way",
  Delivered: "delivered",
  Dead: "dead",
} as const

/** An attempt without an end is in progress, or its process stopped. */
const attemptShape = shaped(Attempt)
const attempt = (record: Core.Attempt, isUnderWay: boolean): typeof Attempt.Type =>
  attemptShape({
    ...record,
    error: record.error ?? (record.status === undefined && !isUnderWay ? "interrupted" : undefined),
  })

const deliveryShape = shaped(Delivery)

export const delivery = ({ state, attempts, ...record }: Core.Delivery): typeof Delivery.Type =>
  deliveryShape({
    ...record,
    webhook: record.webhookId,
    event: record.eventId,
    state: states[state._tag],
    nextAttemptAt: state._tag === "Pending" ? state.dueAt : undefined,
    endedAt: "at" in state ? state.at : undefined,
    sentAgain: record.isRepeated,
    reason: "reason" in state ? state.reason : undefined,
    attempts: attempts.map((each, index) => attempt(each, state._tag === "UnderWay" && index === attempts.length - 1)),
  })

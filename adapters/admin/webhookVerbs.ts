import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { present } from "../../core/endpoint/Field.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { types } from "../../core/events/Event.ts"
import { defaultOverlap, type NewSecret, replayable, Webhooks, type Which } from "../../core/events/Webhooks.ts"
import { invalid } from "../../core/Failure.ts"
import { account, optional } from "./inputs.ts"
import * as Verb from "./Verb.ts"
import * as shapes from "./webhookShapes.ts"

const webhook = { webhook: Param.text(64, "Id of the webhook.") }
const event = Param.text(64, "Id of the event.")
const limit = optional(Param.integer(1, 100, "How many; 20."))

const shown = ({
  webhook,
  secret,
  ...rest
}: NewSecret & { readonly warning?: string }): typeof shapes.NewSecret.Type => ({
  ...shapes.webhook(webhook),
  secret: Redacted.value(secret),
  ...rest,
})

const turning = (verb: "pause" | "resume", summary: string) =>
  Verb.make({
    id: `webhooks_${verb}`,
    method: "POST",
    path: `/admin/v1/webhooks/:webhook/${verb}`,
    summary,
    params: Schema.Struct(webhook),
    results: shapes.Webhook,
    run: ({ webhook: id }) => Effect.flatMap(Webhooks, (webhooks) => Effect.map(webhooks[verb](id), shapes.webhook)),
  })

/** What a request to replay means: exactly one of its fields says so. */
const whichOf = (given: {
  readonly event?: string
  readonly last?: number
  readonly dead_letters?: boolean
}): Which | undefined => {
  const named: ReadonlyArray<Which> = [
    ...(given.event === undefined ? [] : [{ _tag: "Event", id: given.event } as const]),
    ...(given.last === undefined ? [] : [{ _tag: "Last", count: given.last } as const]),
    ...(given.dead_letters === true ? [{ _tag: "Dead" } as const] : []),
  ]
  return named.length === 1 ? named[0] : undefined
}

/** Webhooks, what they were sent, and sending it again. */
export const webhookVerbs = {
  webhooksCreate: Verb.make({
    id: "webhooks_create",
    method: "POST",
    path: "/admin/v1/accounts/:account/webhooks",
    summary: "Make a webhook; the answer is the only one that shows its secret",
    success: 201,
    params: Schema.Struct({
      ...account,
      url: Param.text(2_048, "Where events are sent: https, on the public internet."),
      // Names that are reserved get a hint of their own, so they must come through.
      events: Schema.Array(Param.text(64, "The name of an event."))
        .pipe(Schema.minItems(1), Schema.maxItems(16))
        .annotations({
          description: `What it is sent: ${types.join(", ")}.`,
          [Param.RuleId]: `a list of ${types.join(", ")}`,
        }),
    }),
    results: shapes.NewSecret,
    run: ({ account, url, events }) =>
      Effect.flatMap(Webhooks, (webhooks) => Effect.map(webhooks.create(account, url, events), shown)),
  }),

  webhooksList: Verb.make({
    id: "webhooks_list",
    path: "/admin/v1/accounts/:account/webhooks",
    summary: "List the webhooks of an account",
    params: Schema.Struct(account),
    results: Schema.Struct({ webhooks: Schema.Array(shapes.Webhook) }),
    run: ({ account }) =>
      Effect.flatMap(Webhooks, (webhooks) =>
        Effect.map(webhooks.list(account), (all) => ({ webhooks: all.map(shapes.webhook) })),
      ),
  }),

  webhooksPause: turning("pause", "Send nothing for a while: what happens meanwhile waits"),
  webhooksResume: turning("resume", "Send again, also after the receiver answered 410"),

  webhooksDelete: Verb.make({
    id: "webhooks_delete",
    method: "POST",
    path: "/admin/v1/webhooks/:webhook/delete",
    summary: "Delete a webhook and its secret for good",
    params: Schema.Struct(webhook),
    results: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
    run: ({ webhook: id }) =>
      Effect.flatMap(Webhooks, (webhooks) => Effect.as(webhooks.remove(id), { id, deleted: true as const })),
  }),

  webhooksRotate: Verb.make({
    id: "webhooks_rotate",
    method: "POST",
    path: "/admin/v1/webhooks/:webhook/rotate",
    summary: "Make a new secret; the one before still signs beside it for an overlap",
    success: 201,
    params: Schema.Struct({
      ...webhook,
      overlap_seconds: optional(Param.integer(0, defaultOverlap / 1_000, "How long; 24 hours.")),
    }),
    results: shapes.NewSecret,
    run: ({ webhook: id, overlap_seconds: overlap }) =>
      Effect.flatMap(Webhooks, (webhooks) =>
        Effect.map(webhooks.rotate(id, overlap === undefined ? undefined : overlap * 1_000), shown),
      ),
  }),

  webhooksTest: Verb.make({
    id: "webhooks_test",
    method: "POST",
    path: "/admin/v1/webhooks/:webhook/test",
    summary: "Send an example of an event",
    success: 201,
    params: Schema.Struct({
      ...webhook,
      type: optional(Param.oneOf(types, "Which event; the first that the webhook is sent.")),
    }),
    results: Schema.Struct({ webhook: Schema.String, event: Schema.String }),
    run: ({ webhook: id, type }) =>
      Effect.flatMap(Webhooks, (webhooks) =>
        Effect.map(webhooks.test(id, type), (sent) => ({ webhook: id, event: sent })),
      ),
  }),

  webhooksDeliveries: Verb.make({
    id: "webhooks_deliveries",
    path: "/admin/v1/webhooks/:webhook/deliveries",
    summary: "What a webhook was sent, with every attempt, newest first",
    params: Schema.Struct({
      ...webhook,
      event: optional(event),
      type: optional(Param.oneOf(types, "Only this kind of event.")),
      limit,
    }),
    results: Schema.Struct({ deliveries: Schema.Array(shapes.Delivery) }),
    run: ({ webhook: id, event: eventId, type, limit = 20 }) =>
      Effect.flatMap(Webhooks, (webhooks) =>
        Effect.map(
          webhooks.deliveries(id, {
            ...present("eventId", eventId),
            ...present("type", type),
            limit,
          }),
          (all) => ({ deliveries: all.map(shapes.delivery) }),
        ),
      ),
  }),

  webhooksReplay: Verb.make({
    id: "webhooks_replay",
    method: "POST",
    path: "/admin/v1/webhooks/:webhook/replay",
    summary: `Send events again under their ids, out of the last ${replayable} of the account`,
    success: 201,
    params: Schema.Struct({
      ...webhook,
      event: optional(event),
      last: optional(Param.integer(1, replayable, "The newest events that the webhook is subscribed to: so many.")),
      dead_letters: optional(Param.boolean("Every event that it never got.")),
    }),
    results: Schema.Struct({ webhook: Schema.String, queued: Schema.Array(Schema.String) }),
    run: Effect.fnUntraced(function* ({ webhook: id, ...given }) {
      const which = whichOf(given)
      if (which === undefined) return yield* invalid("event", "Give one of event, last or dead_letters.")
      return { webhook: id, queued: yield* (yield* Webhooks).replay(id, which) }
    }),
  }),

  webhooksDeadLetters: Verb.make({
    id: "webhooks_dead_letters",
    path: "/admin/v1/accounts/:account/dead-letters",
    summary: "Deliveries that are not tried any more, newest first",
    params: Schema.Struct({ ...account, limit }),
    results: Schema.Struct({ dead_letters: Schema.Array(shapes.Delivery) }),
    run: ({ account, limit = 20 }) =>
      Effect.flatMap(Webhooks, (webhooks) =>
        Effect.map(webhooks.deadLetters(account, limit), (all) => ({ dead_letters: all.map(shapes.delivery) })),
      ),
  }),
}

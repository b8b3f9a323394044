import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Param from "../../core/endpoint/Param.ts"
import { types } from "../../core/events/Event.ts"
import { request, showSecret } from "../../core/events/fields.ts"
import { checkOwnMail, defaultOverlap, replayableEvents, Webhooks, type Which } from "../../core/events/Webhooks.ts"
import { invalid } from "../../core/Failure.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { accountParam, webhookParam } from "./inputs.ts"
import { list, parseNumericCursor } from "./list.ts"
import { makeStateVerb } from "./stateVerb.ts"
import * as shapes from "./webhookShapes.ts"

const webhookService = Effect.serviceFunctions(Webhooks)

const event = Param.text(64, "Event id.")

const stateVerb = makeStateVerb({
  params: webhookParam,
  leastRole: "owner",
  results: shapes.Webhook,
  show: shapes.webhook,
})

/** The selection of a replay: exactly one field must be given. */
const toSelection = (given: {
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

/** Verbs for webhooks, their deliveries and replays. */
export const webhookVerbs = {
  webhooksCreate: AdminOperation.make("webhooks_create", "POST accounts/:account/webhooks", {
    leastRole: "owner",
    summary: "Create a webhook; only this answer shows its secret",
    success: 201,
    params: Schema.Struct({ ...accountParam, ...request }),
    results: shapes.NewSecret,
    run: ({ account, url, events }, { member }) =>
      Effect.map(
        Effect.zipRight(
          member === undefined ? Effect.void : checkOwnMail(url, member.email),
          webhookService.create(account, url, events),
        ),
        showSecret,
      ),
  }),

  webhooksList: AdminOperation.make("webhooks_list", "GET accounts/:account/webhooks", {
    leastRole: "viewer",
    summary: "List an account's webhooks",
    params: Schema.Struct(accountParam),
    results: Schema.Struct({ webhooks: Schema.Array(shapes.Webhook) }),
    run: ({ account }) => Effect.map(webhookService.list(account), (all) => ({ webhooks: all.map(shapes.webhook) })),
  }),

  webhooksPause: stateVerb(
    "pause",
    "Pause a webhook: deliveries queue, and the 24-hour retry window is suspended",
    webhookService.pause,
  ),
  webhooksResume: stateVerb("resume", "Resume a webhook, also after 410 Gone", webhookService.resume),

  webhooksDelete: AdminOperation.make("webhooks_delete", "POST webhooks/:webhook/delete", {
    leastRole: "owner",
    summary: "Delete a webhook and its secret permanently",
    params: Schema.Struct(webhookParam),
    results: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
    run: ({ webhook: id }) => Effect.as(webhookService.remove(id), { id, deleted: true as const }),
  }),

  webhooksRotate: AdminOperation.make("webhooks_rotate", "POST webhooks/:webhook/rotate", {
    leastRole: "owner",
    summary: "Rotate the secret: the old one signs too until the overlap ends",
    success: 201,
    params: Schema.Struct({
      ...webhookParam,
      overlap_seconds: Param.optional(
        Param.integer(0, defaultOverlap / 1_000, "Seconds that the old secret signs too (default and maximum 24 h)."),
      ),
    }),
    results: shapes.NewSecret,
    run: ({ webhook: id, overlap_seconds: overlap }) =>
      Effect.map(webhookService.rotate(id, overlap === undefined ? undefined : overlap * 1_000), showSecret),
  }),

  webhooksTest: AdminOperation.make("webhooks_test", "POST webhooks/:webhook/test", {
    leastRole: "owner",
    summary: "Queue a test event. A running server delivers it",
    success: 201,
    params: Schema.Struct({
      ...webhookParam,
      type: Param.optional(Param.oneOf(types, "Event type (default: the webhook's first).")),
    }),
    results: Schema.Struct({ webhook: Schema.String, event: Schema.String }),
    run: ({ webhook: id, type }) => Effect.map(webhookService.test(id, type), (sent) => ({ webhook: id, event: sent })),
  }),

  webhooksDeliveries: list("webhooks_deliveries", "webhooks/:webhook/deliveries", {
    leastRole: "viewer",
    summary: "List deliveries with their attempts, errors and next retry, newest first",
    params: {
      ...webhookParam,
      event: Param.optional(event),
      type: Param.optional(Param.oneOf(types, "Only this event type.")),
    },
    rows: ["deliveries", shapes.Delivery],
    key: ({ seq }) => String(seq),
    read: ({ webhook: id, event: eventId, type }, page) =>
      Effect.flatMap(parseNumericCursor(page), (numbers) =>
        webhookService.deliveries(id, { ...ifDefined("eventId", eventId), ...ifDefined("type", type), ...numbers }),
      ),
    show: shapes.delivery,
  }),

  webhooksReplay: AdminOperation.make("webhooks_replay", "POST webhooks/:webhook/replay", {
    leastRole: "owner",
    summary: `Resend events with their ids, from the account's last ${replayableEvents}`,
    success: 201,
    params: Schema.Struct({
      ...webhookParam,
      event: Param.optional(event),
      last: Param.optional(
        Param.integer(1, replayableEvents, "Resend the newest N events that the webhook is subscribed to."),
      ),
      dead_letters: Param.optional(Param.boolean("Resend every failed event.")),
    }),
    results: Schema.Struct({ webhook: Schema.String, queued: Schema.Array(Schema.String) }),
    run: Effect.fnUntraced(function* ({ webhook: id, ...given }) {
      const which = toSelection(given)
      if (which === undefined) return yield* invalid("event", "Send exactly one of event, last or dead_letters.")
      return { webhook: id, queued: yield* webhookService.replay(id, which) }
    }),
  }),

  webhooksDeadLetters: list("webhooks_dead_letters", "accounts/:account/dead-letters", {
    leastRole: "viewer",
    summary: "List failed deliveries that were not sent again, newest first",
    params: accountParam,
    rows: ["dead_letters", shapes.Delivery],
    key: ({ seq }) => String(seq),
    read: ({ account }, page) =>
      Effect.flatMap(parseNumericCursor(page), (numbers) => webhookService.deadLetters(account, numbers)),
    show: shapes.delivery,
  }),
}

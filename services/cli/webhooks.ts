import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import type * as shapes from "../../adapters/admin/webhookShapes.ts"
import { types } from "../../core/events/Event.ts"
import { account, given, json, run, table, verbs } from "./shared.ts"
import { span } from "./when.ts"

const webhook = Args.text({ name: "webhook" }).pipe(Args.withDescription("Id of the webhook."))
const once = "The secret is shown this once."

type Webhook = typeof shapes.Webhook.Type
type Delivery = typeof shapes.Delivery.Type

const line = ({ id, status, events, url }: Webhook): string => `${id}  ${status}  ${events.join(",")}  ${url}`

/** How the last attempt ended. What a receiver said is quoted: it must not steer the terminal. */
const last = ({ attempts }: Delivery): string => {
  const attempt = attempts.at(-1)
  if (attempt === undefined) return "not tried yet"
  const { error, detail, status, response } = attempt
  const why =
    error === undefined ? (status === undefined ? "" : String(status)) : [error, detail].filter(Boolean).join(" ")
  return [why, ...(response === undefined ? [] : [JSON.stringify(response.slice(0, 60))])].join(" ")
}

const when = ({ state, next_attempt_at, ended_at, reason }: Delivery): string => {
  switch (state) {
    case "pending":
      return `next attempt ${next_attempt_at}`
    case "waiting":
      return "waits: webhook paused"
    case "under_way":
      return "under way"
    default:
      return `${state} ${ended_at}${reason === undefined ? "" : ` (${reason})`}`
  }
}

const lines = (all: ReadonlyArray<Delivery>): string =>
  table(
    all.map((each) => [
      each.event,
      each.type,
      each.cause,
      when(each),
      `${each.attempts.length} attempt${each.attempts.length === 1 ? "" : "s"}`,
      last(each),
    ]),
  )

const create = Command.make(
  "create",
  {
    account,
    url: Options.text("url").pipe(Options.withDescription("Where events are sent: https, on the public internet.")),
    events: Options.text("events").pipe(Options.withDescription(`With commas between: ${types.join(",")}.`)),
    json,
  },
  ({ account, url, events, json: asJson }) =>
    run(
      verbs.webhooksCreate,
      { account, url, events: events.split(",").map((name) => name.trim()) },
      asJson,
      ({ secret, warning, ...made }) =>
        [line(made), `${secret}\n${once}`, ...(warning === undefined ? [] : [warning])].join("\n"),
    ),
).pipe(Command.withDescription("Make a webhook of an account and show its secret once."))

const list = Command.make("list", { account, json }, (options) =>
  run(verbs.webhooksList, { account: options.account }, options.json, ({ webhooks }) =>
    table(webhooks.map(({ id, status, events, url }) => [id, status, events.join(","), url])),
  ),
).pipe(Command.withDescription("List the webhooks of an account."))

const turn = (name: "pause" | "resume", description: string) => {
  const verb = { pause: verbs.webhooksPause, resume: verbs.webhooksResume }[name]
  return Command.make(name, { webhook, json }, (options) =>
    run(verb, { webhook: options.webhook }, options.json, line),
  ).pipe(Command.withDescription(description))
}

const remove = Command.make("delete", { webhook, json }, (options) =>
  run(verbs.webhooksDelete, { webhook: options.webhook }, options.json, ({ id }) => `deleted ${id}`),
).pipe(Command.withDescription("Delete a webhook and its secret for good."))

const rotate = Command.make(
  "rotate",
  {
    webhook,
    overlap: Options.optional(
      Options.text("overlap").pipe(
        Options.filterMap((text) => Option.fromNullable(span(text)), "overlap must be a span such as 0s, 30m or 24h."),
        Options.withDescription("How long the old secret still signs beside the new one: 24h when left out, the most."),
      ),
    ),
    json,
  },
  ({ webhook, overlap, json: asJson }) =>
    run(
      verbs.webhooksRotate,
      { webhook, ...given({ overlap_seconds: Option.map(overlap, (ms) => ms / 1_000) }) },
      asJson,
      ({ secret, previous_secret_until }) => `${secret}\n${once}\nThe one before signs until ${previous_secret_until}.`,
    ),
).pipe(Command.withDescription("Make a new secret and let the old one end after an overlap."))

const test = Command.make(
  "test",
  { webhook, type: Options.optional(Options.choice("type", types)), json },
  ({ webhook, type, json: asJson }) =>
    run(verbs.webhooksTest, { webhook, ...given({ type }) }, asJson, ({ event }) => `queued ${event}`),
).pipe(Command.withDescription("Send an example of an event; a running server delivers it."))

const deliveries = Command.make(
  "deliveries",
  {
    webhook,
    event: Options.optional(Options.text("event")),
    type: Options.optional(Options.choice("type", types)),
    limit: Options.optional(Options.integer("limit")).pipe(Options.withDescription("How many; 20 when left out.")),
    json,
  },
  ({ webhook, event, type, limit, json: asJson }) =>
    run(verbs.webhooksDeliveries, { webhook, ...given({ event, type, limit }) }, asJson, ({ deliveries: all }) =>
      lines(all),
    ),
).pipe(Command.withDescription("What a webhook was sent, why it failed and when it is tried next, newest first."))

const replay = Command.make(
  "replay",
  {
    webhook,
    event: Options.optional(Options.text("event")).pipe(Options.withDescription("Id of one event.")),
    last: Options.optional(Options.integer("last")).pipe(Options.withDescription("The newest events: so many.")),
    dead: Options.boolean("dead-letters").pipe(Options.withDescription("Every event that it never got.")),
    json,
  },
  ({ webhook, event, last, dead, json: asJson }) =>
    run(
      verbs.webhooksReplay,
      { webhook, ...given({ event, last }), ...(dead ? { dead_letters: true } : {}) },
      asJson,
      ({ queued }) => (queued.length === 0 ? "nothing to replay" : queued.map((id) => `queued ${id}`).join("\n")),
    ),
).pipe(Command.withDescription("Send events again, out of the last 100 of the account."))

const deadLetters = Command.make(
  "dead-letters",
  { account, limit: Options.optional(Options.integer("limit")), json },
  ({ account, limit, json: asJson }) =>
    run(verbs.webhooksDeadLetters, { account, ...given({ limit }) }, asJson, ({ dead_letters: all }) => lines(all)),
).pipe(Command.withDescription("Deliveries of an account that are not tried any more, newest first."))

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Webhooks: where an account's events are sent."),
  Command.withSubcommands([
    create,
    list,
    turn("pause", "Send nothing for a while; what happens meanwhile waits, and nothing runs out of time."),
    turn("resume", "Send again, also after the receiver answered 410."),
    remove,
    rotate,
    test,
    deliveries,
    replay,
    deadLetters,
  ]),
)

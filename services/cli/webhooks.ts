import type * as shapes from "../../adapters/admin/webhookShapes.ts"
import { webhookVerbs } from "../../adapters/admin/webhookVerbs.ts"
import { plural } from "../../core/text.ts"
import { command } from "./command.ts"
import { family } from "./parser.ts"
import { table } from "./shared.ts"
import { durationOption } from "./timeArguments.ts"

const once = "Save this secret now. It is not shown again."

type Webhook = typeof shapes.Webhook.Type
type Delivery = typeof shapes.Delivery.Type

const line = ({ id, status, events, url }: Webhook): string => `${id}  ${status}  ${events.join(",")}  ${url}`

/** The result of the last attempt. The response is quoted, so that no control characters reach the terminal. */
const last = ({ attempts }: Delivery): string => {
  const attempt = attempts.at(-1)
  if (attempt === undefined) return "not tried yet"
  const { error, detail, status, response } = attempt
  const why =
    error === undefined ? (status === undefined ? "" : String(status)) : [error, detail].filter(Boolean).join(" ")
  return [why, ...(response === undefined ? [] : [JSON.stringify(response.slice(0, 60))])].join(" ")
}

const when = ({ state, next_attempt_at, ended_at, reason, sent_again }: Delivery): string => {
  switch (state) {
    case "pending":
      return `next attempt ${next_attempt_at}`
    case "waiting":
      return "queued: webhook paused"
    case "under_way":
      return "under way"
    default:
      return `${state} ${ended_at}${reason === undefined ? "" : ` (${reason}${sent_again ? ", sent again" : ""})`}`
  }
}

const lines = (all: ReadonlyArray<Delivery>): string =>
  table(
    all.map((each) => [
      each.event,
      each.type,
      each.cause,
      when(each),
      plural(each.attempts.length, "attempt"),
      last(each),
    ]),
  )

const overlap = durationOption(
  "overlap",
  "0s, 30m or 24h",
  "How long the old secret signs too (default and maximum 24h).",
)

export const webhooks = family("webhooks", "Webhooks: destinations of an account's events.", [
  command("create", webhookVerbs.webhooksCreate, ({ secret, warning, ...made }) =>
    [line(made), `${secret}\n${once}`, ...(warning === undefined ? [] : [warning])].join("\n"),
  ),
  command("list", webhookVerbs.webhooksList, ({ webhooks }) =>
    table(webhooks.map(({ id, status, events, url }) => [id, status, events.join(","), url])),
  ),
  command("pause", webhookVerbs.webhooksPause, line),
  command("resume", webhookVerbs.webhooksResume, line),
  command("delete", webhookVerbs.webhooksDelete, ({ id }) => `deleted ${id}`),
  command(
    "rotate",
    webhookVerbs.webhooksRotate,
    ({ secret, previous_secret_until }) => `${secret}\n${once}\nThe old secret signs until ${previous_secret_until}.`,
    { overlap_seconds: overlap },
  ),
  command("test", webhookVerbs.webhooksTest, ({ event }) => `queued ${event}`),
  command("deliveries", webhookVerbs.webhooksDeliveries, ({ deliveries }) => lines(deliveries)),
  command("replay", webhookVerbs.webhooksReplay, ({ queued }) =>
    queued.length === 0 ? "nothing to replay" : queued.map((id) => `queued ${id}`).join("\n"),
  ),
  command("dead-letters", webhookVerbs.webhooksDeadLetters, ({ dead_letters }) => lines(dead_letters)),
])

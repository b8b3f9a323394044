/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { type EventType, types } from "../../../../core/events/Event.ts"
import { hostOf } from "../../../../core/events/Webhook.ts"
import { replayableEvents } from "../../../../core/events/Webhooks.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { webhookVerbs } from "../../../admin/webhookVerbs.ts"
import * as WebhookDocs from "../../docs/webhookDocs.ts"
import { List, numeric } from "../../view/parts.tsx"
import { performAs, runs } from "../actions.ts"
import { Form } from "../Form.tsx"
import { createPage, creating, cursorOf, Older } from "../listing.tsx"
import { ofAccount, type Page, type Visit } from "../Page.ts"
import { Time } from "../parts.tsx"
import { fewDeliveries } from "../urgent.ts"
import { Deliveries, Outcome, pageSize, path, replay } from "./deliveries.tsx"
import { isMailed, made, WebhookState, webhookPage } from "./webhook.tsx"

const { webhooksCreate, webhooksList, webhooksDeliveries, webhooksDeadLetters } = webhookVerbs

/** The events that are sent by e-mail. */
const mailed: ReadonlyArray<EventType> = ["wallet.low", "agent.budget_exceeded", "webhook.failing"]

/** Offers e-mail to a person whose address is known. */
const Mail = ({
  visit,
  webhooks,
}: {
  readonly visit: Visit
  readonly webhooks: ReadonlyArray<{ readonly url: string }>
}) => {
  const { email } = visit.session.person
  const url = `mailto:${email}`
  if (email === undefined || webhooks.some((each) => each.url === url) || !isAllowed(webhooksCreate, visit.actor))
    return null
  return (
    <>
      <h2>E-mail</h2>
      <p>A message when the balance is low, an agent reaches its cap, or a webhook keeps failing.</p>
      <Form visit={visit} action="mail" button={`E-mail ${email}`} given={{ url }}>
        {mailed.map((type) => (
          <input key={type} type="hidden" name="events" value={type} />
        ))}
      </Form>
    </>
  )
}

const list = ofAccount({
  path,
  label: "Webhooks",
  view: (visit) =>
    Effect.gen(function* () {
      const { webhooks } = yield* performAs(visit, webhooksList, {})
      const rows = yield* Effect.forEach(webhooks, (webhook) =>
        Effect.map(
          performAs(visit, webhooksDeliveries, { webhook: webhook.id, limit: fewDeliveries }),
          ({ deliveries }) => ({ webhook, deliveries }),
        ),
      )
      return {
        title: "Webhooks",
        ...creating(path, "webhook", webhooksCreate, visit),
        body: (
          <>
            <p>
              An event such as a spend near its cap, sent to a program of yours:{" "}
              <a href={WebhookDocs.path}>what is sent, and how to verify it</a>.
            </p>
            <List
              caption="Webhooks"
              empty="No webhook yet."
              rows={rows}
              columns={[
                ["Webhook", ({ webhook }) => <a href={`${path}/${webhook.id}`}>{hostOf(webhook)}</a>],
                ["State", ({ webhook, deliveries }) => <WebhookState of={webhook} newest={deliveries} />],
                ["Events", ({ webhook: { events } }) => (events.length === types.length ? "all" : events.join(", "))],
                [
                  "Last delivery",
                  ({ deliveries: [last] }) =>
                    last === undefined ? (
                      "none yet"
                    ) : (
                      <>
                        <Outcome {...last} /> <Time at={last.ended_at ?? last.created_at} />
                      </>
                    ),
                ],
                [
                  numeric("Delivered"),
                  ({ deliveries }) =>
                    deliveries.length > 0 &&
                    `${deliveries.filter(({ state }) => state === "delivered").length} of the last ${deliveries.length}`,
                ],
              ]}
            />
            <Mail visit={visit} webhooks={webhooks} />
            <p>
              <a href={`${path}/dead-letters`}>Failed deliveries</a>
            </p>
          </>
        ),
      }
    }),
  actions: { mail: runs(webhooksCreate, () => ({ to: path })) },
})

const create = createPage(
  path,
  "webhook",
  webhooksCreate,
  () =>
    Effect.succeed({
      intro: (
        <p>
          Each event is sent to the URL as JSON, signed, until it is answered with 2xx;{" "}
          <a href={WebhookDocs.path}>the rules</a>.
        </p>
      ),
      values: { events: types },
      choices: { events: types },
    }),
  (webhook) => (isMailed(webhook) ? { to: path } : made("Your new webhook", webhook)),
)

/** The dead letters of all webhooks of an account, with those that are deleted. */
const deadLetters = ofAccount({
  path: `${path}/dead-letters`,
  view: (visit) =>
    Effect.gen(function* () {
      const { dead_letters: all, next } = yield* performAs(visit, webhooksDeadLetters, {
        limit: pageSize,
        ...cursorOf(visit),
      })
      const { webhooks } = yield* performAs(visit, webhooksList, {})
      return {
        title: "Failed deliveries",
        body: (
          <>
            <p>
              Deliveries that are not tried again by themselves. The account's last {replayableEvents} events can be
              sent again. <a href={path}>All webhooks</a>
            </p>
            <Deliveries visit={visit} all={all} empty="No failed deliveries." webhooks={webhooks} withWebhook />
            <Older path={`${path}/dead-letters`} what="failed deliveries" next={next} />
          </>
        ),
      }
    }),
  actions: { replay },
})

/** The pages of webhooks. */
export const webhookPages: ReadonlyArray<Page> = [list, create, webhookPage, deadLetters]

/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { types } from "../../../../core/events/Event.ts"
import { replayableEvents } from "../../../../core/events/Webhooks.ts"
import { webhookVerbs } from "../../../admin/webhookVerbs.ts"
import * as WebhookDocs from "../../docs/webhookDocs.ts"
import { List, numeric } from "../../view/parts.tsx"
import { performAs } from "../actions.ts"
import { createPage, creating, cursorOf, Older } from "../listing.tsx"
import { ofAccount, type Page } from "../Page.ts"
import { Time } from "../parts.tsx"
import { fewDeliveries } from "../urgent.ts"
import { Deliveries, hostOf, Outcome, pageSize, path, replay } from "./deliveries.tsx"
import { made, WebhookState, webhookPage } from "./webhook.tsx"

const { webhooksCreate, webhooksList, webhooksDeliveries, webhooksDeadLetters } = webhookVerbs

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
            <p>
              <a href={`${path}/dead-letters`}>Failed deliveries</a>
            </p>
          </>
        ),
      }
    }),
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
  (webhook) => made("Your new webhook", webhook),
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

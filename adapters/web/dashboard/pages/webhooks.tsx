/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { types } from "../../../../core/events/Event.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { webhookVerbs } from "../../../admin/webhookVerbs.ts"
import * as WebhookDocs from "../../docs/webhookDocs.ts"
import { performAs, runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import { ofAccount, type Page } from "../Page.ts"
import { Time } from "../parts.tsx"
import { fewDeliveries } from "../urgent.ts"
import { deadLetters } from "./deadLetters.tsx"
import { Outcome, path } from "./deliveries.tsx"
import { made, WebhookState, webhookPage } from "./webhook.tsx"

const { webhooksCreate, webhooksList, webhooksDeliveries } = webhookVerbs

const list = ofAccount({
  path,
  label: "Webhooks",
  view: (visit) =>
    Effect.gen(function* () {
      const { webhooks } = yield* performAs(visit, webhooksList, {})
      const rows = yield* Effect.forEach(webhooks, (webhook) =>
        Effect.map(
          performAs(visit, webhooksDeliveries, { webhook: webhook.id, limit: fewDeliveries }),
          ({ deliveries }) => ({
            webhook,
            deliveries,
          }),
        ),
      )
      return {
        title: "Webhooks",
        body: (
          <>
            <p>
              {isAllowed(webhooksCreate, visit.actor) && (
                <>
                  <a class="button" href={`${path}/new`}>
                    New webhook
                  </a>{" "}
                </>
              )}
              <a href={`${path}/dead-letters`}>Failed deliveries</a>
            </p>
            {webhooks.length === 0 ? (
              <p>
                No webhook yet. One tells a program of yours when an agent's spend nears its cap;{" "}
                <a href={WebhookDocs.path}>what is sent, and how to verify it</a>.
              </p>
            ) : (
              <ul class="cards">
                {rows.map(({ webhook, deliveries, deliveries: [last, ...others] }) => (
                  <li key={webhook.id} class="card">
                    <h2>
                      <a href={`${path}/${webhook.id}`}>{webhook.url}</a>
                    </h2>
                    <p>
                      <WebhookState of={webhook} newest={deliveries} />
                    </p>
                    <p class="soft">{webhook.events.join(", ")}</p>
                    <p>
                      Last delivery:{" "}
                      {last === undefined ? (
                        "none yet"
                      ) : (
                        <>
                          <Outcome {...last} /> <Time at={last.ended_at ?? last.created_at} />
                        </>
                      )}
                    </p>
                    {others.length > 0 && (
                      <p class="soft">
                        {[last, ...others].filter((each) => each?.state === "delivered").length} of the last{" "}
                        {others.length + 1} delivered
                      </p>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </>
        ),
      }
    }),
})

const create = ofAccount({
  path: `${path}/new`,
  view: (visit) =>
    Effect.succeed({
      title: "New webhook",
      body: (
        <>
          <p>
            Each event is sent to the URL as JSON, signed, until it is answered with 2xx;{" "}
            <a href={WebhookDocs.path}>the rules</a>.
          </p>
          <Form visit={visit} action="create" button="Create webhook">
            <Fields
              visit={visit}
              action="create"
              verb={webhooksCreate}
              values={{ events: types }}
              choices={{ events: types }}
            />
          </Form>
        </>
      ),
    }),
  actions: {
    create: runs(webhooksCreate, (webhook) => made("Your new webhook", webhook)),
  },
})

/** The pages of webhooks. */
export const webhookPages: ReadonlyArray<Page> = [list, create, webhookPage, deadLetters]

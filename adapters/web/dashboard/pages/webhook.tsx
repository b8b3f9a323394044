/** @jsxRuntime automatic @jsxImportSource preact */

import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { hostOf } from "../../../../core/events/Webhook.ts"
import { notFound } from "../../../../core/Failure.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import type * as shapes from "../../../admin/webhookShapes.ts"
import { webhookVerbs } from "../../../admin/webhookVerbs.ts"
import * as conditions from "../../condition/ofAccount.ts"
import * as WebhookDocs from "../../docs/webhookDocs.ts"
import { Code, Facts, State } from "../../view/parts.tsx"
import { confirmed, performAs, runs } from "../actions.ts"
import { Form, PauseForm, VerbForm } from "../Form.tsx"
import { cursorOf, Older } from "../listing.tsx"
import { ofAccount, type View, type Visit } from "../Page.ts"
import { Confirm, Secret, Time } from "../parts.tsx"
import { fewDeliveries } from "../urgent.ts"
import { Deliveries, type Delivery, pageSize, path, replay } from "./deliveries.tsx"

const {
  webhooksList,
  webhooksPause,
  webhooksResume,
  webhooksDelete,
  webhooksRotate,
  webhooksTest,
  webhooksDeliveries,
} = webhookVerbs

type Webhook = Schema.Schema.Encoded<typeof shapes.Webhook>
type NewSecret = Schema.Schema.Encoded<typeof shapes.NewSecret>

/**
 * The state of a webhook, with why it is not well.
 *
 * @param newest its newest deliveries, newest first
 */
export const WebhookState = ({
  of,
  newest,
}: {
  readonly of: Pick<Webhook, "id" | "status">
  readonly newest: ReadonlyArray<Delivery>
}) => {
  const condition = conditions.webhook(of, newest)
  return (
    <>
      <State is={condition} />
      {condition.cause !== undefined && <small> {condition.cause}</small>}
    </>
  )
}

/** The secret, shown once, with how to use it. */
export const made = (title: string, { id, url, secret, warning }: NewSecret): View => ({
  title,
  body: (
    <>
      <Secret text={secret}>Save this secret now. It is stored encrypted, and no page shows it again.</Secret>
      {warning !== undefined && <p class="notice">{warning}</p>}
      <p>
        The receiver at <code>{url}</code> keeps it, and verifies with it that a delivery is ours:
      </p>
      {Object.entries(WebhookDocs.snippets).map(([language, text], at) => (
        <details key={language} open={at === 0}>
          <summary>{language}</summary>
          <Code text={text} />
        </details>
      ))}
      <p>
        <a href={`${path}/${id}`}>View webhook</a> to send a test event ·{" "}
        <a href={WebhookDocs.path}>More on deliveries</a>
      </p>
    </>
  ),
})

/** The webhook of a page; another account's is not there. */
const readWebhook = (visit: Visit) =>
  Effect.flatMap(performAs(visit, webhooksList, {}), ({ webhooks }) => {
    const found = webhooks.find(({ id }) => id === visit.params["webhook"])
    return found === undefined ? notFound("The account has no such webhook.") : Effect.succeed(found)
  })

/** E-mail is not signed. */
export const isMailed = ({ url }: Pick<Webhook, "url">): boolean => url.startsWith("mailto:")

const toPage = (webhook: string) => ({ to: `${path}/${webhook}` })

const Rotate = ({ visit }: { readonly visit: Visit }) => (
  <>
    <h2>Rotate secret</h2>
    <p>Creates a new secret. The old one signs too until the overlap ends.</p>
    <VerbForm
      visit={visit}
      action="rotate"
      button="Rotate secret"
      verb={webhooksRotate}
      values={{ overlap_seconds: "86400" }}
    />
  </>
)

/** The page of a webhook: what it is, its deliveries, and all that can be done with it. */
export const webhookPage = ofAccount({
  path: `${path}/:webhook`,
  about: readWebhook,
  view: (visit) =>
    Effect.gen(function* () {
      const webhook = yield* readWebhook(visit)
      const event = visit.query.get("event")?.slice(0, 64)
      const isOne = event !== undefined && event !== ""
      const from = cursorOf(visit)
      const { deliveries, next } = yield* performAs(visit, webhooksDeliveries, {
        webhook: webhook.id,
        limit: pageSize,
        ...(isOne ? { event } : from),
      })
      const isNewest = !isOne && from.cursor === undefined
      const newest = !isNewest
        ? (yield* performAs(visit, webhooksDeliveries, { webhook: webhook.id, limit: fewDeliveries })).deliveries
        : deliveries.slice(0, fewDeliveries)
      const mayChange = isAllowed(webhooksPause, visit.actor)
      const isOpen = webhook.status !== "disabled"
      const isMail = isMailed(webhook)
      return {
        title: `${isMail ? "E-mail to" : "Webhook"} ${hostOf(webhook)}`,
        body: (
          <>
            <Facts
              of={{
                URL: !isMail && <code>{webhook.url}</code>,
                Id: <code>{webhook.id}</code>,
                State: (
                  <>
                    <WebhookState of={webhook} newest={newest} />{" "}
                    {mayChange && <PauseForm visit={visit} isActive={webhook.status === "active"} />}
                    {webhook.status === "paused" && <small> Events are queued; none is lost.</small>}
                  </>
                ),
                Events: webhook.events.join(", "),
                Created: <Time at={webhook.created_at} />,
                "Old secret": webhook.previous_secret_until !== undefined &&
                  Date.parse(webhook.previous_secret_until) > visit.now && (
                    <>
                      signs too until <Time at={webhook.previous_secret_until} />
                    </>
                  ),
              }}
            />
            <h2>{isOne ? "Deliveries of one event" : "Deliveries"}</h2>
            {isOne && (
              <p>
                <code>{event}</code> · <a href={`${path}/${webhook.id}`}>All deliveries</a>
              </p>
            )}
            <Deliveries
              visit={visit}
              all={deliveries}
              empty={isOne ? "This event was not sent here." : "None yet. Send a test event."}
              webhooks={[webhook]}
              isWhole={isOne}
            />
            {!isOne && <Older path={`${path}/${webhook.id}`} what="deliveries" next={next} />}
            {mayChange && (
              <>
                {isOpen && (
                  <>
                    {deliveries.some(conditions.isLeft) && (
                      <Form
                        visit={visit}
                        action="replay"
                        button="Resend all failed deliveries"
                        isInline
                        given={{ dead_letters: "true" }}
                      />
                    )}
                    <h2>Test</h2>
                    <p>Sends an example, marked as a test, in a few seconds.</p>
                    <VerbForm
                      visit={visit}
                      action="test"
                      button="Send test event"
                      verb={webhooksTest}
                      values={{ type: webhook.events[0] }}
                    />
                  </>
                )}
                {!isMail && <Rotate visit={visit} />}
                <h2>Delete</h2>
                <p>
                  Deliveries stop for good. Queued events move to <a href={`${path}/dead-letters`}>failed deliveries</a>
                  .
                </p>
                <Form
                  visit={visit}
                  action="delete"
                  button={`Delete the ${isMail ? "e-mail to" : "webhook"} ${hostOf(webhook)}`}
                  isDanger
                >
                  <Confirm label={isMail ? "E-mail address" : "Host of the webhook"}>
                    <code>{hostOf(webhook)}</code>, to confirm.
                  </Confirm>
                </Form>
              </>
            )}
          </>
        ),
      }
    }),
  actions: {
    pause: runs(webhooksPause, ({ id }) => toPage(id)),
    resume: runs(webhooksResume, ({ id }) => toPage(id)),
    test: runs(webhooksTest, ({ webhook }) => toPage(webhook)),
    replay,
    rotate: runs(webhooksRotate, (webhook) => made("The new secret", webhook)),
    delete: confirmed(
      (visit) => Effect.map(readWebhook(visit), hostOf),
      runs(webhooksDelete, () => ({ to: path })),
    ),
  },
})

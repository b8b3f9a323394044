/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { type EventType, meanings, types } from "../../../../core/events/Event.ts"
import { webhookHost } from "../../../../core/events/Webhook.ts"
import { replayableEvents } from "../../../../core/events/Webhooks.ts"
import { notFound } from "../../../../core/Failure.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import type * as shapes from "../../../admin/webhookShapes.ts"
import { webhookVerbs } from "../../../admin/webhookVerbs.ts"
import { guidePath } from "../../../describe/guides.ts"
import { snippets } from "../../../describe/webhookSnippets.ts"
import * as conditions from "../../condition/ofAccount.ts"
import { Code, Facts, List, numeric, State } from "../../view/parts.tsx"
import { performAs, requireConfirmation, toAction } from "../actions.ts"
import { Form, PauseForm, VerbForm } from "../Form.tsx"
import { createAction, createPage, cursorOf, Older } from "../listing.tsx"
import { ofAccount, type Page, type View, type Visit } from "../Page.ts"
import { Confirm, Secret, Time } from "../parts.tsx"
import { fewDeliveries } from "../urgent.ts"
import { Deliveries, type Delivery, Outcome, pageSize, path, replay } from "./deliveries.tsx"

const {
  webhooksCreate,
  webhooksList,
  webhooksPause,
  webhooksResume,
  webhooksDelete,
  webhooksRotate,
  webhooksTest,
  webhooksDeliveries,
  webhooksDeadLetters,
} = webhookVerbs

type Webhook = Schema.Schema.Encoded<typeof shapes.Webhook>
type NewSecret = Schema.Schema.Encoded<typeof shapes.NewSecret>

/**
 * The state of a webhook, with why it is not well.
 *
 * @param newest its newest deliveries, newest first
 */
const WebhookState = ({
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
const made = (title: string, { id, url, secret, warning }: NewSecret): View => ({
  title,
  body: (
    <>
      <Secret text={secret}>Save this secret now. It is stored encrypted, and no page shows it again.</Secret>
      {warning !== undefined && <p class="notice">{warning}</p>}
      <p>
        The receiver at <code>{url}</code> keeps it, and verifies with it that a delivery is ours:
      </p>
      {Object.entries(snippets).map(([language, text], at) => (
        <details key={language} open={at === 0}>
          <summary>{language}</summary>
          <Code text={text} />
        </details>
      ))}
      <p>
        <a href={`${path}/${id}`}>View webhook</a> to send a test event ·{" "}
        <a href={guidePath("webhooks")}>More on deliveries</a>
      </p>
    </>
  ),
})

/** The webhook of a page; another account's is not there. */
const readWebhook = (visit: Visit) =>
  Effect.flatMap(performAs(visit, webhooksList, {}), ({ webhooks }) => {
    const webhook = webhooks.find(({ id }) => id === visit.params["webhook"])
    return webhook === undefined ? notFound("The account has no such webhook.") : Effect.succeed(webhook)
  })

/** E-mail is not signed. */
const isMailed = ({ url }: Pick<Webhook, "url">): boolean => url.startsWith("mailto:")

const toPage = (webhook: string) => ({ to: `${path}/${webhook}` })

/**
 * All that can be done with a webhook.
 *
 * @param isLeft whether a delivery of the page has failed
 */
const changes = (visit: Visit, webhook: Webhook, isLeft: boolean) => {
  const isMail = isMailed(webhook)
  const host = webhookHost(webhook)
  return (
    <>
      {webhook.status !== "disabled" && (
        <>
          {isLeft && (
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
      {!isMail && (
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
      )}
      <h2>Delete</h2>
      <p>
        Deliveries stop for good. Queued events move to <a href={`${path}/dead-letters`}>failed deliveries</a>.
      </p>
      <Form visit={visit} action="delete" button={`Delete the ${isMail ? "e-mail to" : "webhook"} ${host}`} isDanger>
        <Confirm label={isMail ? "E-mail address" : "Host of the webhook"}>
          <code>{host}</code>, to confirm.
        </Confirm>
      </Form>
    </>
  )
}

interface AboutProps {
  readonly webhook: Webhook
  readonly newest: ReadonlyArray<Delivery>
  readonly visit: Visit
  readonly mayChange: boolean
}

const About = ({ webhook, newest, visit, mayChange }: AboutProps) => (
  <Facts
    of={{
      URL: !isMailed(webhook) && <code>{webhook.url}</code>,
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
)

/** The page of a webhook: its settings, its deliveries and its actions. */
const webhookPage = ofAccount({
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
      const isMail = isMailed(webhook)
      return {
        title: `${isMail ? "E-mail to" : "Webhook"} ${webhookHost(webhook)}`,
        body: (
          <>
            <About webhook={webhook} newest={newest} visit={visit} mayChange={mayChange} />
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
            {mayChange && changes(visit, webhook, deliveries.some(conditions.isLeft))}
          </>
        ),
      }
    }),
  actions: {
    pause: toAction(webhooksPause, ({ id }) => toPage(id)),
    resume: toAction(webhooksResume, ({ id }) => toPage(id)),
    test: toAction(webhooksTest, ({ webhook }) => toPage(webhook)),
    replay,
    rotate: toAction(webhooksRotate, (webhook) => made("The new secret", webhook)),
    delete: requireConfirmation(
      (visit) => Effect.map(readWebhook(visit), webhookHost),
      toAction(webhooksDelete, () => ({ to: path })),
    ),
  },
})

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

/** The webhooks, each with its newest deliveries. */
const Webhooks = ({
  rows,
}: {
  readonly rows: ReadonlyArray<{ readonly webhook: Webhook; readonly deliveries: ReadonlyArray<Delivery> }>
}) => (
  <List
    caption="Webhooks"
    empty="No webhook yet."
    rows={rows}
    columns={[
      ["Webhook", ({ webhook }) => <a href={`${path}/${webhook.id}`}>{webhookHost(webhook)}</a>],
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
)

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
        ...createAction(path, "webhook", webhooksCreate, visit),
        body: (
          <>
            <p>
              An event such as a spend near its cap, sent to a program of yours:{" "}
              <a href={guidePath("webhooks")}>what is sent, and how to verify it</a>.
            </p>
            <Webhooks rows={rows} />
            <Mail visit={visit} webhooks={webhooks} />
            <p>
              <a href={`${path}/dead-letters`}>Failed deliveries</a>
            </p>
          </>
        ),
      }
    }),
  actions: { mail: toAction(webhooksCreate, () => ({ to: path })) },
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
          <a href={guidePath("webhooks")}>the rules</a>.
        </p>
      ),
      values: { events: types },
      choices: { events: meanings },
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

export const webhookPages: ReadonlyArray<Page> = [list, create, webhookPage, deadLetters]

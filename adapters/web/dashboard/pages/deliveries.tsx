/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { webhookHost } from "../../../../core/events/Webhook.ts"
import { replayableEvents } from "../../../../core/events/Webhooks.ts"
import { fail } from "../../../../core/Failure.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import type * as shapes from "../../../admin/webhookShapes.ts"
import { webhookVerbs } from "../../../admin/webhookVerbs.ts"
import * as conditions from "../../condition/ofAccount.ts"
import { List, State } from "../../view/parts.tsx"
import { toAction } from "../actions.ts"
import { Form } from "../Form.tsx"
import type { Action, Done, Visit } from "../Page.ts"
import { Time } from "../parts.tsx"

export type Delivery = Schema.Schema.Encoded<typeof shapes.Delivery>

export const path = "/dashboard/webhooks"

export const pageSize = 20

/** Characters of a response in a list. A page of one event shows all that is stored. */
const excerpt = 160

export const Outcome = (delivery: Delivery) => {
  const condition = conditions.delivery(delivery)
  return (
    <>
      <State is={condition} />
      {delivery.state === "dead" && condition.cause !== undefined && <small> {condition.cause}</small>}
    </>
  )
}

export const endOf = ({ status, error, detail, duration_ms }: Delivery["attempts"][number]): string =>
  [
    // The detail of an answer is its status line, which begins with the status.
    ...(status === undefined ? [error ?? "under way"] : detail?.startsWith(`${status}`) === true ? [] : [`${status}`]),
    ...(detail === undefined ? [] : [detail]),
    ...(status !== undefined && error === "redirect" ? ["redirects are not followed"] : []),
    ...(duration_ms === undefined ? [] : [`${duration_ms} ms`]),
  ].join(", ")

/** Attempts with their ends; the text of a response is the receiver's, and whoever answers chooses it. */
const attemptsOf = ({ attempts }: Delivery, isWhole: boolean) => {
  const last = attempts.at(-1)
  if (last === undefined) return "none yet"
  return (
    <details open={isWhole}>
      <summary>
        {attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`}: {endOf(last)}
      </summary>
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <Time at={attempt.at} /> {endOf(attempt)}
            {attempt.response !== undefined && attempt.response !== "" && (isWhole || attempt === last) && (
              <pre>{isWhole ? attempt.response : attempt.response.slice(0, excerpt)}</pre>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

/**
 * The type of an event with when it was sent.
 *
 * @param href its deliveries; absent: they have no page
 */
export const eventOf = ({ type, cause, created_at }: Delivery, href?: string, isExact = false) => (
  <>
    {href === undefined ? type : <a href={href}>{type}</a>}
    {cause !== "event" && <small> {cause}</small>}
    <br />
    <small>
      <Time at={created_at} isExact={isExact} />
    </small>
  </>
)

const deliveriesOf = ({ webhook, event }: Delivery): string => `${path}/${webhook}?event=${encodeURIComponent(event)}`

const stateOf = (delivery: Delivery) => (
  <>
    <Outcome {...delivery} />
    {delivery.next_attempt_at !== undefined && (
      <small>
        {" "}
        next try <Time at={delivery.next_attempt_at} />
      </small>
    )}
  </>
)

const replayForm = (visit: Visit, { webhook, event }: Delivery) => (
  <Form visit={visit} action="replay" button="Replay" about={event} isInline given={{ webhook, event }} />
)

/**
 * Deliveries with their attempts, the newest first.
 *
 * @param webhooks those that there are; deleted ones have dead letters too
 */
export const Deliveries = ({
  visit,
  all,
  empty,
  webhooks,
  isWhole = false,
  withWebhook = false,
}: {
  readonly visit: Visit
  readonly all: ReadonlyArray<Delivery>
  /** Said where there are none. */
  readonly empty: string
  readonly webhooks: ReadonlyArray<{ readonly id: string; readonly url: string; readonly status: string }>
  readonly isWhole?: boolean
  readonly withWebhook?: boolean
}) => {
  const mayReplay = isAllowed(webhookVerbs.webhooksReplay, visit.actor)
  const receiverOf = ({ webhook }: Delivery) => webhooks.find(({ id }) => id === webhook)
  // A test event is no event of the account: there is nothing to send again. One that was sent again has a later row.
  const isReplayable = (delivery: Delivery): boolean =>
    (delivery.state === "delivered" || conditions.isLeft(delivery)) &&
    delivery.cause !== "test" &&
    (receiverOf(delivery)?.status ?? "disabled") !== "disabled"
  return (
    <List
      caption="Newest first"
      rows={all}
      empty={empty}
      columns={[
        ["Event", (delivery) => eventOf(delivery, receiverOf(delivery) && deliveriesOf(delivery))],
        withWebhook && [
          "Webhook",
          (delivery) => {
            const to = receiverOf(delivery)
            return to === undefined ? "deleted" : <a href={`${path}/${to.id}`}>{webhookHost(to)}</a>
          },
        ],
        ["State", stateOf],
        ["Attempts", (delivery) => attemptsOf(delivery, isWhole)],
        mayReplay && ["Action", (delivery) => isReplayable(delivery) && replayForm(visit, delivery)],
      ]}
    />
  )
}

const again = toAction(
  webhookVerbs.webhooksReplay,
  ({ webhook, queued }): Done =>
    queued.length > 0
      ? { to: `${path}/${webhook}` }
      : {
          title: "Nothing was queued",
          body: (
            <p>
              Each of these events was delivered since, is on its way already, or is older than the account's last{" "}
              {replayableEvents}. <a href={`${path}/${webhook}`}>Back to webhook</a>
            </p>
          ),
        },
)

/** Sends again. An event that is too old for it is no page that is missing. */
export const replay: Action = {
  ...again,
  run: (visit, values) =>
    Effect.mapError(again.run(visit, values), (failure) =>
      failure.code === "not_found" && failure.hints?.[0]?.field === "event"
        ? fail("invalid_parameter", { hints: failure.hints })
        : failure,
    ),
}

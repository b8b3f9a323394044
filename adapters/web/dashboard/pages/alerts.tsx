/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { maxAlerts } from "../../../../core/alerts/Alert.ts"
import type { Code } from "../../../../core/Failure.ts"
import { watches } from "../../../../core/lanes/all.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import * as Verbs from "../../../admin/alertVerbs.ts"
import * as conditions from "../../condition/ofAccount.ts"
import * as WebhookDocs from "../../docs/webhookDocs.ts"
import { State } from "../../view/parts.tsx"
import { performAs, runs } from "../actions.ts"
import { Form, PauseForm } from "../Form.tsx"
import { createPage } from "../listing.tsx"
import { ofAccount, type Page, type Visit } from "../Page.ts"
import { Time } from "../parts.tsx"

const { alertsCreate, alertsList, alertsPause, alertsResume, alertsDelete } = Verbs.alertVerbs

const path = "/dashboard/alerts"

type Alert = Schema.Schema.Encoded<typeof Verbs.Alert>

const unitOf = ({ call }: Alert): string =>
  watches.find(({ endpoint }) => endpoint.path === call.split("?")[0])?.unit ?? ""

const Row = ({ of, visit, mayChange }: { readonly of: Alert; readonly visit: Visit; readonly mayChange: boolean }) => {
  const { id, name, call, threshold, agent, status, crossings, fired_at } = of
  const condition = conditions.alert({ ...of, reason: of.reason as Code | undefined })
  const form = { visit, about: name ?? call, given: { alert: id } }
  return (
    <li class="card">
      <h2>{name ?? <code>{call}</code>}</h2>
      <p>
        <State is={condition} />
        {condition.cause !== undefined && <small> {condition.cause}</small>}
      </p>
      <p class="soft">
        {name !== undefined && (
          <>
            <code>{call}</code>
            <br />
          </>
        )}
        {threshold === undefined ? "Each new report" : `${threshold} ${unitOf(of)}`}
        {agent !== undefined && (
          <>
            {" · "}
            <a href={`/dashboard/agents/${agent}`}>its agent</a>
          </>
        )}
      </p>
      <p>
        {crossings === 0 ? (
          "Never fired"
        ) : (
          <>
            Fired {crossings === 1 ? "once" : `${crossings} times`}
            {fired_at !== undefined && (
              <>
                , last <Time at={fired_at} />
              </>
            )}
          </>
        )}{" "}
        · <a href={`/dashboard/calls?key=${of.key}`}>Calls</a>
      </p>
      {mayChange && (
        <div class="actions">
          <PauseForm {...form} isActive={status === "active"} />
          <details>
            <summary>Delete</summary>
            <Form {...form} action="delete" button="Delete permanently" isInline isDanger />
          </details>
        </div>
      )}
    </li>
  )
}

const list = ofAccount({
  path,
  label: "Alerts",
  view: (visit) =>
    Effect.map(performAs(visit, alertsList, {}), ({ alerts }) => {
      const mayChange = isAllowed(alertsCreate, visit.actor)
      return {
        title: "Alerts",
        body: (
          <>
            {mayChange && alerts.length < maxAlerts && (
              <p>
                <a class="button" href={`${path}/new`}>
                  New alert
                </a>
              </p>
            )}
            {alerts.length === 0 ? (
              <p>
                No alert yet. One tells a program of yours when a report is issued, when an edge reaches a threshold, or
                when a fair line or a temperature moves.
              </p>
            ) : (
              <ul class="cards">
                {alerts.map((alert) => (
                  <Row key={alert.id} of={alert} visit={visit} mayChange={mayChange} />
                ))}
              </ul>
            )}
          </>
        ),
      }
    }),
  actions: {
    pause: runs(alertsPause, () => ({ to: path })),
    resume: runs(alertsResume, () => ({ to: path })),
    delete: runs(alertsDelete, () => ({ to: path })),
  },
})

const create = createPage(
  path,
  "alert",
  alertsCreate,
  ({ query }) => ({
    intro: (
      <>
        <p>
          An alert is free. Each time it fires, the call is made and charged once, and <code>alert.fired</code> goes to{" "}
          <a href="/dashboard/webhooks">webhooks</a> that are subscribed to it and to the stream{" "}
          <code>/v1/alerts/events</code>; <a href={WebhookDocs.path}>what is sent</a>.
        </p>
        <p>
          Calls to watch: <code>/v1/markets/edge?domain=weather</code>, <code>/v1/weather/settlement?station=KNYC</code>
          , <code>/v1/weather/signal?station=KNYC</code>, <code>/v1/nfl/fair-line?team=KC</code>.
        </p>
      </>
    ),
    // A subject's page leads here with its own.
    values: {
      call: query.get("call") ?? "/v1/markets/edge?domain=weather",
      threshold: query.get("threshold") ?? "0.1",
    },
  }),
  () => ({ to: path }),
)

/** The pages of alerts. */
export const alertPages: ReadonlyArray<Page> = [list, create]

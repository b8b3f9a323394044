/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Fragment } from "preact"
import { usd } from "../../../../core/account/Money.ts"
import { spanStart, Usage } from "../../../../core/account/Usage.ts"
import { maxAlerts } from "../../../../core/alerts/Alert.ts"
import type { Alert as AlertShape } from "../../../../core/alerts/fields.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { webhookHost } from "../../../../core/events/Webhook.ts"
import { type Code, change, type Failure, fail } from "../../../../core/Failure.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { edge } from "../../../../core/lanes/markets/endpoints.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import * as Verbs from "../../../admin/alertVerbs.ts"
import type { Field } from "../../../admin/fields.ts"
import { webhookVerbs } from "../../../admin/webhookVerbs.ts"
import * as conditions from "../../condition/ofAccount.ts"
import { FieldList } from "../../view/Asked.tsx"
import { addressWith } from "../../view/addresses.ts"
import { List, numeric, State } from "../../view/parts.tsx"
import { performAs, toAction } from "../actions.ts"
import { Form, PauseForm } from "../Form.tsx"
import { createAction } from "../listing.tsx"
import { agentFields, namesIn } from "../names.ts"
import { type AccountVisit, type Action, ofAccount, type Page, type Visit } from "../Page.ts"
import { agentLink, Time } from "../parts.tsx"
import { SecondStep, stepTo } from "../TwoSteps.tsx"
import { conditionOf, firstSubject, type Kind, kindOf, kinds, shownIn, subjectIn, thresholdOf } from "./alertKinds.ts"
import { FiringPreview, newAlertPath, readPast } from "./alertPreview.tsx"

const { alertsCreate, alertsList, alertsPause, alertsResume, alertsDelete } = Verbs.alertVerbs

const path = "/dashboard/alerts"

type Alert = typeof AlertShape.Type

/** The condition in words, below a name if there is one. */
const Named = ({ of }: { readonly of: Alert }) =>
  of.name === undefined ? (
    conditionOf(of)
  ) : (
    <>
      <strong>{of.name}</strong>
      <br />
      <small>{conditionOf(of)}</small>
    </>
  )

const Fired = ({ of: { crossings, fired_at, key } }: { readonly of: Alert }) =>
  crossings === 0 ? (
    "never"
  ) : (
    <span>
      <a href={`/dashboard/calls?key=${key}`}>{crossings === 1 ? "once" : `${crossings} times`}</a>, last{" "}
      <Time at={fired_at} />
    </span>
  )

const StateOf = ({ of }: { readonly of: Alert }) => {
  const condition = conditions.alert({ ...of, reason: of.reason as Code | undefined })
  return (
    <>
      <State is={condition} />
      {condition.cause !== undefined && <small> {condition.cause}</small>}
    </>
  )
}

/** What alerts were charged this month, by key. */
const readSpend = ({ account, now }: AccountVisit) =>
  Effect.gen(function* () {
    const { sums } = yield* Usage
    const from = spanStart("month", now)
    const rows = yield* sums(account.id, { from, to: now + 1, span: "month", group: "key", livemode: true })
    return new Map(rows.map(({ group, charged }) => [group, charged]))
  })

/** Asks before an alert is deleted. */
const ConfirmDelete = ({ visit, alerts }: { readonly visit: Visit; readonly alerts: ReadonlyArray<Alert> }) => {
  const alert = alerts.find(({ id }) => visit.query.get("do") === "delete" && id === visit.query.get("alert"))
  if (alert === undefined) return null
  return (
    <SecondStep visit={visit} action="delete" button="Delete alert" isDanger path={path}>
      Delete “{alert.name ?? conditionOf(alert)}”? It stops at once, and cannot be restored.
    </SecondStep>
  )
}

const list = ofAccount({
  path,
  label: "Alerts",
  view: (visit) =>
    Effect.gen(function* () {
      const { alerts } = yield* performAs(visit, alertsList, {})
      const spend = alerts.length === 0 ? new Map<string, number>() : yield* readSpend(visit)
      const { agents } = yield* namesIn(
        visit.account.id,
        alerts.map(({ agent }) => ({ agentId: agent })),
      )
      const mayChange = isAllowed(alertsCreate, visit.actor)
      const body = (
        <>
          <ConfirmDelete visit={visit} alerts={alerts} />
          <p>
            {alerts.length === 0 && "No alerts yet. Pick an event, and your program gets a message when it happens. "}
            Alerts are free; each firing makes one call, at its price.
          </p>
          {alerts.length === 0 ? (
            mayChange && <Kinds />
          ) : (
            <List
              caption="Alerts, newest first"
              columns={[
                ["Alert", (of) => <Named of={of} />],
                ["State", (of) => <StateOf of={of} />],
                ["Agent", ({ agent }) => agentLink(agent, { agents })],
                ["Fired", (of) => <Fired of={of} />],
                [numeric("Spent this month"), ({ key }) => usd(spend.get(key) ?? 0)],
                mayChange && [
                  "Action",
                  (of) => (
                    <span class="actions">
                      <PauseForm
                        visit={visit}
                        isActive={of.status === "active"}
                        about={of.name ?? conditionOf(of)}
                        given={{ alert: of.id }}
                      />
                      <a href={stepTo(path, "delete", { alert: of.id })}>
                        Delete<span class="unseen"> {of.name ?? conditionOf(of)}</span>
                      </a>
                    </span>
                  ),
                ],
              ]}
              rows={alerts}
            />
          )}
        </>
      )
      return {
        title: "Alerts",
        ...(alerts.length < maxAlerts ? createAction(path, "alert", alertsCreate, visit) : {}),
        body,
      }
    }),
  actions: {
    pause: toAction(alertsPause, () => ({ to: path })),
    resume: toAction(alertsResume, () => ({ to: path })),
    delete: toAction(alertsDelete, () => ({ to: path })),
  },
})

/** The call that the address of the form asks for: a subject's page leads here with its own. */
const askedBy = ({ query }: Pick<Visit, "query">): string => query.get("call") ?? ""

const fieldsFor = (call: string, agents: ReadonlyArray<Field>): ReadonlyArray<Field> => {
  const { subject, level, endpoint } = kindOf(call)
  const number = (name: string, label: string, help = "", isOptional = false): Field => ({
    ...{ name, label, help, isOptional },
    kind: { _tag: "Number", isWhole: false },
  })
  return [
    ...(call.includes("?") && subjectIn(call) === undefined ? [] : [subject]),
    ...(level === undefined ? [] : [number("threshold", `${level.label} (${level.unit})`)]),
    ...(endpoint === edge
      ? [
          number(
            "hysteresis",
            "Fire again after the edge falls by (points)",
            "Below the threshold; otherwise a fifth of it.",
            true,
          ),
        ]
      : []),
    ...agents,
    { name: "name", label: "Name", help: "Shown in the list.", isOptional: true, kind: { _tag: "Text", most: 64 } },
  ]
}

const Kinds = ({ chosen }: { readonly chosen?: Kind }) => (
  <nav aria-label="What to watch">
    <ul class="tiles kinds">
      {kinds.map((kind) => (
        <li key={kind.name}>
          <a
            class="tile"
            href={addressWith(newAlertPath, { call: kind.endpoint.path })}
            {...(kind === chosen ? { "aria-current": "true" as const } : {})}
          >
            <strong>{kind.name}</strong>
            <small>{kind.says}</small>
            <small>{usd(Endpoint.charge(kind.endpoint))} a firing</small>
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** Checks a threshold in the unit of the form; the verb checks the other fields. */
const checked = (level: Kind["level"], values: URLSearchParams): Effect.Effect<void, Failure> =>
  level === undefined || thresholdOf(level, values.get("threshold") ?? "") !== undefined
    ? Effect.void
    : fail("invalid_request_body", {
        hints: [change("threshold", `Enter a number from ${level.least}, such as ${level.usual}.`)],
      })

/** A refused call is an error of the field that names the watched value. */
const atFields = ({ subject }: Kind, failure: Failure): Failure =>
  fail(failure.code, {
    ...ifDefined("detail", failure.detail),
    hints: (failure.hints ?? []).map((hint) =>
      hint.field === "call"
        ? { ...hint, field: subject.name, suggestion: hint.suggestion.replace(/^\w+: /, "") }
        : hint,
    ),
  })

const creates = toAction(
  alertsCreate,
  () => ({ to: path }),
  (visit, values) => {
    const asked = askedBy(visit)
    const { endpoint, subject, level } = kindOf(asked)
    const of = values.get(subject.name)
    const back = values.get("hysteresis")?.trim() ?? ""
    return {
      call: of === null ? asked : addressWith(endpoint.path, { [subject.name]: of }),
      ...(level === undefined ? {} : { threshold: thresholdOf(level, values.get("threshold") ?? "") }),
      ...(level === undefined || back === "" ? {} : { hysteresis: Number(back) / level.scale }),
    }
  },
)

/** Where firings go: to all webhooks and mailboxes of the account that take them. */
const Delivered = ({ to }: { readonly to: ReadonlyArray<{ readonly id: string; readonly url: string }> }) => (
  <p>
    <strong>Delivered to</strong>{" "}
    {to.map((webhook) => (
      <Fragment key={webhook.id}>
        <a href={`/dashboard/webhooks/${webhook.id}`}>{webhookHost(webhook)}</a>,{" "}
      </Fragment>
    ))}
    the stream <code>/v1/alerts/events</code>. <a href="/dashboard/webhooks/new">Add a webhook</a>
  </p>
)

/** The form of a kind with its entered values, beside its cost over past days. */
const view = (visit: AccountVisit) =>
  Effect.gen(function* () {
    const call = askedBy(visit)
    const kind = kindOf(call)
    const isOther = call.includes("?") && subjectIn(call) === undefined
    const price = Endpoint.charge(kind.endpoint)
    const given = Number(visit.query.get("threshold") ?? Number.NaN)
    const first = subjectIn(call) ?? firstSubject(kind)
    const subject = visit.sent?.values.get(kind.subject.name) ?? first
    const usual = kind.level === undefined || !(given > 0) ? kind.level?.usual : shownIn(kind.level, given)
    const shown = visit.sent?.values.get("threshold") ?? usual ?? ""
    const fields = fieldsFor(call, yield* agentFields(visit.account.id))
    const { webhooks } = yield* performAs(visit, webhookVerbs.webhooksList, {})
    const past = isOther ? undefined : yield* readPast(kind, subject, shown, price, visit.now)
    return {
      title: "New alert",
      body: (
        <>
          <Kinds chosen={kind} />
          <div class="call">
            <Form visit={visit} action="create" button="Create alert" cancel={path}>
              {isOther && <p>Watches {conditionOf({ call })}.</p>}
              <FieldList
                prefix="create-"
                sent={visit.sent}
                fields={fields}
                values={{ [kind.subject.name]: first, threshold: usual }}
                more={({ name }) =>
                  name === (kind.level === undefined ? kind.subject.name : "threshold") ? past?.sum : undefined
                }
              />
              <Delivered
                to={webhooks.filter(({ events, status }) => status === "active" && events.includes("alert.fired"))}
              />
              <p>
                <strong>Each firing costs {usd(price)}</strong>, the price of one call. The alert itself is free.
              </p>
            </Form>
            <section class="preview">
              {!isOther && (
                <FiringPreview kind={kind} subject={subject} shown={shown} now={visit.now} contract={past?.newest} />
              )}
              {past?.more}
            </section>
          </div>
        </>
      ),
    }
  })

const create = ofAccount({
  path: newAlertPath,
  view,
  actions: {
    create: {
      ...creates,
      run: (visit, values) => {
        const kind = kindOf(askedBy(visit))
        return checked(kind.level, values).pipe(
          Effect.zipRight(creates.run(visit, values)),
          Effect.mapError((failure) => atFields(kind, failure)),
        )
      },
    } satisfies Action,
  },
})

export const alertPages: ReadonlyArray<Page> = [list, create]

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CurrentCaller } from "../../account/CurrentCaller.ts"
import { Alerts } from "../../alerts/Alerts.ts"
import * as alertFields from "../../alerts/fields.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import * as webhookFields from "../../events/fields.ts"
import { checkOwnMail, Webhooks } from "../../events/Webhooks.ts"
import { change, type Failure, invalid, notFound } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { CurrentChange } from "../../people/Change.ts"
import * as Rights from "../../rights/Rights.ts"
import { recorded } from "../confidence.ts"
import { dataTerms } from "../fields.ts"
import * as Lane from "../Lane.ts"

const [alertsPath, webhooksPath] = ["/v1/alerts", "/v1/webhooks"] as const

const makeReceipt = (sentence: string, path: string) => ({
  explained: explain(step(sentence, cite("account", path))),
  confidence: recorded(1, "read from the account"),
  freshness: "live" as const,
})

/** Reads the caller with its rights. `changing` runs work that changes the account and logs the change. */
const readCaller = Effect.map(CurrentCaller, ({ caller, startedAt, once }) => {
  const { accountId, keyId } = caller
  return {
    caller,
    accountId,
    rights: Rights.ofKey(caller),
    once: once === undefined ? undefined : `${keyId}/${once}`,
    changing: <A, E, R>(verb: string, subject: string, work: Effect.Effect<A, E, R>) =>
      Effect.provideService(work, CurrentChange, { at: startedAt, who: `key ${keyId}`, accountId, verb, subject }),
  }
})

/** Finds what a caller names by its id; fails like an unknown id if the caller may not see it. */
const findVisible = <A extends { readonly accountId: string; readonly agentId?: string }>(
  find: Effect.Effect<A, Failure>,
  { see }: Rights.Rights,
  what: "alert" | "webhook",
) =>
  Effect.flatMap(find, (one) =>
    see(one.accountId, one.agentId)
      ? Effect.succeed(one)
      : notFound(`No ${what} has this id.`, change(what, `Use the id of a listed ${what}.`)),
  )

const Deleted = Schema.Struct({ id: Field.text(), deleted: Schema.Literal(true) }).annotations({
  identifier: "Deleted",
})
const makeExampleId = (prefix: string) => `${prefix}_${"0".repeat(26)}`

const alertsCreate = Endpoint.make("/v1/alerts/create", {
  ...dataTerms(0),
  writes: "additive",
  summary: alertFields.created,
  use: "To be told when a report is out, an edge appears or a line moves; firings go to `webhooks_create`. Key: with the scope manage.",
  example: { call: "/v1/markets/edge?domain=weather", threshold: 0.1 },
  params: Schema.Struct(alertFields.request),
  results: alertFields.Alert,
  ports: { alerts: Alerts },
  answer: function* ({ agent, ...request }, { alerts }, give) {
    const { caller, accountId, rights, once, changing } = yield* readCaller
    const agentId = caller.agent?.id
    if (agentId !== undefined && agent !== undefined && agent !== agentId) {
      return yield* invalid("agent", "Leave out agent: the alerts of an agent's key count against that agent's caps.")
    }
    const work = alerts.create({
      ...request,
      ...ifDefined("agent", agentId ?? agent),
      account: accountId,
      barred: rights.call,
      ...ifDefined("once", once && `${once}/${JSON.stringify([agent, request])}`),
    })
    const alert = yield* changing("alerts_create", request.name ?? request.call, work)
    return give({ results: alertFields.shape(alert), ...makeReceipt("Created the alert.", alertsPath) })
  },
})

const alertsList = Endpoint.make("/v1/alerts/list", {
  ...dataTerms(0),
  summary: "List the account's alerts, newest first",
  use: "Ids for `alerts_delete`, and why an alert is paused.",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({ alerts: Schema.Array(alertFields.Alert) }).annotations({ identifier: "AlertList" }),
  ports: { alerts: Alerts },
  answer: function* (_, { alerts }, give) {
    const { accountId, rights } = yield* readCaller
    const all = (yield* alerts.list(accountId)).filter((one) => rights.see(one.accountId, one.agentId))
    return give({
      results: { alerts: all.map(alertFields.shape) },
      ...makeReceipt("Read the account's alerts.", alertsPath),
    })
  },
})

const alertsDelete = Endpoint.make("/v1/alerts/delete", {
  ...dataTerms(0),
  writes: "destructive",
  summary: "Delete an alert and revoke its key",
  use: "Ends what `alerts_create` began.",
  example: { alert: makeExampleId("alt") },
  params: Schema.Struct({ alert: Param.text(64, "Alert id.") }),
  results: Deleted,
  ports: { alerts: Alerts },
  answer: function* ({ alert }, { alerts }, give) {
    const { rights, changing } = yield* readCaller
    const { id } = yield* findVisible(alerts.get(alert), rights, "alert")
    yield* changing("alerts_delete", id, alerts.remove(id))
    return give({ results: { id, deleted: true }, ...makeReceipt("Deleted the alert.", alertsPath) })
  },
})

const webhooksCreate = Endpoint.make("/v1/webhooks/create", {
  ...dataTerms(0),
  writes: "additive",
  holdsSecret: true,
  summary: "Create a webhook; only this answer shows its secret",
  use: "Events of the account at your own URL: fired alerts (`alerts_create`), budgets, the wallet. Key: with the scope manage.",
  example: { url: "https://hooks.example.com/market-signals", events: ["alert.fired"] },
  params: Schema.Struct(webhookFields.request),
  results: webhookFields.NewSecret,
  ports: { webhooks: Webhooks },
  answer: function* ({ url, events }, { webhooks }, give) {
    const { accountId, rights, once, changing } = yield* readCaller
    if (rights.subscribe !== undefined) return yield* rights.subscribe
    yield* checkOwnMail(url, undefined)
    const under = once && `${once}/${JSON.stringify([url, events])}`
    const made = yield* changing("webhooks_create", url, webhooks.create(accountId, url, events, under))
    return give({ results: webhookFields.showSecret(made), ...makeReceipt("Created the webhook.", webhooksPath) })
  },
})

const webhooksList = Endpoint.make("/v1/webhooks/list", {
  ...dataTerms(0),
  summary: "List the account's webhooks",
  use: "Ids for `webhooks_delete`, and whether one is paused or disabled.",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({ webhooks: Schema.Array(webhookFields.Webhook) }).annotations({ identifier: "WebhookList" }),
  ports: { webhooks: Webhooks },
  answer: function* (_, { webhooks }, give) {
    const { accountId, rights } = yield* readCaller
    if (rights.subscribe !== undefined) return yield* rights.subscribe
    const all = yield* webhooks.list(accountId)
    return give({
      results: { webhooks: all.map(webhookFields.shape) },
      ...makeReceipt("Read the account's webhooks.", webhooksPath),
    })
  },
})

const webhooksDelete = Endpoint.make("/v1/webhooks/delete", {
  ...dataTerms(0),
  writes: "destructive",
  summary: "Delete a webhook and its secret permanently",
  use: "Ends what `webhooks_create` began.",
  example: { webhook: makeExampleId("whk") },
  params: Schema.Struct({ webhook: Param.text(64, "Webhook id.") }),
  results: Deleted,
  ports: { webhooks: Webhooks },
  answer: function* ({ webhook }, { webhooks }, give) {
    const { rights, changing } = yield* readCaller
    if (rights.subscribe !== undefined) return yield* rights.subscribe
    const { id } = yield* findVisible(webhooks.get(webhook), rights, "webhook")
    yield* changing("webhooks_delete", id, webhooks.remove(id))
    return give({ results: { id, deleted: true }, ...makeReceipt("Deleted the webhook.", webhooksPath) })
  },
})

export type Manage = Lane.Id<typeof Rights.manageScope>
/** Alerts and webhooks of the key's account, for live keys with the scope `manage`. `Alerts` and `Webhooks` have the rules. */
export const Manage = Lane.define(Rights.manageScope, {
  description:
    "Alerts and webhooks of the account, for live keys whose scopes include `manage`: the demo key has none. Free.",
  about: "account",
  endpoints: {
    alertsCreate: Endpoint.atPath(alertsCreate, "POST", alertsPath),
    alertsDelete: Endpoint.atPath(alertsDelete, "DELETE", `${alertsPath}/:alert`),
    alertsList: Endpoint.atPath(alertsList, "GET", alertsPath),
    webhooksCreate: Endpoint.atPath(webhooksCreate, "POST", webhooksPath),
    webhooksDelete: Endpoint.atPath(webhooksDelete, "DELETE", `${webhooksPath}/:webhook`),
    webhooksList: Endpoint.atPath(webhooksList, "GET", webhooksPath),
  },
})

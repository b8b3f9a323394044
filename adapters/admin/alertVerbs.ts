import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Core from "../../core/alerts/Alert.ts"
import { Alerts } from "../../core/alerts/Alerts.ts"
import { optional } from "../../core/endpoint/Field.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { watches } from "../../core/lanes/all.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { account, alert } from "./inputs.ts"
import { shaped } from "./shapes.ts"

const alerts = Effect.serviceFunctions(Alerts)
const text = Schema.String

export const Alert = Schema.Struct({
  id: text,
  account: text,
  agent: optional(text),
  name: optional(text),
  call: text,
  threshold: optional(Schema.Number),
  hysteresis: optional(Schema.Number),
  status: Schema.Literal(...Core.statuses),
  reason: optional(text.annotations({ description: "The error of the firing that paused it." })),
  crossings: Schema.Number.pipe(Schema.int(), Schema.nonNegative()),
  fired_at: optional(text),
  created_at: text,
  key: text.annotations({ description: "The key that its firings are charged to." }),
})

const alertShape = shaped(Alert)
const shape = (of: Core.Alert): typeof Alert.Type =>
  alertShape({ ...of, account: of.accountId, agent: of.agentId, key: of.keyId })

const turning = (verb: "pause" | "resume", summary: string) =>
  AdminOperation.make(`alerts_${verb}`, `POST alerts/:alert/${verb}`, {
    least: "owner",
    summary,
    params: Schema.Struct(alert),
    results: Alert,
    run: ({ alert }) => Effect.map(alerts[verb](alert), shape),
  })

/** Alerts: conditions on the answers of a call. */
export const alertVerbs = {
  alertsCreate: AdminOperation.make("alerts_create", "POST accounts/:account/alerts", {
    least: "owner",
    summary: "Create an alert on the answers of a call. Each firing costs that call",
    success: 201,
    params: Schema.Struct({
      ...account,
      call: Param.text(
        512,
        `Path and query of the call to watch: ${watches.map(({ endpoint }) => endpoint.path).join(", ")}.`,
      ),
      threshold: optional(
        Param.number(
          0,
          1_000_000,
          `Fires at this edge, or after a move by this much: ${watches
            .flatMap(({ endpoint, unit }) => (unit === undefined ? [] : `${unit} (${endpoint.path})`))
            .join("; ")}. Leave it out for reports.`,
        ),
      ),
      hysteresis: optional(
        Param.number(
          0,
          1_000_000,
          "For edges: one fires again once it was below the threshold by more than this (default: a fifth of it).",
        ),
      ),
      agent: optional(Param.text(64, "Id or name of the agent whose caps the firings count against.")),
      name: optional(Param.text(64, "Name of the alert.")),
    }),
    results: Alert,
    run: (request) => Effect.map(alerts.create(request), shape),
  }),

  alertsList: AdminOperation.make("alerts_list", "GET accounts/:account/alerts", {
    least: "viewer",
    summary: "List an account's alerts, newest first",
    params: Schema.Struct(account),
    results: Schema.Struct({ alerts: Schema.Array(Alert) }),
    run: ({ account }) => Effect.map(alerts.list(account), (all) => ({ alerts: all.map(shape) })),
  }),

  alertsPause: turning("pause", "Pause an alert"),
  alertsResume: turning("resume", "Resume an alert. What crossed during the pause does not fire"),

  alertsDelete: AdminOperation.make("alerts_delete", "POST alerts/:alert/delete", {
    least: "owner",
    summary: "Delete an alert and revoke its key",
    params: Schema.Struct(alert),
    results: Schema.Struct({ id: text, deleted: Schema.Literal(true) }),
    run: ({ alert: id }) => Effect.as(alerts.remove(id), { id, deleted: true as const }),
  }),
}

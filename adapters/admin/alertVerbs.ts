import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Alerts } from "../../core/alerts/Alerts.ts"
import * as fields from "../../core/alerts/fields.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { account, alert } from "./inputs.ts"

const alerts = Effect.serviceFunctions(Alerts)
const turning = (verb: "pause" | "resume", summary: string) =>
  AdminOperation.make(`alerts_${verb}`, `POST alerts/:alert/${verb}`, {
    least: "owner",
    summary,
    params: Schema.Struct(alert),
    results: fields.Alert,
    run: ({ alert }) => Effect.map(alerts[verb](alert), fields.shape),
  })

/** Alerts: conditions on the answers of a call. */
export const alertVerbs = {
  alertsCreate: AdminOperation.make("alerts_create", "POST accounts/:account/alerts", {
    least: "owner",
    summary: fields.created,
    success: 201,
    params: Schema.Struct({ ...account, ...fields.request }),
    results: fields.Alert,
    run: (request) => Effect.map(alerts.create(request), fields.shape),
  }),

  alertsList: AdminOperation.make("alerts_list", "GET accounts/:account/alerts", {
    least: "viewer",
    summary: "List an account's alerts, newest first",
    params: Schema.Struct(account),
    results: Schema.Struct({ alerts: Schema.Array(fields.Alert) }),
    run: ({ account }) => Effect.map(alerts.list(account), (all) => ({ alerts: all.map(fields.shape) })),
  }),

  alertsPause: turning("pause", "Pause an alert"),
  alertsResume: turning("resume", "Resume an alert. What crossed during the pause does not fire"),

  alertsDelete: AdminOperation.make("alerts_delete", "POST alerts/:alert/delete", {
    least: "owner",
    summary: "Delete an alert and revoke its key",
    params: Schema.Struct(alert),
    results: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
    run: ({ alert: id }) => Effect.as(alerts.remove(id), { id, deleted: true as const }),
  }),
}

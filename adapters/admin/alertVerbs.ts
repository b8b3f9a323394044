import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Alerts } from "../../core/alerts/Alerts.ts"
import * as fields from "../../core/alerts/fields.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { accountParam, alertParam } from "./inputs.ts"
import { makeStateVerb } from "./stateVerb.ts"

const alertService = Effect.serviceFunctions(Alerts)
const stateVerb = makeStateVerb({ params: alertParam, leastRole: "owner", results: fields.Alert, show: fields.shape })

/** Verbs for alerts. */
export const alertVerbs = {
  alertsCreate: AdminOperation.make("alerts_create", "POST accounts/:account/alerts", {
    leastRole: "owner",
    summary: fields.created,
    success: 201,
    params: Schema.Struct({ ...accountParam, ...fields.request }),
    results: fields.Alert,
    run: (request) => Effect.map(alertService.create(request), fields.shape),
  }),

  alertsList: AdminOperation.make("alerts_list", "GET accounts/:account/alerts", {
    leastRole: "viewer",
    summary: "List an account's alerts, newest first",
    params: Schema.Struct(accountParam),
    results: Schema.Struct({ alerts: Schema.Array(fields.Alert) }),
    run: ({ account }) => Effect.map(alertService.list(account), (all) => ({ alerts: all.map(fields.shape) })),
  }),

  alertsPause: stateVerb("pause", "Pause an alert", alertService.pause),
  alertsResume: stateVerb("resume", "Resume an alert; crossings during the pause do not fire", alertService.resume),

  alertsDelete: AdminOperation.make("alerts_delete", "POST alerts/:alert/delete", {
    leastRole: "owner",
    summary: "Delete an alert and revoke its key",
    params: Schema.Struct(alertParam),
    results: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }),
    run: ({ alert: id }) => Effect.as(alertService.remove(id), { id, deleted: true as const }),
  }),
}

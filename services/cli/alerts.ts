import { alertVerbs } from "../../adapters/admin/alertVerbs.ts"
import type { Alert as AlertShape } from "../../core/alerts/fields.ts"
import { command } from "./command.ts"
import { family } from "./parser.ts"
import { table } from "./shared.ts"

type Alert = typeof AlertShape.Type

const cells = ({ id, status, reason, threshold, crossings, fired_at, call, name }: Alert): ReadonlyArray<string> => [
  id,
  reason === undefined ? status : `${status} (${reason})`,
  threshold === undefined ? "each report" : String(threshold),
  crossings === 0 ? "never fired" : `fired ${crossings}${fired_at === undefined ? "" : `, last ${fired_at}`}`,
  call,
  name ?? "",
]

const line = (alert: Alert): string => cells(alert).join("  ").trim()

export const alerts = family("alerts", "Alerts: events when the answer of a call crosses a threshold.", [
  command("create", alertVerbs.alertsCreate, line),
  command("list", alertVerbs.alertsList, ({ alerts }) => table(alerts.map(cells))),
  command("pause", alertVerbs.alertsPause, line),
  command("resume", alertVerbs.alertsResume, line),
  command("delete", alertVerbs.alertsDelete, ({ id }) => `deleted ${id}`),
])

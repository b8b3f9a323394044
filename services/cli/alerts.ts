import type * as shapes from "../../adapters/admin/alertVerbs.ts"
import { command } from "./command.ts"
import { family } from "./parser.ts"
import { table, verbs } from "./shared.ts"

type Alert = typeof shapes.Alert.Type

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
  command("create", verbs.alertsCreate, line),
  command("list", verbs.alertsList, ({ alerts }) => table(alerts.map(cells))),
  command("pause", verbs.alertsPause, line),
  command("resume", verbs.alertsResume, line),
  command("delete", verbs.alertsDelete, ({ id }) => `deleted ${id}`),
])

import type { Forecast } from "../fields.ts"

type WireAlert = Forecast["alerts"][number]

/** An alert as its source lists it, of any status. */
export type Alert = WireAlert & Required<Pick<WireAlert, "status" | "message_type">>

/** The vocabularies of the Common Alerting Protocol (OASIS CAP 1.2), worst first. */
export const cap = {
  severity: ["Extreme", "Severe", "Moderate", "Minor", "Unknown"],
  certainty: ["Observed", "Likely", "Possible", "Unlikely", "Unknown"],
  urgency: ["Immediate", "Expected", "Future", "Past", "Unknown"],
  status: ["Actual", "Exercise", "System", "Test", "Draft"],
  messageType: ["Alert", "Update", "Cancel", "Ack", "Error"],
} as const

/** The value if it is in the vocabulary; otherwise the protocol's `Unknown`. */
export const toCapWord = (vocabulary: ReadonlyArray<string>, value: unknown): string =>
  typeof value === "string" && vocabulary.includes(value) ? value : "Unknown"

/** Why an alert is not in force; undefined if it is. */
export const whyNotInForce = (alert: Alert, now: number): string | undefined => {
  if (alert.status !== "Actual") return `its status is ${alert.status}`
  if (alert.message_type !== "Alert" && alert.message_type !== "Update")
    return `its message type is ${alert.message_type}`
  if (Date.parse(alert.expires) <= now) return `it expired at ${alert.expires}`
  return alert.ends !== undefined && Date.parse(alert.ends) <= now ? `its event ended at ${alert.ends}` : undefined
}

const rank = ({ severity }: Alert): number => cap.severity.indexOf(severity as (typeof cap.severity)[number])

/** The alerts in force, each once, most severe first. */
export const listInForce = (alerts: ReadonlyArray<Alert>, now: number): ReadonlyArray<Alert> =>
  [
    ...new Map(
      alerts.filter((alert) => whyNotInForce(alert, now) === undefined).map((alert) => [alert.id, alert]),
    ).values(),
  ].sort((a, b) => rank(a) - rank(b) || Date.parse(a.effective) - Date.parse(b.effective) || (a.id < b.id ? -1 : 1))

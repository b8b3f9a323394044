import * as Schema from "effect/Schema"
import * as Field from "../endpoint/Field.ts"
import * as Param from "../endpoint/Param.ts"
import { shaped } from "../endpoint/shaped.ts"
import * as Core from "./Alert.ts"

/** An alert as the API, the admin API and the command line show it. */
export const Alert = Schema.Struct({
  id: Field.text(),
  account: Field.text(),
  agent: Field.optional(Field.text()),
  name: Field.optional(Field.text()),
  call: Field.text(),
  threshold: Field.optional(Field.number()),
  hysteresis: Field.optional(Field.number()),
  status: Schema.Literal(...Core.statuses),
  reason: Field.optional(Field.text("The error of the firing that paused it.")),
  crossings: Schema.Number.pipe(Schema.int(), Schema.nonNegative()),
  fired_at: Field.optional(Field.text()),
  created_at: Field.text(),
  key: Field.text("The key that its firings are charged to."),
}).annotations({ identifier: "Alert" })

const alertShape = shaped(Alert)
export const shape = (of: Core.Alert): typeof Alert.Type =>
  alertShape({ ...of, account: of.accountId, agent: of.agentId, key: of.keyId })

/** The calls that can be watched, with the unit of their thresholds; a test compares them with the lanes' watches. */
export const watched: Readonly<Record<string, string | undefined>> = {
  "/v1/weather/settlement": undefined,
  "/v1/weather/signal": "degrees Fahrenheit of the centre of high or low",
  "/v1/nfl/fair-line": "points of the fair margin or total",
  "/v1/mlb/fair-odds": "probability",
  "/v1/markets/edge": "probability; with min_gain US dollars a contract",
}

const units = Object.entries(watched).flatMap(([path, unit]) => (unit === undefined ? [] : `${unit} (\`${path}\`)`))

/** The parameters of a new alert. */
export const request = {
  call: Param.text(
    512,
    `The call to watch, with its parameters as a query: ${Object.keys(watched)
      .map((path) => `\`${path}\``)
      .join(", ")}.`,
  ),
  threshold: Field.optional(
    Param.number(
      0,
      1_000_000,
      `Fires at this edge, or after a move by this much: ${units.join("; ")}. Leave it out for reports.`,
    ),
  ),
  hysteresis: Field.optional(
    Param.number(
      0,
      1_000_000,
      "For edges: one fires again once it was below the threshold by more than this (default: a fifth of it).",
    ),
  ),
  agent: Field.optional(Param.text(64, "Id or name of the agent whose caps the firings count against.")),
  name: Field.optional(Param.text(64, "Name of the alert.")),
}

export const created = "Create an alert on the answers of a call. Each firing is charged as that call"

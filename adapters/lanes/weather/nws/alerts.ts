import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { present } from "../../../../core/endpoint/Field.ts"
import { type Alert, cap, wordOf } from "../../../../core/lanes/weather/forecast/alerts.ts"
import type { UpstreamError } from "../../../upstream/upstream.ts"
import type { Api } from "./api.ts"
import { instantOf, Rows, readable, shaped, textOf } from "./wire.ts"

/** `GET /alerts/active?point={lat},{lon}` */
const Wire = Schema.Struct({ features: Rows })

/** What an alert is none without. */
const Row = Schema.Struct({
  properties: Schema.Struct({
    id: Schema.NonEmptyString,
    event: Schema.NonEmptyString,
    effective: Schema.String,
    expires: Schema.String,
    status: Schema.Literal(...cap.status),
    messageType: Schema.Literal(...cap.messageType),
    severity: Schema.optional(Schema.Unknown),
    certainty: Schema.optional(Schema.Unknown),
    urgency: Schema.optional(Schema.Unknown),
    areaDesc: Schema.optional(Schema.Unknown),
    senderName: Schema.optional(Schema.Unknown),
    headline: Schema.optional(Schema.Unknown),
    onset: Schema.optional(Schema.Unknown),
    ends: Schema.optional(Schema.Unknown),
    description: Schema.optional(Schema.Unknown),
    instruction: Schema.optional(Schema.Unknown),
  }),
})
const rowOf = shaped(Row)

/** A time as it is written, if it is one. */
const timeOf = (value: unknown): string | undefined => (instantOf(value) === undefined ? undefined : String(value))

/** One alert; undefined where it cannot be told what it is or how long it holds. */
export const alertOf = (value: unknown): Alert | undefined => {
  const row = rowOf(value)?.properties
  if (row === undefined || instantOf(row.effective) === undefined || instantOf(row.expires) === undefined) {
    return undefined
  }
  return {
    id: row.id,
    event: row.event,
    severity: wordOf(cap.severity, row.severity),
    certainty: wordOf(cap.certainty, row.certainty),
    urgency: wordOf(cap.urgency, row.urgency),
    ...present("headline", textOf(row.headline)),
    area_desc: textOf(row.areaDesc) ?? "",
    effective: row.effective,
    ...present("onset", timeOf(row.onset)),
    expires: row.expires,
    ...present("ends", timeOf(row.ends)),
    sender_name: textOf(row.senderName) ?? "",
    ...present("description", textOf(row.description)),
    ...present("instruction", textOf(row.instruction)),
    status: row.status,
    message_type: row.messageType,
  }
}

export interface Alerts {
  readonly alerts: ReadonlyArray<Alert>
  /** How many could not be read. */
  readonly skipped: number
}

/** What is listed for a point, of whatever status. */
export const alerts = (api: Api, point: string): Effect.Effect<Alerts, UpstreamError> =>
  Effect.gen(function* () {
    const { features } = yield* api.get(Wire, "/alerts/active", { point })
    const { good, skipped } = yield* readable(api, "alerts", features, alertOf)
    return { alerts: good, skipped }
  })

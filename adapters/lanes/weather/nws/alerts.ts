import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { type Alert, cap, wordOf } from "../../../../core/lanes/weather/forecast/alerts.ts"
import type { UpstreamError } from "../../../runtime/upstream/upstream.ts"
import type { Api } from "./api.ts"
import { instantOf, Rows, readable, shaped, textOf } from "./wire.ts"

/** `GET /alerts/active?point={lat},{lon}` */
const Wire = Schema.Struct({ features: Rows })

/** An alert; the first six fields are required. */
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

/** A valid time, verbatim; otherwise undefined. */
const timeOf = (value: unknown): string | undefined => (instantOf(value) === undefined ? undefined : String(value))

/** One alert; undefined without a valid type or time. */
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
    ...ifDefined("headline", textOf(row.headline)),
    area_desc: textOf(row.areaDesc) ?? "",
    effective: row.effective,
    ...ifDefined("onset", timeOf(row.onset)),
    expires: row.expires,
    ...ifDefined("ends", timeOf(row.ends)),
    sender_name: textOf(row.senderName) ?? "",
    ...ifDefined("description", textOf(row.description)),
    ...ifDefined("instruction", textOf(row.instruction)),
    status: row.status,
    message_type: row.messageType,
  }
}

export interface Alerts {
  readonly alerts: ReadonlyArray<Alert>
  /** Number of unreadable alerts. */
  readonly skipped: number
}

/** The alerts listed for a point, of any status. */
export const alerts = (api: Api, point: string): Effect.Effect<Alerts, UpstreamError> =>
  Effect.gen(function* () {
    const { features } = yield* api.get(Wire, "/alerts/active", { point })
    const { good, skipped } = yield* readable(api, "alerts", features, alertOf)
    return { alerts: good, skipped }
  })

import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { type Alert, cap, toCapWord } from "../../../../core/lanes/weather/forecast/alerts.ts"
import { makeIdentityCheck } from "../../../../core/sources/identity.ts"
import { rows } from "../../../../core/sources/rows.ts"
import { hour, minute } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { asText, mostRows, parseInstant, Rows, shaped, unreadable } from "./wire.ts"

/** `GET /alerts/active?point={lat},{lon}`; `updated` is of now without alerts, and not older than the newest one with some. */
const Wire = Schema.Struct({
  type: Schema.Literal("FeatureCollection"),
  updated: Schema.String,
  title: Schema.optional(Schema.String),
  features: Rows,
})

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
const parseRow = shaped(Row)

/** A valid time, verbatim; otherwise undefined. */
const readTime = (value: unknown): string | undefined => (parseInstant(value) === undefined ? undefined : String(value))

/** One alert, or why it has no valid type or time. */
export const readAlert = (value: unknown): Alert | string => {
  const row = parseRow(value)?.properties
  if (row === undefined) return unreadable("the alert", value)
  if (parseInstant(row.effective) === undefined) return unreadable("effective", row.effective)
  if (parseInstant(row.expires) === undefined) return unreadable("expires", row.expires)
  return {
    id: row.id,
    event: row.event,
    severity: toCapWord(cap.severity, row.severity),
    certainty: toCapWord(cap.certainty, row.certainty),
    urgency: toCapWord(cap.urgency, row.urgency),
    ...ifDefined("headline", asText(row.headline)),
    area_desc: asText(row.areaDesc) ?? "",
    effective: row.effective,
    ...ifDefined("onset", readTime(row.onset)),
    expires: row.expires,
    ...ifDefined("ends", readTime(row.ends)),
    sender_name: asText(row.senderName) ?? "",
    ...ifDefined("description", asText(row.description)),
    ...ifDefined("instruction", asText(row.instruction)),
    status: row.status,
    message_type: row.messageType,
  }
}

export interface Alerts {
  readonly alerts: ReadonlyArray<Alert>
  readonly skipped: number
}

/** A list without a valid alert is current up to this age. */
const maxEmptyAge = 3 * hour
const tolerance = 10 * minute

/** Why a list is not current; undefined if it is. */
const whyOutdated = (updated: string, alerts: ReadonlyArray<Alert>, now: number): string | undefined => {
  const updatedAt = parseInstant(updated)
  if (updatedAt === undefined) return `The list of alerts was updated at ${unreadable("updated", updated)}.`
  if (updatedAt > now + tolerance) return `The list of alerts is from the future: updated ${updated}.`
  const isValid = alerts.some(({ expires }) => Date.parse(expires) > now)
  return !isValid && now - updatedAt > maxEmptyAge
    ? `The list without a valid alert is old: updated ${updated}.`
    : undefined
}

/** The point in a title, `… for 40.7789 N, 73.9692 W`, in the form of a request. */
const parsePoint = (title = ""): string | undefined => {
  const [, lat, north, lon, west] = /([\d.]+) ([NS]), ([\d.]+) ([EW])$/.exec(title) ?? []
  return lat === undefined
    ? undefined
    : `${(north === "N" ? 1 : -1) * Number(lat)},${(west === "E" ? 1 : -1) * Number(lon)}`
}

const checkIdentity = makeIdentityCheck<string, typeof Wire.Type>({
  name: (point) => `The list of alerts at ${point}`,
  says: { point: ({ title }, point) => [parsePoint(title) ?? point, point] },
})
const readRows = rows(readAlert, mostRows)

/** The alerts listed for a point, of any status. */
export const alerts = Upstream.question(Upstream.readJson(Wire), {
  path: () => "/alerts/active",
  query: (point: string) => ({ point }),
  unstated: "The point, where the title of the list does not name it: the list is of this minute.",
  identity: (wire, point, now): Either.Either<Alerts, string> =>
    Either.gen(function* () {
      const { features, updated } = yield* checkIdentity(wire, point, now)
      const { good, refused } = yield* readRows(features)
      const reason = whyOutdated(updated, good, now)
      return reason === undefined ? { alerts: good, skipped: refused.length } : yield* Either.left(reason)
    }),
})

import type { Alternative, Confidence, Link } from "../../../endpoint/Answer.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { iso } from "../../../time.ts"
import { recorded } from "../../confidence.ts"
import type { Settlement } from "../fields.ts"
import { firstOfficial, type Issuance, type Versions } from "../ports.ts"
import type { Station } from "../stations.ts"

export const summaryOf = (station: Station): Settlement["station"] => ({
  id: station.id,
  name: station.name,
  city: station.city,
  state: station.state,
  tz: station.tz,
  cli_product: station.cliProduct,
})

type Day = Settlement["settlement"]
/** A mutable day: spreads would take most of the time of a history. */
type Making = { -readonly [K in keyof Day]: Day[K] }

const firstOf = ({ productId, issuedAt, report: { highF, lowF } }: Issuance): NonNullable<Day["first_official"]> => ({
  weather_service_product_id: productId,
  issued_at: iso(issuedAt),
  ...ifDefined("high_f", highF),
  ...ifDefined("low_f", lowF),
})

/**
 * One climate day on the wire, verbatim.
 *
 * @param versions every version of the day, newest first; the first one counts
 */
export const dayOf = (versions: Versions): Day => {
  const [{ report, source, productId, issuedAt }, before] = versions
  const { highF, lowF, highTimeLocal, lowTimeLocal, precipIn, snowIn } = report
  const day = { day: report.day } as Making
  if (highF !== undefined) day.high_f = highF
  if (lowF !== undefined) day.low_f = lowF
  if (highTimeLocal !== undefined) day.high_time_local = highTimeLocal
  if (lowTimeLocal !== undefined) day.low_time_local = lowTimeLocal
  if (precipIn !== undefined) day.precip_in = precipIn
  if (snowIn !== undefined) day.snow_in = snowIn
  day.source = source
  day.weather_service_product_id = productId
  day.status = report.status
  day.issued_at = iso(issuedAt)
  day.revision = versions.length
  if (before !== undefined) day.corrects = before.productId
  const first = firstOfficial(versions)
  if (first !== undefined) day.first_official = firstOf(first)
  day.quality_flags = report.flags
  return day
}

/** Whether a day is served: a past day with a final report, today with any report. */
export const isOfRecord =
  (today: string) =>
  ([{ report }]: Versions): boolean =>
    report.status === "final" || report.day === today

/** The flags that lower the score: all but `*_record`. */
export const penaltyFlags = (flags: ReadonlyArray<string>): ReadonlyArray<string> =>
  flags.filter((flag) => !flag.endsWith("_record"))

/** Recorded values score 1.0; preliminary or flagged ones 0.9. */
export const scoreConfidence = ({ report }: Issuance, revision: number): Confidence => {
  const penalties = penaltyFlags(report.flags)
  return recorded(
    penalties.length === 0 && report.status === "final" ? 1 : 0.9,
    report.status === "final" ? `final report, revision ${revision}` : "preliminary report: values may change",
    ...penalties.filter((flag) => flag !== "preliminary").map((flag) => `quality flag ${flag}`),
  )
}

export const settlementPath = (station: string, day: string): string =>
  `/v1/weather/settlement?station=${station}&day=${day}`

/** The days from `first` to `last` of the archive. */
export const historyPath = (station: string, first: string, last: string): string =>
  `/v1/weather/settlement/history?station=${station}&start=${first}&end=${last}`

export const linksOf = (station: string, day: string): ReadonlyArray<Link> => [
  {
    id: station,
    endpoints: [settlementPath(station, day), historyPath(station, day, day), `/v1/weather/signal?station=${station}`],
  },
]

/** An earlier version of a day. */
export const alternativeOf = ({ productId, report }: Issuance): Alternative => ({
  id: productId,
  label: `${report.status} report, high ${report.highF ?? "missing"}, low ${report.lowF ?? "missing"}`,
  score: 0,
  why: "Earlier version of the same climate day, superseded by the one served.",
})

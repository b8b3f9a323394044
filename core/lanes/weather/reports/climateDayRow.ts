import type { Alternative, Confidence, Link } from "../../../endpoint/Answer.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { iso } from "../../../time.ts"
import { wire } from "../../../wire.ts"
import { recorded } from "../../confidence.ts"
import type { Settlement } from "../fields.ts"
import { firstOfficial, type Issuance, type Versions } from "../ports.ts"
import type { Station } from "../stations.ts"
import type { ClimateReport } from "./ClimateReport.ts"

export const toSummary: (station: Station) => Settlement["station"] = wire<Station>()([
  ...(["id", "name", "city", "state", "tz", "cliProduct"] as const),
])

type Day = Settlement["settlement"]

const pickExtremes = wire<ClimateReport>()(["highF", "lowF"])
const pickValues = wire<ClimateReport>()([
  ...(["day", "highF", "lowF", "highTimeLocal", "lowTimeLocal", "precipIn", "snowIn"] as const),
])

const toFirstOfficial = ({ productId, issuedAt, report }: Issuance): NonNullable<Day["first_official"]> => ({
  weather_service_product_id: productId,
  issued_at: iso(issuedAt),
  ...pickExtremes(report),
})

/** One climate day as sent, its values verbatim; the first version, the newest, counts. */
export const toDay = (versions: Versions): Day => {
  const [{ report, source, productId, issuedAt }, before] = versions
  const first = firstOfficial(versions)
  return {
    ...pickValues(report),
    source,
    weather_service_product_id: productId,
    status: report.status,
    issued_at: iso(issuedAt),
    revision: versions.length,
    ...ifDefined("corrects", before?.productId),
    ...ifDefined("first_official", first && toFirstOfficial(first)),
    quality_flags: report.flags,
  }
}

/** Whether a day is served: a past day needs a final report, today any report. */
export const isServed =
  (today: string) =>
  ([{ report }]: Versions): boolean =>
    report.status === "final" || report.day === today

/** The flags that lower the score: all but `*_record`. */
export const filterPenaltyFlags = (flags: ReadonlyArray<string>): ReadonlyArray<string> =>
  flags.filter((flag) => !flag.endsWith("_record"))

/** Recorded values score 1.0, preliminary or flagged ones 0.9. */
export const scoreConfidence = ({ report }: Issuance, revision: number): Confidence => {
  const penalties = filterPenaltyFlags(report.flags)
  return recorded(
    penalties.length === 0 && report.status === "final" ? 1 : 0.9,
    report.status === "final" ? `final report, revision ${revision}` : "preliminary report: values may change",
    ...penalties.filter((flag) => flag !== "preliminary").map((flag) => `quality flag ${flag}`),
  )
}

export const settlementPath = (station: string, day: string): string =>
  `/v1/weather/settlement?station=${station}&day=${day}`

export const historyPath = (station: string, first: string, last: string): string =>
  `/v1/weather/settlement/history?station=${station}&start=${first}&end=${last}`

export const toDayLinks = (station: string, day: string): ReadonlyArray<Link> => [
  {
    id: station,
    endpoints: [settlementPath(station, day), historyPath(station, day, day), `/v1/weather/signal?station=${station}`],
  },
]

export const toAlternative = ({ productId, report }: Issuance): Alternative => ({
  id: productId,
  label: `${report.status} report, high ${report.highF ?? "missing"}, low ${report.lowF ?? "missing"}`,
  score: 0,
  why: "Earlier version of the same climate day, superseded by the one served.",
})

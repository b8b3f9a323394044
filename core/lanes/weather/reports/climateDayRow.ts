import type { Alternative, Citation, Confidence, Link } from "../../../endpoint/Answer.ts"
import type * as Endpoint from "../../../endpoint/Endpoint.ts"
import type { settlement } from "../endpoints.ts"
import type { Issuance, Versions } from "../ports.ts"
import type { Station } from "../stations.ts"

type Results = Endpoint.Results<typeof settlement>

export const summaryOf = (station: Station): Results["station"] => ({
  id: station.id,
  name: station.name,
  city: station.city,
  state: station.state,
  tz: station.tz,
  cli_product: station.cliProduct,
})

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** ISO 8601 of an instant from 1970 to 9999, in a third of the time of `toISOString`: a history has 400 of them. */
export const isoOf = (epochMillis: number): string => {
  const at = new Date(epochMillis)
  const date = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`
  const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
  return `${date}T${time}.${String(at.getUTCMilliseconds()).padStart(3, "0")}Z`
}

type Day = Results["settlement"]
/** A day while it is being made: spreads would take most of the time of a history. */
type Making = { -readonly [K in keyof Day]: Day[K] }

/**
 * One climate day on the wire, verbatim.
 *
 * @param versions every version of the day, newest first; the first is the one that counts
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
  day.issued_at = isoOf(issuedAt)
  day.revision = versions.length
  if (before !== undefined) day.corrects = before.productId
  day.quality_flags = report.flags
  return day
}

/** A day that is over is there once its final report is; of the day that is not, the newest report so far. */
export const isOfRecord =
  (today: string) =>
  ([{ report }]: Versions): boolean =>
    report.status === "final" || report.day === today

/** A record is news, not a doubt. */
export const doubts = (flags: ReadonlyArray<string>): ReadonlyArray<string> =>
  flags.filter((flag) => !flag.endsWith("_record"))

/** Recorded values score 1.0; preliminary or flagged ones 0.9. */
export const confidenceOf = ({ report }: Issuance): Confidence => {
  const found = doubts(report.flags)
  return {
    score: found.length === 0 && report.status === "final" ? 1 : 0.9,
    label: "settlement",
    factors: [
      report.status === "final"
        ? "final report of a climate day that is over"
        : "preliminary report: the values may still change",
      ...found.filter((flag) => flag !== "preliminary").map((flag) => `quality flag ${flag}`),
    ],
  }
}

/** The archive, then the report itself. */
export const citationsOf = ({ station, source, productId, report }: Issuance): ReadonlyArray<Citation> => [
  { step: 1, source: "climate report archive", locator: `climate_reports/${station}/${report.day}` },
  { step: 2, source, locator: productId },
]

export const linksOf = (station: string, day: string): ReadonlyArray<Link> => [
  {
    id: station,
    endpoints: [
      `/v1/weather/settlement?station=${station}&day=${day}`,
      `/v1/weather/settlement/history?station=${station}&start=${day}&end=${day}`,
      `/v1/weather/signal?station=${station}`,
    ],
  },
]

/** An earlier version of a day, beside the one that is served. */
export const alternativeOf = ({ productId, report }: Issuance): Alternative => ({
  id: productId,
  label: `${report.status} report, high ${report.highF ?? "missing"}, low ${report.lowF ?? "missing"}`,
  score: 0,
  why: "An earlier version of the same climate day, superseded by the one served.",
})

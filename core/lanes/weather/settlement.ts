import type { Citation, Confidence, Link } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import type { settlement } from "./endpoints.ts"
import type { Issuance } from "./providers.ts"
import type { Station } from "./stations.ts"

type Results = Endpoint.Results<typeof settlement>

export const summaryOf = (station: Station): Results["station"] => ({
  id: station.id,
  name: station.name,
  city: station.city,
  state: station.state,
  tz: station.tz,
  cli_product: station.cliProduct,
})

/** The key is left out where there is no value. */
const present = <K extends string, A>(key: K, value: A | undefined): { readonly [X in K]?: A } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [X in K]?: A }

/**
 * One climate day on the wire, verbatim.
 *
 * @param versions every version of the day, newest first; the first is the one that counts
 */
export const dayOf = (versions: readonly [Issuance, ...ReadonlyArray<Issuance>]): Results["settlement"] => {
  const [{ report, source, productId, issuedAt }, before] = versions
  return {
    day: report.day,
    ...present("high_f", report.highF),
    ...present("low_f", report.lowF),
    ...present("high_time_local", report.highTimeLocal),
    ...present("low_time_local", report.lowTimeLocal),
    ...present("precip_in", report.precipIn),
    ...present("snow_in", report.snowIn),
    source,
    weather_service_product_id: productId,
    status: report.status,
    issued_at: new Date(issuedAt).toISOString(),
    revision: versions.length,
    ...present("corrects", before?.productId),
    quality_flags: report.flags,
  }
}

/** A record is news, not a doubt. */
const doubts = (flags: ReadonlyArray<string>): ReadonlyArray<string> =>
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

import * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import type { Failure } from "../../../Failure.ts"
import { dayOf, hour, iso, minute } from "../../../time.ts"
import { leadDays, minLead, type Variable } from "../signal/temperature.ts"
import type { Site } from "../stations.ts"
import type { Bulletin } from "./bulletin.ts"

/** Sources of a second forecast: the National Blend of Models, and Model Output Statistics of the GFS. */
export const guidanceSources = ["nbm", "gfs_mos"] as const
export type GuidanceSource = (typeof guidanceSources)[number]

export const sourceTitles: Readonly<Record<GuidanceSource, string>> = {
  nbm: "National Blend of Models",
  gfs_mos: "GFS MOS",
}

/** A source's forecast of one extreme of a climate day. */
export interface Guidance {
  /** Registry id. */
  readonly station: string
  readonly source: GuidanceSource
  readonly variable: Variable
  /** Climate day. */
  readonly day: string
  /** Epoch milliseconds of the model's run. */
  readonly issuedAt: number
  /** Degrees Fahrenheit. */
  readonly tempF: number
  /** Standard deviation that the source states, degrees Fahrenheit. */
  readonly sigmaF?: number
}

/** Read port: second forecasts of the stations. */
export const SecondForecasts = Port.define("weather/SecondForecasts")<{
  /** The newest of each source and extreme for a climate day, not older than `oldestUsed`. */
  readonly current: (station: string, day: string, now: number) => Effect.Effect<ReadonlyArray<Guidance>, Failure>
}>(
  /** No second forecast: signals are less confident. */
  {
    current: () => Effect.succeed([]),
  },
)
export type SecondForecasts = typeof SecondForecasts.Identifier

/** Store of guidance: append-only. */
export const GuidanceArchive = Port.plain("weather/GuidanceArchive")<{
  /** Stores what is new; returns its number. */
  readonly append: (guidance: ReadonlyArray<Guidance>, receivedAt: number) => Effect.Effect<number, Failure>
  /** The newest run that is stored of a source, epoch milliseconds. */
  readonly newest: (source: GuidanceSource) => Effect.Effect<number | undefined, Failure>
}>()
export type GuidanceArchive = typeof GuidanceArchive.Identifier

/** Older runs are not used, ms. */
export const oldestUsed = 24 * hour
/** Clocks differ by less. */
const clockError = 10 * minute

/**
 * The guidance of a bulletin for a station, or why it is refused: its station is another one, or it says that it was made
 * after it was received, or more than a day before.
 */
export const guidanceOf = (
  { station: heading, issuedAt, extremes }: Bulletin,
  source: GuidanceSource,
  station: Site,
  receivedAt: number,
): ReadonlyArray<Guidance> | string => {
  if (heading !== station.id) return `it is of ${heading}`
  if (issuedAt > receivedAt + clockError) return `it says that it was made at ${iso(issuedAt)}, which is to come`
  if (receivedAt - issuedAt > oldestUsed) return `it was made at ${iso(issuedAt)}, over a day ago`
  return extremes.flatMap(({ variable, validAt, tempF, sigmaF }): ReadonlyArray<Guidance> => {
    // A maximum that ends at 00:00 UTC is of the afternoon before, a minimum of the morning.
    const day = dayOf(validAt + station.standardOffset * hour - (variable === "high" ? 6 * hour : 0))
    return leadDays(station, variable, day, issuedAt) < minLead
      ? []
      : [{ station: station.id, source, variable, day, issuedAt, tempF, ...(sigmaF !== undefined && { sigmaF }) }]
  })
}

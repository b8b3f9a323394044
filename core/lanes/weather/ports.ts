import * as Effect from "effect/Effect"
import * as Port from "../../endpoint/Port.ts"
import { type Failure, fail } from "../../Failure.ts"
import { type LawRecord, noLaws } from "../../record/captures/LawScores.ts"
import type { Forecast } from "./fields.ts"
import type { Alert } from "./forecast/alerts.ts"
import type { Period } from "./forecast/periods.ts"
import type { ClimateReport } from "./reports/ClimateReport.ts"
import type { Station } from "./stations.ts"

/** One version of a station's report of one climate day. */
export interface Issuance {
  /** Registry id. */
  readonly station: string
  readonly productId: string
  /** Epoch milliseconds, from the product's heading. */
  readonly issuedAt: number
  /** The archive or feed it came from. */
  readonly source: string
  readonly report: ClimateReport
}

/** Whether an issuance is marked as a correction, in its text or by its product's amendment, or as a delayed product. */
export const isCorrection = ({ productId, report }: Issuance): boolean =>
  report.correction || /-(CC|RR)[A-Z]$/.test(productId)

/** Sorts newest first: final reports before preliminary ones, then by issue time, then by product id. */
export const newestFirst = (a: Issuance, b: Issuance): number =>
  Number(b.report.status === "final") - Number(a.report.status === "final") ||
  b.issuedAt - a.issuedAt ||
  (a.productId < b.productId ? 1 : -1)

/** Every version of one climate day, newest first; the first one counts. */
export type Versions = readonly [Issuance, ...ReadonlyArray<Issuance>]

/**
 * A climate day's first final report by issue time, or undefined while there is none. Contracts whose rules count the first
 * official, non-preliminary report settle on it, even if a later report corrects it.
 *
 * @param versions newest first
 */
export const firstOfficial = (versions: ReadonlyArray<Issuance>): Issuance | undefined =>
  versions.findLast(({ report }) => report.status === "final")

/** Read port: the official reports of the stations, in all versions. The newest version counts. */
export const ClimateReports = Port.define("weather/ClimateReports")<{
  /** Every version of one day, newest first; empty when there is none. */
  readonly versions: (station: string, day: string) => Effect.Effect<ReadonlyArray<Issuance>, Failure>
  /** The last climate day before `today` that has a final report. */
  readonly latestFinalDay: (station: string, today: string) => Effect.Effect<string | undefined, Failure>
  /**
   * The climate days from `start` to `end`, both included, that have a report, in order. A day that is left out has no
   * report: a provider that has not looked for it fails instead.
   */
  readonly range: (station: string, start: string, end: string) => Effect.Effect<ReadonlyArray<Versions>, Failure>
  /** The first and the last climate day with a final report (`today`: with any report); undefined without one. */
  readonly coverage: (
    station: string,
    today: string,
  ) => Effect.Effect<{ readonly first: string; readonly last: string } | undefined, Failure>
}>()
export type ClimateReports = typeof ClimateReports.Identifier

export interface ReceivedReport {
  readonly issuance: Issuance
  readonly text: string
}

/** What the archive did with an issuance. */
export type AppendOutcome =
  | "stored"
  /** Already stored with the same values. */
  | "known"
  /** The product id is stored with other values: rejected, nothing written. */
  | "conflict"
  /** Not marked as a correction, and lacks a temperature that an earlier final report of the day has: rejected too. */
  | "lacking"

/** Write port of climate reports: append-only. */
export const ClimateArchive = Port.plain("weather/ClimateArchive")<{
  /** Stores all reports or, if it fails, none; returns the outcome of each, in order. */
  readonly append: (
    received: ReadonlyArray<ReceivedReport>,
    receivedAt: number,
  ) => Effect.Effect<ReadonlyArray<AppendOutcome>, Failure>
  /** The outcomes that `append` would have; nothing is written. */
  readonly compare: (received: ReadonlyArray<ReceivedReport>) => Effect.Effect<ReadonlyArray<AppendOutcome>, Failure>
  /**
   * The days from `start` to `end` for which no final report is stored and no source has been noted to have none.
   *
   * @param since epoch milliseconds: earlier notes (`noteAsked`) do not count
   */
  readonly unasked: (
    station: string,
    start: string,
    end: string,
    since: number,
  ) => Effect.Effect<ReadonlyArray<string>, Failure>
  /** Notes that a source, asked after the final reports of these days were due, has none. */
  readonly noteAsked: (
    station: string,
    days: ReadonlyArray<string>,
    source: string,
    askedAt: number,
  ) => Effect.Effect<void, Failure>
}>()
export type ClimateArchive = typeof ClimateArchive.Identifier

/** A point's forecast as its office published it, not yet cut to a window. */
export interface PointForecast {
  readonly location: Forecast["location"]
  /** Epoch milliseconds of the grid's last update; decides staleness. */
  readonly updatedAt: number
  /** As the source lists them; the lane sorts them and drops past, repeated and too distant ones. */
  readonly periods: ReadonlyArray<Period>
  /** As the source lists them; the lane drops tests, cancelled and expired ones. */
  readonly alerts: ReadonlyArray<Alert>
  /** For citations: names and public URLs of the grid and of the list of alerts. */
  readonly source: string
  readonly locator: string
  readonly alertSource: string
  readonly alertLocator: string
  /** Quality flags, such as unreadable periods. */
  readonly flags: ReadonlyArray<string>
}

/** A time interval and its extreme, as published in a grid. */
export interface Extreme {
  readonly from: number
  readonly to: number
  readonly tempF: number
}

/** The raw grid at a station's own coordinates: degrees Fahrenheit, unrounded. */
export interface GridForecast {
  readonly updatedAt: number
  readonly hourly: ReadonlyArray<{ readonly at: number; readonly tempF: number }>
  readonly maxima: ReadonlyArray<Extreme>
  readonly minima: ReadonlyArray<Extreme>
  readonly source: string
  readonly locator: string
}

/** Read port: forecasts. Times are epoch milliseconds. */
export const Forecasts = Port.define("weather/Forecasts")<{
  /**
   * The forecast of a point, in half-day or hourly periods; the coordinates have at most four decimals. Fails with
   * `data_freshness_stale` if the grid is too old, and with `not_found` if there is none.
   */
  readonly point: (lat: number, lon: number, hourly: boolean) => Effect.Effect<PointForecast, Failure>
  /** The grid at a station; fails with `data_freshness_stale` when it is too old. */
  readonly grid: (station: Station) => Effect.Effect<GridForecast, Failure>
}>({
  point: () => Effect.fail(fail("data_provider_unavailable")),
  grid: () => Effect.fail(fail("data_provider_unavailable")),
})
export type Forecasts = typeof Forecasts.Identifier

/** Whole degrees Fahrenheit, as the thermometer measures; codes have them in tenths of a degree Celsius. */
export interface Extremes {
  readonly high?: number
  readonly low?: number
}

/** The extremes that a coded observation (METAR) carries in its remarks. */
export interface CodedExtremes {
  /** Of the six hours before the observation, groups 1sTTT and 2sTTT. */
  readonly sixHours?: Extremes
  /** Of the climate day that ends with the observation, group 4sTTTsTTT: sent at midnight local standard time. */
  readonly day?: Extremes
}

export interface Observation {
  readonly at: number
  readonly tempF: number
  /** Extremes that were coded with it, if any. */
  readonly groups?: CodedExtremes
}

/** Read port: a station's temperature observations. */
export const Observations = Port.define("weather/Observations")<{
  /** Observations since an instant, in order of time, each instant once. */
  readonly since: (station: Station, from: number) => Effect.Effect<ReadonlyArray<Observation>, Failure>
}>({ since: () => Effect.fail(fail("data_provider_unavailable")) })
export type Observations = typeof Observations.Identifier

/** A value in an archive of parsed reports: a number, `M` for missing, `T` for a trace. */
export type ArchivedValue = number | string | null

/** A row of an archive that has the values of each day's newest report. */
export interface ArchivedDay {
  readonly day: string
  /** The text product that the values come from. */
  readonly productId: string | null
  /** The archive's name of the station. */
  readonly name: string
  readonly high: ArchivedValue
  readonly highTime: string | null
  readonly low: ArchivedValue
  readonly lowTime: string | null
  readonly precip: ArchivedValue
  readonly snow: ArchivedValue
  /** The row as received, for audits. */
  readonly text: string
}

/** Source port: an archive of daily values over years. */
export const ClimateDays = Port.plain("weather/ClimateDays")<{
  /** Its name in citations. */
  readonly name: string
  /** Every archived day of a year. */
  readonly year: (station: Station, year: number) => Effect.Effect<ReadonlyArray<ArchivedDay>, Failure>
  /** The text product that a row names. */
  readonly text: (productId: string) => Effect.Effect<string, Failure>
}>()
export type ClimateDays = typeof ClimateDays.Identifier

/** A product as a feed lists it. */
export interface ListedProduct {
  /** The feed's id of the product. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
}

/** A feed of text products as they are issued. */
export interface ProductSource {
  /** Its name in citations. */
  readonly name: string
  /** A station's products issued from `from` to `now`, in any order. */
  readonly list: (station: Station, from: number, now: number) => Effect.Effect<ReadonlyArray<ListedProduct>, Failure>
  /** The whole text of one of them. */
  readonly text: (station: Station, id: string) => Effect.Effect<string, Failure>
}

/** The sources whose stored values can be voided. */
export const voidableSources = ["climate_report", "venue_reading"] as const

/** A stored value of a source, and why an operator voids it. */
export interface Void {
  readonly source: (typeof voidableSources)[number]
  readonly station: string
  readonly day: string
  /** A report's product id, or a reading's revision. */
  readonly version: string
  readonly reason: string
}

/** Write port of voids: append-only. A voided value stays stored, but no answer or settlement reads it any more. */
export const Voids = Port.plain("weather/Voids")<{
  /**
   * Voids a stored value. Fails with `not_found` if it is not stored, or is voided already.
   *
   * @returns the number of settled contracts that it may have decided; they are settled again
   */
  readonly append: (one: Void) => Effect.Effect<number, Failure>
}>()
export type Voids = typeof Voids.Identifier

/** Read port: the captured temperature distributions, with their scores. */
export const WeatherLaws = Port.define("weather/WeatherLaws")<LawRecord>(noLaws)
export type WeatherLaws = typeof WeatherLaws.Identifier

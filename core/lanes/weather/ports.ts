import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Freshness } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Failure, fail } from "../../Failure.ts"
import type { forecast } from "./endpoints.ts"
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

/** Newest first: a final report before every preliminary one, then by issue time, then by product id. */
export const newestFirst = (a: Issuance, b: Issuance): number =>
  Number(b.report.status === "final") - Number(a.report.status === "final") ||
  b.issuedAt - a.issuedAt ||
  (a.productId < b.productId ? 1 : -1)

/** Every version of one climate day, newest first; the first is the one that counts. */
export type Versions = readonly [Issuance, ...ReadonlyArray<Issuance>]

/** Read port: the official reports of the nine stations. Every version is kept; the newest is the one that counts. */
export class ClimateReports extends Context.Tag("core/lanes/weather/ClimateReports")<
  ClimateReports,
  {
    readonly freshness: Freshness
    /** Every version of one day, newest first; empty when there is none. */
    readonly versions: (station: string, day: string) => Effect.Effect<ReadonlyArray<Issuance>, Failure>
    /** The last climate day before `today` that has a final report. */
    readonly latestFinalDay: (station: string, today: string) => Effect.Effect<string | undefined, Failure>
    /**
     * The climate days from `start` to `end`, both included, that have a report, in order. A day that is left out has
     * none: a provider that has not looked for it fails instead.
     */
    readonly range: (station: string, start: string, end: string) => Effect.Effect<ReadonlyArray<Versions>, Failure>
    /**
     * The first and the last climate day with a final report or, of `today`, any; undefined when the station has none.
     */
    readonly coverage: (
      station: string,
      today: string,
    ) => Effect.Effect<{ readonly first: string; readonly last: string } | undefined, Failure>
  }
>() {}

/** An issuance and what it was read from, as it came. */
export interface Received {
  readonly issuance: Issuance
  readonly text: string
}

/** What became of one issuance that was offered to the archive. */
export type Appended =
  | "stored"
  /** The same product with the same values was there before. */
  | "known"
  /** The same product id stands for other values: refused, nothing written. */
  | "conflict"

/** Write port: append-only. */
export class ClimateArchive extends Context.Tag("core/lanes/weather/ClimateArchive")<
  ClimateArchive,
  {
    /** All of them or, when it fails, none; an outcome for each, in order. */
    readonly append: (
      received: ReadonlyArray<Received>,
      receivedAt: number,
    ) => Effect.Effect<ReadonlyArray<Appended>, Failure>
    /**
     * The days of a stretch that have no final report and of which no note says that a source has none.
     *
     * @param since epoch milliseconds: notes from before do not count
     */
    readonly unasked: (
      station: string,
      start: string,
      end: string,
      since: number,
    ) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** Notes that a source was asked for these days after their final report was due, and has none. */
    readonly noteAsked: (
      station: string,
      days: ReadonlyArray<string>,
      source: string,
      askedAt: number,
    ) => Effect.Effect<void, Failure>
  }
>() {}

/** A point's forecast as its office published it, not yet cut to a window. */
export interface PointForecast {
  readonly location: Endpoint.Results<typeof forecast>["location"]
  /** Epoch milliseconds of the grid's last update: what staleness is judged by. */
  readonly updatedAt: number
  /** As the source has them: the lane puts them in order and leaves out what is over, too late or repeated. */
  readonly periods: ReadonlyArray<Period>
  /** As the source lists them: the lane leaves out tests, what was cancelled and what has expired. */
  readonly alerts: ReadonlyArray<Alert>
  /** What citations name: the grid and the list of alerts, and their addresses at their upstream. */
  readonly source: string
  readonly locator: string
  readonly alertSource: string
  readonly alertLocator: string
  /** What is doubtful about it, such as periods that could not be read. */
  readonly flags: ReadonlyArray<string>
}

/** A stretch of time and its extreme, as a grid publishes it. */
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
export class Forecasts extends Context.Tag("core/lanes/weather/Forecasts")<
  Forecasts,
  {
    readonly freshness: Freshness
    /**
     * Half-day periods, or hours. Fails with `data_freshness_stale` when the grid is too old, with `not_found` where
     * there is none. The coordinates have four decimals at most.
     */
    readonly point: (lat: number, lon: number, hourly: boolean) => Effect.Effect<PointForecast, Failure>
    /** The grid at a station; fails with `data_freshness_stale` when it is too old. */
    readonly grid: (station: Station) => Effect.Effect<GridForecast, Failure>
  }
>() {
  static readonly layerUnavailable: Layer.Layer<Forecasts> = Layer.succeed(Forecasts, {
    freshness: "live",
    point: () => Effect.fail(fail("data_provider_unavailable")),
    grid: () => Effect.fail(fail("data_provider_unavailable")),
  })
}

/** One reading of a station's thermometer. */
export interface Observation {
  readonly at: number
  readonly tempF: number
}

/** Read port: what a station's thermometer has said. */
export class Observations extends Context.Tag("core/lanes/weather/Observations")<
  Observations,
  {
    readonly freshness: Freshness
    /** From an instant on, in order of time, each instant once. */
    readonly since: (station: Station, from: number) => Effect.Effect<ReadonlyArray<Observation>, Failure>
  }
>() {
  static readonly layerUnavailable: Layer.Layer<Observations> = Layer.succeed(Observations, {
    freshness: "live",
    since: () => Effect.fail(fail("data_provider_unavailable")),
  })
}

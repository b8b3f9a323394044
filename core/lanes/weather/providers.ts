import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Freshness } from "../../endpoint/Answer.ts"
import type { Failure } from "../../endpoint/Failure.ts"
import type { ClimateReport } from "./ClimateReport.ts"

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

/** Read port: the official reports of the nine stations. Every version is kept; the newest is the one that counts. */
export class ClimateReports extends Context.Tag("core/lanes/weather/ClimateReports")<
  ClimateReports,
  {
    readonly freshness: Freshness
    /** Every version of one day, newest first; empty when there is none. */
    readonly versions: (station: string, day: string) => Effect.Effect<ReadonlyArray<Issuance>, Failure>
    /** The last climate day before `today` that has a final report. */
    readonly latestFinalDay: (station: string, today: string) => Effect.Effect<string | undefined, Failure>
  }
>() {}

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
    readonly append: (issuance: Issuance, text: string, receivedAt: number) => Effect.Effect<Appended, Failure>
  }
>() {}

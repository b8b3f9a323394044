import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import type { Station } from "../stations.ts"

/** A value as an archive of parsed reports gives it: a number, `M` for missing, `T` for a trace. */
export type Printed = number | string | null

/** One climate day of an archive that keeps the newest report of each day as values. */
export interface ArchivedDay {
  readonly day: string
  /** The text product that the values were read from. */
  readonly productId: string | null
  /** The archive's name of the station. */
  readonly name: string
  readonly high: Printed
  readonly highTime: string | null
  readonly low: Printed
  readonly lowTime: string | null
  readonly precip: Printed
  readonly snow: Printed
  /** The row as it came, for audits. */
  readonly text: string
}

/** Source port: an archive of daily values that goes back for years. */
export class ClimateDays extends Context.Tag("core/lanes/weather/ClimateDays")<
  ClimateDays,
  {
    /** What citations call it. */
    readonly name: string
    /** Every day of a year that the archive has. */
    readonly year: (station: Station, year: number) => Effect.Effect<ReadonlyArray<ArchivedDay>, Failure>
    /** The text product that a row names. */
    readonly text: (productId: string) => Effect.Effect<string, Failure>
  }
>() {}

/** A product as a feed lists it. */
export interface Listed {
  /** The feed's own name of it. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
}

/** A feed of text products as they are issued. */
export interface ProductFeed {
  /** What citations call it. */
  readonly name: string
  /** The products of a station's report that were issued from `from` to `now`, in any order. */
  readonly list: (station: Station, from: number, now: number) => Effect.Effect<ReadonlyArray<Listed>, Failure>
  /** The whole text of one of them. */
  readonly text: (station: Station, id: string) => Effect.Effect<string, Failure>
}

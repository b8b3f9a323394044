import type * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import type { Failure } from "../../../Failure.ts"
import type { Station } from "../stations.ts"

/** A value in an archive of parsed reports: a number, `M` for missing, `T` for a trace. */
export type Printed = number | string | null

/** One climate day in an archive that holds the values of each day's newest report. */
export interface ArchivedDay {
  readonly day: string
  /** The source text product of the values. */
  readonly productId: string | null
  /** The archive's name of the station. */
  readonly name: string
  readonly high: Printed
  readonly highTime: string | null
  readonly low: Printed
  readonly lowTime: string | null
  readonly precip: Printed
  readonly snow: Printed
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
export interface Listed {
  /** The feed's own id of it. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
}

/** A feed of text products as they are issued. */
export interface ProductSource {
  /** Its name in citations. */
  readonly name: string
  /** A station's products issued from `from` to `now`, in any order. */
  readonly list: (station: Station, from: number, now: number) => Effect.Effect<ReadonlyArray<Listed>, Failure>
  /** The whole text of one of them. */
  readonly text: (station: Station, id: string) => Effect.Effect<string, Failure>
}

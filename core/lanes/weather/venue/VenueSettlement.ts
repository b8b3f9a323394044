import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Freshness } from "../../../endpoint/Answer.ts"
import type { Failure } from "../../../Failure.ts"
import type { Rows } from "../../../sources/rows.ts"
import type { Agreement, Pair } from "./agreement.ts"
import type { VenueReading } from "./reading.ts"

/** Read port: the source that the venue settles on. */
export class VenueSettlement extends Context.Tag("market-signals/core/lanes/weather/VenueSettlement")<
  VenueSettlement,
  {
    readonly freshness: Freshness
    /** The first official reading of a day, which settles its contracts; undefined while none is stored. */
    readonly firstOfficial: (station: string, day: string) => Effect.Effect<VenueReading | undefined, Failure>
    /** How its first official values agree with our first official reports; undefined while none is stored. */
    readonly agreement: (station: string) => Effect.Effect<Agreement | undefined, Failure>
    /** The extremes of which that counts the agreement, by day. */
    readonly pairs: (station: string) => Effect.Effect<ReadonlyArray<Pair>, Failure>
  }
>() {
  /** Without the source: contracts settle on our own reports, and nothing is compared. */
  static readonly layerNone: Layer.Layer<VenueSettlement> = Layer.succeed(VenueSettlement, {
    freshness: "live",
    firstOfficial: () => Effect.succeed(undefined),
    agreement: () => Effect.succeed(undefined),
    pairs: () => Effect.succeed([]),
  })
}

/** Write port: append-only. */
export class VenueReadings extends Context.Tag("market-signals/core/lanes/weather/VenueReadings")<
  VenueReadings,
  {
    /** Stores the readings that differ from the last one of their station and day. @returns their number */
    readonly append: (readings: ReadonlyArray<VenueReading>, readAt: number) => Effect.Effect<number, Failure>
    /** The days from `start` to `end` of a station that have an official reading. */
    readonly officialDays: (station: string, start: string, end: string) => Effect.Effect<ReadonlySet<string>, Failure>
  }
>() {}

/** Source port: all stations' readings of a climate day, and why others are refused. */
export class VenueSource extends Context.Tag("market-signals/core/lanes/weather/VenueSource")<
  VenueSource,
  { readonly day: (day: string) => Effect.Effect<Rows<VenueReading>, Failure> }
>() {}

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import type { Failure } from "../../../Failure.ts"
import * as Step from "../../../Step.ts"
import type { Rows } from "../../../sources/rows.ts"
import { addDays, minute } from "../../../time.ts"
import { climateDay, listDays, stations } from "../stations.ts"
import { type Agreement, countAgreement, type pairValues, type ValuePair } from "./agreement.ts"
import type { VenueReading } from "./reading.ts"

/** Read port: values of the source that the venue settles on. */
export const VenueSettlement = Port.define("weather/VenueSettlement")<{
  /** The first official reading of a day, on which its contracts settle; undefined while none is stored. */
  readonly firstOfficial: (station: string, day: string) => Effect.Effect<VenueReading | undefined, Failure>
  /** How often its first official values equal those of our first official reports; undefined while none is stored. */
  readonly agreement: (station: string) => Effect.Effect<Agreement | undefined, Failure>
  /** The pairs of values that `agreement` counts, by day. */
  readonly pairs: (station: string) => Effect.Effect<ReadonlyArray<ValuePair>, Failure>
}>(
  /** Without the source: contracts settle on our own reports, and nothing is compared. */
  {
    firstOfficial: () => Effect.succeed(undefined),
    agreement: () => Effect.succeed(undefined),
    pairs: () => Effect.succeed([]),
  },
)
export type VenueSettlement = typeof VenueSettlement.Identifier

/** Milliseconds for which a station's comparison is not made again. */
const comparisonTtlMs = 10 * minute

/**
 * Both comparisons of a port, made once in ten minutes for each station.
 *
 * @param compare compares the values that a station has now; undefined while there are none
 */
export const makeComparisons = (
  compare: (station: string, now: number) => Effect.Effect<ReturnType<typeof pairValues> | undefined, Failure>,
): Pick<typeof VenueSettlement.Service, "agreement" | "pairs"> => {
  type Compared = { readonly agreement: Agreement; readonly pairs: ReadonlyArray<ValuePair> }
  const cache = new Map<string, { readonly at: number; readonly compared: Compared | undefined }>()
  const current = Step.method(function* (station: string) {
    const now = yield* Step.now
    const last = cache.get(station)
    if (last !== undefined && Math.abs(now - last.at) < comparisonTtlMs) return last.compared
    const paired = yield* compare(station, now)
    const compared = paired && { agreement: countAgreement(paired), pairs: paired.pairs }
    cache.set(station, { at: now, compared })
    return compared
  })
  return {
    agreement: (station) => Step.map(current(station), (compared) => compared?.agreement),
    pairs: (station) => Step.map(current(station), (compared) => compared?.pairs ?? []),
  }
}

/** Write port of the venue's readings: append-only. */
export const VenueReadings = Port.plain("weather/VenueReadings")<{
  /** Stores the readings that differ from the last one of their station and day; returns their number. */
  readonly append: (readings: ReadonlyArray<VenueReading>, readAt: number) => Effect.Effect<number, Failure>
  /** The days from `start` to `end` of a station that have an official reading. */
  readonly officialDays: (station: string, start: string, end: string) => Effect.Effect<ReadonlySet<string>, Failure>
}>()
export type VenueReadings = typeof VenueReadings.Identifier

/** Source port: all stations' readings of a climate day, with the reasons why some are refused. */
export const VenueSource = Port.plain("weather/VenueSource")<{
  readonly day: (day: string) => Effect.Effect<Rows<VenueReading>, Failure>
}>()
export type VenueSource = typeof VenueSource.Identifier

/** An official reading is waited for during this many days. */
const waitDays = 3

/**
 * Reads those of the last days, and today, for which some station has no official reading. If a reading is refused, the
 * others are stored.
 *
 * @returns the number of new readings, why others are refused, and the stations without an official reading for yesterday
 */
export const syncVenue: Effect.Effect<
  { readonly stored: number; readonly refusals: ReadonlyArray<string>; readonly lacking: ReadonlyArray<string> },
  Failure,
  VenueReadings | VenueSource
> = Effect.gen(function* () {
  const { append, officialDays } = yield* VenueReadings
  const source = yield* VenueSource
  const now = yield* Clock.currentTimeMillis
  const missing = (station: (typeof stations)[number]) => {
    const today = climateDay(station, now)
    const start = addDays(today, -waitDays)
    return Effect.map(officialDays(station.id, start, today), (official) =>
      listDays(start, today).filter((day) => !official.has(day)),
    )
  }
  const wanted = new Set((yield* Effect.forEach(stations, missing)).flat())
  let stored = 0
  const refusals: Array<string> = []
  for (const day of [...wanted].sort()) {
    const { good, refused } = yield* source.day(day)
    refusals.push(...refused)
    stored += yield* append(good, now)
  }
  const lacking = yield* Effect.filter(stations, (station) =>
    Effect.map(missing(station), (days) => days.includes(addDays(climateDay(station, now), -1))),
  )
  return { stored, refusals, lacking: lacking.map(({ id }) => id) }
})

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import { fail } from "../../../Failure.ts"
import { addDays } from "../../../time.ts"
import { type ClimateArchive, ClimateReports } from "../ports.ts"
import { climateDay, climateDayStart, lastOverdue, type Station } from "../stations.ts"
import type { Listed, ProductFeed } from "./climateSources.ts"
import { type Ingested, ingest } from "./ingest.ts"

/** What one round brought for one station. */
export interface Synced {
  readonly station: string
  readonly outcomes: ReadonlyArray<Ingested>
  /** What the feeds failed with that were asked; empty when the first had everything. */
  readonly failures: ReadonlyArray<string>
}

/** No feed is asked further back; what is older is the archive's. */
const mostDays = 7

/** From when on products are wanted: yesterday's and today's, and after an outage those since the newest final one. */
const wantedFrom = (station: Station, now: number, newestFinal: string | undefined): number => {
  const today = climateDay(station, now)
  const oldest = addDays(today, -mostDays)
  const next = newestFinal === undefined ? oldest : addDays(newestFinal, 1)
  const yesterday = addDays(today, -1)
  const day = next < oldest ? oldest : next < yesterday ? next : yesterday
  return climateDayStart(station, day)
}

/** Those listed that are not stored, oldest first: products are told apart by when they were issued. */
const unknown = (listed: ReadonlyArray<Listed>, stored: ReadonlyArray<number>): ReadonlyArray<Listed> => {
  const places = new Map<number, number>()
  for (const at of stored) places.set(at, (places.get(at) ?? 0) + 1)
  return [...listed]
    .sort((a, b) => a.issuedAt - b.issuedAt)
    .filter(({ issuedAt }) => {
      const left = places.get(issuedAt) ?? 0
      places.set(issuedAt, left - 1)
      return left <= 0
    })
}

/**
 * Stores the products of a station that were issued lately and are not stored yet. The next feed is asked when one
 * fails or does not have a final report that is overdue; products that were read by then are kept.
 *
 * @returns what was done; fails when no feed gave a whole answer
 */
export const syncReports = (
  station: Station,
  feeds: ReadonlyArray<ProductFeed>,
): Effect.Effect<Synced, Failure, ClimateArchive | ClimateReports> =>
  Effect.gen(function* () {
    const reports = yield* ClimateReports
    const now = yield* Clock.currentTimeMillis
    const tomorrow = addDays(climateDay(station, now), 1)
    const outcomes: Array<Ingested> = []
    const failures: Array<string> = []
    let answered = false

    const read = (feed: ProductFeed) =>
      Effect.gen(function* () {
        const from = wantedFrom(station, now, yield* reports.latestFinalDay(station.id, tomorrow))
        const stored = yield* reports.range(station.id, addDays(climateDay(station, from), -1), tomorrow)
        const listed = yield* feed.list(station, from, now)
        for (const { id } of unknown(
          listed,
          stored.flat().map(({ issuedAt }) => issuedAt),
        )) {
          outcomes.push(...(yield* ingest(yield* feed.text(station, id), feed.name)))
        }
      })

    for (const feed of feeds) {
      const failure = yield* Effect.match(read(feed), {
        onSuccess: () => undefined,
        onFailure: (error) => error,
      })
      // A store that does not answer is no fault of the feed.
      if (failure !== undefined && failure.code !== "upstream_unavailable") return yield* failure
      if (failure === undefined) answered = true
      else failures.push(failure.message)
      const newest = yield* reports.latestFinalDay(station.id, tomorrow)
      if (failure === undefined && newest !== undefined && newest >= lastOverdue(station, now)) break
    }
    if (!answered) return yield* fail("upstream_unavailable", { detail: failures.join(" ") })
    return { station: station.id, outcomes, failures }
  })

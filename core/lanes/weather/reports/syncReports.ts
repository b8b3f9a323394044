import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import { fail } from "../../../Failure.ts"
import { addDays } from "../../../time.ts"
import { type ClimateArchive, ClimateReports } from "../ports.ts"
import { climateDay, climateDayStart, daysFrom, lastOverdue, type Station } from "../stations.ts"
import type { Listed, ProductSource } from "./climateSources.ts"
import { type Ingested, ingest } from "./ingest.ts"

/** The result of one round for one station. */
export interface Synced {
  readonly station: string
  readonly outcomes: ReadonlyArray<Ingested>
  /** Failures of the feeds that were asked; empty when the first feed had everything. */
  readonly failures: ReadonlyArray<string>
}

/** Feeds are asked for at most this many days; older ones come from the archive. */
const maxDays = 7

/** The first of the last days whose final report is not stored. */
const firstMissing = (
  reports: ClimateReports["Type"],
  station: Station,
  today: string,
): Effect.Effect<string | undefined, Failure> => {
  const [oldest, yesterday] = [addDays(today, -maxDays), addDays(today, -1)]
  return Effect.map(reports.range(station.id, oldest, yesterday), (days) => {
    const final = new Set(days.filter(([{ report }]) => report.status === "final").map(([{ report }]) => report.day))
    return daysFrom(oldest, yesterday).find((day) => !final.has(day))
  })
}

/** Listed products that are not stored, oldest first; identified by their issue time. */
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
 * Stores a station's recent products that are not stored yet. When a feed fails or lacks an overdue final report, the
 * next feed is asked; products stored by then stay.
 *
 * @returns the outcomes; fails when every feed failed
 */
export const syncReports = (
  station: Station,
  feeds: ReadonlyArray<ProductSource>,
): Effect.Effect<Synced, Failure, ClimateArchive | ClimateReports> =>
  Effect.gen(function* () {
    const reports = yield* ClimateReports
    const now = yield* Clock.currentTimeMillis
    const today = climateDay(station, now)
    const tomorrow = addDays(today, 1)
    const outcomes: Array<Ingested> = []
    const failures: Array<string> = []
    let answered = false

    const read = (feed: ProductSource) =>
      Effect.gen(function* () {
        // Without a missing day from yesterday on, for corrections.
        const first = (yield* firstMissing(reports, station, today)) ?? addDays(today, -1)
        const from = climateDayStart(station, first)
        const stored = yield* reports.range(station.id, addDays(first, -1), tomorrow)
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
      // A failure of the store is not the feed's.
      if (failure !== undefined && failure.code !== "upstream_unavailable") return yield* failure
      if (failure === undefined) answered = true
      else failures.push(failure.message)
      const missing = yield* firstMissing(reports, station, today)
      if (failure === undefined && (missing === undefined || missing > lastOverdue(station, now))) break
    }
    if (!answered) return yield* fail("upstream_unavailable", { detail: failures.join(" ") })
    return { station: station.id, outcomes, failures }
  })

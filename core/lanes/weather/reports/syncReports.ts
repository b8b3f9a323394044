import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../../Failure.ts"
import * as Step from "../../../Step.ts"
import { addDays } from "../../../time.ts"
import { type ClimateArchive, ClimateReports, type Issuance, type ListedProduct, type ProductSource } from "../ports.ts"
import {
  archiveStart,
  byId,
  climateDay,
  climateDayStart,
  daysBetween,
  lastOverdueDay,
  listDays,
  type Station,
} from "../stations.ts"
import { noteCutoff } from "./backfill.ts"
import { type Ingested, ingest } from "./ingest.ts"

/** What one round did for one station. */
export interface SyncedReports {
  readonly station: string
  readonly outcomes: ReadonlyArray<Ingested>
  readonly failures: ReadonlyArray<string>
}

/** Feeds are read for at most this many days; older ones come from the archive. */
const maxFeedDays = 7

/** The first of the last `maxFeedDays` days whose final report is not stored. */
const findFirstMissing = (
  reports: typeof ClimateReports.Service,
  station: Station,
  today: string,
): Effect.Effect<string | undefined, Failure> => {
  const [oldest, yesterday] = [addDays(today, -maxFeedDays), addDays(today, -1)]
  return Effect.map(reports.range(station.id, oldest, yesterday), (days) => {
    const final = new Set(days.filter(([{ report }]) => report.status === "final").map(([{ report }]) => report.day))
    return listDays(oldest, yesterday).find((day) => !final.has(day))
  })
}

/** The listed products that are not stored, oldest first; they are identified by their issue time. */
const filterUnstored = (
  listed: ReadonlyArray<ListedProduct>,
  stored: ReadonlyArray<number>,
): ReadonlyArray<ListedProduct> => {
  const counts = new Map<number, number>()
  for (const at of stored) counts.set(at, (counts.get(at) ?? 0) + 1)
  return [...listed]
    .sort((a, b) => a.issuedAt - b.issuedAt)
    .filter(({ issuedAt }) => {
      const left = counts.get(issuedAt) ?? 0
      counts.set(issuedAt, left - 1)
      return left <= 0
    })
}

/**
 * Stores a station's recent products that are not stored yet. If a feed fails or lacks an overdue final report, the next
 * feed is asked; what has been stored stays. Fails if every feed failed.
 */
export const syncReports = (
  station: Station,
  feeds: ReadonlyArray<ProductSource>,
): Effect.Effect<SyncedReports, Failure, ClimateArchive | ClimateReports> =>
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
        // If no day is missing, it reads from yesterday on, for corrections.
        const first = (yield* findFirstMissing(reports, station, today)) ?? addDays(today, -1)
        const from = climateDayStart(station, first)
        const stored = yield* reports.range(station.id, addDays(first, -1), tomorrow)
        const listed = yield* feed.list(station, from, now)
        for (const { id } of filterUnstored(
          listed,
          stored.flat().map(({ issuedAt }) => issuedAt),
        )) {
          outcomes.push(...(yield* ingest(yield* feed.text(station, id), feed.name)))
        }
      })

    for (const feed of feeds) {
      const failure = yield* Effect.match(read(feed), { onSuccess: () => undefined, onFailure: (error) => error })
      // Other failures are the store's, not the feed's.
      if (failure !== undefined && failure.code !== "upstream_unavailable") return yield* failure
      if (failure === undefined) answered = true
      else failures.push(failure.message)
      const missing = yield* findFirstMissing(reports, station, today)
      if (failure === undefined && (missing === undefined || missing > lastOverdueDay(station, now))) break
    }
    if (!answered) return yield* fail("upstream_unavailable", { detail: failures.join(" ") })
    return { station: station.id, outcomes, failures }
  })

const hasFinal = ([newest]: ReadonlyArray<Issuance>): boolean => newest?.report.status === "final"

/**
 * Stored reports that fetch missing days before they answer: a day whose final report is overdue, not stored and not
 * noted as missing in the source, is fetched with the rest of its year. If the source fails, so does the read, so that no
 * day is reported as missing before it was looked for.
 *
 * @param fill asks a source for a year of a station and stores the result
 */
export const onDemand = (
  stored: typeof ClimateReports.Service,
  archive: typeof ClimateArchive.Service,
  fill: (station: string, year: number) => Effect.Effect<unknown, Failure>,
): typeof ClimateReports.Service => {
  /** Gives `result`, which is that of `read`; reads again only after filling a year. */
  const fillThenRead = <A>(id: string, start: string, end: string, read: Effect.Effect<A, Failure>, result: A) =>
    Step.gen(function* () {
      const now = yield* Step.now
      const due = lastOverdueDay(byId.get(id)!, now)
      const from = start > archiveStart ? start : archiveStart
      const to = end < due ? end : due
      const lacking = from > to ? [] : yield* archive.unasked(id, from, to, noteCutoff(now))
      if (lacking.length === 0) return result
      const years = new Set(lacking.map((day) => Number(day.slice(0, 4))))
      const filled = yield* Effect.either(Effect.forEach(years, (year) => fill(id, year), { discard: true }))
      // A failure counts only if some day was never looked up; otherwise the request was a mere repetition.
      if (filled._tag === "Left" && (yield* archive.unasked(id, from, to, 0)).length > 0) return yield* filled.left
      return yield* read
    })

  return {
    freshness: stored.freshness,
    versions: (id, day) => {
      const read = stored.versions(id, day)
      return Step.gen(function* () {
        const result = yield* read
        return hasFinal(result) ? result : yield* fillThenRead(id, day, day, read, result)
      })
    },
    range: (id, start, end) => {
      const read = stored.range(id, start, end)
      return Step.gen(function* () {
        const result = yield* read
        const isWhole = result.filter(hasFinal).length > daysBetween(start, end)
        return isWhole ? result : yield* fillThenRead(id, start, end, read, result)
      })
    },
    latestFinalDay: (id, today) => {
      const read = stored.latestFinalDay(id, today)
      return Step.gen(function* () {
        const result = yield* read
        const newest = addDays(today, -1)
        // A gap longer than a month is left to the back-fill.
        const monthAgo = addDays(newest, -30)
        const first = result === undefined || result < monthAgo ? monthAgo : addDays(result, 1)
        return yield* fillThenRead(id, first, newest, read, result)
      })
    },
    coverage: stored.coverage,
  }
}

import * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import * as Step from "../../../Step.ts"
import { addDays } from "../../../time.ts"
import type { ClimateArchive, ClimateReports, Issuance } from "../ports.ts"
import { archiveBegins, byId, daysBetween, lastOverdue } from "../stations.ts"
import { notedSince } from "./backfill.ts"

const hasFinal = ([newest]: ReadonlyArray<Issuance>): boolean => newest?.report.status === "final"

/**
 * Stored reports that fetch missing days before they answer: a day whose final report is overdue, not stored and not
 * asked for yet, is fetched with the rest of its year. When the source fails, the read fails too: a day that was never
 * looked for is never reported as missing.
 *
 * @param fill asks a source for a year of a station and stores the result
 */
export const onDemand = (
  stored: ClimateReports["Type"],
  archive: ClimateArchive["Type"],
  fill: (station: string, year: number) => Effect.Effect<unknown, Failure>,
): ClimateReports["Type"] => {
  /** `found` is the result of `read`; `read` runs again only after a year was filled. */
  const ensured = <A>(id: string, start: string, end: string, read: Effect.Effect<A, Failure>, result: A) =>
    Step.gen(function* () {
      const now = yield* Step.now
      const due = lastOverdue(byId.get(id)!, now)
      const from = start > archiveBegins ? start : archiveBegins
      const to = end < due ? end : due
      const lacking = from > to ? [] : yield* archive.unasked(id, from, to, notedSince(now))
      if (lacking.length === 0) return result
      const years = new Set(lacking.map((day) => Number(day.slice(0, 4))))
      const filled = yield* Effect.either(Effect.forEach(years, (year) => fill(id, year), { discard: true }))
      // A failure counts only for days that were never asked for; for the others the request was a repetition.
      if (filled._tag === "Left" && (yield* archive.unasked(id, from, to, 0)).length > 0) return yield* filled.left
      return yield* read
    })

  return {
    freshness: stored.freshness,
    versions: (id, day) => {
      const read = stored.versions(id, day)
      return Step.gen(function* () {
        const result = yield* read
        return hasFinal(result) ? result : yield* ensured(id, day, day, read, result)
      })
    },
    range: (id, start, end) => {
      const read = stored.range(id, start, end)
      return Step.gen(function* () {
        const result = yield* read
        const isWhole = result.filter(hasFinal).length > daysBetween(start, end)
        return isWhole ? result : yield* ensured(id, start, end, read, result)
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
        return yield* ensured(id, first, newest, read, result)
      })
    },
    coverage: stored.coverage,
  }
}

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Failure, fail } from "../../../Failure.ts"
import { day, minute } from "../../../time.ts"
import { ClimateArchive, type Received } from "../ports.ts"
import type { Station } from "../stations.ts"
import { judge } from "./archivedDay.ts"
import { askForYear, certainOfYear, dueOfYear, lastDays } from "./archivedYear.ts"
import { type ArchivedDay, ClimateDays } from "./climateSources.ts"
import { type Ingested, impossible, outcomeOf } from "./ingest.ts"
import { fromText } from "./textOfRow.ts"
import { yearDoubt } from "./yearDoubts.ts"

/** A row to store, a rejected row, or the failure to fetch a row's text. */
type Sifted = Either.Either<Received, Ingested | Failure>

const sift = (row: ArchivedDay, station: Station, now: number): Effect.Effect<Sifted, never, ClimateDays> =>
  Effect.gen(function* () {
    const source = yield* ClimateDays
    const refused = (reason: string): Sifted =>
      Either.left({ _tag: "Refused", what: `${station.id} ${row.day}`, reason })
    const judged = judge(row, station, source.name)
    if (Either.isLeft(judged)) return refused(judged.left)
    let { issuance } = judged.right
    if (judged.right.unclear) {
      const text = yield* Effect.either(source.text(issuance.productId))
      if (Either.isLeft(text)) return Either.left(text.left)
      const read = fromText(text.right, issuance)
      if (Either.isLeft(read)) return refused(read.left)
      issuance = read.right
    }
    const reason = impossible(issuance, now, station)
    return reason === undefined ? Either.right({ issuance, text: row.text }) : refused(reason)
  })

/** Archives are repaired: a day without a report is asked for again after 30 days. */
const noteLifetimeMs = 30 * day

/** `noteAsked` rows from before this instant have expired. */
export const notedSince = (now: number): number => now - noteLifetimeMs

/** The result of a year of the archive. */
export interface YearFilled {
  readonly outcomes: ReadonlyArray<Ingested>
  /** Days whose final report is overdue and missing in the archive. */
  readonly without: ReadonlyArray<string>
}

/**
 * Asks the archive for a year of a station, stores its rows, and records the days without a final report. An interrupted
 * year starts again; stored rows are then known. When a needed text cannot be fetched, or when over half of the year is
 * missing without a reason, the rows are stored and the year fails.
 */
export const fillYear = (
  station: Station,
  year: number,
): Effect.Effect<YearFilled, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const source = yield* ClimateDays
    const archive = yield* ClimateArchive
    const now = yield* Clock.currentTimeMillis
    const { rows, isCredible } = yield* askForYear(station, year, now)
    const sifted = yield* Effect.forEach(rows, (row) => sift(row, station, now))
    const received = sifted.filter(Either.isRight).map(({ right }) => right)
    const lost = sifted.filter(Either.isLeft).map(({ left }) => left)
    const refused = lost.filter((each) => each._tag !== "Failure")
    const doubt = yield* yearDoubt(received, refused)
    if (doubt !== undefined) {
      return yield* fail("upstream_unavailable", {
        detail: `${source.name} returned reports of ${station.id} for ${year} that are not taken: ${doubt}`,
        retryAfterMs: minute,
      })
    }
    const appended = yield* archive.append(received, now)
    const certain = new Set(certainOfYear(station, year, now))
    if (!isCredible) {
      return yield* fail("upstream_unavailable", {
        detail: `${source.name} returned ${rows.length} of ${certain.size} expected reports of ${station.id} for ${year}. At least half are needed, of the ${lastDays} newest days too; retry.`,
        retryAfterMs: minute,
      })
    }
    const unread = new Set(rows.filter((_, at) => Either.isLeft(sifted[at]!)).map(({ day }) => day))
    const due = dueOfYear(station, year, now)
    const unasked = due === undefined ? [] : yield* archive.unasked(station.id, ...due, notedSince(now))
    // A day with a rejected row may have a report.
    const without = unasked.filter((day) => !unread.has(day))
    const noted = without.filter((day) => certain.has(day))
    yield* archive.noteAsked(station.id, noted, source.name, now)
    const failure = lost.find((each) => each._tag === "Failure")
    if (failure !== undefined) return yield* failure
    return {
      outcomes: [...received.map(({ issuance }, at) => outcomeOf(issuance, appended[at]!)), ...refused],
      without,
    }
  })

export interface Wanted {
  readonly stations: ReadonlyArray<Station>
  /** The first year. */
  readonly since: number
  /** Also ask for complete years. */
  readonly again: boolean
}

/** A finished year of one station; `at` of `of`, counted from 1. */
export interface Step {
  readonly station: string
  readonly year: number
  readonly at: number
  readonly of: number
  /** Undefined when the year was already complete. */
  readonly result: Either.Either<YearFilled, Failure> | undefined
}

/** After this many failed years in a row the back-fill stops: the archive is down. */
const maxFailures = 3

/**
 * Fills the stations' years one by one. Complete years are skipped, except the current one, so an interrupted back-fill
 * resumes where it stopped. A failed year does not affect the others; three in a row stop the back-fill.
 *
 * @param onStep runs after each year
 */
export const backfill = (
  { stations, since, again }: Wanted,
  onStep: (step: Step) => Effect.Effect<void>,
): Effect.Effect<void, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const archive = yield* ClimateArchive
    const now = yield* Clock.currentTimeMillis
    const current = new Date(now).getUTCFullYear()
    const years = stations.flatMap((station) =>
      Array.from({ length: current - since + 1 }, (_, n) => ({ station, year: since + n })),
    )
    let failed = 0
    for (const [index, { station, year }] of years.entries()) {
      const due = dueOfYear(station, year, now)
      const isComplete = due !== undefined && (yield* archive.unasked(station.id, ...due, notedSince(now))).length === 0
      const result = isComplete && year < current && !again ? undefined : yield* Effect.either(fillYear(station, year))
      yield* onStep({ station: station.id, year, at: index + 1, of: years.length, result })
      failed = result !== undefined && Either.isLeft(result) ? failed + 1 : 0
      if (failed === maxFailures && result !== undefined && Either.isLeft(result)) return yield* result.left
    }
  })

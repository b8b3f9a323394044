import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Failure, fail } from "../../../Failure.ts"
import { plural } from "../../../text.ts"
import { addDays, day, minute } from "../../../time.ts"
import { type ArchivedDay, ClimateArchive, ClimateDays, type Issuance, type ReceivedReport } from "../ports.ts"
import { archiveStart, findByReport, lastOverdueDay, listDays, type Station } from "../stations.ts"
import { readArchivedRow } from "./archivedDay.ts"
import { type ClimateReport, parse } from "./ClimateReport.ts"
import { type Ingested, toIngested, whyImpossible } from "./ingest.ts"

/** The issuance with the report as read from the product's text; fails if their values differ. */
export const readFromText = (text: string, issuance: Issuance): Either.Either<Issuance, string> => {
  const parsed = parse(text)
  if (Either.isLeft(parsed)) return Either.left(`its text was rejected: ${parsed.left.reason}`)
  const { awipsId, productId, reports } = parsed.right
  const report = reports.find(
    (each) =>
      findByReport(awipsId, each.station, reports.length === 1)?.id === issuance.station &&
      each.day === issuance.report.day,
  )
  const isSame =
    productId === issuance.productId &&
    report?.highF === issuance.report.highF &&
    report?.lowF === issuance.report.lowF &&
    report?.precipIn === issuance.report.precipIn
  return isSame && report !== undefined
    ? Either.right({ ...issuance, report })
    : Either.left("its text contradicts its row.")
}

/** The share of a year's rows that may be bad. One bad row is always tolerated. */
const maxBadShare = 0.1

const isTooMany = (bad: number, all: number): boolean => bad > 1 && bad > maxBadShare * all

const comparedValues = ["highF", "lowF", "precipIn"] as const satisfies ReadonlyArray<keyof ClimateReport>

/** How many values of a report differ from those of both neighbouring days. */
const countJumps = (rows: ReadonlyArray<ReceivedReport>, at: number): number => {
  const reportValue = (index: number, name: (typeof comparedValues)[number]) => rows[index]?.issuance.report[name]
  return comparedValues.filter(
    (name) =>
      reportValue(at, name) !== reportValue(at - 1, name) && reportValue(at, name) !== reportValue(at + 1, name),
  ).length
}

/** The candidate row that differs most from its neighbours, the newest of equals: a shifted column would show there. */
const pickSample = (
  rows: ReadonlyArray<ReceivedReport>,
  isCandidate: (row: ReceivedReport, at: number) => boolean,
): ReceivedReport | undefined => {
  let [sample, most]: [ReceivedReport | undefined, number] = [undefined, 0]
  for (const [at, row] of rows.entries()) {
    const count = isCandidate(row, at) ? countJumps(rows, at) : -1
    if (count >= most) [sample, most] = [row, count]
  }
  return sample
}

/**
 * Why a year's rows must not be stored: too many bad rows, early ones, or conflicts with stored reports, or a sampled text
 * that contradicts its row. Undefined if they may be stored.
 */
export const whyNotToStore = (
  received: ReadonlyArray<ReceivedReport>,
  refused: ReadonlyArray<Ingested>,
): Effect.Effect<string | undefined, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const all = received.length + refused.length
    const [first] = refused
    if (first !== undefined && "reason" in first && isTooMany(refused.length, all)) {
      return `${plural(refused.length, "row")} of ${all} are invalid: ${first.what}, ${first.reason}`
    }
    // The newest report of a day that is over is its final one.
    const early = received.filter(({ issuance: { report } }) => report.status !== "final")
    if (isTooMany(early.length, all)) {
      return `${plural(early.length, "row")} of ${all} were issued before the end of their day: ${early[0]!.issuance.productId} first.`
    }
    const compared = yield* Effect.flatMap(ClimateArchive, ({ compare }) => compare(received))
    const conflicts = compared.filter((outcome) => outcome === "conflict").length
    const stored = compared.filter((outcome) => outcome !== "stored").length
    if (isTooMany(conflicts, stored)) {
      const at = compared.indexOf("conflict")
      return `${plural(conflicts, "row")} of ${stored} differ from the stored reports: ${received[at]!.issuance.productId} first.`
    }
    const isNew = ({ issuance: { report } }: ReceivedReport, at: number) =>
      compared[at] === "stored" && report.status === "final"
    const sample = pickSample(received, isNew)
    if (sample === undefined) return undefined
    const text = yield* Effect.either(Effect.flatMap(ClimateDays, (source) => source.text(sample.issuance.productId)))
    // If its text cannot be fetched, the row is trusted.
    const read = Either.isRight(text) ? readFromText(text.right, sample.issuance) : undefined
    return read !== undefined && Either.isLeft(read) ? `${sample.issuance.productId}: ${read.left}` : undefined
  })

/** The first and the last day of a year whose final reports are overdue; undefined if there is none. */
export const dueRange = (station: Station, year: number, now: number): readonly [string, string] | undefined => {
  const due = lastOverdueDay(station, now)
  const end = `${year}-12-31` < due ? `${year}-12-31` : due
  const start = `${year}-01-01` > archiveStart ? `${year}-01-01` : archiveStart
  return start <= end ? [start, end] : undefined
}

/** Archives lag: a report counts as never issued only if it is missing this many days after it was due. */
const lagDays = 3

/** The days of a year whose reports should be in the archive by now. */
export const expectedDays = (station: Station, year: number, now: number): ReadonlyArray<string> => {
  const due = dueRange(station, year, now)
  const lag = addDays(lastOverdueDay(station, now), -lagDays)
  return due === undefined ? [] : listDays(due[0], due[1] < lag ? due[1] : lag)
}

/** If more than half of this many newest days are missing, the archive has lost the end of the year. */
const newestDaysChecked = 10

interface ArchivedYear {
  readonly rows: ReadonlyArray<ArchivedDay>
  /** Whether a day without a row counts as a day without a report. */
  readonly isCredible: boolean
}

/**
 * Whether rows cover at least half of some days, and half of the newest of them. Offices miss single days: for the built-in
 * stations the archive has seven days in eight since 2001, years before a station's first report included. An archive with
 * broken tables, or during a rebuild, returns few or no rows with status 200.
 */
const coversHalf = (rows: ReadonlyArray<ArchivedDay>, days: ReadonlyArray<string>): boolean => {
  const reported = new Set(rows.map(({ day }) => day))
  return [days, days.slice(-newestDaysChecked)].every(
    (part) => part.filter((day) => reported.has(day)).length * 2 >= part.length,
  )
}

/**
 * Whether a year has few rows, or none, because the station's reports start in it or later. No registry lists the start, so
 * three conditions must hold: no earlier report is stored, the rows cover the year from their first day on, and the archive
 * returns last year's reports, which every station of the registry has.
 */
const startsAfterYear = (
  station: Station,
  year: number,
  rows: ReadonlyArray<ArchivedDay>,
  now: number,
): Effect.Effect<boolean, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const lastYear = new Date(now).getUTCFullYear() - 1
    if (year >= lastYear) return false
    const reported = rows.map(({ day }) => day).sort()
    const earlierDays = listDays(archiveStart, addDays(reported[0] ?? `${year + 1}-01-01`, -1))
    if (reported[0] !== undefined && !coversHalf(rows, listDays(reported[0], `${year}-12-31`))) return false
    const archive = yield* ClimateArchive
    const unstored = yield* archive.unasked(station.id, earlierDays[0]!, earlierDays.at(-1)!, Number.MAX_SAFE_INTEGER)
    if (unstored.length < earlierDays.length) return false
    const source = yield* ClimateDays
    return coversHalf(yield* source.year(station, lastYear), expectedDays(station, lastYear, now))
  })

const readYear = (
  station: Station,
  year: number,
  now: number,
): Effect.Effect<ArchivedYear, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const rows = yield* (yield* ClimateDays).year(station, year)
    const isCredible =
      coversHalf(rows, expectedDays(station, year, now)) || (yield* startsAfterYear(station, year, rows, now))
    return { rows, isCredible }
  })

/** A row to store, or else a rejected row or the failure to fetch a row's text. */
type JudgedRow = Either.Either<ReceivedReport, Ingested | Failure>

const judgeRow = (row: ArchivedDay, station: Station, now: number): Effect.Effect<JudgedRow, never, ClimateDays> =>
  Effect.gen(function* () {
    const source = yield* ClimateDays
    const refused = (reason: string): JudgedRow =>
      Either.left({ _tag: "Refused", what: `${station.id} ${row.day}`, reason })
    const judged = readArchivedRow(row, station, source.name)
    if (Either.isLeft(judged)) return refused(judged.left)
    let { issuance } = judged.right
    if (judged.right.isStatusUnclear) {
      const text = yield* Effect.either(source.text(issuance.productId))
      if (Either.isLeft(text)) return Either.left(text.left)
      const read = readFromText(text.right, issuance)
      if (Either.isLeft(read)) return refused(read.left)
      issuance = read.right
    }
    const reason = whyImpossible(issuance, now, station)
    return reason === undefined ? Either.right({ issuance, text: row.text }) : refused(reason)
  })

/** A day without a report is looked up again after 30 days, since archives are repaired. */
const noteLifetimeMs = 30 * day

/** Notes of `noteAsked` from before this instant have expired. */
export const noteCutoff = (now: number): number => now - noteLifetimeMs

interface FilledYear {
  readonly outcomes: ReadonlyArray<Ingested>
  /** Days whose final report is overdue and missing in the archive. */
  readonly daysWithoutReport: ReadonlyArray<string>
}

/**
 * Reads a year of a station from the archive, stores its rows, and notes the days without a final report. An interrupted
 * year starts again and recognises the rows that are already stored. Nothing of a doubtful year is stored. If a text that is
 * needed cannot be fetched, or more than half of the year is missing without a reason, the rows are stored and the year
 * fails.
 */
export const fillYear = (
  station: Station,
  year: number,
): Effect.Effect<FilledYear, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const source = yield* ClimateDays
    const archive = yield* ClimateArchive
    const now = yield* Clock.currentTimeMillis
    const { rows, isCredible } = yield* readYear(station, year, now)
    const judged = yield* Effect.forEach(rows, (row) => judgeRow(row, station, now))
    const received = judged.filter(Either.isRight).map(({ right }) => right)
    const rejected = judged.filter(Either.isLeft).map(({ left }) => left)
    const refused = rejected.filter((each) => each._tag !== "Failure")
    const doubt = yield* whyNotToStore(received, refused)
    if (doubt !== undefined) {
      return yield* fail("upstream_unavailable", {
        detail: `${source.name} returned reports of ${station.id} for ${year} that were rejected: ${doubt}`,
        retryAfterMs: minute,
      })
    }
    const appended = yield* archive.append(received, now)
    const certain = new Set(expectedDays(station, year, now))
    if (!isCredible) {
      return yield* fail("upstream_unavailable", {
        detail: `${source.name} returned ${rows.length} of ${certain.size} expected reports of ${station.id} for ${year}. At least half are needed, also of the ${newestDaysChecked} newest days. Retry later.`,
        retryAfterMs: minute,
      })
    }
    const unread = new Set(rows.filter((_, at) => Either.isLeft(judged[at]!)).map(({ day }) => day))
    const due = dueRange(station, year, now)
    const unasked = due === undefined ? [] : yield* archive.unasked(station.id, ...due, noteCutoff(now))
    // A day with a rejected row may have a report.
    const daysWithoutReport = unasked.filter((day) => !unread.has(day))
    const noted = daysWithoutReport.filter((day) => certain.has(day))
    yield* archive.noteAsked(station.id, noted, source.name, now)
    const failure = rejected.find((each) => each._tag === "Failure")
    if (failure !== undefined) return yield* failure
    return {
      outcomes: [...received.map(({ issuance }, at) => toIngested(issuance, appended[at]!)), ...refused],
      daysWithoutReport,
    }
  })

export interface BackfillOptions {
  readonly stations: ReadonlyArray<Station>
  readonly since: number
  /** Also read years that are complete. */
  readonly again: boolean
}

export interface BackfillStep {
  readonly station: string
  readonly year: number
  /** Undefined if the year was complete already. */
  readonly result: Either.Either<FilledYear, Failure> | undefined
}

/** After this many failed years in a row the archive counts as down, and the back-fill stops. */
const maxFailures = 3

/**
 * Fills the stations' years one by one. Complete years are skipped, except the current one, so an interrupted back-fill
 * resumes where it stopped. A failed year does not affect the others; three in a row stop the back-fill.
 *
 * @param onStep runs after each year
 */
export const backfill = (
  { stations, since, again }: BackfillOptions,
  onStep: (step: BackfillStep) => void,
): Effect.Effect<void, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const archive = yield* ClimateArchive
    const now = yield* Clock.currentTimeMillis
    const current = new Date(now).getUTCFullYear()
    const years = stations.flatMap((station) =>
      Array.from({ length: current - since + 1 }, (_, n) => ({ station, year: since + n })),
    )
    let failed = 0
    for (const { station, year } of years) {
      const due = dueRange(station, year, now)
      const isComplete = due !== undefined && (yield* archive.unasked(station.id, ...due, noteCutoff(now))).length === 0
      const result = isComplete && year < current && !again ? undefined : yield* Effect.either(fillYear(station, year))
      onStep({ station: station.id, year, result })
      failed = result !== undefined && Either.isLeft(result) ? failed + 1 : 0
      if (failed === maxFailures && result !== undefined && Either.isLeft(result)) return yield* result.left
    }
  })

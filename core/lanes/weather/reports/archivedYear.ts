import * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import { addDays } from "../../../time.ts"
import { ClimateArchive } from "../ports.ts"
import { archiveBegins, daysFrom, lastOverdue, type Station } from "../stations.ts"
import { type ArchivedDay, ClimateDays } from "./climateSources.ts"

/** The days of a year whose final reports are due, first and last; undefined when there are none. */
export const dueOfYear = (station: Station, year: number, now: number): readonly [string, string] | undefined => {
  const due = lastOverdue(station, now)
  const end = `${year}-12-31` < due ? `${year}-12-31` : due
  const start = `${year}-01-01` > archiveBegins ? `${year}-01-01` : archiveBegins
  return start <= end ? [start, end] : undefined
}

/** Archives lag: a report counts as never issued when it is missing this many days after it was due. */
const lagDays = 3

/** The days of a year without a report now whose report will not come any more. */
export const certainOfYear = (station: Station, year: number, now: number): ReadonlyArray<string> => {
  const due = dueOfYear(station, year, now)
  const lag = addDays(lastOverdue(station, now), -lagDays)
  return due === undefined ? [] : daysFrom(due[0], due[1] < lag ? due[1] : lag)
}

/** An archive that has lost the end of a year has lost more than half of so many days. */
export const lastDays = 10

/** A station's year from an archive. */
export interface ArchivedYear {
  readonly rows: ReadonlyArray<ArchivedDay>
  /** Whether a day without a row counts as a day without a report. */
  readonly isCredible: boolean
}

/**
 * Whether rows cover at least half of some days, and of the newest of them. Offices miss single days; for the nine stations
 * together the archive has seven days in eight since 2001, including years before some of them reported. An archive with
 * broken tables, or during a rebuild, returns few or no rows with status 200.
 */
const isAnswer = (rows: ReadonlyArray<ArchivedDay>, days: ReadonlyArray<string>): boolean => {
  const reported = new Set(rows.map(({ day }) => day))
  return [days, days.slice(-lastDays)].every(
    (part) => part.filter((day) => reported.has(day)).length * 2 >= part.length,
  )
}

/**
 * Whether a year is (nearly) empty because the station's reports start later. No registry lists the start, so three
 * conditions must hold: no earlier report is stored, the rows cover the year from their first day on, and the archive
 * returns last year's reports now, since every station of the registry reports.
 */
const beginsLater = (
  station: Station,
  year: number,
  rows: ReadonlyArray<ArchivedDay>,
  now: number,
): Effect.Effect<boolean, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const lastYear = new Date(now).getUTCFullYear() - 1
    if (year >= lastYear) return false
    const reported = rows.map(({ day }) => day).sort()
    const before = daysFrom(archiveBegins, addDays(reported[0] ?? `${year + 1}-01-01`, -1))
    if (reported[0] !== undefined && !isAnswer(rows, daysFrom(reported[0], `${year}-12-31`))) return false
    const archive = yield* ClimateArchive
    const unstored = yield* archive.unasked(station.id, before[0]!, before.at(-1)!, Number.MAX_SAFE_INTEGER)
    if (unstored.length < before.length) return false
    const source = yield* ClimateDays
    return isAnswer(yield* source.year(station, lastYear), certainOfYear(station, lastYear, now))
  })

/** Asks the archive for a year of a station. Nothing is stored. */
export const askForYear = (
  station: Station,
  year: number,
  now: number,
): Effect.Effect<ArchivedYear, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const rows = yield* (yield* ClimateDays).year(station, year)
    const isCredible =
      isAnswer(rows, certainOfYear(station, year, now)) || (yield* beginsLater(station, year, rows, now))
    return { rows, isCredible }
  })

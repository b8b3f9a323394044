import * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import { addDays } from "../../../time.ts"
import { ClimateArchive } from "../ports.ts"
import { archiveBegins, daysFrom, lastOverdue, type Station } from "../stations.ts"
import { type ArchivedDay, ClimateDays } from "./climateSources.ts"

/** The stretch of a year of which every final report is due, or undefined when there is none. */
export const dueOfYear = (station: Station, year: number, now: number): readonly [string, string] | undefined => {
  const due = lastOverdue(station, now)
  const end = `${year}-12-31` < due ? `${year}-12-31` : due
  const start = `${year}-01-01` > archiveBegins ? `${year}-01-01` : archiveBegins
  return start <= end ? [start, end] : undefined
}

/** Archives lag: only so many days after it was due is a report that is not there taken for one that never was. */
const lagDays = 3

/** The days of a year of which an archive that has no report now will have none. */
export const certainOfYear = (station: Station, year: number, now: number): ReadonlyArray<string> => {
  const due = dueOfYear(station, year, now)
  const lag = addDays(lastOverdue(station, now), -lagDays)
  return due === undefined ? [] : daysFrom(due[0], due[1] < lag ? due[1] : lag)
}

/** A year of a station as an archive answered it. */
export interface ArchivedYear {
  readonly rows: ReadonlyArray<ArchivedDay>
  /** Whether the days that are not among the rows may be taken for days without a report. */
  readonly isCredible: boolean
}

/**
 * Whether rows are an answer for some days: at least half of them are there. Offices miss single days; of the nine stations
 * together the archive has seven days in eight since 2001, the years before some of them began included. An archive whose
 * tables are broken or being rebuilt has nothing or next to nothing, and says so with status 200.
 */
const isAnswer = (rows: ReadonlyArray<ArchivedDay>, days: ReadonlyArray<string>): boolean => {
  const found = new Set(rows.map(({ day }) => day))
  return days.filter((day) => found.has(day)).length * 2 >= days.length
}

/**
 * Whether a year is (nearly) empty because the station's reports begin later. No registry says when they do, so three
 * things must hold: no report of an earlier day is stored, what there is goes on from its first day, and the archive has
 * last year's reports at this very moment, since every station of the registry reports.
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
    const found = rows.map(({ day }) => day).sort()
    const before = daysFrom(archiveBegins, addDays(found[0] ?? `${year + 1}-01-01`, -1))
    if (found[0] !== undefined && !isAnswer(rows, daysFrom(found[0], `${year}-12-31`))) return false
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

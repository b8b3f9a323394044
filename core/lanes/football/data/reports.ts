import * as Either from "effect/Either"
import { integerIn, present, type Row, type RowError, textIn } from "../../../csv/row.ts"
import { ifDefined } from "../../../ifDefined.ts"
import type { InjuryRow, Provenance, ReserveRow } from "../ports.ts"
import { teamIn } from "./Game.ts"
import { codeIn } from "./teams.ts"

export type Injured = Omit<InjuryRow, keyof Provenance>

/** A cell that may be blank; line breaks count as spaces. */
const cell = (row: Row, field: string): string | undefined => textIn(row, field)?.replace(/\s+/g, " ")

const required = (row: Row, field: string): Either.Either<string, RowError> => present(cell(row, field), field)

/** Report statuses, the gravest last. */
const statuses: ReadonlyArray<string | undefined> = [undefined, "Probable", "Questionable", "Doubtful", "Out"]

/** Of two reports on a player in one week, the one that says less for him; of two alike, the later line. */
export const graver = (first: Injured, second: Injured): Injured =>
  statuses.indexOf(first.reportStatus) > statuses.indexOf(second.reportStatus) ? first : second

/** The week of a row; a playoff week that is counted from 1 follows the regular season. */
const weekIn = (row: Row, season: number): Either.Either<number, RowError> =>
  Either.map(integerIn(row, "week", 1, 22), (week) =>
    (cell(row, "season_type") ?? cell(row, "game_type")) === "POST" && week <= 5
      ? week + (season < 2021 ? 17 : 18)
      : week,
  )

/**
 * Reads a row of nflverse's injury reports, with or without the column `date_modified`. The injury is the game report's,
 * or the practice report's where the former is blank.
 */
export const injuredOf = (row: Row): Either.Either<Injured, RowError> =>
  Either.gen(function* () {
    const season = yield* integerIn(row, "season", 1999, 2100)
    const team = yield* teamIn(row, "team")
    return {
      season,
      week: yield* weekIn(row, season),
      team,
      code: codeIn(team, season),
      player: yield* required(row, "full_name"),
      ...ifDefined("gsisId", cell(row, "gsis_id")),
      ...ifDefined("position", cell(row, "position")),
      ...ifDefined("reportStatus", cell(row, "report_status")),
      ...ifDefined("practiceStatus", cell(row, "practice_status")),
      ...ifDefined("injury", cell(row, "report_primary_injury") ?? cell(row, "practice_primary_injury")),
    }
  })

/** One player of a roster. */
export interface Rostered extends Pick<Injured, "season" | "team" | "code" | "player" | "gsisId" | "position"> {
  /** 0: before the season. */
  readonly week: number
  /** Why he does not play: his entry on a reserve list, or among the inactive. */
  readonly reserve?: Pick<ReserveRow, "designation" | "status">
}

/** The roster status code of a player of the active roster who does not play this week. */
export const inactive = "INA"

/** Roster status codes of players who do not play. */
const reserves: Readonly<Record<string, string>> = {
  RES: "Reserve",
  PUP: "Physically unable to perform",
  SUS: "Suspended",
  NON: "Non-football injury or illness",
  EXE: "Exempt",
  [inactive]: "Inactive on game day",
}

/** Transaction codes of a status whose meaning is certain. */
const transactions: Readonly<Record<string, string>> = {
  R01: "Injured reserve",
  R48: "Injured reserve, designated for return",
}

const reserveOf = (row: Row): Rostered["reserve"] => {
  const status = cell(row, "status") ?? ""
  const words = reserves[status]
  if (words === undefined) return undefined
  const code = cell(row, "status_description_abbr")
  // The two columns may disagree at the source: the status decides, the code only adds detail.
  const transaction = status === "RES" && code !== undefined ? transactions[code] : undefined
  return { status, designation: transaction ?? (code === undefined ? words : `${words} (${code})`) }
}

/** Reads a row of nflverse's rosters, weekly or seasonal. Before the season a roster has no week. */
export const rosteredOf = (row: Row): Either.Either<Rostered, RowError> =>
  Either.gen(function* () {
    const season = yield* integerIn(row, "season", 1920, 2100)
    const team = yield* teamIn(row, "team")
    return {
      season,
      week: cell(row, "week") === undefined ? 0 : yield* integerIn(row, "week", 1, 22),
      team,
      code: codeIn(team, season),
      player: yield* required(row, cell(row, "full_name") === undefined ? "player_name" : "full_name"),
      ...ifDefined("gsisId", cell(row, "gsis_id") ?? cell(row, "player_id")),
      ...ifDefined("position", cell(row, "position")),
      ...ifDefined("reserve", reserveOf(row)),
    }
  })

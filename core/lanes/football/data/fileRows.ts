import * as Either from "effect/Either"
import {
  integerIn,
  optionalNumberIn,
  present,
  type Row,
  type RowError,
  requiredText,
  rowError,
  textIn,
} from "../../../csv/row.ts"
import { ifDefined } from "../../../ifDefined.ts"
import type { Career, InjuryRow, Provenance, QuarterbackWeek, ReserveRow } from "../ports.ts"
import { pointsIn, teamIn } from "./Game.ts"
import { codeIn } from "./teams.ts"

export type QuarterbackLine = Omit<QuarterbackWeek, keyof Provenance>

/** The first season of the stat lines. */
const firstSeason = 2002

/** Yards from one end line to the other. */
const longestPlay = 100

/** The name of a renamed column in this row. */
const named = (row: Row, ...names: readonly [string, ...ReadonlyArray<string>]): string =>
  names.find((name) => row[name] !== undefined) ?? names[0]

/** A stat line whose counts contradict each other, as when a column is shifted by a row. */
const contradiction = (
  row: Row,
  { completions, attempts, passingTds, interceptions, passingYards, rushingTds }: QuarterbackLine,
): Either.Either<void, RowError> => {
  const carries = textIn(row, "carries")
  if (completions > attempts) return rowError("completions", `${completions} of ${attempts} attempts.`)
  if (passingTds > completions) return rowError("passing_tds", `${passingTds} with ${completions} completions.`)
  if (interceptions > attempts - completions) {
    return rowError(named(row, "passing_interceptions", "interceptions"), `${interceptions} of ${attempts} attempts.`)
  }
  if (Math.abs(passingYards) > longestPlay * completions) {
    return rowError("passing_yards", `${passingYards} with ${completions} completions.`)
  }
  if (carries !== undefined && rushingTds > Number(carries)) {
    return rowError("rushing_tds", `${rushingTds} with ${carries} carries.`)
  }
  return Either.void
}

const lineIn = (row: Row, season: number): Either.Either<QuarterbackLine, RowError> =>
  Either.gen(function* () {
    const count = (low: number, ...names: readonly [string, ...ReadonlyArray<string>]) =>
      // Adding 0 turns the "-0.0" of some files into 0.
      Either.map(integerIn(row, named(row, ...names), low, 1_000), (value) => value + 0)
    const passingEpa = yield* pointsIn(row, "passing_epa")
    const cpoe = yield* optionalNumberIn(row, "passing_cpoe", -100, 100)
    return {
      playerId: yield* requiredText(row, "player_id"),
      player: yield* requiredText(row, "player_display_name"),
      position: "QB",
      season,
      week: yield* integerIn(row, "week", 1, 22),
      code: codeIn(yield* teamIn(row, named(row, "team", "recent_team")), season),
      opponentCode: codeIn(yield* teamIn(row, "opponent_team"), season),
      completions: yield* count(0, "completions"),
      attempts: yield* count(0, "attempts"),
      passingYards: yield* count(-200, "passing_yards"),
      passingTds: yield* count(0, "passing_tds"),
      interceptions: yield* count(0, "passing_interceptions", "interceptions"),
      sacksSuffered: yield* count(0, "sacks_suffered", "sacks"),
      ...ifDefined("passingEpa", passingEpa),
      ...ifDefined("cpoe", cpoe),
      rushingYards: yield* count(-200, "rushing_yards"),
      rushingTds: yield* count(0, "rushing_tds"),
    }
  })

/**
 * Reads a row of nflverse's player weeks, with the column names of before and after 2025.
 *
 * @returns undefined for players who are not quarterbacks and for earlier seasons; a `Refusal` with the absent or
 *   unreadable column
 */
export const readQuarterbackLine = (row: Row): Either.Either<QuarterbackLine | undefined, RowError> => {
  if (textIn(row, "position") !== "QB") return Either.right(undefined)
  const year = integerIn(row, "season", 1900, 2100)
  if (Either.isLeft(year)) return Either.left(year.left)
  if (year.right < firstSeason) return Either.right(undefined)
  return Either.flatMap(lineIn(row, year.right), (line) => Either.map(contradiction(row, line), () => line))
}

type Line = Pick<QuarterbackLine, "attempts" | "code" | "player" | "playerId" | "position" | "season" | "week">

/** Careers summed from weeks. @param lines in order of season and week */
export const listCareers = (lines: Iterable<Line>): ReadonlyArray<Career> => {
  const careers = new Map<string, Career>()
  for (const { playerId, player, position, code, season, week, attempts } of lines) {
    const career = careers.get(playerId)
    careers.set(playerId, {
      playerId,
      player,
      position,
      code,
      firstSeason: career?.firstSeason ?? season,
      lastSeason: season,
      lastWeek: week,
      attempts: (career?.attempts ?? 0) + attempts,
    })
  }
  return [...careers.values()]
}

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
export const readInjured = (row: Row): Either.Either<Injured, RowError> =>
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

const reserveStatus = (row: Row): Rostered["reserve"] => {
  const status = cell(row, "status") ?? ""
  const words = reserves[status]
  if (words === undefined) return undefined
  const code = cell(row, "status_description_abbr")
  // The two columns may disagree at the source: the status decides, the code only adds detail.
  const transaction = status === "RES" && code !== undefined ? transactions[code] : undefined
  return { status, designation: transaction ?? (code === undefined ? words : `${words} (${code})`) }
}

/** Reads a row of nflverse's rosters, weekly or seasonal. Before the season a roster has no week. */
export const readRostered = (row: Row): Either.Either<Rostered, RowError> =>
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
      ...ifDefined("reserve", reserveStatus(row)),
    }
  })

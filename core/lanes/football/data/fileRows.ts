import * as Either from "effect/Either"
import {
  type Row,
  type RowError,
  readInteger,
  readOptionalNumber,
  readRequiredText,
  readText,
  requireValue,
  rowError,
} from "../../../csv/row.ts"
import { ifDefined } from "../../../ifDefined.ts"
import type { Career, InjuryRow, Provenance, QuarterbackWeek, ReserveRow } from "../ports.ts"
import { readPoints, readTeam } from "./Game.ts"
import { toSeasonCode } from "./teams.ts"

export type QuarterbackLine = Omit<QuarterbackWeek, keyof Provenance>

/** The first season of the stat lines. */
const firstSeason = 2002

/** Yards from one end line to the other. */
const fieldLength = 100

/** Which of a column's names this row uses. */
const findColumn = (row: Row, ...names: readonly [string, ...ReadonlyArray<string>]): string =>
  names.find((name) => row[name] !== undefined) ?? names[0]

/** Fails if the counts of a stat line contradict each other, as they do if a column is shifted by a row. */
const checkCounts = (
  row: Row,
  { completions, attempts, passingTds, interceptions, passingYards, rushingTds }: QuarterbackLine,
): Either.Either<void, RowError> => {
  const carries = readText(row, "carries")
  if (completions > attempts) return rowError("completions", `${completions} of ${attempts} attempts.`)
  if (passingTds > completions) return rowError("passing_tds", `${passingTds} with ${completions} completions.`)
  if (interceptions > attempts - completions) {
    return rowError(
      findColumn(row, "passing_interceptions", "interceptions"),
      `${interceptions} of ${attempts} attempts.`,
    )
  }
  if (Math.abs(passingYards) > fieldLength * completions) {
    return rowError("passing_yards", `${passingYards} with ${completions} completions.`)
  }
  if (carries !== undefined && rushingTds > Number(carries)) {
    return rowError("rushing_tds", `${rushingTds} with ${carries} carries.`)
  }
  return Either.void
}

const readLine = (row: Row, season: number): Either.Either<QuarterbackLine, RowError> =>
  Either.gen(function* () {
    const count = (low: number, ...names: readonly [string, ...ReadonlyArray<string>]) =>
      // Adding 0 turns the "-0.0" of some files into 0.
      Either.map(readInteger(row, findColumn(row, ...names), low, 1_000), (value) => value + 0)
    const passingEpa = yield* readPoints(row, "passing_epa")
    const cpoe = yield* readOptionalNumber(row, "passing_cpoe", -100, 100)
    return {
      playerId: yield* readRequiredText(row, "player_id"),
      player: yield* readRequiredText(row, "player_display_name"),
      position: "QB",
      season,
      week: yield* readInteger(row, "week", 1, 22),
      code: toSeasonCode(yield* readTeam(row, findColumn(row, "team", "recent_team")), season),
      opponentCode: toSeasonCode(yield* readTeam(row, "opponent_team"), season),
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
 * @returns undefined for players who are not quarterbacks and for earlier seasons; left with an absent or unreadable column
 */
export const readQuarterbackLine = (row: Row): Either.Either<QuarterbackLine | undefined, RowError> => {
  if (readText(row, "position") !== "QB") return Either.right(undefined)
  const year = readInteger(row, "season", 1900, 2100)
  if (Either.isLeft(year)) return Either.left(year.left)
  if (year.right < firstSeason) return Either.right(undefined)
  return Either.flatMap(readLine(row, year.right), (line) => Either.map(checkCounts(row, line), () => line))
}

type CareerLine = Pick<QuarterbackLine, "attempts" | "code" | "player" | "playerId" | "position" | "season" | "week">

/** Sums up weeks, in order of season and week, to careers. */
export const listCareers = (lines: Iterable<CareerLine>): ReadonlyArray<Career> => {
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
const readCell = (row: Row, field: string): string | undefined => readText(row, field)?.replace(/\s+/g, " ")

const requireCell = (row: Row, field: string): Either.Either<string, RowError> =>
  requireValue(readCell(row, field), field)

/** Report statuses, the gravest last. */
const reportStatuses: ReadonlyArray<string | undefined> = [undefined, "Probable", "Questionable", "Doubtful", "Out"]

/** Of two reports on a player in one week, the one with the graver status; of two alike, the later row. */
export const pickGraver = (first: Injured, second: Injured): Injured =>
  reportStatuses.indexOf(first.reportStatus) > reportStatuses.indexOf(second.reportStatus) ? first : second

/** Reads the week of a row. Playoff weeks that are counted from 1 are moved after the regular season. */
const readWeek = (row: Row, season: number): Either.Either<number, RowError> =>
  Either.map(readInteger(row, "week", 1, 22), (week) =>
    (readCell(row, "season_type") ?? readCell(row, "game_type")) === "POST" && week <= 5
      ? week + (season < 2021 ? 17 : 18)
      : week,
  )

/**
 * Reads a row of nflverse's injury reports, with or without the column `date_modified`. The injury is the game report's,
 * or the practice report's if the former is blank.
 */
export const readInjured = (row: Row): Either.Either<Injured, RowError> =>
  Either.gen(function* () {
    const season = yield* readInteger(row, "season", 1999, 2100)
    const team = yield* readTeam(row, "team")
    return {
      season,
      week: yield* readWeek(row, season),
      team,
      code: toSeasonCode(team, season),
      player: yield* requireCell(row, "full_name"),
      ...ifDefined("gsisId", readCell(row, "gsis_id")),
      ...ifDefined("position", readCell(row, "position")),
      ...ifDefined("reportStatus", readCell(row, "report_status")),
      ...ifDefined("practiceStatus", readCell(row, "practice_status")),
      ...ifDefined("injury", readCell(row, "report_primary_injury") ?? readCell(row, "practice_primary_injury")),
    }
  })

export interface Rostered extends Pick<Injured, "season" | "team" | "code" | "player" | "gsisId" | "position"> {
  /** 0 before the season. */
  readonly week: number
  /** Why he does not play: his entry on a reserve list or among the inactive players. */
  readonly reserve?: Pick<ReserveRow, "designation" | "status">
}

/** The roster status code of a player on the active roster who does not play this week. */
export const inactiveCode = "INA"

/** The meanings of roster status codes of players who do not play. */
const reserveWords: Readonly<Record<string, string>> = {
  RES: "Reserve",
  PUP: "Physically unable to perform",
  SUS: "Suspended",
  NON: "Non-football injury or illness",
  EXE: "Exempt",
  [inactiveCode]: "Inactive on game day",
}

/** The meanings of transaction codes, as far as they are certain. */
const transactionWords: Readonly<Record<string, string>> = {
  R01: "Injured reserve",
  R48: "Injured reserve, designated for return",
}

const readReserve = (row: Row): Rostered["reserve"] => {
  const status = readCell(row, "status") ?? ""
  const words = Object.hasOwn(reserveWords, status) ? reserveWords[status] : undefined
  if (words === undefined) return undefined
  const code = readCell(row, "status_description_abbr") ?? ""
  // The two columns may disagree at the source: the status decides, the code only adds detail.
  const transaction = status === "RES" && Object.hasOwn(transactionWords, code) ? transactionWords[code] : undefined
  return { status, designation: transaction ?? (code === "" ? words : `${words} (${code})`) }
}

/** Reads a row of nflverse's rosters, weekly or seasonal. Before the season a roster has no week. */
export const readRostered = (row: Row): Either.Either<Rostered, RowError> =>
  Either.gen(function* () {
    const season = yield* readInteger(row, "season", 1920, 2100)
    const team = yield* readTeam(row, "team")
    return {
      season,
      week: readCell(row, "week") === undefined ? 0 : yield* readInteger(row, "week", 1, 22),
      team,
      code: toSeasonCode(team, season),
      player: yield* requireCell(row, readCell(row, "full_name") === undefined ? "player_name" : "full_name"),
      ...ifDefined("gsisId", readCell(row, "gsis_id") ?? readCell(row, "player_id")),
      ...ifDefined("position", readCell(row, "position")),
      ...ifDefined("reserve", readReserve(row)),
    }
  })

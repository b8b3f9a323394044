import * as Either from "effect/Either"
import type { FileFormat } from "../../../csv/FileFormat.ts"
import { type Row, type RowError, readInteger, readRequiredText, readText } from "../../../csv/row.ts"
import type { GameRecord, Top100Player } from "../ports.ts"
import { injuryChecks, quarterbackChecks, rosterChecks, scheduleChecks, teamWeekChecks } from "./consistency.ts"
import {
  type Injured,
  pickGraver,
  type QuarterbackLine,
  type Rostered,
  readInjured,
  readQuarterbackLine,
  readRostered,
} from "./fileRows.ts"
import { readGame, readLines, readTeam, readTeamWeek, type TeamWeek } from "./Game.ts"
import { toSeasonCode } from "./teams.ts"

export type ScheduledGame = Pick<GameRecord, "game" | "lines">

export interface RankedPlayer extends Top100Player {
  /** Year of publication. */
  readonly season: number
}

const nameBothSides = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => [`away_${name}`, `home_${name}`])

const games: FileFormat<"games", ScheduledGame> = {
  name: "games",
  source: "nflverse schedules (Lee Sharpe, nfldata)",
  columns: [
    ...["game_id", "season", "game_type", "week", "gameday", "gametime", "location", "result", "total", "div_game"],
    ...["spread_line", "total_line", "roof", "surface", "temp", "wind", "stadium"],
    ...nameBothSides(["team", "score", "rest", "moneyline", "qb_id", "qb_name", "coach"]),
  ],
  read: (row) => Either.all({ game: readGame(row), lines: readLines(row) }),
  seasonOf: ({ game }) => game.season,
  keyOf: ({ game }) => game.id,
  checks: scheduleChecks,
}

const teamWeeks: FileFormat<"team_weeks", TeamWeek> = {
  name: "team_weeks",
  source: "nflverse team stats",
  columns: [
    ...["season", "week", "team", "passing_epa", "rushing_epa", "passing_interceptions"],
    ...["sack_fumbles_lost", "rushing_fumbles_lost", "receiving_fumbles_lost"],
  ],
  read: readTeamWeek,
  seasonOf: ({ season }) => season,
  keyOf: ({ season, week, team }) => `${season}/${week}/${team}`,
  checks: teamWeekChecks,
}

const quarterbacks: FileFormat<"quarterbacks", QuarterbackLine> = {
  name: "quarterbacks",
  source: "nflverse player stats",
  columns: [
    ...["player_id", "player_display_name", "position", "season", "week", "opponent_team", "completions", "attempts"],
    ...["passing_yards", "passing_tds", "passing_epa", "rushing_yards", "rushing_tds"],
    ["team", "recent_team"],
    ["passing_interceptions", "interceptions"],
    ["sacks_suffered", "sacks"],
  ],
  read: readQuarterbackLine,
  seasonOf: ({ season }) => season,
  keyOf: ({ playerId, season, week }) => `${playerId}/${season}/${week}`,
  checks: quarterbackChecks,
}

const injuries: FileFormat<"injuries", Injured> = {
  name: "injuries",
  source: "nflverse injuries",
  columns: [
    ...["season", "team", "week", "gsis_id", "position", "full_name", "report_primary_injury", "report_status"],
    ...["practice_primary_injury", "practice_status"],
  ],
  read: readInjured,
  seasonOf: ({ season }) => season,
  keyOf: ({ season, week, team, gsisId, player }) => `${season}/${week}/${team}/${gsisId ?? player}`,
  merge: pickGraver,
  checks: injuryChecks,
}

const rosters: FileFormat<"rosters", Rostered> = {
  name: "rosters",
  source: "nflverse rosters",
  columns: [...["season", "team", "week", "position", "status"], ["full_name", "player_name"]],
  read: readRostered,
  seasonOf: ({ season }) => season,
  keyOf: ({ season, week, team, gsisId, player, position }) =>
    `${season}/${week}/${team}/${gsisId ?? `${player}/${position}`}`,
  checks: rosterChecks,
}

/** Team codes that some collections of lists use instead. */
const otherTeamCodes: Readonly<Record<string, string>> = {
  CLV: "CLE",
  GNB: "GB",
  KAN: "KC",
  LVR: "LV",
  NOR: "NO",
  NWE: "NE",
  SFO: "SF",
  TAM: "TB",
}

const readRanked = (row: Row): Either.Either<RankedPlayer, RowError> =>
  Either.gen(function* () {
    const played = yield* readInteger(row, "Year", 2010, 2100)
    const rank = yield* readInteger(row, "Rank", 1, 100)
    const code = readText(row, "Team") ?? ""
    const team = yield* readTeam({ ...row, Team: otherTeamCodes[code] ?? code }, "Team")
    const player = yield* readRequiredText(row, "Player")
    const position = yield* readRequiredText(row, "Position")
    return { season: played + 1, rank, player, code: toSeasonCode(team, played), position }
  })

/** The lists are keyed by the season that was played; they are published in the following year. */
const top100: FileFormat<"top100", RankedPlayer> = {
  name: "top100",
  source: "NFL Top 100 Players lists",
  columns: ["Year", "Player", "Rank", "Position", "Team"],
  read: readRanked,
  seasonOf: ({ season }) => season,
  keyOf: ({ season, rank }) => `${season}/${rank}`,
}

export const formats = { games, team_weeks: teamWeeks, quarterbacks, injuries, rosters, top100 } as const
export type Formats = typeof formats
export type FormatName = keyof Formats
export type ValueOf<Name extends FormatName> = Formats[Name] extends FileFormat<Name, infer A> ? A : never

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { listRoster, startingQuarterback } from "../../adapters/lanes/football/mock/players.ts"
import { injuryRows, reserveRows } from "../../adapters/lanes/football/mock/reports.ts"
import { playedSeason } from "../../adapters/lanes/football/mock/season.ts"
import { drawStatLine, drawTeamWeeks } from "../../adapters/lanes/football/mock/stats.ts"
import { uniform } from "../../adapters/lanes/mock/hash.ts"
import { toLine } from "../../core/csv/write.ts"
import { teams } from "../../core/lanes/football/data/teams.ts"
import { csv, type Row, type Rows } from "./payloadRows.ts"

/** nflverse's files of a moment in a season. */
export interface FootballFiles {
  readonly schedule: string
  /** By season. */
  readonly teamWeeks: ReadonlyMap<number, string>
  readonly players: ReadonlyMap<number, string>
  readonly injuries: ReadonlyMap<number, string>
  readonly rosters: ReadonlyMap<number, string>
}

const textOf = (rows: ReadonlyArray<Row>): string => {
  const names = Object.keys(rows[0]!)
  return `${[toLine(names), ...rows.map((row) => toLine(names.map((name) => row[name])))].join("\n")}\n`
}

const bySeason = (seasons: ReadonlyArray<number>, of: (season: number) => string): ReadonlyMap<number, string> =>
  new Map(seasons.map((season) => [season, of(season)]))

const scoreColumns = ["away_score", "home_score", "result", "total"]

/** The schedule as it was before the weeks after `week` were played. */
const unplayedAfter = (rows: ReadonlyArray<Row>, season: number, week: number): ReadonlyArray<Row> =>
  rows.map((row) =>
    Number(row["season"]) === season && Number(row["week"]) > week
      ? { ...row, ...Object.fromEntries(scoreColumns.map((name) => [name, ""])), temp: "", wind: "" }
      : row,
  )

/** By how much a team's games are of more points in a season than others': posted totals know it. */
const paceOf = (team: string, season: number): number => Math.round(16 * uniform(`${team}/${season}`, "pace") - 8) / 2

const scheduleRows = (season: number): ReadonlyArray<Row> =>
  playedSeason(season)
    .filter(({ game }) => game.type === "REG")
    .map(({ game, lines, expected }) => ({
      ...{ game_id: game.id, season, game_type: game.type, week: game.week, gameday: game.gameday },
      ...{ gametime: game.kickoff, away_team: game.away.code, away_score: game.score!.away },
      ...{ home_team: game.home.code, home_score: game.score!.home, location: game.neutral ? "Neutral" : "Home" },
      ...{ result: game.score!.home - game.score!.away, total: game.score!.home + game.score!.away },
      ...{ away_rest: game.away.rest, home_rest: game.home.rest },
      ...{ away_moneyline: lines.awayMoneyline, home_moneyline: lines.homeMoneyline },
      ...{ spread_line: lines.spread, div_game: Number(game.division) },
      total_line: lines.total! + paceOf(game.home.team, season) + paceOf(game.away.team, season),
      ...{ roof: game.roof, surface: game.surface, temp: game.temperature, wind: game.wind },
      ...{ away_qb_id: expected.away.id, home_qb_id: expected.home.id },
      ...{ away_qb_name: expected.away.name, home_qb_name: expected.home.name },
      ...{ away_coach: game.away.coach, home_coach: game.home.coach, stadium: game.stadium },
    }))

const played = (season: number, until: number) =>
  playedSeason(season).filter(({ game }) => game.type === "REG" && game.week <= until)

/** Expected points, half of them by passes; as close to the score as real ones are. */
const teamWeekRows = (season: number, until: number): ReadonlyArray<Row> =>
  played(season, until)
    .flatMap((one) => {
      const { home, away } = one.game.score!
      return drawTeamWeeks(one).map((row, at) => ({ ...row, epa: (row.epa + ([home, away][at]! - 22)) / 2 }))
    })
    .map((row, at, all) => ({ ...row, other: all[at % 2 === 0 ? at + 1 : at - 1]! }))
    .map(({ week, team, epa, turnovers, other }) => ({
      ...{ season, week, team, opponent_team: other.team, passing_interceptions: Math.min(2, turnovers) },
      ...{ def_interceptions: Math.min(2, other.turnovers), sack_fumbles_lost: 0 },
      ...{ passing_epa: 0.5 * epa, rushing_fumbles_lost: Math.max(0, turnovers - 2), rushing_epa: 0.5 * epa },
      receiving_fumbles_lost: 0,
    }))

const playerRows = (season: number, until: number): ReadonlyArray<Row> =>
  played(season, until)
    .flatMap((game) => [drawStatLine(game, "away"), drawStatLine(game, "home")])
    .sort((a, b) => (a.playerId < b.playerId ? -1 : a.playerId > b.playerId ? 1 : a.week - b.week))
    .map((row) => ({
      ...{ player_id: row.playerId, player_display_name: row.player, position: row.position, season, week: row.week },
      ...{ season_type: "REG", team: row.code, opponent_team: row.opponentCode, completions: row.completions },
      ...{ attempts: row.attempts, passing_yards: row.passingYards, passing_tds: row.passingTds },
      ...{ passing_interceptions: row.interceptions, sacks_suffered: row.sacksSuffered },
      // As close to yards and touchdowns as real ones are.
      passing_epa: 0.1 * (row.passingYards - 7 * row.attempts) + 3 * row.passingTds + 0.3 * (row.passingEpa ?? 0),
      ...{ passing_cpoe: row.cpoe, carries: row.rushingYards === 0 && row.rushingTds === 0 ? 0 : 3 },
      ...{ rushing_yards: row.rushingYards, rushing_tds: row.rushingTds },
    }))

const reportRows = (season: number, until: number): ReadonlyArray<Row> =>
  teams
    .flatMap((team) => injuryRows(season, team, Date.UTC(season + 1, 6, 1)))
    .filter(({ week }) => week <= until)
    .sort((a, b) => a.week - b.week)
    .map((row) => ({
      ...{ season, game_type: "REG", team: row.code, week: row.week, gsis_id: row.gsisId, position: row.position },
      ...{ full_name: row.player, report_primary_injury: row.reportStatus === undefined ? "" : row.injury },
      ...{ report_status: row.reportStatus, practice_primary_injury: row.injury, practice_status: row.practiceStatus },
    }))

const rosterRows = (season: number, until: number): ReadonlyArray<Row> =>
  Array.from({ length: until }, (_, at) => at + 1).flatMap((week) =>
    teams.flatMap((team) => {
      const reserved = new Map(reserveRows(season, team, week).map((row) => [row.gsisId, row.status]))
      const rest = listRoster(team, season).filter(({ id }, at) => reserved.has(id) || at % 4 === 0)
      return [startingQuarterback(team, season, week), ...rest].map((player) => ({
        ...{ season, team, position: player.position, status: reserved.get(player.id) ?? "ACT" },
        ...{ full_name: player.name, gsis_id: player.id, week, game_type: "REG" },
        status_description_abbr: reserved.has(player.id) ? "R01" : "A01",
      }))
    }),
  )

/** Files of generated seasons: `week` of the last of them is the last that was played. */
export const generatedFiles = (seasons: ReadonlyArray<number>, week: number): FootballFiles => {
  const last = seasons.at(-1)!
  const until = (season: number) => (season === last ? week : 18)
  return {
    schedule: textOf(unplayedAfter(seasons.flatMap(scheduleRows), last, week)),
    teamWeeks: bySeason(seasons, (season) => textOf(teamWeekRows(season, until(season)))),
    players: bySeason(seasons, (season) => textOf(playerRows(season, until(season)))),
    injuries: bySeason(seasons, (season) => textOf(reportRows(season, until(season)))),
    rosters: bySeason(seasons, (season) => textOf(rosterRows(season, until(season)))),
  }
}

/** The same of recorded files, whose later weeks are left out. */
export const recordedFiles = (root: string, seasons: ReadonlyArray<number>, week: number): FootballFiles => {
  const last = seasons.at(-1)!
  const read = (name: string): Rows => {
    const bytes = readFileSync(join(root, "football", name))
    return csv((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString())
  }
  const ofSeason = (rows: ReadonlyArray<Row>, season: number) =>
    textOf(rows.filter((row) => Number(row["season"]) === season && (season !== last || Number(row["week"]) <= week)))
  const games = read("games/nfldata_games_snapshot_2025-12-01.csv.gz").rows.filter((row) =>
    seasons.includes(Number(row["season"])),
  )
  // The recorded copy lacks the code that stands beside the status.
  const rosters = read("rosters/weekly_rosters_2021-2023_slim.csv").rows.map((row) => ({
    ...row,
    status_description_abbr: row["status"] === "RES" ? "R01" : row["status"] === "DEV" ? "P01" : "A01",
  }))
  // Of players without passes a part is enough.
  const players = (season: number) =>
    read(`weekly_stats/player_stats_week_${season}.csv.gz`).rows.filter(
      (row, at) => row["position"] === "QB" || at % 8 === 0,
    )
  const files = (of: (season: number) => string) =>
    bySeason(seasons, (season) => ofSeason(read(of(season)).rows, season))
  return {
    schedule: textOf(unplayedAfter(games, last, week)),
    teamWeeks: files((season) => `team_stats/stats_team_week_${season}.csv`),
    players: bySeason(seasons, (season) => ofSeason(players(season), season)),
    injuries: files((season) => `injuries/injuries_${season}.csv.gz`),
    rosters: bySeason(seasons, (season) => ofSeason(rosters, season)),
  }
}

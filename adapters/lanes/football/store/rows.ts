import * as Effect from "effect/Effect"
import { breath } from "../../../../core/breath.ts"
import type { ReadFile } from "../../../../core/lanes/football/data/archive.ts"
import type { FeedName, ValueOf } from "../../../../core/lanes/football/data/feeds.ts"
import type { Side } from "../../../../core/lanes/football/data/Game.ts"
import type { Columns, Table as Upserted } from "../../../sql/upsert.ts"

export interface Table extends Upserted {
  /** A file that removes more rows than this is rejected as truncated. */
  readonly maxWithdrawn?: number
}

export interface Rows {
  readonly table: Table
  readonly rows: ReadonlyArray<Columns>
  /** Whether the file covers a stored row; covered rows missing in the file are deleted. */
  readonly isCoveredBy?: (stored: Columns) => boolean
}

const teamWeek = ({ season, team, week }: Columns): string => `${season}/${team}/${week}`

const games: Table = {
  name: "football_games",
  key: ["game_id"],
  // An older file must not remove a final.
  isTakenBack: "excluded.home_score IS NULL AND football_games.home_score IS NOT NULL",
  maxWithdrawn: 32,
}
const teamWeeks: Table = { name: "football_team_weeks", key: ["season", "week", "team"] }
const quarterbacks: Table = { name: "football_quarterback_weeks", key: ["player_id", "season", "week"] }
const byPlayer = ["season", "team", "week", "player_key"]
const injuries: Table = { name: "football_injuries", key: byPlayer }
const reserves: Table = { name: "football_reserves", key: byPlayer }
const rosterWeeks: Table = { name: "football_roster_weeks", key: ["season", "team", "week"] }
const top100: Table = { name: "football_top100", key: ["season", "rank"] }

const bit = (value: boolean): 0 | 1 => (value ? 1 : 0)

const ofSide = (side: Side) => ({
  team: side.team,
  code: side.code,
  rest: side.rest,
  qb_id: side.quarterback ?? null,
  qb_name: side.quarterbackName ?? null,
  coach: side.coach ?? null,
})

type OfSide = ReturnType<typeof ofSide>
/** The columns of a game's home or away side. */
export type SideColumns<Name extends string> = { readonly [K in keyof OfSide as `${Name}_${K}`]: OfSide[K] }

const sideColumns = <Name extends "home" | "away">(name: Name, side: Side) =>
  Object.fromEntries(
    Object.entries(ofSide(side)).map(([column, value]) => [`${name}_${column}`, value]),
  ) as SideColumns<Name>

const gameColumns = ({ game, lines }: ValueOf<"games">) => ({
  game_id: game.id,
  season: game.season,
  week: game.week,
  game_type: game.type,
  gameday: game.gameday,
  kickoff: game.kickoff ?? null,
  ...sideColumns("home", game.home),
  home_score: game.score?.home ?? null,
  ...sideColumns("away", game.away),
  away_score: game.score?.away ?? null,
  neutral: bit(game.neutral),
  division: bit(game.division),
  roof: game.roof ?? null,
  surface: game.surface ?? null,
  temperature: game.temperature ?? null,
  wind: game.wind ?? null,
  stadium: game.stadium ?? null,
  spread_line: lines.spread ?? null,
  total_line: lines.total ?? null,
  home_moneyline: lines.homeMoneyline ?? null,
  away_moneyline: lines.awayMoneyline ?? null,
})

const quarterbackColumns = (line: ValueOf<"quarterbacks">) => ({
  player_id: line.playerId,
  season: line.season,
  week: line.week,
  player_name: line.player,
  position: line.position,
  code: line.code,
  opponent_code: line.opponentCode,
  completions: line.completions,
  attempts: line.attempts,
  passing_yards: line.passingYards,
  passing_tds: line.passingTds,
  interceptions: line.interceptions,
  sacks_suffered: line.sacksSuffered,
  passing_epa: line.passingEpa ?? null,
  cpoe: line.cpoe ?? null,
  rushing_yards: line.rushingYards,
  rushing_tds: line.rushingTds,
})

const playerColumns = ({ season, team, week, code, player, gsisId, position }: ValueOf<"rosters">) => ({
  season,
  team,
  week,
  player_key: gsisId ?? `${player}/${position ?? ""}`,
  code,
  player,
  gsis_id: gsisId ?? null,
  position: position ?? null,
})

const injuryColumns = (row: ValueOf<"injuries">) => ({
  ...playerColumns(row),
  report_status: row.reportStatus ?? null,
  practice_status: row.practiceStatus ?? null,
  injury: row.injury ?? null,
})

const reserveColumns = (
  row: ValueOf<"rosters">,
  { status, designation }: NonNullable<ValueOf<"rosters">["reserve"]>,
) => ({
  ...playerColumns(row),
  status,
  designation: designation ?? null,
})

interface Sourced {
  readonly source: string
  readonly fetched_at: number
}
export type GameRow = ReturnType<typeof gameColumns> & Sourced
export type QuarterbackRow = ReturnType<typeof quarterbackColumns> & Sourced
export type PlayerRow = Omit<ReturnType<typeof playerColumns>, "player_key"> & Sourced
export type InjuryRow = ReturnType<typeof injuryColumns> & Sourced
export type ReserveRow = ReturnType<typeof reserveColumns> & Sourced

const gameRows = (values: ReadonlyArray<ValueOf<"games">>): ReadonlyArray<Rows> => {
  const seasons = new Set(values.map(({ game }) => game.season))
  // A game that moves to another week gets a new id. A final is never deleted.
  const isCoveredBy = ({ season, home_score }: Columns) => home_score === null && seasons.has(Number(season))
  return [{ table: games, rows: values.map(gameColumns), isCoveredBy: isCoveredBy }]
}

const injuryRows = (values: ReadonlyArray<ValueOf<"injuries">>): ReadonlyArray<Rows> => {
  const rows = values.map(injuryColumns)
  const covered = new Set(rows.map(teamWeek))
  return [{ table: injuries, rows, isCoveredBy: (row) => covered.has(teamWeek(row)) }]
}

/** Values between two yields to other fibers: a season's rosters have tens of thousands. */
const stretch = 2_048

const rosterRows = Effect.fnUntraced(function* (values: ReadonlyArray<ValueOf<"rosters">>) {
  // By week, then by team: a text key per value would take most of the time.
  const weeks = new Map<number, Map<string, Columns>>()
  const numberOf = (season: number, week: number): number => season * 100 + week
  const listed: Array<Columns> = []
  for (const [at, value] of values.entries()) {
    if (at % stretch === stretch - 1) yield* breath
    const { season, team, week, reserve } = value
    const number = numberOf(season, week)
    const teams = weeks.get(number) ?? new Map<string, Columns>()
    if (teams.size === 0) weeks.set(number, teams)
    if (!teams.has(team)) teams.set(team, { season, team, week })
    if (reserve !== undefined) listed.push(reserveColumns(value, reserve))
  }
  return [
    // A player back on the roster leaves the reserve list of that week.
    {
      table: reserves,
      rows: listed,
      isCoveredBy: ({ season, team, week }) =>
        weeks.get(numberOf(Number(season), Number(week)))?.has(String(team)) === true,
    },
    { table: rosterWeeks, rows: [...weeks.values()].flatMap((teams) => [...teams.values()]) },
  ] satisfies ReadonlyArray<Rows>
})

type Writers = {
  readonly [Name in FeedName]: (
    values: ReadonlyArray<ValueOf<Name>>,
  ) => ReadonlyArray<Rows> | Effect.Effect<ReadonlyArray<Rows>>
}

const writers: Writers = {
  games: gameRows,
  team_weeks: (values) => [
    {
      table: teamWeeks,
      rows: values.map(({ season, week, team, epa, turnovers }) => ({ season, week, team, epa, turnovers })),
    },
  ],
  quarterbacks: (values) => [{ table: quarterbacks, rows: values.map(quarterbackColumns) }],
  injuries: injuryRows,
  rosters: rosterRows,
  top100: (values) => [
    {
      table: top100,
      rows: values.map(({ season, rank, player, code, position }) => ({
        season,
        rank,
        player_name: player,
        code,
        position,
      })),
    },
  ],
}

export const tablesOf = <Name extends FeedName>({ feed, values }: ReadFile<Name>): Effect.Effect<ReadonlyArray<Rows>> =>
  Effect.suspend(() => {
    const rows = (writers[feed] as Writers[Name])(values)
    return Effect.isEffect(rows) ? rows : Effect.succeed(rows)
  })

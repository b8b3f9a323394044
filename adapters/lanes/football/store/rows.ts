import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { getOrMake } from "../../../../core/getOrMake.ts"
import type { ReadFile } from "../../../../core/lanes/football/data/archive.ts"
import type { WeeklyFeed } from "../../../../core/lanes/football/data/coverage.ts"
import type { FormatName, ValueOf } from "../../../../core/lanes/football/data/formats.ts"
import type { Game, MarketLines, Side } from "../../../../core/lanes/football/data/Game.ts"
import type * as Ports from "../../../../core/lanes/football/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { type ColumnsOf, columns, type RowOf } from "../../../store/engine/columns.ts"
import type { Transactions } from "../../../store/engine/Transactions.ts"
import type { Columns, Table as Upserted } from "../../../store/engine/upsert.ts"

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
  losesData: "excluded.home_score IS NULL AND football_games.home_score IS NOT NULL",
  maxWithdrawn: 32,
}
const teamWeeks: Table = { name: "football_team_weeks", key: ["season", "week", "team"] }
const quarterbacks: Table = { name: "football_quarterback_weeks", key: ["player_id", "season", "week"] }
const byPlayer = ["season", "team", "week", "player_key"]
const injuries: Table = { name: "football_injuries", key: byPlayer }
const reserves: Table = { name: "football_reserves", key: byPlayer }
const rosterWeeks: Table = { name: "football_roster_weeks", key: ["season", "team", "week"] }
const top100: Table = { name: "football_top100", key: ["season", "rank"] }

/** The table that has a row for each team of each week, by kind of file. */
export const weeklyTables: Readonly<Record<WeeklyFeed, Table>> = {
  games,
  team_weeks: teamWeeks,
  quarterbacks,
  injuries,
  rosters: rosterWeeks,
}

const sideColumns = <const Name extends "home" | "away">(name: Name) =>
  columns<Side>()(["team", "code", "rest", "quarterback", "quarterbackName", "coach"], {
    own: {
      team: `${name}_team`,
      code: `${name}_code`,
      rest: `${name}_rest`,
      quarterback: `${name}_qb_id`,
      quarterbackName: `${name}_qb_name`,
      coach: `${name}_coach`,
    },
  })
export const home = sideColumns("home")
export const away = sideColumns("away")
export const game = columns<Game>()(
  [
    ...(["id", "season", "week", "type", "gameday", "kickoff", "neutral", "division"] as const),
    ...(["roof", "surface", "temperature", "wind", "stadium"] as const),
  ],
  { own: { id: "game_id", type: "game_type" }, flags: ["neutral", "division"] },
)
export const lines = columns<MarketLines>()(["spread", "total", "homeMoneyline", "awayMoneyline"], {
  own: { spread: "spread_line", total: "total_line" },
})

const gameColumns = ({ game: played, lines: stated }: ValueOf<"games">) => {
  const score = { home_score: played.score?.home ?? null, away_score: played.score?.away ?? null }
  return game.toRow(played, home.toRow(played.home, away.toRow(played.away, lines.toRow(stated, score))))
}

export const quarterback = columns<ValueOf<"quarterbacks">>()(
  [
    ...(["playerId", "season", "week", "player", "position", "code", "opponentCode"] as const),
    ...(["completions", "attempts", "passingYards", "passingTds", "interceptions", "sacksSuffered"] as const),
    ...(["passingEpa", "cpoe", "rushingYards", "rushingTds"] as const),
  ],
  { own: { player: "player_name" } },
)

type Reserved = ValueOf<"rosters"> & NonNullable<ValueOf<"rosters">["reserve"]>
const ofPlayer = ["season", "team", "week", "code", "player", "gsisId", "position"] as const
export const injury = columns<ValueOf<"injuries">>()([...ofPlayer, "reportStatus", "practiceStatus", "injury"])
export const reserve = columns<Reserved>()([...ofPlayer, "status", "designation"])

export const ranked = columns<ValueOf<"top100">>()(["rank", "player", "code", "position"], {
  own: { player: "player_name" },
})

const playerKey = ({ gsisId, player, position }: ValueOf<"rosters"> | ValueOf<"injuries">): string =>
  gsisId ?? `${player}/${position ?? ""}`

export const provenance = columns<Ports.Provenance>()(["source", "fetchedAt"])
export type Sourced = RowOf<typeof provenance>
export type GameRow = ReturnType<typeof gameColumns> & Sourced
export type RowFrom<Of> = RowOf<Of> & Sourced

export const withProvenance =
  <Value, Row>({ fromRow }: ColumnsOf<Value, Row>) =>
  (row: Row & Sourced): Value & Ports.Provenance =>
    fromRow(row, provenance.fromRow(row))

const gameRows = (values: ReadonlyArray<ValueOf<"games">>): ReadonlyArray<Rows> => {
  const seasons = new Set(values.map(({ game }) => game.season))
  // A game that moves to another week gets a new id. A final is never deleted.
  const isCoveredBy = ({ season, home_score }: Columns) => home_score === null && seasons.has(Number(season))
  return [{ table: games, rows: values.map(gameColumns), isCoveredBy }]
}

const injuryRows = (values: ReadonlyArray<ValueOf<"injuries">>): ReadonlyArray<Rows> => {
  const rows = values.map((value) => injury.toRow(value, { player_key: playerKey(value) }))
  const covered = new Set(rows.map(teamWeek))
  return [{ table: injuries, rows, isCoveredBy: (row) => covered.has(teamWeek(row)) }]
}

/** Values between two yields to other fibers: the rosters of a season have tens of thousands. */
const valuesPerTurn = 2_048

const rosterRows = Effect.fnUntraced(function* (values: ReadonlyArray<ValueOf<"rosters">>) {
  // By week, then by team: a text key per value would take most of the time.
  const weeks = new Map<number, Map<string, Columns>>()
  const weekNumber = (season: number, week: number): number => season * 100 + week
  const listed: Array<Columns> = []
  for (const [at, value] of values.entries()) {
    if (at % valuesPerTurn === valuesPerTurn - 1) yield* yieldToEventLoop
    const { season, team, week, reserve: held } = value
    const teams = getOrMake(weeks, weekNumber(season, week), () => new Map<string, Columns>())
    if (!teams.has(team)) teams.set(team, { season, team, week })
    if (held !== undefined) listed.push(reserve.toRow({ ...value, ...held }, { player_key: playerKey(value) }))
  }
  return [
    // A player back on the roster leaves the reserve list of that week.
    {
      table: reserves,
      rows: listed,
      isCoveredBy: ({ season, team, week }) =>
        weeks.get(weekNumber(Number(season), Number(week)))?.has(String(team)) === true,
    },
    { table: rosterWeeks, rows: [...weeks.values()].flatMap((teams) => [...teams.values()]) },
  ] satisfies ReadonlyArray<Rows>
})

type Writers = {
  readonly [Name in FormatName]: (
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
  quarterbacks: (values) => [{ table: quarterbacks, rows: values.map((value) => quarterback.toRow(value)) }],
  injuries: injuryRows,
  rosters: rosterRows,
  top100: (values) => [{ table: top100, rows: values.map((value) => ranked.toRow(value, { season: value.season })) }],
}

export const toTables = <F extends FormatName>({ feed, values }: ReadFile<F>): Effect.Effect<ReadonlyArray<Rows>> =>
  Effect.suspend(() => {
    const rows = (writers[feed] as Writers[F])(values)
    return Effect.isEffect(rows) ? rows : Effect.succeed(rows)
  })

/** Reads the seasons with rows of a feed, ascending. */
export const readSeasons = (
  { prepare }: Pick<Transactions["Type"], "prepare">,
  feed: WeeklyFeed,
): (() => Step.Step<ReadonlyArray<number>, SqlError>) => {
  const seasons = prepare<{ readonly season: number }>(`
    SELECT season FROM football_feeds AS f
    WHERE feed = ? AND EXISTS (SELECT 1 FROM ${weeklyTables[feed].name} AS rows WHERE rows.season = f.season)
    ORDER BY season`)
  return Step.fn(function* () {
    return (yield* seasons.all(feed)).map(({ season }) => season)
  })
}

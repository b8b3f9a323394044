import type * as Effect from "effect/Effect"
import * as Port from "../../endpoint/Port.ts"
import type { Failure } from "../../Failure.ts"
import type { Game, MarketLines, TeamWeeks } from "./data/Game.ts"
import type { Team } from "./data/teams.ts"

export interface Provenance {
  readonly source: string
  /** Epoch milliseconds. */
  readonly fetchedAt: number
}

/** A game of the schedule with the market's lines. */
export interface GameRecord extends Provenance {
  readonly game: Game
  readonly lines: MarketLines
  /** Epoch milliseconds; without a time of day, an instant that no kickoff precedes. */
  readonly kickoffAt: number
}

export interface Season {
  readonly season: number
  /** In order of kickoff, then of id. */
  readonly records: ReadonlyArray<GameRecord>
  /** Expected points of the offenses, by game of this season. */
  readonly weeks: TeamWeeks
}

export interface League {
  /** Oldest first; an unchanged season is the same object. */
  readonly seasons: ReadonlyArray<Season>
  /** When the source was last checked for changes, epoch milliseconds by season. */
  readonly checkedAt: ReadonlyMap<number, number>
}

/** Read port: schedule, results and lines. An empty store fails with `upstream_unavailable`. */
export const Games = Port.define("football/Games")<{
  /** Undefined for a season that is not loaded. */
  readonly season: (season: number) => Effect.Effect<Season | undefined, Failure>
  readonly league: Effect.Effect<League, Failure>
}>()
export type Games = typeof Games.Identifier

export interface QuarterbackWeek extends Provenance {
  /** GSIS id. */
  readonly playerId: string
  readonly player: string
  readonly position: string
  readonly season: number
  readonly week: number
  /** Team codes of that season. */
  readonly code: string
  readonly opponentCode: string
  readonly completions: number
  readonly attempts: number
  readonly passingYards: number
  readonly passingTds: number
  readonly interceptions: number
  readonly sacksSuffered: number
  /** Expected points added. */
  readonly passingEpa?: number
  /** Completion percentage over expectation. */
  readonly cpoe?: number
  readonly rushingYards: number
  readonly rushingTds: number
}

/** A quarterback's career in the loaded seasons. */
export interface Career {
  readonly playerId: string
  readonly player: string
  readonly position: string
  /** Code of his last team in his last season. */
  readonly code: string
  readonly firstSeason: number
  readonly lastSeason: number
  readonly lastWeek: number
  readonly attempts: number
}

/** Read port: the stat lines of quarterbacks. */
export const Quarterbacks = Port.define("football/Quarterbacks")<{
  readonly seasons: Effect.Effect<ReadonlyArray<number>, Failure>
  /** All quarterbacks, in no order. The same object while nothing changes. */
  readonly careers: Effect.Effect<ReadonlyArray<Career>, Failure>
  /** A quarterback's weeks, most recent first, limited to one season and to `last` weeks if these are given. */
  readonly weeks: (
    playerId: string,
    of: { readonly season?: number; readonly last?: number },
  ) => Effect.Effect<ReadonlyArray<QuarterbackWeek>, Failure>
}>()
export type Quarterbacks = typeof Quarterbacks.Identifier

interface ListedPlayer extends Provenance {
  readonly season: number
  /** 0 before the season. */
  readonly week: number
  readonly team: Team
  readonly code: string
  readonly player: string
  readonly gsisId?: string
  readonly position?: string
}

/** A row of the official injury report. */
export interface InjuryRow extends ListedPlayer {
  /** Game status; absent if the report leaves it blank. */
  readonly reportStatus?: string
  readonly practiceStatus?: string
  readonly injury?: string
}

/** A player of a roster who may not play: injured reserve, PUP, suspension and the like. */
export interface ReserveRow extends ListedPlayer {
  readonly status: string
  readonly designation?: string
}

export interface Reserves extends Provenance {
  readonly week: number
  readonly players: ReadonlyArray<ReserveRow>
}

/** Read port: injury reports and reserve lists. */
export const Injuries = Port.define("football/Injuries")<{
  /** All rows of a team's season, by week; undefined for a season that is not loaded. */
  readonly reported: (season: number, team: Team) => Effect.Effect<ReadonlyArray<InjuryRow> | undefined, Failure>
  readonly rostered: Effect.Effect<ReadonlyArray<number>, Failure>
  /** The season's newest list up to `week`; undefined if there is none. */
  readonly reserved: (season: number, team: Team, week?: number) => Effect.Effect<Reserves | undefined, Failure>
}>()
export type Injuries = typeof Injuries.Identifier

export interface Top100Player {
  readonly rank: number
  readonly player: string
  /** Team code in the season before the publication. */
  readonly code: string
  readonly position: string
}

export interface Top100List extends Provenance {
  /** Year of publication. */
  readonly season: number
  /** By rank. */
  readonly players: ReadonlyArray<Top100Player>
}

/** Read port: the lists voted on by the players. */
export const Top100 = Port.define("football/Top100")<{
  /** Years of publication that are loaded, ascending. */
  readonly seasons: Effect.Effect<ReadonlyArray<number>, Failure>
  readonly list: (season: number) => Effect.Effect<Top100List | undefined, Failure>
}>()
export type Top100 = typeof Top100.Identifier

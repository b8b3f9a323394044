import type * as Effect from "effect/Effect"
import * as Port from "../../endpoint/Port.ts"
import type { Failure } from "../../Failure.ts"
import type { PitcherLine, TeamLine } from "./lines.ts"
import type { LineUp } from "./skill/lineUps.ts"
import type { Careers, PitchingCounts } from "./skill/rates.ts"
import type { PitchedGame } from "./skill/states.ts"

/** One side of a listed game. */
export interface ListedSide {
  readonly teamId: number
  readonly name: string
  /** Season record; includes this game once it is over. */
  readonly wins: number
  readonly losses: number
  /** The announced or actual starter; absent while unknown. */
  readonly starter?: { readonly id: number; readonly name: string } | undefined
}

/** A game in the league's listing. A postponed game may be listed once per date, under one id. */
export interface ListedGame {
  readonly gamePk: number
  readonly season: number
  /** `R` is the regular season; `F`, `D`, `L` and `W` are its playoffs; others do not count in it. */
  readonly type: string
  /** Epoch milliseconds. */
  readonly firstPitch: number
  /** YYYY-MM-DD, the league's date of the game. */
  readonly officialDate: string
  /** The league's wording. */
  readonly state: string
  /** `off`: postponed or cancelled, not played under this listing. */
  readonly phase: "scheduled" | "live" | "over" | "off"
  /** Runs; absent until the game is over. */
  readonly score?: { readonly home: number; readonly away: number } | undefined
  readonly venue: string
  /** Not played in the home team's park. */
  readonly neutral: boolean
  readonly doubleHeader: string
  readonly gameNumber: number
  /** Begun on one day and ended on another. */
  readonly suspended?: boolean
  readonly home: ListedSide
  readonly away: ListedSide
}

/** The source of data. */
export interface Sourced {
  readonly source: string
  readonly locator: string
  /** Time of the fetch, epoch milliseconds. */
  readonly fetchedAt: number
  /** Stale data, served because a newer fetch failed. */
  readonly stale: boolean
}

export interface Listings extends Sourced {
  /** In any order. */
  readonly games: ReadonlyArray<ListedGame>
  /** Number of further listings that could not be parsed. */
  readonly unreadable: number
}

/** The line-ups of a game by ids of batters; empty until a team has posted its own. */
export interface PostedLineUps extends Sourced {
  /** The ids of the teams, where the source states them: they have to be the game's. */
  readonly teams?: { readonly home: number; readonly away: number }
  readonly home: LineUp
  readonly away: LineUp
  /** Why the source's batting orders are none. */
  readonly refusal?: string | undefined
}

/** Read port: the league's schedule. */
export const Slates = Port.define("baseball/Slates")<{
  /** Every listing with its first pitch on a UTC day YYYY-MM-DD; may include other days. */
  readonly around: (day: string) => Effect.Effect<Listings, Failure>
  /** Every listing of a game; none for an unknown game. */
  readonly of: (gamePk: number) => Effect.Effect<Listings, Failure>
  /** The line-ups of a listed game, which teams post in the hours before the first pitch. */
  readonly lineUps: (gamePk: number) => Effect.Effect<PostedLineUps, Failure>
}>()
export type Slates = typeof Slates.Identifier

export interface TeamLines extends Sourced {
  /** By team id. */
  readonly lines: ReadonlyMap<number, TeamLine>
}

export interface PitcherLines extends Sourced {
  readonly season: PitcherLine
  /** Earlier seasons by year, each once. */
  readonly earlier: ReadonlyArray<readonly [season: number, line: PitcherLine]>
  /** Batters faced in the last of them, by year. */
  readonly counts: ReadonlyMap<number, PitchingCounts>
}

export interface BatterLines extends Sourced {
  /** Plate appearances of whole seasons before the one asked for; undefined: he had none. */
  readonly of: Careers["of"]
}

/** Read port: lines of teams, pitchers and batters in regular seasons. */
export const SeasonLines = Port.define("baseball/SeasonLines")<{
  /** From games dated before `before` (YYYY-MM-DD); without it, of the whole season. */
  readonly teams: (season: number, before?: string) => Effect.Effect<TeamLines, Failure>
  /** From games dated before `before`. A pitcher who has not pitched has empty lines. */
  readonly pitcher: (id: number, season: number, before: string) => Effect.Effect<PitcherLines, Failure>
  /** Of seasons before `season`. */
  readonly batters: (ids: ReadonlyArray<string>, season: number) => Effect.Effect<BatterLines, Failure>
}>()
export type SeasonLines = typeof SeasonLines.Identifier

/** Finished games with the pitching of both teams, of a season and those before it. */
export interface PitchedGames extends Sourced {
  /** By the league's ids, in any order. */
  readonly games: ReadonlyArray<PitchedGame>
  /** Of their starters. */
  readonly careers: Careers
}

/** Read port: the pitching of teams by game, regular season and playoffs. */
export const PitchingLines = Port.define("baseball/PitchingLines")<{
  /** From games dated before `before`; the same object while nothing changes. */
  readonly until: (season: number, before: string) => Effect.Effect<PitchedGames, Failure>
}>()
export type PitchingLines = typeof PitchingLines.Identifier

/** Whole seasons of a starter by year, as they were before his first start in a season. */
export interface Career {
  readonly pitcher: string
  readonly season: number
  readonly seasons: ReadonlyArray<readonly [season: number, counts: PitchingCounts]>
}

/** A finished game that teaches nothing, and why. */
export interface RefusedGame extends Pick<PitchedGame, "id" | "season" | "day"> {
  readonly refusal: string
}

/** Store of pitching that was read, each game and each starter's season once. */
export const PitchingArchive = Port.plain("baseball/PitchingArchive")<{
  /** Games with lines. */
  readonly games: Effect.Effect<ReadonlyArray<PitchedGame>, Failure>
  readonly careers: Effect.Effect<ReadonlyArray<Career>, Failure>
  /** How many rows there are: they are never changed. */
  readonly size: Effect.Effect<number, Failure>
  /** Ids of games, refused ones included, on days from `day` on. */
  readonly ids: (day: string) => Effect.Effect<ReadonlySet<string>, Failure>
  /** The newest day with a game; undefined: there is none. */
  readonly newest: Effect.Effect<string | undefined, Failure>
  readonly append: (
    game: PitchedGame | RefusedGame,
    careers: ReadonlyArray<Career>,
    readAt: number,
  ) => Effect.Effect<void, Failure>
}>()
export type PitchingArchive = typeof PitchingArchive.Identifier

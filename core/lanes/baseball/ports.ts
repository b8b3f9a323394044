import type * as Effect from "effect/Effect"
import * as Port from "../../endpoint/Port.ts"
import type { Failure } from "../../Failure.ts"
import type { PitcherLine, TeamLine } from "./lines.ts"
import type { LineUp } from "./skill/lineUps.ts"
import type { Careers, PitchingCounts } from "./skill/rates.ts"
import type { PitchedGame } from "./skill/states.ts"

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
  /** True if it began on one day and ended on another. */
  readonly suspended?: boolean
  readonly home: ListedSide
  readonly away: ListedSide
}

/** Where and when data were read. */
export interface Sourced {
  readonly source: string
  readonly locator: string
  /** Time of the fetch, epoch milliseconds. */
  readonly fetchedAt: number
  /** True for old data that are served because a newer fetch failed. */
  readonly stale: boolean
}

export interface Listings extends Sourced {
  /** In any order. */
  readonly games: ReadonlyArray<ListedGame>
  readonly unreadable: number
}

/** The line-ups of a game as ids of batters; empty until a team has posted its line-up. */
export interface PostedLineUps extends Sourced {
  /** The ids of the teams, if the source states them; they have to be the game's. */
  readonly teams?: { readonly home: number; readonly away: number }
  readonly home: LineUp
  readonly away: LineUp
  /** Why the source's batting orders were refused. */
  readonly refusal?: string | undefined
}

/** Read port: the league's schedule. */
export const Slates = Port.define("baseball/Slates")<{
  /** All listings with their first pitch on a UTC day (YYYY-MM-DD), and perhaps some of other days. */
  readonly around: (day: string) => Effect.Effect<Listings, Failure>
  /** All listings of a game; none for an unknown game. */
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
  /** What the batters faced did in the last of them, by year. */
  readonly counts: ReadonlyMap<number, PitchingCounts>
}

export interface BatterLines extends Sourced {
  /** A batter's counts in a whole season; undefined if he did not bat in it. */
  readonly of: Careers["of"]
}

/** Read port: lines of teams, pitchers and batters in regular seasons. */
export const SeasonLines = Port.define("baseball/SeasonLines")<{
  /** Lines of all teams from games dated before `before` (YYYY-MM-DD), or from the whole season. */
  readonly teams: (season: number, before?: string) => Effect.Effect<TeamLines, Failure>
  /** A pitcher's lines from games dated before `before`; empty if he has not pitched. */
  readonly pitcher: (id: number, season: number, before: string) => Effect.Effect<PitcherLines, Failure>
  /** Batters' counts in seasons before `season`. */
  readonly batters: (ids: ReadonlyArray<string>, season: number) => Effect.Effect<BatterLines, Failure>
}>()
export type SeasonLines = typeof SeasonLines.Identifier

/** Finished games with the pitching of both teams, of a season and those before it. */
export interface PitchedGames extends Sourced {
  /** By the league's ids, in any order. */
  readonly games: ReadonlyArray<PitchedGame>
  readonly careers: Careers
}

/** Read port: the pitching of teams by game, regular season and playoffs. */
export const PitchingLines = Port.define("baseball/PitchingLines")<{
  /** Games dated before `before`; the same object while nothing changes. */
  readonly until: (season: number, before: string) => Effect.Effect<PitchedGames, Failure>
}>()
export type PitchingLines = typeof PitchingLines.Identifier

/** The earlier seasons of a starter by year, read before his first start in `season`. */
export interface Career {
  readonly pitcher: string
  readonly season: number
  readonly seasons: ReadonlyArray<readonly [season: number, counts: PitchingCounts]>
}

/** A finished game that is not learned from, and why. */
export interface RefusedGame extends Pick<PitchedGame, "id" | "season" | "day"> {
  readonly refusal: string
}

/** Store of pitching: each game and each starter's season once. */
export const PitchingArchive = Port.plain("baseball/PitchingArchive")<{
  /** The games that were not refused. */
  readonly games: Effect.Effect<ReadonlyArray<PitchedGame>, Failure>
  readonly careers: Effect.Effect<ReadonlyArray<Career>, Failure>
  /** The number of rows, which are never changed. */
  readonly size: Effect.Effect<number, Failure>
  /** Ids of games, refused ones included, on days from `day` on. */
  readonly ids: (day: string) => Effect.Effect<ReadonlySet<string>, Failure>
  /** The newest day with a game; undefined without any. */
  readonly newest: Effect.Effect<string | undefined, Failure>
  readonly append: (
    game: PitchedGame | RefusedGame,
    careers: ReadonlyArray<Career>,
    readAt: number,
  ) => Effect.Effect<void, Failure>
}>()
export type PitchingArchive = typeof PitchingArchive.Identifier

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Freshness } from "../../endpoint/Answer.ts"
import type { Failure } from "../../Failure.ts"
import type { PitcherLine, TeamLine } from "./lines.ts"

/** One side of a game as the league lists it. */
export interface ListedSide {
  readonly teamId: number
  readonly name: string
  /** Of the season: with this game in it once it is over. */
  readonly wins: number
  readonly losses: number
  /** Who is to pitch, or has begun the game. Absent while nobody is named. */
  readonly starter?: { readonly id: number; readonly name: string } | undefined
}

/** A game as the league lists it. One that was put off may be listed once per date, under one id. */
export interface ListedGame {
  readonly gamePk: number
  readonly season: number
  /** `R` is the regular season; `F`, `D`, `L` and `W` are its playoffs; others do not count in it. */
  readonly type: string
  /** Epoch milliseconds. */
  readonly firstPitch: number
  /** YYYY-MM-DD: the day that the league books the game on. */
  readonly officialDate: string
  /** As the league words it. */
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
  readonly home: ListedSide
  readonly away: ListedSide
}

/** Where facts are from. */
export interface Sourced {
  readonly source: string
  readonly locator: string
  /** When the upstream gave them, epoch milliseconds. */
  readonly fetchedAt: number
  /** Whether they stand in for newer ones that cannot be had now. */
  readonly held: boolean
}

export interface Listings extends Sourced {
  /** In any order. */
  readonly games: ReadonlyArray<ListedGame>
  /** How many were listed beside these and could not be read. */
  readonly unreadable: number
}

/** Read port: the league's schedule. */
export class Slates extends Context.Tag("core/lanes/baseball/Slates")<
  Slates,
  {
    readonly freshness: Freshness
    /** Every listing with its first pitch on a UTC day YYYY-MM-DD; those of other days may come along. */
    readonly around: (day: string) => Effect.Effect<Listings, Failure>
    /** Every listing of a game; none when the league knows no such game. */
    readonly of: (gamePk: number) => Effect.Effect<Listings, Failure>
  }
>() {}

export interface TeamLines extends Sourced {
  /** By team id. */
  readonly lines: ReadonlyMap<number, TeamLine>
}

export interface PitcherLines extends Sourced {
  readonly season: PitcherLine
  /** Earlier seasons by year, each once. */
  readonly earlier: ReadonlyArray<readonly [season: number, line: PitcherLine]>
}

/** Read port: what teams and pitchers have done in regular seasons. */
export class SeasonLines extends Context.Tag("core/lanes/baseball/SeasonLines")<
  SeasonLines,
  {
    readonly freshness: Freshness
    /** Of the games booked on days before `before` (YYYY-MM-DD), of the whole season without it. */
    readonly teams: (season: number, before?: string) => Effect.Effect<TeamLines, Failure>
    /** Of the games booked on days before `before`. A pitcher who has not pitched has empty lines. */
    readonly pitcher: (id: number, season: number, before: string) => Effect.Effect<PitcherLines, Failure>
  }
>() {}

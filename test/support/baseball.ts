import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Failure } from "../../core/Failure.ts"
import { Baseball } from "../../core/lanes/baseball/Baseball.ts"
import type { PitcherLine, TeamLine } from "../../core/lanes/baseball/lines.ts"
import {
  type BatterLines,
  type ListedGame,
  type PitchedGames,
  PitchingLines,
  type PostedLineUps,
  SeasonLines,
  Slates,
  type Sourced,
} from "../../core/lanes/baseball/ports.ts"
import { pitchedGames, usual } from "./pitching.ts"

export const firstPitch = Date.UTC(2026, 6, 9, 23, 10)

/** A game of 2026-07-09, in the evening. */
export const listed: ListedGame = {
  gamePk: 500_001,
  season: 2026,
  type: "R",
  firstPitch,
  officialDate: "2026-07-09",
  state: "Scheduled",
  phase: "scheduled",
  venue: "Gull Park",
  neutral: false,
  doubleHeader: "N",
  gameNumber: 1,
  home: { teamId: 111, name: "Harbour Gulls", wins: 50, losses: 40, starter: { id: 7001, name: "Ada Strong" } },
  away: { teamId: 222, name: "River Otters", wins: 45, losses: 45, starter: { id: 7002, name: "Ben Weak" } },
}

/** What a league's ports are to answer. */
export interface World {
  readonly games?: ReadonlyArray<ListedGame>
  readonly unreadable?: number
  readonly lines?: ReadonlyMap<number, TeamLine>
  readonly last?: ReadonlyMap<number, TeamLine>
  readonly pitchers?: Readonly<Record<number, PitcherLine>>
  /** Default: of every game of the two teams. */
  readonly pitched?: PitchedGames
  /** Default: none is posted. */
  readonly lineUps?: Partial<PostedLineUps> | Failure
  readonly batters?: BatterLines["of"] | Failure
  readonly stale?: boolean
  readonly fetchedAt?: number
}

/** Everything that was asked, in order. */
export interface Seen {
  readonly asked: Array<string>
}

export const lines: ReadonlyMap<number, TeamLine> = new Map([
  [111, { games: 90, scored: 460, allowed: 400 }],
  [222, { games: 90, scored: 400, allowed: 410 }],
])
export const lastSeason: ReadonlyMap<number, TeamLine> = new Map([
  [111, { games: 162, scored: 700, allowed: 720 }],
  [222, { games: 162, scored: 750, allowed: 680 }],
])
const pitchers: Readonly<Record<number, PitcherLine>> = {
  7001: { innings: 110, earnedRuns: 35 },
  7002: { innings: 90, earnedRuns: 50 },
}

const orFail = <A, B>(
  given: A | Failure | undefined,
  answer: (given: A | undefined) => B,
): Effect.Effect<B, Failure> => (given instanceof Failure ? Effect.fail(given) : Effect.sync(() => answer(given)))

const everyGame = pitchedGames(90)

/** The lane over ports that answer from a value. */
export const lane = (world: World = {}, seen: Seen = { asked: [] }): Layer.Layer<Baseball> => {
  const sourced = (what: string): Sourced => {
    seen.asked.push(what)
    return { source: "test league", locator: what, fetchedAt: world.fetchedAt ?? 0, stale: world.stale ?? false }
  }
  const listings = (what: string, isAsked: (game: ListedGame) => boolean = () => true) =>
    Effect.sync(() => ({
      ...sourced(what),
      games: (world.games ?? [listed]).filter(isAsked),
      unreadable: world.unreadable ?? 0,
    }))
  return Baseball.layer.pipe(
    Layer.provide([
      Layer.succeed(Slates, {
        freshness: "live",
        around: (day) => listings(day),
        of: (wanted) => listings(String(wanted), ({ gamePk }) => gamePk === wanted),
        lineUps: (gamePk) =>
          orFail(world.lineUps, (own) => ({ ...sourced(`line-ups/${gamePk}`), home: [], away: [], ...own })),
      }),
      Layer.succeed(SeasonLines, {
        freshness: "live",
        teams: (season, before) =>
          Effect.sync(() => ({
            ...sourced(`teams/${season}/${before ?? "whole"}`),
            lines: before === undefined ? (world.last ?? lastSeason) : (world.lines ?? lines),
          })),
        pitcher: (id, season, before) =>
          Effect.sync(() => ({
            ...sourced(`pitcher/${id}/${season}/${before}`),
            season: (world.pitchers ?? pitchers)[id] ?? { innings: 0, earnedRuns: 0 },
            earlier: [[season - 1, { innings: 100, earnedRuns: 40 }] as const],
            counts: new Map([[season - 1, { ...usual, faced: 400, strikeouts: 110 }]]),
          })),
        batters: (ids, season) =>
          orFail(world.batters, (of = () => undefined) => ({ ...sourced(`batters/${season}/${ids.join(",")}`), of })),
      }),
      Layer.succeed(PitchingLines, {
        freshness: "live",
        until: (season, before) =>
          Effect.sync(() => ({ ...(world.pitched ?? everyGame), ...sourced(`pitching/${season}/${before}`) })),
      }),
    ]),
  )
}

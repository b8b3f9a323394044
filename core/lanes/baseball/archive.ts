import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Feed } from "../../csv/Feed.ts"
import type { Failure } from "../../Failure.ts"
import { type BookGame, type BookInnings, bookGameOf, bookInningsOf, gameColumns, inningsColumns } from "./BookGame.ts"
import { columns, type GameLog, gameLogOf } from "./GameLog.ts"

type Keyed = { readonly id: string; readonly season: number }

const byId = { keyOf: ({ id }: Keyed) => id, seasonOf: ({ season }: Keyed) => season }

const odds: Feed<"odds", BookGame> = {
  ...byId,
  name: "odds",
  source: "archive of moneylines",
  columns: gameColumns,
  read: bookGameOf,
}

const innings: Feed<"innings", BookInnings> = {
  ...byId,
  name: "innings",
  source: "archive of moneylines",
  columns: inningsColumns,
  read: bookInningsOf,
}

const gameLogs: Feed<"game_logs", GameLog> = {
  ...byId,
  name: "game_logs",
  source: "Retrosheet game logs",
  columns: columns.filter((name) => name !== false),
  unnamed: columns,
  read: gameLogOf,
}

/** The kinds of file that backtests are made from, in the order in which an artefact names them. */
export const feeds = { odds, innings, game_logs: gameLogs } as const
export type Feeds = typeof feeds
export type FeedName = keyof Feeds
export type ValueOf<Name extends FeedName> = Feeds[Name] extends Feed<Name, infer A> ? A : never

/** A file that was read. */
export interface ReadFile<Name extends FeedName = FeedName> {
  readonly feed: Name
  readonly name: string
  /** Of its bytes, hexadecimal. */
  readonly sha256: string
  /** Epoch milliseconds. */
  readonly fetchedAt: number
  readonly values: ReadonlyArray<ValueOf<Name>>
}

/** What a file has changed. */
export interface Stored {
  readonly rows: number
  readonly added: number
  readonly changed: number
  /** What the file had said before and says no more. */
  readonly withdrawn: number
}

/** What names a file in an artefact. */
export interface Input {
  readonly name: string
  /** Hexadecimal. */
  readonly sha256: string
}

/** Games of the past, in no order. */
export interface Archived {
  readonly odds: ReadonlyArray<BookGame>
  readonly innings: ReadonlyArray<BookInnings>
  readonly logs: ReadonlyArray<GameLog>
  /** The files that they are from, in the order of the feeds and of their names. */
  readonly inputs: ReadonlyArray<Input>
}

/** Store of what backtests are made from. What a source corrects is corrected; nothing that was recorded is touched. */
export class BaseballArchive extends Context.Tag("core/lanes/baseball/BaseballArchive")<
  BaseballArchive,
  {
    /**
     * Takes in a file, or refuses it before any of it is written. It may be written piece by piece: readers have its games
     * when all of them are there. The same rows again change nothing.
     */
    readonly store: <Name extends FeedName>(file: ReadFile<Name>) => Effect.Effect<Stored, Failure>
    readonly read: Effect.Effect<Archived, Failure>
  }
>() {}

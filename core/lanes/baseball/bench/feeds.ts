import type { Input } from "../../../bench/Task.ts"
import type { Feed } from "../../../csv/Feed.ts"
import { type BookGame, type BookInnings, bookGameOf, bookInningsOf, gameColumns, inningsColumns } from "./bookGame.ts"
import { columns, type GameLog, gameLogOf } from "./gameLog.ts"

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

/** Kinds of archive files, in the order of inputs. */
export const feeds = { odds, innings, game_logs: gameLogs } as const
export type FeedName = keyof typeof feeds

/** Past games, unordered. */
export interface Archived {
  readonly odds: ReadonlyArray<BookGame>
  readonly innings: ReadonlyArray<BookInnings>
  readonly logs: ReadonlyArray<GameLog>
  /** Their files, in the order of feeds and names. */
  readonly inputs: ReadonlyArray<Input>
}

import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { FeedName } from "../../../../core/lanes/football/data/feeds.ts"

/** The seasons of a feed that a source was asked for, ascending. */
export const seasonsOf = (sql: SqlClient.SqlClient, feed: FeedName): Effect.Effect<ReadonlyArray<number>, SqlError> =>
  Effect.map(sql<{ season: number }>`SELECT season FROM football_feeds WHERE feed = ${feed} ORDER BY season`, (rows) =>
    rows.map(({ season }) => season),
  )

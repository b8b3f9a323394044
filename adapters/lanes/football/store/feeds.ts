import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { FeedName } from "../../../../core/lanes/football/data/feeds.ts"

/** The loaded seasons of a feed, ascending. */
export const seasonsOf = (sql: SqlClient.SqlClient, feed: FeedName): Effect.Effect<ReadonlyArray<number>, SqlError> =>
  Effect.map(sql<{ season: number }>`SELECT season FROM football_feeds WHERE feed = ${feed} ORDER BY season`, (rows) =>
    rows.map(({ season }) => season),
  )

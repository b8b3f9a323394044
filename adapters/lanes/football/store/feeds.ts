import type { Database } from "better-sqlite3"
import type { FeedName } from "../../../../core/lanes/football/data/feeds.ts"

/** Reads the loaded seasons of a feed, ascending. */
export const seasonsOf = (db: Database, feed: FeedName): (() => ReadonlyArray<number>) => {
  const seasons = db.prepare("SELECT season FROM football_feeds WHERE feed = ? ORDER BY season").pluck()
  return () => seasons.all(feed) as ReadonlyArray<number>
}

import type { SqlError } from "@effect/sql/SqlError"
import type { FeedName } from "../../../../core/lanes/football/data/feeds.ts"
import * as Step from "../../../../core/Step.ts"
import type { Transactions } from "../../../store/engine/Transactions.ts"

/** Reads the loaded seasons of a feed, ascending. */
export const seasonsOf = (
  { prepare }: Pick<Transactions["Type"], "prepare">,
  feed: FeedName,
): (() => Step.Step<ReadonlyArray<number>, SqlError>) => {
  const seasons = prepare<{ readonly season: number }>(
    "SELECT season FROM football_feeds WHERE feed = ? ORDER BY season",
  )
  return Step.fn(function* () {
    return (yield* seasons.all(feed)).map(({ season }) => season)
  })
}

import * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import type { Coverage } from "../../../../core/feeds/Due.ts"
import { keepByVersion } from "../../../../core/kept.ts"
import { toEasternDay } from "../../../../core/lanes/football/data/calendar.ts"
import {
  findUnlistedWeeks,
  listDueWeeks,
  type ScheduledWeek,
  toWeeklyCoverage,
  type WeekCount,
  type WeeklyFeed,
} from "../../../../core/lanes/football/data/coverage.ts"
import * as Step from "../../../../core/Step.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import type { Transactions } from "../../../store/engine/Transactions.ts"
import { weeklyTables } from "./rows.ts"

/** The teams with rows in the weeks of a season, by kind of file. */
const countingSql: Readonly<Record<WeeklyFeed, string>> = {
  games: "2 * count(home_score)",
  team_weeks: "count(*)",
  quarterbacks: "count(DISTINCT code)",
  injuries: "count(DISTINCT team)",
  rosters: "count(*)",
}

type Version = { readonly season: number; readonly version: number }

/** Values of a season, read again only after a change of its rows. */
const perSeason = <Row>(read: (season: number) => Effect.Effect<ReadonlyArray<Row>, Failure>) => {
  const seasons = keepByVersion<ReadonlyArray<Row>, Failure>()
  return Step.fn(function* (versions: ReadonlyArray<Version>) {
    const all: Array<Row> = []
    for (const { season, version } of versions) {
      const rows = yield* seasons(`${season}`, version, () => Effect.zipRight(yieldToEventLoop, read(season)))
      all.push(...rows)
    }
    return all
  })
}

/** The weeks that the store has of each kind of file, against the schedule's past weeks. */
export const make = ({
  prepare,
  read,
}: Transactions["Type"]): ((feed: WeeklyFeed) => (now: number) => Effect.Effect<Coverage, Failure>) => {
  const versions = prepare<Version>("SELECT season, version FROM football_feeds WHERE feed = ? ORDER BY season")
  const weeks = prepare<ScheduledWeek>(`
    SELECT season, week, max(gameday) AS "lastDay", 2 * count(*) AS teams
    FROM football_games WHERE season = ? GROUP BY season, week`)
  const schedule = perSeason((season) => read(() => weeks.all(season)))
  return (feed) => {
    const counts = prepare<WeekCount>(`
      SELECT season, week, ${countingSql[feed]} AS teams FROM ${weeklyTables[feed].name}
      WHERE season = ? GROUP BY season, week`)
    const rows = perSeason((season) => read(() => counts.all(season)))
    const coverages = keepByVersion<Coverage, Failure>()
    return (now) =>
      Step.gen(function* () {
        const scheduled = yield* read(() => versions.all("games"))
        const present = yield* read(() => versions.all(feed))
        const key = JSON.stringify([toEasternDay(now), scheduled, present])
        return yield* coverages("", key, () =>
          Step.gen(function* () {
            const listed = yield* schedule(scheduled)
            const unlisted = feed === "games" ? findUnlistedWeeks(listed) : []
            return toWeeklyCoverage(feed, listDueWeeks(listed, now), yield* rows(present), now, unlisted)
          }),
        )
      })
  }
}

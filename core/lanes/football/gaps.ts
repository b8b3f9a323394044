import type { Failure, Hint } from "../../Failure.ts"
import { behind, gapLines, type Period } from "../../feeds/Due.ts"
import type { Feeds } from "../../feeds/Feeds.ts"
import * as Step from "../../Step.ts"
import { filterPeriods, nflFeeds, toSeasonStart, type WeeklyFeed } from "./data/coverage.ts"

/** The season, or one week of it, that an answer reads from a feed. */
export interface WantedWeeks {
  readonly season: number
  readonly week?: number | undefined
  /** What the caller may ask for instead. */
  readonly instead: Hint
}

export interface WeekGaps {
  /** Missing periods of earlier seasons. */
  readonly periods: ReadonlyArray<Period>
  readonly lines: ReadonlyArray<string>
  /** The failure for an answer that would be empty because of those periods; absent if nothing is missing. */
  readonly refusal?: Failure
  /** False if no week of the season is due yet. */
  readonly isDue: boolean
  /** The failure if a due week of the current season is wanted but missing; an answer may have another source. */
  readonly late: Failure | undefined
}

export const readGaps: (
  feeds: Feeds["Type"],
  feed: WeeklyFeed,
  wanted: WantedWeeks,
  now: number,
) => Step.Step<WeekGaps, Failure> = Step.fn(function* ({ coverage }, name, { season, week, instead }, now) {
  const feed = nflFeeds[name]
  const covered = yield* coverage(feed)
  const isLate = filterPeriods(covered?.missing, season, week).length > 0
  const periods = filterPeriods(covered?.gaps, season, week)
  return {
    periods,
    lines: gapLines(feed, periods),
    late: isLate ? behind(feed, covered!, now, instead) : undefined,
    ...(periods.length > 0 && { refusal: behind(feed, { ...covered!, missing: periods }, now, instead) }),
    isDue: covered === undefined || (covered.expected?.order ?? 0) >= toSeasonStart(season),
  }
})

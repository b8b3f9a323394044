import type { Failure, Hint } from "../../Failure.ts"
import { behind, gapLines, type Period } from "../../feeds/Due.ts"
import type { Feeds } from "../../feeds/Feeds.ts"
import * as Step from "../../Step.ts"
import { nflFeeds, seasonStart, type WeeklyFeed, within } from "./data/coverage.ts"

/** What an answer on a season, or on one of its weeks, reads of a feed. */
export interface Wanted {
  readonly season: number
  readonly week?: number | undefined
  /** What the caller may ask instead. */
  readonly instead: Hint
}

/** Missing periods of the requested range in an earlier season. */
export interface Gaps {
  readonly periods: ReadonlyArray<Period>
  /** In words. */
  readonly lines: ReadonlyArray<string>
  /** The refusal of an answer that would say that there is none; absent: nothing lacks. */
  readonly refusal?: Failure
  /** False: no week of the season is due yet. */
  readonly isDue: boolean
  /** The refusal of an answer without another source: a due week of the present season is wanted and not there. */
  readonly late: Failure | undefined
}

/** Missing periods of the requested range. */
export const gapsOf: (feeds: Feeds["Type"], feed: WeeklyFeed, wanted: Wanted, now: number) => Step.Step<Gaps, Failure> =
  Step.fn(function* ({ coverage }, name, { season, week, instead }, now) {
    const feed = nflFeeds[name]
    const covered = yield* coverage(feed)
    const isLate = within(covered?.missing, season, week).length > 0
    const periods = within(covered?.gaps, season, week)
    return {
      periods,
      lines: gapLines(feed, periods),
      late: isLate ? behind(feed, covered!, now, instead) : undefined,
      ...(periods.length > 0 && { refusal: behind(feed, { ...covered!, missing: periods }, now, instead) }),
      isDue: covered === undefined || (covered.expected?.order ?? 0) >= seasonStart(season),
    }
  })

import { type Coverage, type Due, type Period, toCoverage } from "../../../feeds/Due.ts"
import { addDays } from "../../../time.ts"
import { countWeeks, findGamesSeason, findOpeningDay, toEasternDay } from "./calendar.ts"
import type { FormatName } from "./formats.ts"

/** The kinds of files that a source must bring week by week. */
export type WeeklyFeed = Exclude<FormatName, "top100">

const makeWeeklyDue = (name: WeeklyFeed, title: string, absence: string): Due => ({
  name: `nfl_${name}`,
  title: `NFL ${title}`,
  due: "Two days after the last game of each week.",
  absence,
})

export const nflFeeds: Readonly<Record<WeeklyFeed, Due>> = {
  games: makeWeeklyDue("games", "results", "Games and lines of games to come are refused."),
  team_weeks: makeWeeklyDue("team_weeks", "team stats", "Fair lines are flagged, less confident and not recorded."),
  quarterbacks: makeWeeklyDue(
    "quarterbacks",
    "stat lines of quarterbacks",
    "Stat lines without a season, and those of this season, are refused.",
  ),
  injuries: makeWeeklyDue("injuries", "injury reports", "This season's reports are refused."),
  rosters: makeWeeklyDue("rosters", "rosters", "This season's reserve lists are refused."),
}

export const weeklyFeeds = Object.keys(nflFeeds) as ReadonlyArray<WeeklyFeed>

/** The first season of each feed. Team weeks begin with the first ones that the model was trained on. */
export const firstSeasons: Readonly<Record<WeeklyFeed, number>> = {
  games: 1999,
  team_weeks: 2016,
  quarterbacks: 2002,
  injuries: 2009,
  rosters: 2002,
}

/** How many teams a week may lack: a postponed game, a team without a quarterback (2020), teams with nobody to report. */
const maxAbsentTeams: Readonly<Record<WeeklyFeed, number>> = {
  games: 2,
  team_weeks: 0,
  quarterbacks: 1,
  injuries: 2,
  rosters: 0,
}

/** A source has this many days after the last gameday of a week. */
const graceDays = 2

export interface ScheduledWeek {
  readonly season: number
  readonly week: number
  readonly teams: number
  /** Its last gameday, YYYY-MM-DD, US Eastern. */
  readonly lastDay: string
}

const toWeekOrder = (season: number, week: number): number => 100 * season + week

export const toWeekPeriod = (season: number, week: number): Period => ({
  order: toWeekOrder(season, week),
  name: `week ${week} of ${season}`,
})

export const toSeasonStart = (season: number): number => toWeekOrder(season, 0)

const countRegularWeeks = (season: number): number => countWeeks(season) - 4

/** The regular season by the calendar alone, from Thursday to Monday. */
const makeCalendarWeeks = (season: number): ReadonlyArray<ScheduledWeek> =>
  Array.from({ length: countRegularWeeks(season) }, (_, at) => ({
    season,
    week: at + 1,
    teams: 1,
    lastDay: addDays(findOpeningDay(season), 7 * at + 4),
  }))

/** The weeks that ended over two days ago, oldest first. A current season without a schedule has those of the calendar. */
export const listDueWeeks = (schedule: ReadonlyArray<ScheduledWeek>, now: number): ReadonlyArray<ScheduledWeek> => {
  const current = findGamesSeason(now)
  const limit = addDays(toEasternDay(now), -graceDays)
  const weeks = schedule.some(({ season }) => season === current)
    ? schedule
    : [...schedule, ...makeCalendarWeeks(current)]
  return weeks
    .filter(({ lastDay }) => lastDay < limit)
    .sort((a, b) => toWeekOrder(a.season, a.week) - toWeekOrder(b.season, b.week))
}

/** At most this many teams have a bye in a week: six up to 2025, and two for safety. */
const maxByes = 8

/** A complete week of the league has at least this many teams. */
const minTeams = 22

/** Teams that may play in a week: of the 31 from 1999 to 2001 one always had a bye. */
const countTeams = (season: number): number => (season < 2002 ? 30 : 32)

/**
 * The weeks of the regular season that a schedule lacks, wholly or in part, as one that was cut off does: the league publishes
 * all of a season in May. The last week before such a cut is taken to have no byes.
 */
export const findUnlistedWeeks = (schedule: ReadonlyArray<ScheduledWeek>): ReadonlyArray<Period> => {
  // A schedule without any complete week is an embedder's own with a few games.
  if (!schedule.some(({ teams }) => teams >= minTeams)) return []
  return [...new Set(schedule.map(({ season }) => season))].flatMap((season) => {
    const teams = new Map(
      schedule.flatMap((week) => (week.season === season ? [[week.week, week.teams] as const] : [])),
    )
    const last = countRegularWeeks(season)
    return Array.from({ length: last }, (_, at) => at + 1)
      .filter((week) => {
        const least = countTeams(season) - (week < last && teams.has(week + 1) ? maxByes : 0)
        return (teams.get(week) ?? 0) < least
      })
      .map((week) => toWeekPeriod(season, week))
  })
}

export type WeekCount = Omit<ScheduledWeek, "lastDay">

const byOrder = (a: Period, b: Period): number => a.order - b.order

/**
 * The coverage of a kind of file, given the due weeks and the rows that have been read.
 *
 * @param unlisted weeks that the schedule should list but does not
 */
export const toWeeklyCoverage = (
  feed: WeeklyFeed,
  weeks: ReadonlyArray<ScheduledWeek>,
  counts: ReadonlyArray<WeekCount>,
  now: number,
  unlisted: ReadonlyArray<Period> = [],
): Coverage => {
  const readTeams = new Map(counts.map(({ season, week, teams }) => [toWeekOrder(season, week), teams]))
  const owed = weeks.filter(({ season }) => season >= firstSeasons[feed])
  const needed = new Map(
    owed.map(({ season, week, teams }) => [toWeekOrder(season, week), Math.max(1, teams - maxAbsentTeams[feed])]),
  )
  const [newest] = counts
    .filter(({ teams }) => teams > 0)
    .sort((a, b) => toWeekOrder(b.season, b.week) - toWeekOrder(a.season, a.week))
  const current = toSeasonStart(findGamesSeason(now))
  const due = toCoverage(
    owed.map(({ season, week }) => toWeekPeriod(season, week)),
    ({ order }) => (readTeams.get(order) ?? 0) >= needed.get(order)!,
    newest && toWeekPeriod(newest.season, newest.week),
    current,
  )
  const isNew = ({ order }: Period) => ![...due.missing, ...due.gaps].some((one) => one.order === order)
  const more = unlisted.filter(isNew)
  return {
    ...due,
    missing: [...due.missing, ...more.filter(({ order }) => order >= current)].sort(byOrder),
    gaps: [...due.gaps, ...more.filter(({ order }) => order < current)].sort(byOrder),
  }
}

/** The periods that belong to a season, or to one of its weeks. */
export const filterPeriods = (
  periods: ReadonlyArray<Period> | undefined,
  season: number,
  week?: number,
): ReadonlyArray<Period> =>
  (periods ?? []).filter(({ order }) =>
    week === undefined
      ? order >= toSeasonStart(season) && order < toSeasonStart(season + 1)
      : order === toWeekOrder(season, week),
  )

/** The periods before a week of a season that are due but missing. */
export const listLackingBefore = (
  coverage: Coverage | undefined,
  season: number,
  week: number,
): ReadonlyArray<Period> =>
  [...(coverage?.gaps ?? []), ...(coverage?.missing ?? [])].filter(({ order }) => order < toWeekOrder(season, week))

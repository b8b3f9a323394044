import { type Coverage, type Due, type Period, toCoverage } from "../../../feeds/Due.ts"
import { addDays } from "../../../time.ts"
import { easternDay, gamesSeason, seasonOpens, weekCount } from "./calendar.ts"
import type { FormatName } from "./formats.ts"

/** The kinds of files that a source must bring week by week. */
export type WeeklyFeed = Exclude<FormatName, "top100">

const weeklyDue = (name: WeeklyFeed, title: string, absence: string): Due => ({
  name: `nfl_${name}`,
  title: `NFL ${title}`,
  due: "Two days after the last game of each week.",
  absence,
})

/** What nflverse owes, by kind of file. */
export const nflFeeds: Readonly<Record<WeeklyFeed, Due>> = {
  games: weeklyDue("games", "results", "Games and lines of games to come are refused."),
  team_weeks: weeklyDue("team_weeks", "team stats", "Fair lines are flagged, less confident and not recorded."),
  quarterbacks: weeklyDue(
    "quarterbacks",
    "stat lines of quarterbacks",
    "Stat lines without a season, and those of this season, are refused.",
  ),
  injuries: weeklyDue("injuries", "injury reports", "This season's reports are refused."),
  rosters: weeklyDue("rosters", "rosters", "This season's reserve lists are refused."),
}

export const weeklyFeeds = Object.keys(nflFeeds) as ReadonlyArray<WeeklyFeed>

/** The first season of each feed. Team weeks start with those of the model's training. */
export const firstSeasons: Readonly<Record<WeeklyFeed, number>> = {
  games: 1999,
  team_weeks: 2016,
  quarterbacks: 2002,
  injuries: 2009,
  rosters: 2002,
}

/** Teams of a week that may lack: a postponed game, a game without a quarterback (2020), a team with nobody to report. */
const mostAbsent: Readonly<Record<WeeklyFeed, number>> = {
  games: 2,
  team_weeks: 0,
  quarterbacks: 1,
  injuries: 2,
  rosters: 0,
}

/** Days that a source has after the last gameday of a week. */
const graceDays = 2

/** A week of the schedule. */
export interface ScheduledWeek {
  readonly season: number
  readonly week: number
  /** Teams that play in it. */
  readonly teams: number
  /** Its last gameday, YYYY-MM-DD, US Eastern. */
  readonly lastDay: string
}

const weekOrder = (season: number, week: number): number => 100 * season + week

export const weekPeriod = (season: number, week: number): Period => ({
  order: weekOrder(season, week),
  name: `week ${week} of ${season}`,
})

/** The order of the first week of a season. */
export const seasonStart = (season: number): number => weekOrder(season, 0)

/** Weeks of a regular season. */
const regularWeeks = (season: number): number => weekCount(season) - 4

/** The regular season by the calendar alone, from Thursday to Monday. */
const calendarWeeks = (season: number): ReadonlyArray<ScheduledWeek> =>
  Array.from({ length: regularWeeks(season) }, (_, at) => ({
    ...{ season, week: at + 1, teams: 1 },
    lastDay: addDays(seasonOpens(season), 7 * at + 4),
  }))

/** The weeks that are over for two days, oldest first; those of a current season without a schedule by the calendar. */
export const dueWeeks = (schedule: ReadonlyArray<ScheduledWeek>, now: number): ReadonlyArray<ScheduledWeek> => {
  const current = gamesSeason(now)
  const limit = addDays(easternDay(now), -graceDays)
  const weeks = schedule.some(({ season }) => season === current) ? schedule : [...schedule, ...calendarWeeks(current)]
  return weeks
    .filter(({ lastDay }) => lastDay < limit)
    .sort((a, b) => weekOrder(a.season, a.week) - weekOrder(b.season, b.week))
}

/** Most byes of a week, in teams: six up to 2025, with room for two. */
const mostByes = 8

/** Teams in a week of the league. */
const leastTeams = 22

/** Teams of a season: 31 from 1999 to 2001, of which one never plays. */
const teamCount = (season: number): number => (season < 2002 ? 30 : 32)

/**
 * Weeks of the regular season that a schedule lacks, or of which it lacks games, as one that was cut does: a season is
 * published whole in May. No team has a bye in the last week before a cut.
 */
export const unlistedWeeks = (schedule: ReadonlyArray<ScheduledWeek>): ReadonlyArray<Period> => {
  // A schedule without a whole week is an embedder's own, of some games.
  if (!schedule.some(({ teams }) => teams >= leastTeams)) return []
  return [...new Set(schedule.map(({ season }) => season))].flatMap((season) => {
    const teams = new Map(
      schedule.flatMap((week) => (week.season === season ? [[week.week, week.teams] as const] : [])),
    )
    const last = regularWeeks(season)
    return Array.from({ length: last }, (_, at) => at + 1)
      .filter((week) => {
        const least = teamCount(season) - (week < last && teams.has(week + 1) ? mostByes : 0)
        return (teams.get(week) ?? 0) < least
      })
      .map((week) => weekPeriod(season, week))
  })
}

/** Teams with rows in a week of a season. */
export type WeekCount = Omit<ScheduledWeek, "lastDay">

const byOrder = (a: Period, b: Period): number => a.order - b.order

/**
 * The coverage of a kind of file, given the due weeks and the rows that are there.
 *
 * @param unlisted weeks that the schedule should list and does not
 */
export const weeklyCoverage = (
  feed: WeeklyFeed,
  weeks: ReadonlyArray<ScheduledWeek>,
  counts: ReadonlyArray<WeekCount>,
  now: number,
  unlisted: ReadonlyArray<Period> = [],
): Coverage => {
  const there = new Map(counts.map(({ season, week, teams }) => [weekOrder(season, week), teams]))
  const owed = weeks.filter(({ season }) => season >= firstSeasons[feed])
  const needed = new Map(
    owed.map(({ season, week, teams }) => [weekOrder(season, week), Math.max(1, teams - mostAbsent[feed])]),
  )
  const [newest] = counts
    .filter(({ teams }) => teams > 0)
    .sort((a, b) => weekOrder(b.season, b.week) - weekOrder(a.season, a.week))
  const current = seasonStart(gamesSeason(now))
  const due = toCoverage(
    owed.map(({ season, week }) => weekPeriod(season, week)),
    ({ order }) => (there.get(order) ?? 0) >= needed.get(order)!,
    newest && weekPeriod(newest.season, newest.week),
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

/** Those of some periods that are of a season, or of one of its weeks. */
export const within = (
  periods: ReadonlyArray<Period> | undefined,
  season: number,
  week?: number,
): ReadonlyArray<Period> =>
  (periods ?? []).filter(({ order }) =>
    week === undefined
      ? order >= seasonStart(season) && order < seasonStart(season + 1)
      : order === weekOrder(season, week),
  )

/** The periods before a week of a season that are due and not there. */
export const lackingBefore = (coverage: Coverage | undefined, season: number, week: number): ReadonlyArray<Period> =>
  [...(coverage?.gaps ?? []), ...(coverage?.missing ?? [])].filter(({ order }) => order < weekOrder(season, week))

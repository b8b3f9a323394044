import { assert, describe, it } from "@effect/vitest"
import {
  filterPeriods,
  findUnlistedWeeks,
  listDueWeeks,
  listLackingBefore,
  type ScheduledWeek,
  toWeeklyCoverage,
  toWeekPeriod,
} from "../../../../../core/lanes/football/data/coverage.ts"

const scheduled = (season: number, week: number, lastDay: string, teams = 32): ScheduledWeek => ({
  season,
  week,
  lastDay,
  teams,
})

/** Monday nights of September 2024. */
const september = [scheduled(2024, 1, "2024-09-09"), scheduled(2024, 2, "2024-09-16"), scheduled(2024, 3, "2024-09-23")]
const rows = (season: number, week: number, teams: number) => ({ season, week, teams })

describe("a week of the schedule", () => {
  it("is due from the third day after its last game on, by the Eastern calendar", () => {
    const weeksAt = (now: number) => listDueWeeks(september, now).map(({ week }) => week)
    assert.deepStrictEqual(weeksAt(Date.UTC(2024, 8, 19, 3, 59)), [1])
    assert.deepStrictEqual(weeksAt(Date.UTC(2024, 8, 19, 4)), [1, 2])
  })

  it("is due by the calendar alone where a current season has no schedule", () => {
    // The season opens on 5 September; its first Monday is the 9th.
    const weeksAt = (now: number) => listDueWeeks([], now).map(({ season, week }) => `${season}/${week}`)
    assert.deepStrictEqual(weeksAt(Date.UTC(2024, 8, 6)), [])
    assert.deepStrictEqual(weeksAt(Date.UTC(2024, 8, 20)), ["2024/1", "2024/2"])
    assert.lengthOf(weeksAt(Date.UTC(2025, 1, 20)), 18)
  })
})

describe("the coverage of weekly files", () => {
  const now = Date.UTC(2024, 8, 20)
  const due = listDueWeeks([scheduled(2023, 22, "2024-02-11", 2), ...september], now)

  it("needs every team of team stats, and forgives a reporter or two elsewhere", () => {
    const counts = [rows(2023, 22, 2), rows(2024, 1, 32), rows(2024, 2, 31)]
    const missing = (feed: Parameters<typeof toWeeklyCoverage>[0]) => toWeeklyCoverage(feed, due, counts, now).missing
    assert.deepStrictEqual(missing("team_weeks"), [toWeekPeriod(2024, 2)])
    for (const feed of ["quarterbacks", "injuries", "games"] as const) assert.deepStrictEqual(missing(feed), [])
  })

  it("takes nothing for a week, however few play in it", () => {
    const { gaps, missing, newest } = toWeeklyCoverage("injuries", due, [rows(2024, 1, 30)], now)
    assert.deepStrictEqual(
      [gaps, missing, newest],
      [[toWeekPeriod(2023, 22)], [toWeekPeriod(2024, 2)], toWeekPeriod(2024, 1)],
    )
  })

  it("has its newest week where there are rows of teams, not where games are only listed", () => {
    const counts = [rows(2024, 1, 32), rows(2024, 2, 32), rows(2024, 3, 0)]
    assert.deepStrictEqual(toWeeklyCoverage("games", due, counts, now).newest, toWeekPeriod(2024, 2))
  })

  it("lacks weeks of a season that its schedule does not list, or lists by half", () => {
    const whole = Array.from({ length: 18 }, (_, at) => scheduled(2024, at + 1, "2025-01-05", at === 9 ? 26 : 32))
    assert.deepStrictEqual(findUnlistedWeeks(whole), [])
    assert.deepStrictEqual(findUnlistedWeeks(whole.slice(0, 16)), [toWeekPeriod(2024, 17), toWeekPeriod(2024, 18)])
    const half = whole.map((week) => (week.week === 18 ? { ...week, teams: 30 } : week))
    assert.deepStrictEqual(findUnlistedWeeks(half), [toWeekPeriod(2024, 18)])
    // Seasons had a week and two teams less before.
    const old = Array.from({ length: 17 }, (_, at) => scheduled(2001, at + 1, "2002-01-06", 30))
    assert.deepStrictEqual(findUnlistedWeeks(old), [])
  })

  it("does not ask a feed for seasons before its first", () => {
    const old = listDueWeeks([scheduled(2008, 1, "2008-09-08"), scheduled(2009, 1, "2009-09-14")], now)
    const named = (feed: Parameters<typeof toWeeklyCoverage>[0]) =>
      toWeeklyCoverage(feed, old, [], now).gaps.map(({ name }) => name)
    assert.deepStrictEqual(named("injuries"), ["week 1 of 2009"])
    assert.deepStrictEqual(named("team_weeks"), [])
    assert.deepStrictEqual(named("rosters"), ["week 1 of 2008", "week 1 of 2009"])
  })
})

describe("the periods of an answer", () => {
  const periods = [toWeekPeriod(2023, 22), toWeekPeriod(2024, 1), toWeekPeriod(2024, 3)]

  it("are those of its season or its week", () => {
    assert.deepStrictEqual(filterPeriods(periods, 2024), periods.slice(1))
    assert.deepStrictEqual(filterPeriods(periods, 2024, 3), periods.slice(2))
    assert.deepStrictEqual(filterPeriods(periods, 2024, 2), [])
    assert.deepStrictEqual(filterPeriods(undefined, 2024), [])
  })

  it("before a game are all that lack until its week", () => {
    const coverage = { gaps: periods.slice(0, 1), missing: periods.slice(1) }
    assert.deepStrictEqual(listLackingBefore(coverage, 2024, 3), periods.slice(0, 2))
    assert.deepStrictEqual(listLackingBefore(coverage, 2023, 22), [])
  })
})

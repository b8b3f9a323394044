import { assert, describe, it } from "@effect/vitest"
import { isCalledOff } from "../../../../../adapters/lanes/football/mock/game.ts"
import {
  injuryRows,
  newestList,
  reserveRows,
  rosterWeek,
  top100Of,
} from "../../../../../adapters/lanes/football/mock/reports.ts"
import { drawPairings, listFixtures } from "../../../../../adapters/lanes/football/mock/schedule.ts"
import { playedSeason } from "../../../../../adapters/lanes/football/mock/season.ts"
import { drawTeamWeeks, statLine } from "../../../../../adapters/lanes/football/mock/stats.ts"
import { divisions } from "../../../../../adapters/lanes/football/mock/teams.ts"
import { findOpeningDay } from "../../../../../core/lanes/football/data/calendar.ts"
import { addDays } from "../../../../../core/time.ts"

/** Noon in New York on a day. */
const noon = (on: string): number => Date.parse(`${on}T17:00:00Z`)

describe.each([
  [2020, 16],
  [2021, 17],
])("the schedule of %i", (season, games) => {
  const weeks = drawPairings(season)

  it("has a game for every team in each full week, and as many for all", () => {
    assert.lengthOf(weeks, games + 1)
    const played = new Map<string, number>()
    for (const pairings of weeks) {
      const teams = pairings.flatMap(({ home, away }) => [home, away])
      assert.strictEqual(new Set(teams).size, teams.length, "nobody plays twice in a week")
      for (const team of teams) played.set(team, (played.get(team) ?? 0) + 1)
    }
    assert.strictEqual(played.size, 32)
    assert.deepStrictEqual(new Set(played.values()), new Set([games]))
  })

  it("has every team of a division at home and away against its three rivals", () => {
    const all = weeks.flat().map(({ home, away }) => `${away}@${home}`)
    for (const teams of divisions) {
      for (const home of teams) {
        for (const away of teams) {
          if (home === away) continue
          assert.lengthOf(
            all.filter((one) => one === `${away}@${home}`),
            1,
            `${away} at ${home}`,
          )
        }
      }
    }
  })
})

describe("days and hours", () => {
  it("a week has a Thursday night, a Monday night and a Sunday night", () => {
    const fixtures = listFixtures(2020).filter(({ week }) => week === 2)
    const thursday = addDays(findOpeningDay(2020), 7)
    const slots = (kickoff: string) => fixtures.filter((one) => one.kickoff === kickoff).map(({ gameday }) => gameday)
    assert.deepStrictEqual(slots("20:15"), [thursday, addDays(thursday, 4)])
    for (const kickoff of ["20:20", "16:05", "16:25"]) assert.deepStrictEqual(slots(kickoff), [addDays(thursday, 3)])
    assert.strictEqual(new Date(thursday).getUTCDay(), 4)
  })

  it("a game is abroad in four weeks of a season since 2007", () => {
    const abroad = (season: number) => listFixtures(season).flatMap(({ neutral, week }) => (neutral ? [week] : []))
    assert.deepStrictEqual(abroad(2006), [])
    assert.deepStrictEqual(abroad(2007), [4, 5, 6, 7])
    assert.isTrue(listFixtures(2007).every(({ neutral, kickoff }) => neutral === (kickoff === "09:30")))
  })

  it("only a Monday of week 17 of 2022 was called off", () => {
    const [{ game }] = playedSeason(2020) as readonly [ReturnType<typeof playedSeason>[number]]
    const at = (season: number, week: number, gameday: string) => isCalledOff({ ...game, season, week, gameday })
    assert.isTrue(at(2022, 17, "2023-01-02"))
    assert.isFalse(at(2022, 17, "2023-01-01"))
    assert.isFalse(at(2022, 16, "2022-12-26"))
    assert.isFalse(at(2021, 17, "2022-01-03"))
  })
})

describe("a played season", () => {
  it("has lines in half points, and moneylines", () => {
    const lines = (season: number) => playedSeason(season).map(({ lines }) => lines)
    for (const { spread, total } of lines(2020)) {
      assert.strictEqual((2 * spread!) % 1, 0)
      assert.strictEqual((2 * total!) % 1, 0)
    }
    assert.isTrue(lines(2006).every(({ homeMoneyline: odds }) => Math.abs(odds!) >= 100))
  })

  it("has ties in the regular season alone", () => {
    const tied = Array.from({ length: 6 }, (_, at) => playedSeason(2010 + at))
      .flat()
      .filter(({ game: { score } }) => score?.home === score?.away)
    assert.isNotEmpty(tied)
    assert.isTrue(tied.every(({ game }) => game.type === "REG"))
  })

  it("has stat lines that fit together and to the score", () => {
    for (const played of playedSeason(2020)) {
      for (const side of ["home", "away"] as const) {
        const line = statLine(played, side)
        assert.strictEqual(line.code, played.game[side].code)
        assert.strictEqual(line.opponentCode, played.game[side === "home" ? "away" : "home"].code)
        assert.isAtLeast(line.attempts, 12)
        assert.isAtMost(line.completions, line.attempts)
        assert.isAtMost(line.passingTds, line.completions)
        assert.isAtMost(line.passingTds + line.rushingTds, played.offenses[side].touchdowns)
        assert.isAtMost(line.interceptions, 4)
      }
    }
  })

  it("has expected points of both offenses since 2016", () => {
    const first = (season: number) => playedSeason(season)[0]!
    assert.lengthOf(drawTeamWeeks(first(2015)), 0)
    const { game } = first(2016)
    assert.deepStrictEqual(
      drawTeamWeeks(first(2016)).map(({ team }) => team),
      [game.home.team, game.away.team],
    )
  })
})

describe("reports", () => {
  const first = playedSeason(2020).find(({ game }) => game.home.team === "KC" || game.away.team === "KC")!.game

  it("of injuries are published two days before each game, since 2009", () => {
    const weeks = (on: string) => new Set(injuryRows(2020, "KC", noon(on)).map(({ week }) => week))
    assert.deepStrictEqual(weeks(addDays(first.gameday, -3)), new Set())
    assert.deepStrictEqual(weeks(addDays(first.gameday, -2)), new Set([first.week]))
    assert.isEmpty(injuryRows(2008, "KC", noon("2009-02-01")))
    assert.isNotEmpty(injuryRows(2009, "KC", noon("2010-02-01")))
  })

  it("of rosters begin on 15 March, and go by the week from the opening to the last game", () => {
    const opening = findOpeningDay(2020)
    const week = (on: string) => rosterWeek(2020, noon(on))
    assert.isUndefined(week("2020-03-14"))
    assert.strictEqual(week("2020-03-15"), 0)
    assert.strictEqual(week(addDays(opening, -1)), 0)
    assert.strictEqual(week(opening), 1)
    assert.strictEqual(week(addDays(opening, 6)), 1)
    assert.strictEqual(week(addDays(opening, 7)), 2)
    assert.strictEqual(week("2021-08-01"), playedSeason(2020).at(-1)!.game.week)
  })

  it("keep who is on reserve for the rest of the season", () => {
    const reserved = (week: number) => reserveRows(2020, "KC", week).map(({ gsisId }) => gsisId)
    const [early, late] = [reserved(1), reserved(18)]
    assert.isAbove(late.length, early.length)
    assert.includeMembers([...late], [...early])
  })

  it("of the hundred best come out on 15 August, ranked without a gap", () => {
    assert.strictEqual(newestList(noon("2024-08-14")), 2023)
    assert.strictEqual(newestList(noon("2024-08-15")), 2024)
    assert.deepStrictEqual(
      top100Of(2020).map(({ rank }) => rank),
      Array.from({ length: 100 }, (_, at) => at + 1),
    )
  })
})

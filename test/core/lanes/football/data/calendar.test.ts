import { assert, describe, it } from "@effect/vitest"
import {
  findGamesSeason,
  findOpeningDay,
  findRosterSeason,
  toEasternDay,
  toKickoffAt,
} from "../../../../../core/lanes/football/data/calendar.ts"
import { toSeasonCode } from "../../../../../core/lanes/football/data/teams.ts"
import { addDays } from "../../../../../core/time.ts"
import { league } from "../../../../support/footballLeague.ts"

const at = (time: string) => Date.parse(time)

describe("seasonOpens", () => {
  // Labor Day: 6 Sept 1999, 1 Sept 2003, 7 Sept 2015, 6 Sept 2021, 1 Sept 2025, 7 Sept 2026.
  const opened = [
    [1999, "1999-09-09"],
    [2003, "2003-09-04"],
    [2015, "2015-09-10"],
    [2021, "2021-09-09"],
    [2025, "2025-09-04"],
    [2026, "2026-09-10"],
  ] as const
  for (const [season, day] of opened) {
    it(`is the Thursday after Labor Day in ${season}`, () => assert.strictEqual(findOpeningDay(season), day))
  }

  it("is a Thursday between the 4th and the 10th of September", () => {
    for (let season = 1999; season < 2099; season++) {
      const day = new Date(`${findOpeningDay(season)}T00:00:00Z`)
      assert.strictEqual(day.getUTCDay(), 4)
      assert.isTrue(day.getUTCDate() >= 4 && day.getUTCDate() <= 10)
    }
  })
})

describe("current seasons", () => {
  // Midnight in New York is 04:00 UTC in summer time.
  const table = [
    ["2026-09-10T03:59:59Z", 2025, 2026],
    ["2026-09-10T04:00:00Z", 2026, 2026],
    ["2027-01-01T12:00:00Z", 2026, 2026],
    ["2027-03-15T03:59:59Z", 2026, 2026],
    ["2027-03-15T04:00:00Z", 2026, 2027],
    ["2027-07-01T12:00:00Z", 2026, 2027],
  ] as const
  for (const [time, games, rosters] of table) {
    it(`at ${time} are ${games} for games and ${rosters} for rosters`, () =>
      assert.deepStrictEqual([findGamesSeason(at(time)), findRosterSeason(at(time))], [games, rosters]))
  }

  it("have days by Eastern time", () => {
    assert.strictEqual(toEasternDay(at("2026-01-01T04:59:00Z")), "2025-12-31")
    assert.strictEqual(toEasternDay(at("2026-07-01T04:00:00Z")), "2026-07-01")
    assert.strictEqual(addDays("2024-02-28", 2), "2024-03-01")
  })
})

describe("kickoffAt", () => {
  const [game] = league(1, [2024], 1).games
  it("of a game without a time of day is before any that it may have", () => {
    const { kickoff: _, ...untimed } = { ...game!, gameday: "2024-10-13" }
    assert.strictEqual(new Date(toKickoffAt(untimed)).toISOString(), "2024-10-13T13:00:00.000Z")
    assert.strictEqual(toKickoffAt({ ...untimed, kickoff: "09:30" }), at("2024-10-13T13:30:00Z"))
    assert.strictEqual(toKickoffAt({ ...untimed, gameday: "2024-12-01", kickoff: "13:00" }), at("2024-12-01T18:00:00Z"))
  })
})

describe("codeIn", () => {
  it("is the code that a franchise had in the season", () => {
    const codes = (["LV", "LAC", "LA", "KC"] as const).map((team) =>
      [2015, 2016, 2017, 2019, 2020].map((s) => toSeasonCode(team, s)),
    )
    assert.deepStrictEqual(codes, [
      ["OAK", "OAK", "OAK", "OAK", "LV"],
      ["SD", "SD", "LAC", "LAC", "LAC"],
      ["STL", "LA", "LA", "LA", "LA"],
      ["KC", "KC", "KC", "KC", "KC"],
    ])
  })
})

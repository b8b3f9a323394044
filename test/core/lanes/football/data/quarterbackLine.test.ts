import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { Row } from "../../../../../core/csv/row.ts"
import { listCareers, readQuarterbackLine } from "../../../../../core/lanes/football/data/fileRows.ts"

const row: Row = {
  position: "QB",
  player_id: "00-0000001",
  player_display_name: "Some Thrower",
  season: "2019",
  week: "7",
  team: "OAK",
  opponent_team: "GB",
  completions: "20",
  attempts: "30",
  passing_yards: "-0.0",
  passing_tds: "1",
  passing_interceptions: "2",
  sacks_suffered: "3",
  passing_epa: "-1.5",
  passing_cpoe: "",
  rushing_yards: "-4",
  rushing_tds: "0",
}

const left = (changes: Row) => Either.getOrThrow(Either.flip(readQuarterbackLine({ ...row, ...changes })))

describe("a quarterback's week", () => {
  it("is read with the teams' codes of the season, and -0.0 as 0", () => {
    const line = Either.getOrThrow(readQuarterbackLine(row))!
    assert.deepStrictEqual(line, {
      playerId: "00-0000001",
      player: "Some Thrower",
      position: "QB",
      season: 2019,
      week: 7,
      code: "OAK",
      opponentCode: "GB",
      completions: 20,
      attempts: 30,
      passingYards: 0,
      passingTds: 1,
      interceptions: 2,
      sacksSuffered: 3,
      passingEpa: -1.5,
      rushingYards: -4,
      rushingTds: 0,
    })
    assert.isTrue(Object.is(line.passingYards, 0))
  })

  it("is read with the column names of before", () => {
    const { team, passing_interceptions, sacks_suffered, ...rest } = row
    const old = { ...rest, recent_team: team, interceptions: passing_interceptions, sacks: sacks_suffered } as Row
    assert.deepStrictEqual(readQuarterbackLine(old), readQuarterbackLine(row))
  })

  it("is none of another position and none before 2002", () => {
    assert.deepStrictEqual(readQuarterbackLine({ ...row, position: "WR" }), Either.right(undefined))
    assert.deepStrictEqual(readQuarterbackLine({ ...row, season: "2001" }), Either.right(undefined))
    assert.strictEqual(Either.getOrThrow(readQuarterbackLine({ ...row, season: "2002" }))?.season, 2002)
  })

  it("is refused with the column that is absent or out of its range", () => {
    assert.deepStrictEqual(left({ player_id: "" }), { field: "player_id", reason: "Missing value." })
    for (const [field, value] of [
      ["week", "23"],
      ["week", "0"],
      ["attempts", "-1"],
      ["attempts", "1001"],
      ["passing_yards", "-201"],
      ["rushing_yards", "-201"],
      ["sacks_suffered", "-1"],
      ["season", "NA"],
      ["team", "XYZ"],
      ["opponent_team", ""],
      ["passing_epa", "much"],
    ] as const) {
      assert.strictEqual(left({ [field]: value }).field, field)
    }
    for (const [field, value] of [
      ["week", "22"],
      ["attempts", "1000"],
      ["passing_yards", "-200"],
      ["rushing_yards", "-200"],
    ] as const) {
      assert.isTrue(Either.isRight(readQuarterbackLine({ ...row, [field]: value })), field)
    }
  })
})

describe("a career", () => {
  it("sums the attempts of its weeks, from the first season to the last week", () => {
    const line = (playerId: string, season: number, week: number, attempts: number, code: string) =>
      ({ playerId, player: `${playerId} of ${code}`, position: "QB", season, week, attempts, code }) as const
    assert.deepStrictEqual(
      listCareers([line("a", 2018, 17, 30, "OAK"), line("b", 2019, 1, 5, "GB"), line("a", 2020, 2, 12, "LV")]),
      [
        {
          ...{ playerId: "a", player: "a of LV", position: "QB", code: "LV" },
          ...{ firstSeason: 2018, lastSeason: 2020, lastWeek: 2, attempts: 42 },
        },
        {
          ...{ playerId: "b", player: "b of GB", position: "QB", code: "GB" },
          ...{ firstSeason: 2019, lastSeason: 2019, lastWeek: 1, attempts: 5 },
        },
      ],
    )
    assert.deepStrictEqual(listCareers([]), [])
  })
})

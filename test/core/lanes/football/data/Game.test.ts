import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { Row } from "../../../../../core/csv/row.ts"
import {
  type Game,
  impliedHomeWin,
  readGame,
  readLines,
  readTeamWeek,
  toKickoffTime,
} from "../../../../../core/lanes/football/data/Game.ts"

const row: Row = {
  game_id: "2019_07_OAK_GB",
  season: "2019",
  game_type: "REG",
  week: "7",
  gameday: "2019-10-20",
  gametime: "13:00",
  away_team: "OAK",
  away_score: "24",
  home_team: "GB",
  home_score: "42",
  location: "Home",
  result: "18",
  total: "66",
  away_rest: "14",
  home_rest: "6",
  home_moneyline: "-250",
  away_moneyline: "205",
  spread_line: "5.5",
  total_line: "46.5",
  div_game: "0",
  roof: "outdoors",
  surface: "grass ",
  temp: "56",
  wind: "5",
  away_qb_id: "00-0000001",
  home_qb_id: "00-0000002",
  away_qb_name: "Visiting Thrower",
  home_qb_name: "Home Thrower",
  away_coach: "Coach A",
  home_coach: "Coach H",
  stadium: "Field",
}

const game: Game = {
  id: "2019_07_OAK_GB",
  season: 2019,
  type: "REG",
  week: 7,
  gameday: "2019-10-20",
  kickoff: "13:00",
  home: {
    team: "GB",
    code: "GB",
    rest: 6,
    quarterback: "00-0000002",
    quarterbackName: "Home Thrower",
    coach: "Coach H",
  },
  away: {
    team: "LV",
    code: "OAK",
    rest: 14,
    quarterback: "00-0000001",
    quarterbackName: "Visiting Thrower",
    coach: "Coach A",
  },
  score: { home: 42, away: 24 },
  neutral: false,
  division: false,
  roof: "outdoors",
  surface: "grass",
  temperature: 56,
  wind: 5,
  stadium: "Field",
}

const unplayed = { home_score: "", away_score: "", result: "", total: "" }

describe("readGame", () => {
  it("reads a final, the team by franchise and by its code of the season", () => {
    assert.deepStrictEqual(readGame(row), Either.right(game))
  })

  it("reads what the loaders and the years write differently", () => {
    const old = { game_id: "2001_07_OAK_GB", season: "2001", gameday: "2001-10-21" }
    const cases: ReadonlyArray<readonly [change: Row, expected: Partial<Record<keyof Game, unknown>>]> = [
      [{ ...old, gametime: "09:00" }, { kickoff: "21:00" }],
      [{ ...old, gametime: "12:30" }, { kickoff: "12:30" }],
      [{ gametime: "09:30" }, { kickoff: "09:30" }],
      [{ gametime: "9:30" }, { kickoff: "09:30" }],
      [{ gametime: "" }, { kickoff: undefined }],
      [{ gametime: "NA" }, { kickoff: undefined }],
      [
        { away_team: "LV", temp: "56.0", wind: "5.0" },
        { away: game.away, wind: 5 },
      ],
      [{ location: "Neutral" }, { neutral: true }],
      // The file states the home team's ground for a game abroad.
      [
        { location: "Neutral", roof: "dome", stadium: "Hard Rock Stadium" },
        { neutral: true, roof: undefined, stadium: undefined },
      ],
      [{ div_game: "1" }, { division: true }],
      [
        { roof: "", surface: "", temp: "", wind: "" },
        { roof: undefined, surface: undefined, wind: undefined },
      ],
      [{ home_score: "24", result: "0", total: "48" }, { score: { home: 24, away: 24 } }],
      [unplayed, { score: undefined }],
      [{ result: undefined, total: undefined }, { score: game.score }],
      [{ home_qb_id: "", home_qb_name: undefined, home_coach: " " }, { home: { team: "GB", code: "GB", rest: 6 } }],
      [{ week: "07" }, { week: 7 }],
    ]
    for (const [change, expected] of cases) {
      const read = Either.getOrThrow(readGame({ ...row, ...change }))
      for (const [field, value] of Object.entries(expected)) {
        assert.deepStrictEqual(read[field as keyof Game], value, `${JSON.stringify(change)} ${field}`)
      }
    }
  })

  it("reads nothing of a market: no line changes a game", () => {
    const blank = { home_moneyline: "", away_moneyline: "0", spread_line: "0", total_line: "gone" }
    assert.deepStrictEqual(readGame({ ...row, ...blank }), Either.right(game))
  })

  it("names the column that it cannot read", () => {
    const bad: ReadonlyArray<readonly [change: Row, field: string]> = [
      [{ game_id: "" }, "game_id"],
      [{ game_id: "2019_7_OAK_GB" }, "game_id"],
      [{ game_id: "2018_07_OAK_GB" }, "game_id"],
      [{ game_id: "2019_08_OAK_GB" }, "game_id"],
      [{ game_id: "2019_07_GB_OAK" }, "game_id"],
      [{ game_id: "2019_07_GB_GB", away_team: "GB" }, "game_id"],
      [{ season: "" }, "season"],
      [{ season: "19" }, "season"],
      [{ week: "0" }, "week"],
      [{ week: "7.5" }, "week"],
      [{ game_type: "PRE" }, "game_type"],
      [{ game_type: "" }, "game_type"],
      [{ gameday: "20.10.2019" }, "gameday"],
      [{ gameday: "2019-02-30" }, "gameday"],
      [{ gametime: "25:00" }, "gametime"],
      [{ gametime: "1 PM" }, "gametime"],
      [{ away_team: "XX" }, "away_team"],
      [{ home_team: undefined }, "home_team"],
      [{ home_score: "" }, "home_score"],
      [{ away_score: "" }, "away_score"],
      [{ home_score: "-3" }, "home_score"],
      [{ away_score: "2.5" }, "away_score"],
      [{ home_score: "forty" }, "home_score"],
      [{ result: "-18" }, "result"],
      [{ total: "65" }, "total"],
      [{ location: "" }, "location"],
      [{ location: "Away" }, "location"],
      [{ home_rest: "" }, "home_rest"],
      [{ away_rest: "-1" }, "away_rest"],
      [{ div_game: "2" }, "div_game"],
      [{ roof: "glass" }, "roof"],
      [{ temp: "warm" }, "temp"],
      [{ wind: "-2" }, "wind"],
      [{ wind: "Infinity" }, "wind"],
    ]
    for (const [change, field] of bad) {
      const read = readGame({ ...row, ...change })
      assert.isTrue(Either.isLeft(read), JSON.stringify(change))
      assert.strictEqual(Either.getOrThrow(Either.flip(read)).field, field, JSON.stringify(change))
    }
  })
})

describe("kickoffTime", () => {
  it("is US Eastern, in summer and in winter", () => {
    assert.strictEqual(toKickoffTime(game), Date.UTC(2019, 9, 20, 17))
    assert.strictEqual(toKickoffTime({ ...game, gameday: "2019-11-03" }), Date.UTC(2019, 10, 3, 18))
    const { kickoff: _, ...untimed } = game
    assert.strictEqual(toKickoffTime(untimed), undefined)
  })
})

describe("readLines", () => {
  it("reads lines, as many as there are", () => {
    assert.deepStrictEqual(
      readLines(row),
      Either.right({ spread: 5.5, total: 46.5, homeMoneyline: -250, awayMoneyline: 205 }),
    )
    assert.deepStrictEqual(readLines({ spread_line: "0", total_line: "" }), Either.right({ spread: 0 }))
  })

  it("names the column that it cannot read", () => {
    for (const [change, field] of [
      [{ spread_line: "pick" }, "spread_line"],
      [{ total_line: "NaN" }, "total_line"],
      [{ home_moneyline: "0" }, "home_moneyline"],
      [{ away_moneyline: "-99" }, "away_moneyline"],
    ] as const) {
      assert.strictEqual(Either.getOrThrow(Either.flip(readLines({ ...row, ...change }))).field, field)
    }
  })

  it("takes the margin out of moneylines in proportion", () => {
    // 250/350 and 100/305, divided by their sum.
    const home = 250 / 350
    const away = 100 / 305
    assert.approximately(impliedHomeWin({ homeMoneyline: -250, awayMoneyline: 205 })!, home / (home + away), 1e-15)
    assert.strictEqual(impliedHomeWin({ homeMoneyline: 100, awayMoneyline: -100 }), 0.5)
    assert.strictEqual(impliedHomeWin({ homeMoneyline: -250 }), undefined)
  })
})

describe("readTeamWeek", () => {
  const stats: Row = {
    season: "2020",
    week: "3",
    team: "LAR",
    passing_epa: "4.25",
    rushing_epa: "-1.5",
    passing_interceptions: "1",
    sack_fumbles_lost: "0",
    rushing_fumbles_lost: "1",
    receiving_fumbles_lost: "0",
  }

  it("sums what both kinds of play were worth, and the balls lost", () => {
    assert.deepStrictEqual(
      readTeamWeek(stats),
      Either.right({ season: 2020, week: 3, team: "LA", epa: 2.75, turnovers: 2 }),
    )
  })

  it("names the column that it cannot read", () => {
    for (const field of Object.keys(stats)) {
      for (const value of ["", "x", "1e9"]) {
        if (value === "1e9" && field.endsWith("_epa")) continue
        const read = readTeamWeek({ ...stats, [field]: value })
        assert.isTrue(Either.isLeft(read), `${field} ${value}`)
        assert.strictEqual(Either.getOrThrow(Either.flip(read)).field, field)
      }
    }
  })
})

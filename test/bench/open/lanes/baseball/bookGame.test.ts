import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { bookGameOf, bookInningsOf, gameColumns } from "../../../../../bench/open/lanes/baseball/bookGame.ts"
import type { Row } from "../../../../../core/csv/row.ts"

const row: Row = {
  season: "2016",
  date: "2016-04-03",
  rot_home: "902",
  rot_away: "901",
  neutral: "0",
  home: "PIT",
  away: "STL",
  home_starter: "FLIRIANO-L",
  away_starter: "",
  home_score: "4",
  away_score: "1",
  home_ml_open: "-110",
  home_ml_close: "NL",
  away_ml_open: "",
  away_ml_close: "105",
}

const game = (changes: Row) => bookGameOf({ ...row, ...changes })
const errorOf = (found: Either.Either<unknown, { readonly field: string; readonly reason: string }>) =>
  Either.getOrThrow(Either.flip(found))

describe("a game of an archive of moneylines", () => {
  it("is read with what the book listed, without what it did not", () => {
    assert.deepStrictEqual(
      bookGameOf(row),
      Either.right({
        id: "2016-04-03/901/902",
        season: 2016,
        day: "2016-04-03",
        neutral: false,
        home: { team: "PIT", starter: "FLIRIANO-L", runs: 4, open: -110 },
        away: { team: "STL", runs: 1, close: 105 },
      }),
    )
    assert.isTrue(Either.getOrThrow(game({ neutral: "1" })).neutral)
    const unplayed = Either.getOrThrow(game({ home_score: "", away_score: "" }))
    assert.notProperty(unplayed.home, "runs")
    assert.strictEqual(Either.getOrThrow(game({ home_score: "0" })).home.runs, 0)
  })

  it("has a column for every value that is read", () => {
    assert.sameMembers([...gameColumns], Object.keys(row))
  })

  it("is refused with the column at fault", () => {
    for (const [changes, field, reason] of [
      [{ season: "2015" }, "season", "2015 is not the year of 2016-04-03."],
      [{ home: "Pit" }, "home", '"Pit" is not a team code.'],
      [{ home: "P" }, "home", '"P" is not a team code.'],
      [{ home: "PITT" }, "home", '"PITT" is not a team code.'],
      [{ away: "PIT" }, "away", "PIT does not play itself."],
      [{ home_score: "" }, "home_score", "Only one of the two scores is there."],
      [{ away_score: "" }, "away_score", "Only one of the two scores is there."],
      [{ away: "LAA", away_raw: "LOS" }, "away", "LOS is not the Dodgers: LAA."],
      [{ away_ml_close: "PK" }, "away_ml_close", '"PK" is not a number.'],
    ] as const) {
      assert.deepStrictEqual(errorOf(game(changes)), { field, reason })
    }
    for (const [field, value] of [
      ["date", "2016-04-31"],
      ["rot_home", "0"],
      ["rot_home", "100000"],
      ["rot_away", ""],
      ["neutral", "2"],
      ["home_score", "100"],
      ["away_score", "-1"],
    ] as const) {
      assert.strictEqual(errorOf(game({ [field]: value })).field, field)
    }
    assert.strictEqual(Either.getOrThrow(game({ away: "LAD", away_raw: "LOS" })).away.team, "LAD")
    assert.strictEqual(Either.getOrThrow(game({ rot_home: "99999", home_score: "99" })).home.runs, 99)
  })
})

describe("the runs by inning of a game", () => {
  const innings = (inn_h: string, inn_a = "0|1") => bookInningsOf({ ...row, inn_h, inn_a })

  it("are kept as they are listed, an inning without batting and negative runs among them", () => {
    assert.deepStrictEqual(
      innings("0|12|-1|x", ""),
      Either.right({ id: "2016-04-03/901/902", season: 2016, home: "0|12|-1|x" }),
    )
    assert.deepStrictEqual(innings("", "0|1"), Either.right({ id: "2016-04-03/901/902", season: 2016, away: "0|1" }))
  })

  it("are refused in another form", () => {
    for (const bad of ["0|", "|0", "0,1", "123", "X", "0||1"]) {
      assert.deepStrictEqual(errorOf(innings(bad)), { field: "inn_h", reason: `"${bad}" are not runs by inning.` })
    }
    assert.strictEqual(errorOf(innings("0", "y")).field, "inn_a")
  })
})

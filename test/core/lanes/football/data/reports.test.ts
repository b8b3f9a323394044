import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readCsv } from "../../../../../adapters/runtime/upstream/csv.ts"
import type { Row } from "../../../../../core/csv/row.ts"
import { readInjured, readRostered } from "../../../../../core/lanes/football/data/fileRows.ts"
import { formats } from "../../../../../core/lanes/football/data/formats.ts"

const fieldOf = (found: Either.Either<unknown, { readonly field: string }>) =>
  Either.getOrThrow(Either.flip(found)).field

describe("a row of an injury report", () => {
  const row: Row = { season: "2019", week: "3", team: "OAK", full_name: "Some \n Body" }

  it("has what the report has, in one line each", () => {
    assert.deepStrictEqual(
      readInjured(row),
      Either.right({ season: 2019, week: 3, team: "LV", code: "OAK", player: "Some Body" }),
    )
    const whole = {
      ...row,
      gsis_id: "00-1",
      position: "WR",
      report_status: "Out",
      practice_status: "Did Not\nParticipate",
      report_primary_injury: "Knee",
      practice_primary_injury: "Ankle",
    }
    assert.deepInclude(Either.getOrThrow(readInjured(whole)), {
      gsisId: "00-1",
      position: "WR",
      reportStatus: "Out",
      practiceStatus: "Did Not Participate",
      injury: "Knee",
    })
    assert.strictEqual(Either.getOrThrow(readInjured({ ...whole, report_primary_injury: "NA" })).injury, "Ankle")
  })

  it("of the playoffs is of a week after the regular season, however the source counts", () => {
    const weekOf = (changes: Row) => Either.getOrThrow(readInjured({ ...row, ...changes })).week
    assert.deepStrictEqual(
      [
        { season_type: "POST", week: "1" },
        { season: "2025", season_type: "POST", week: "1" },
        { game_type: "WC", week: "18" },
      ].map(weekOf),
      [18, 19, 18],
    )
  })

  it("twice in a file is the one that says less for the player, and the file is read", async () => {
    const report = (status: string, name = "A") => `2024,KC,3,00-1,QB,${name},,${status},,\n`
    const head =
      "season,team,week,gsis_id,position,full_name,report_primary_injury,report_status,practice_primary_injury,practice_status\n"
    const read = async (...rows: ReadonlyArray<string>) =>
      Either.getOrThrow(
        await Effect.runPromise(readCsv(formats.injuries, [new TextEncoder().encode(head + rows.join(""))])),
      ).values.map(({ player, reportStatus }) => [player, reportStatus])
    assert.deepStrictEqual(await read(report("Out"), report("Questionable"), report("")), [["A", "Out"]])
    assert.deepStrictEqual(await read(report(""), report("Doubtful")), [["A", "Doubtful"]])
    assert.deepStrictEqual(await read(report("Out", "A"), report("Out", "B")), [["B", "Out"]])
  })

  it("is refused with the column that is wrong", () => {
    for (const [field, value] of [
      ["season", "1998"],
      ["week", "0"],
      ["week", "23"],
      ["team", "XYZ"],
      ["full_name", " "],
    ] as const) {
      assert.strictEqual(fieldOf(readInjured({ ...row, [field]: value })), field)
    }
    assert.isTrue(Either.isRight(readInjured({ ...row, season: "1999", week: "22" })))
  })
})

describe("a row of a roster", () => {
  const row: Row = { season: "2020", week: "4", team: "LV", full_name: "Some Body", status: "ACT" }
  const reserveOf = (changes: Row) => Either.getOrThrow(readRostered({ ...row, ...changes })).reserve

  it("has a week, or is from before the season without one", () => {
    const expected = { season: 2020, week: 4, team: "LV", code: "LV", player: "Some Body" } as const
    assert.deepStrictEqual(readRostered(row), Either.right(expected))
    assert.deepStrictEqual(readRostered({ ...row, week: "" }), Either.right({ ...expected, week: 0 }))
    assert.strictEqual(fieldOf(readRostered({ ...row, week: "0" })), "week")
  })

  it("takes name and id from the columns of either kind of roster", () => {
    const { full_name: _, ...rest } = row
    const found = Either.getOrThrow(readRostered({ ...rest, player_name: "Other Name", player_id: "00-2" }))
    assert.deepStrictEqual([found.player, found.gsisId], ["Other Name", "00-2"])
    assert.strictEqual(Either.getOrThrow(readRostered({ ...row, gsis_id: "00-1", player_id: "00-2" })).gsisId, "00-1")
    assert.strictEqual(fieldOf(readRostered(rest)), "player_name")
  })

  it("is on a reserve list by its status; the code only adds detail", () => {
    assert.isUndefined(reserveOf({}))
    assert.isUndefined(reserveOf({ status_description_abbr: "R01" }))
    assert.isUndefined(reserveOf({ status: "constructor" }))
    for (const [status, code, designation] of [
      ["RES", "", "Reserve"],
      ["RES", "R01", "Injured reserve"],
      ["RES", "R48", "Injured reserve, designated for return"],
      ["RES", "R99", "Reserve (R99)"],
      ["SUS", "R01", "Suspended (R01)"],
      ["PUP", "", "Physically unable to perform"],
      ["NON", "", "Non-football injury or illness"],
      ["EXE", "", "Exempt"],
    ] as const) {
      assert.deepStrictEqual(reserveOf({ status, status_description_abbr: code }), { status, designation })
    }
  })
})

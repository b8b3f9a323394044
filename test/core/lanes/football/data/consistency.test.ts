import { assert, describe, it } from "@effect/vitest"
import type { Row } from "../../../../../core/csv/row.ts"
import {
  type Checks,
  injuryChecks,
  quarterbackChecks,
  rosterChecks,
  scheduleChecks,
  teamWeekChecks,
} from "../../../../../core/lanes/football/data/consistency.ts"
import { generatedFiles } from "../../../../support/footballFiles.ts"
import { csv } from "../../../../support/payloadRows.ts"

type Rows = ReadonlyArray<Record<string, string>>

const files = generatedFiles([2023, 2024], 10)
const rowsOf = (text: string): Rows => csv(text).rows as Array<Record<string, string>>
const schedule = rowsOf(files.schedule)
const [teamWeeks, players, injuries, rosters] = [files.teamWeeks, files.players, files.injuries, files.rosters].map(
  (bySeason) => rowsOf(bySeason.get(2023)!),
) as [Rows, Rows, Rows, Rows]

/** Columns of the checks that refuse the rows. */
const refusing = (checks: Checks, rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  checks.flatMap((check) => {
    const { take, end } = check()
    for (const row of rows) take(row)
    const refusal = end()
    return refusal === undefined ? [] : [refusal.field]
  })

/** Columns with the values of the next row. */
const shifted = (rows: Rows, ...columns: ReadonlyArray<string>): Rows =>
  rows.map((row, at) => ({
    ...row,
    ...Object.fromEntries(columns.map((name) => [name, rows[(at + 1) % rows.length]![name]!])),
  }))

const changed = (rows: Rows, change: (row: Record<string, string>) => Record<string, string | undefined>) =>
  rows.map((row): Row => ({ ...row, ...change(row) }))

/** Each week with the figures of the week before, by who they are of. */
const repeated = (rows: Rows, who: string, of: ReadonlyArray<string>): ReadonlyArray<Row> => {
  const before = new Map(rows.map((row) => [`${row["week"]} ${row[who]}`, row]))
  return changed(rows, (row) => {
    const last = before.get(`${Number(row["week"]) - 1} ${row[who]}`)
    return row["week"] !== "10" || last === undefined ? {} : Object.fromEntries(of.map((name) => [name, last[name]]))
  })
}

const later = ({ gametime }: Record<string, string>, hours: number) => {
  const [hour, minutes] = gametime!.split(":")
  return { gametime: `${(Number(hour) + hours) % 24}:${minutes}` }
}

describe("files whose rows fit together", () => {
  it.each([
    ["schedules", scheduleChecks, schedule],
    ["team stats", teamWeekChecks, teamWeeks],
    ["player stats", quarterbackChecks, players],
    ["injury reports", injuryChecks, injuries],
    ["rosters", rosterChecks, rosters],
  ] as const)("are not refused: %s", (_, checks, rows) => {
    assert.isAbove(rows.length, 64)
    assert.deepStrictEqual(refusing(checks, rows), [])
  })
})

describe("a schedule", () => {
  const refused = (rows: ReadonlyArray<Row>) => refusing(scheduleChecks, rows)

  it.each(["gameday", "spread_line", "home_qb_id", "roof", "total_line"])(
    "is refused with %s of other rows",
    (name) => {
      assert.include(refused(shifted(schedule, name)), name)
    },
  )

  it("is refused with days of rest that are not those since the last game", () => {
    assert.include(
      refused(changed(schedule, ({ home_rest }) => ({ home_rest: String(Number(home_rest) + 1) }))),
      "home_rest, away_rest",
    )
  })

  it("is refused with times of another zone", () => {
    for (const hours of [4, 5, 20]) assert.include(refused(changed(schedule, (row) => later(row, hours))), "gametime")
  })

  it("is judged by times of the seasons alone whose times are all known, and in 24 hours", () => {
    const old = changed(schedule, (row) => ({ ...later(row, 5), season: String(Number(row["season"]) - 22) }))
    assert.notInclude(refused(old), "gametime")
  })

  it("may have a roof that is open in one week and closed in the next", () => {
    const opens = schedule.map((row, at): Row => ({ ...row, stadium: "One", roof: at % 2 === 0 ? "open" : "closed" }))
    assert.notInclude(refused(opens), "roof")
    assert.include(refused(opens.map((row, at): Row => (at % 2 === 0 ? { ...row, roof: "dome" } : row))), "roof")
  })

  it("may lack lines", () => {
    assert.deepStrictEqual(
      refused(changed(schedule, () => ({ spread_line: "", total_line: "", home_moneyline: "NA", away_moneyline: "" }))),
      [],
    )
  })
})

describe("team stats", () => {
  it("are refused with interceptions that the other team did not catch", () => {
    assert.deepStrictEqual(refusing(teamWeekChecks, shifted(teamWeeks, "passing_interceptions")), [
      "passing_interceptions",
    ])
    const without = changed(shifted(teamWeeks, "passing_interceptions"), () => ({ def_interceptions: undefined }))
    assert.deepStrictEqual(refusing(teamWeekChecks, without), [])
  })

  it("are refused with a week that repeats the one before", () => {
    assert.deepStrictEqual(refusing(teamWeekChecks, repeated(teamWeeks, "team", ["passing_epa", "rushing_epa"])), [
      "passing_epa",
    ])
    // One of the two figures is new.
    assert.deepStrictEqual(refusing(teamWeekChecks, repeated(teamWeeks, "team", ["passing_epa"])), [])
  })
})

describe("player stats", () => {
  const refused = (rows: ReadonlyArray<Row>) => refusing(quarterbackChecks, rows)

  it.each([
    ["player_display_name", "player_display_name"],
    ["passing_yards", "passing_yards"],
    ["completions", "passing_yards"],
    ["passing_epa", "passing_epa"],
    ["passing_tds", "passing_tds"],
    ["rushing_yards", "rushing_yards"],
  ])("are refused with %s of other rows", (column, field) => {
    assert.include(refused(shifted(players, column)), field)
  })

  it("are refused with a week that repeats the one before", () => {
    const figures = ["completions", "attempts", "passing_yards"]
    assert.deepStrictEqual(refused(repeated(players, "player_id", figures)), ["attempts"])
    assert.notInclude(refused(repeated(players, "player_id", figures.slice(0, 2))), "attempts")
  })

  it("are not judged by passes where a player threw few, or by carries where the file has none", () => {
    const few = changed(shifted(players, "passing_epa", "rushing_yards"), ({ completions }) => ({
      attempts: String(Math.min(9, Number(completions))),
      carries: undefined,
    }))
    const fields = refused(few)
    for (const field of ["passing_epa", "passing_tds", "rushing_yards"]) assert.notInclude(fields, field)
  })
})

describe("injury reports", () => {
  const refused = (rows: ReadonlyArray<Row>) => refusing(injuryChecks, rows)

  it.each(["full_name", "report_status", "practice_status", "report_primary_injury"])(
    "are refused with %s of other rows",
    (name) => {
      assert.include(refused(shifted(injuries, name)), name)
    },
  )

  it("are refused with a week that repeats the one before", () => {
    const [last, before] = [10, 9].map((week) => injuries.filter((row) => row["week"] === String(week)))
    const copied = [...injuries.filter((row) => !last!.includes(row)), ...changed(before!, () => ({ week: "10" }))]
    assert.deepStrictEqual(refused(copied), ["report_status"])
  })
})

describe("rosters", () => {
  it("are refused with a status that is not that of its code, or with names of others", () => {
    for (const name of ["status", "full_name"]) {
      assert.deepStrictEqual(refusing(rosterChecks, shifted(rosters, name)), [name])
    }
  })

  it("are not judged by codes where the file has none, or of other lists", () => {
    const without = changed(shifted(rosters, "status"), () => ({ status_description_abbr: "" }))
    assert.deepStrictEqual(refusing(rosterChecks, without), [])
    const squads = changed(rosters, () => ({ status: "DEV", status_description_abbr: "P01" }))
    assert.deepStrictEqual(refusing(rosterChecks, squads), [])
  })
})

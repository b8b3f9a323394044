import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { catchRejection, splitLines } from "../../../../../core/lanes/weather/reports/climateHeading.ts"
import { findColumns, readAmount, readTemperatures } from "../../../../../core/lanes/weather/reports/climateTable.ts"

const header = "WEATHER ITEM   OBSERVED TIME"
const high = "  MAXIMUM         88    226 PM"
const low = "  MINIMUM         70    512 AM"
const block = ["TEMPERATURE (F)", " YESTERDAY", high, low]
const rule = "................"

const parse = (...rows: ReadonlyArray<string>) => {
  const lines = splitLines([header, ...rows].join("\n"))
  const columns = findColumns(lines, 0)
  return { lines, columns, found: catchRejection(() => readTemperatures(lines, 0, rows.length + 1, columns)) }
}

const refusal = (...rows: ReadonlyArray<string>) => Either.getOrThrow(Either.flip(parse(...rows).found))

const amount = (name: "PRECIPITATION" | "SNOWFALL", max: number, ...rows: ReadonlyArray<string>) => {
  const { lines, columns, found } = parse(...block, ...rows)
  return catchRejection(() => readAmount(lines, name, Either.getOrThrow(found), columns, max))
}

describe("the temperatures of a table", () => {
  it("are the block's extremes with its label, whatever their order, without the average", () => {
    const read = Either.getOrThrow(
      parse(rule, "TEMPERATURE(F)", "", " TODAY", low, "", high, "  AVERAGE         79", rule, low).found,
    )
    assert.deepStrictEqual(read, {
      label: "TODAY",
      high: { value: 88, time: "226 PM", marks: [] },
      highAt: 7,
      low: { value: 70, time: "512 AM", marks: [] },
      from: 5,
      until: 9,
    })
  })

  it("are missing where the block does not have them, and end where the next block begins", () => {
    const read = Either.getOrThrow(parse("TEMPERATURE", " YESTERDAY", high, "PRECIPITATION (IN)", low).found)
    assert.deepStrictEqual(read.low, { marks: ["missing"] })
    assert.strictEqual(read.until, 6)
  })

  it("may have further years of a record on lines of their own", () => {
    const read = Either.getOrThrow(parse(...block.slice(0, 3), "                        1936", low).found)
    assert.strictEqual(read.low.value, 70)
  })

  it("are refused with the line at fault", () => {
    const none = { reason: "The table has no TEMPERATURE block.", at: 0 }
    assert.deepStrictEqual(refusal("TEMPERATURE NORMALS", " TODAY"), none)
    assert.deepStrictEqual(refusal("TEMPERATURE (C)", " TODAY"), none)
    assert.deepStrictEqual(refusal(rule, rule, ...block), none)
    assert.deepStrictEqual(refusal("WIND (MPH)", ...block), none)
    const unlabelled = "Under TEMPERATURE is neither TODAY nor YESTERDAY."
    assert.deepStrictEqual(refusal("TEMPERATURE", high), { reason: unlabelled, at: 2 })
    assert.deepStrictEqual(refusal("TEMPERATURE"), { reason: unlabelled, at: 1 })
    assert.deepStrictEqual(refusal(...block, high), { reason: "The block has MAXIMUM twice.", at: 5 })
    assert.deepStrictEqual(refusal(...block, low), { reason: "The block has MINIMUM twice.", at: 5 })
    const unknown = "The TEMPERATURE block has an unknown line."
    assert.deepStrictEqual(refusal(...block.slice(0, 2), "  MAXIMUMS        88", low), { reason: unknown, at: 3 })
    assert.deepStrictEqual(refusal(...block, "                1936"), { reason: unknown, at: 5 })
    assert.strictEqual(refusal(...block.slice(0, 2), "  MAXIMUM         8X").at, 3)
  })
})

describe("an amount of a table", () => {
  it("is the row under the temperatures' label", () => {
    const rows = ["PRECIPITATION (IN)", "  TODAY          9.99", "  YESTERDAY      0.12", "  MONTH TO DATE  1.00"]
    assert.deepStrictEqual(amount("PRECIPITATION", 50, ...rows), Either.right({ value: 0.12, marks: [] }))
    assert.deepStrictEqual(amount("SNOWFALL", 50, ...rows), Either.right(undefined))
  })

  it("is missing where the block has no row of that day", () => {
    const rows = ["SNOWFALL (IN)", "  SNOW DEPTH     3", "DEGREE DAYS", "  YESTERDAY      5.0"]
    assert.deepStrictEqual(amount("SNOWFALL", 50, ...rows), Either.right({ marks: ["missing"] }))
  })

  it("is in inches, said in the header, below it, or not at all", () => {
    for (const rows of [["SNOWFALL (INCHES)"], ["SNOWFALL", "  (IN)"], ["SNOWFALL"]]) {
      assert.deepStrictEqual(
        amount("SNOWFALL", 50, ...rows, "  YESTERDAY      T"),
        Either.right({ value: 0, marks: ["trace"] }),
      )
    }
    for (const rows of [["SNOWFALL (CM)"], ["SNOWFALL", "  (CM)"]]) {
      assert.deepStrictEqual(
        amount("SNOWFALL", 50, ...rows, "  YESTERDAY      T"),
        Either.left({ reason: "The unit of SNOWFALL is not inches.", at: 5 + rows.length }),
      )
    }
  })

  it("is refused twice, and beyond the most", () => {
    const row = "  YESTERDAY      1.0"
    assert.deepStrictEqual(
      amount("SNOWFALL", 50, "SNOWFALL (IN)", row, row),
      Either.left({ reason: "The SNOWFALL block has YESTERDAY twice.", at: 7 }),
    )
    assert.deepStrictEqual(
      amount("SNOWFALL", 0.9, "SNOWFALL (IN)", row),
      Either.left({ reason: "The amount is outside 0 to 0.9 inches.", at: 6 }),
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import {
  type CellResult,
  readDay,
  readInteger,
  readNumber,
  readOption,
  readOptionalInteger,
  readPlainDay,
  readRequiredNumber,
  readRequiredText,
  readText,
} from "../../../core/csv/row.ts"

/** The value of a cell, or why there is none. */
const read = <A>(
  parse: (row: { readonly x: string | undefined }, field: "x") => CellResult<A>,
  x: string | undefined,
) =>
  Either.match(parse({ x }, "x"), {
    onLeft: ({ field, reason }) => `${field}: ${reason}`,
    onRight: (value) => value,
  })

describe("a cell", () => {
  it("is text without the spaces about it; empty and NA are no value", () => {
    assert.deepStrictEqual(
      [" a b ", "0", "", "  ", "NA", " NA ", "N/A", undefined].map((x) => readText({ x }, "x")),
      ["a b", "0", undefined, undefined, undefined, undefined, "N/A", undefined],
    )
    assert.strictEqual(read(readRequiredText, " a "), "a")
    assert.strictEqual(read(readRequiredText, "NA"), "x: Missing value.")
  })

  it("is a number where its whole text is a finite one", () => {
    assert.deepStrictEqual(
      ["-1.5", "1e3", "0", ""].map((x) => read(readNumber, x)),
      [-1.5, 1_000, 0, undefined],
    )
    for (const x of ["1,5", "12a", "Infinity", "1 2"])
      assert.strictEqual(read(readNumber, x), `x: "${x}" is not a number.`)
    assert.strictEqual(read(readRequiredNumber, "0"), 0)
    assert.strictEqual(read(readRequiredNumber, undefined), "x: Missing value.")
  })

  it("is an integer within its bounds, both included", () => {
    const within = (x: string | undefined) => read((row, field) => readInteger(row, field, -1, 3), x)
    assert.deepStrictEqual(["-1", "0", "3"].map(within), [-1, 0, 3])
    for (const x of ["-2", "4", "1.5"]) assert.strictEqual(within(x), `x: ${x} is not an integer from -1 to 3.`)
    assert.strictEqual(within(""), "x: Missing value.")
    const optional = (x: string | undefined) => read((row, field) => readOptionalInteger(row, field, 0, 3), x)
    assert.deepStrictEqual([undefined, "NA", "2", "4"].map(optional), [
      undefined,
      undefined,
      2,
      "x: 4 is not an integer from 0 to 3.",
    ])
  })

  it("is one of some words, as they are written", () => {
    const word = (x: string | undefined) => read((row, field) => readOption(row, field, ["home", "away"]), x)
    assert.deepStrictEqual([" away", "", "Home"].map(word), ["away", undefined, 'x: "Home" is not one of home, away.'])
  })

  it("is a day of the calendar in one form", () => {
    assert.deepStrictEqual(
      ["2024-02-29", "2023-02-29", "20240229", ""].map((x) => read(readDay, x)),
      [
        "2024-02-29",
        'x: "2023-02-29" is not a date (YYYY-MM-DD).',
        'x: "20240229" is not a date (YYYY-MM-DD).',
        'x: "" is not a date (YYYY-MM-DD).',
      ],
    )
    assert.deepStrictEqual(
      ["20240229", "20230229", "2024-02-29", "202402290"].map((x) => read(readPlainDay, x)),
      [
        "2024-02-29",
        'x: "20230229" is not a date (YYYYMMDD).',
        'x: "2024-02-29" is not a date (YYYYMMDD).',
        'x: "202402290" is not a date (YYYYMMDD).',
      ],
    )
  })
})

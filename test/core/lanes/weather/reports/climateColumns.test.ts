import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { catchRejection, splitLines } from "../../../../../core/lanes/weather/reports/climateHeading.ts"
import {
  findColumns,
  maxTemperatureF,
  minTemperatureF,
  readAmountRow,
  readTemperature,
  splitTokens,
} from "../../../../../core/lanes/weather/reports/climateTable.ts"

/** A line with texts that start at columns. */
const placed = (texts: Readonly<Record<number, string>>): string =>
  Object.entries(texts).reduce((line, [start, text]) => line.padEnd(Number(start)) + text, "")

const columnsIn = (header: string) => catchRejection(() => findColumns(splitLines(header), 0))
const columns = Either.getOrThrow(columnsIn(placed({ 0: "WEATHER ITEM", 15: "OBSERVED", 24: "TIME", 31: "RECORD" })))
const untimed = Either.getOrThrow(columnsIn(placed({ 0: "WEATHER ITEM", 15: "OBSERVED", 26: "RECORD" })))

const layout = "The line has an unknown column layout"

const temperature = (texts: Readonly<Record<number, string>>, of = columns) =>
  catchRejection(() => readTemperature(splitLines(placed({ 0: "MAXIMUM", ...texts })), 0, "MAXIMUM", of))
const amount = (texts: Readonly<Record<number, string>>, max = 50) =>
  catchRejection(() => readAmountRow(splitLines(placed({ 0: "TODAY", ...texts })), 0, "TODAY", columns, max))

const refused = (reason: string) => Either.left({ reason, at: 0 })

describe("the columns of a table", () => {
  it("start where its header has their words", () => {
    assert.deepStrictEqual(columns, { observed: 15, observedEnd: 23, next: 24, time: 24 })
    assert.deepStrictEqual(untimed, { observed: 15, observedEnd: 23, next: 26, time: undefined })
    assert.deepStrictEqual(
      columnsIn("WEATHER ITEM TIME OBSERVED"),
      Either.right({
        observed: 18,
        observedEnd: 26,
        next: Number.POSITIVE_INFINITY,
        time: undefined,
      }),
    )
    assert.deepStrictEqual(columnsIn("WEATHER ITEM RECORD"), refused("The WEATHER ITEM header has no OBSERVED column."))
  })

  it("have words with their places, from a column on", () => {
    assert.deepStrictEqual(splitTokens("ab  c", 1), [
      { text: "b", start: 1 },
      { text: "c", start: 4 },
    ])
    assert.deepStrictEqual(splitTokens("   ", 0), [])
  })
})

describe("a temperature", () => {
  it("is read with its time and its marks", () => {
    assert.deepStrictEqual(
      temperature({ 20: "88", 24: "226 PM", 32: "101" }),
      Either.right({ value: 88, marks: [], time: "226 PM" }),
    )
    for (const [text, marks] of [
      ["88R", ["record"]],
      ["88E", ["estimated"]],
      ["88(E)", ["estimated"]],
      ["88RE", ["record", "estimated"]],
      ["88 R", ["record"]],
    ] as const) {
      assert.deepStrictEqual(temperature({ 18: text }), Either.right({ value: 88, marks }), text)
    }
  })

  it("is within the bounds of the network, both included, and a printed -0 is 0", () => {
    for (const value of [minTemperatureF, maxTemperatureF]) {
      assert.deepStrictEqual(temperature({ 17: String(value) }), Either.right({ value, marks: [] }))
    }
    for (const value of [minTemperatureF - 1, maxTemperatureF + 1]) {
      assert.deepStrictEqual(temperature({ 17: String(value) }), refused("The temperature is outside -80 to 140 °F."))
    }
    const zero = Either.getOrThrow(temperature({ 17: "-0" })).value
    assert.isTrue(Object.is(zero, 0))
  })

  it("is missing on a bare line and where the office has it missing", () => {
    const missing = Either.right({ marks: ["missing"] as const })
    for (const texts of [{}, { 20: "MM" }, { 20: "M" }, { 20: "MM", 24: "MM" }]) {
      assert.deepStrictEqual(temperature(texts as Record<number, string>), missing)
    }
  })

  it("is the value nearest to OBSERVED and never one of the next column", () => {
    assert.deepStrictEqual(temperature({ 13: "88" }), Either.right({ value: 88, marks: [] }))
    assert.deepStrictEqual(temperature({ 12: "88" }), refused(`${layout}: a value left of OBSERVED.`))
    assert.deepStrictEqual(temperature({ 24: "88" }, untimed), Either.right({ value: 88, marks: [] }))
    assert.deepStrictEqual(temperature({ 25: "88" }, untimed), refused(`${layout}: nothing under OBSERVED.`))
    assert.deepStrictEqual(
      temperature({ 16: "88", 20: "90" }),
      refused(`${layout}: more than one value under OBSERVED.`),
    )
    assert.deepStrictEqual(
      temperature({ 16: "88", 20: "R" }),
      refused(`${layout}: more than one value under OBSERVED.`),
    )
  })

  it("has a time only from three columns left of TIME to the word's end", () => {
    const elsewhere = refused(`${layout}: a time that is not under TIME.`)
    for (const start of [21, 27]) {
      assert.deepStrictEqual(
        temperature({ 17: "88", [start]: "226 PM" }),
        Either.right({ value: 88, marks: [], time: "226 PM" }),
      )
    }
    for (const start of [20, 28]) assert.deepStrictEqual(temperature({ 17: "88", [start]: "226 PM" }), elsewhere)
    assert.deepStrictEqual(temperature({ 17: "88", 26: "226 PM" }, untimed), elsewhere)
    assert.deepStrictEqual(temperature({ 24: "PM" }), elsewhere)
    assert.deepStrictEqual(temperature({ 17: "88", 24: "160 AM" }), refused("The time is not a 12-hour time."))
    assert.deepStrictEqual(
      temperature({ 17: "88", 24: "226" }),
      refused(`${layout}: the value under TIME is not a time.`),
    )
  })

  it("is refused with a word among the values and where it cannot be read", () => {
    assert.deepStrictEqual(temperature({ 17: "88", 32: "MINIMUM" }), refused(`${layout}: a word among the values.`))
    for (const text of ["88X", "8.5", "1000", "88ER"]) {
      assert.deepStrictEqual(temperature({ 17: text }), refused("The temperature under OBSERVED cannot be read."), text)
    }
  })
})

describe("an amount", () => {
  it("is read with its marks; a trace is 0", () => {
    for (const [text, value, marks] of [
      ["0.12", 0.12, []],
      ["3", 3, []],
      ["T", 0, ["trace"]],
      ["TE", 0, ["trace", "estimated"]],
      ["1.5R*", 1.5, ["record", "annotated"]],
      ["1.5 *", 1.5, ["annotated"]],
    ] as const) {
      assert.deepStrictEqual(amount({ 17: text }), Either.right({ value, marks }), text)
    }
  })

  it("is from 0 to the most, both included", () => {
    assert.deepStrictEqual(amount({ 17: "2.5" }, 2.5), Either.right({ value: 2.5, marks: [] }))
    for (const text of ["2.51", "-0.01", "-0"]) {
      assert.deepStrictEqual(amount({ 17: text }, 2.5), refused("The amount is outside 0 to 2.5 inches."), text)
    }
  })

  it("is missing where nothing stands under OBSERVED", () => {
    const missing = Either.right({ marks: ["missing"] as const })
    for (const texts of [{}, { 20: "MM" }, { 32: "0.50" }]) {
      assert.deepStrictEqual(amount(texts as Record<number, string>), missing)
    }
  })

  it("has no time, and is refused where it cannot be read", () => {
    assert.deepStrictEqual(amount({ 17: "0.1", 24: "226 PM" }), refused(`${layout}: a time on the line of an amount.`))
    for (const text of ["0.123", ".5", "T*T"]) {
      assert.deepStrictEqual(amount({ 17: text }), refused("The amount under OBSERVED cannot be read."), text)
    }
  })
})

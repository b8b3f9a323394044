import { assert, describe, it } from "@effect/vitest"
import {
  checkCorrelates,
  checkDetermines,
  checkDiffersByWeek,
  checkMostly,
  type FileCheck,
  minRows,
  whyUncorrelated,
} from "../../../core/csv/consistency.ts"
import type { Row } from "../../../core/csv/row.ts"

const over = (check: () => FileCheck, rows: Iterable<Row>) => {
  const { take, end } = check()
  for (const row of rows) take(row)
  return end()
}
const many = (count: number, of: (at: number) => Row) => Array.from({ length: count }, (_, at) => of(at))

describe("a text that stands for another", () => {
  const named = checkDetermines("name", "the names", ({ id, name }) => (id === undefined ? [] : [[id, name!]]))
  /** So many rows of two players, of which the first ones have another name. */
  const rows = (count: number, wrong: number) =>
    many(count, (at) => ({ id: String(at % 2), name: at < wrong ? `other ${at}` : `player ${at % 2}` }))

  it("may differ in one row of twenty, and in more if there are few rows", () => {
    assert.isUndefined(over(named, rows(100, 5)))
    assert.deepStrictEqual(over(named, rows(100, 6)), {
      field: "name",
      reason: "6 of 100 values contradict the names of other rows.",
    })
    assert.isUndefined(over(named, rows(minRows - 1, 20)))
    assert.isDefined(over(named, rows(minRows, 20)))
    // Rows that say nothing are none.
    assert.isUndefined(over(named, [...rows(minRows - 1, 20), {}]))
  })
})

describe("something that holds in most rows", () => {
  const check = checkMostly("x", "A digit", 0.9, ({ x }) => (x === undefined ? undefined : x === "1"))
  const rows = (count: number, good: number) => many(count, (at) => ({ x: at < good ? "1" : "0" }))

  it("may be missing in as many as its share allows", () => {
    assert.isUndefined(over(check, rows(100, 90)))
    assert.deepStrictEqual(over(check, rows(100, 89)), {
      field: "x",
      reason: "A digit in 89 % of 100 rows; at least 90 % is normal.",
    })
    assert.isUndefined(over(check, [...rows(minRows - 1, 0), {}]))
    assert.isDefined(over(check, rows(minRows, 0)))
  })
})

describe("two quantities that grow together", () => {
  const check = checkCorrelates("y", "x", 0.5, ({ x, y }) => (y === undefined ? undefined : [Number(x), Number(y)]))

  it("do so over 64 rows and more", () => {
    assert.isUndefined(
      over(
        check,
        many(minRows, (at) => ({ x: `${at}`, y: `${2 * at}` })),
      ),
    )
    assert.deepStrictEqual(
      over(
        check,
        many(minRows, (at) => ({ x: `${at}`, y: `${-at}` })),
      ),
      {
        field: "y",
        reason: "Its correlation with x is -1.00 over 64 rows; at least 0.5 is normal.",
      },
    )
    assert.isUndefined(over(check, [...many(minRows - 1, (at) => ({ x: `${at}`, y: `${-at}` })), { x: "1" }]))
  })

  it("may have exactly the least correlation", () => {
    const line = Array.from({ length: minRows }, (_, at) => [at, at] as const)
    assert.isUndefined(whyUncorrelated("y", "x", 0.999_999, line))
    assert.isDefined(whyUncorrelated("y", "x", 1.000_1, line))
  })
})

describe("the rows of a week", () => {
  const check = checkDiffersByWeek("yards", 10, ({ week, who, yards }) => [Number(week), who!, yards!])
  const week = (number: number, size: number, same: number) =>
    many(size, (at) => ({ week: String(number), who: String(at), yards: at < same ? "7" : `${number}/${at}` }))

  it("are a copy of the week before where nine in ten are alike", () => {
    assert.isUndefined(over(check, [...week(202_401, 10, 10), ...week(202_402, 10, 8)]))
    assert.deepStrictEqual(over(check, [...week(202_401, 10, 10), ...week(202_402, 10, 9)]), {
      field: "yards",
      reason: "9 of 10 rows of week 2 are those of the week before.",
    })
  })

  it("are not compared with another week than the one before, nor if they are few", () => {
    assert.isUndefined(over(check, [...week(202_401, 10, 10), ...week(202_403, 10, 10)]))
    assert.isUndefined(over(check, [...week(202_401, 9, 9), ...week(202_402, 9, 9)]))
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import {
  after,
  inOrder,
  keyOf,
  type Position,
  pageOf,
  positionOf,
  type RowPage,
} from "../../../../core/lanes/markets/pages.ts"

interface Row {
  readonly closeTime: number
  readonly ticker: string
  readonly venue: string
}

/** Few close times, so that groups are large; tickers that are not in order as numbers, and one ticker at two venues. */
const rows = fc
  .uniqueArray(
    fc.record({
      closeTime: fc.integer({ min: 1, max: 6 }),
      ticker: fc.constantFrom("A", "B", "a", "é", "10", "9", "Z-1"),
      venue: fc.constantFrom("kalshi", "polymarket"),
    }),
    { selector: ({ closeTime, ticker, venue }) => `${closeTime}/${ticker}/${venue}`, maxLength: 60 },
  )
  .map((all): ReadonlyArray<Row> => all.sort(inOrder))

type Way = (page: RowPage<Row>) => Position | undefined

/** By the cursor, from the text that left. */
const byCursor: Way = ({ next }) => (next === undefined ? undefined : positionOf(keyOf(next)))
const byTime: Way = ({ nextBefore }) => (nextBefore === undefined ? undefined : { closeTime: nextBefore })

const walk = (all: ReadonlyArray<Row>, limit: number, way: Way = byCursor): ReadonlyArray<RowPage<Row>> => {
  const pages: Array<RowPage<Row>> = []
  let position: Position | undefined
  for (;;) {
    const page = pageOf(after(all, position, limit + 1), limit)
    pages.push(page)
    position = way(page)
    if (position === undefined) return pages
    if (pages.length > 200) throw new Error("The pages do not end.")
  }
}

describe("pages of settled rows", () => {
  it("hold every row exactly once, in order, for every limit", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 61 }), (all, limit) => {
        const pages = walk(all, limit)
        assert.deepStrictEqual(
          pages.flatMap((page) => page.rows),
          all,
        )
        for (const page of pages) assert.isAtMost(page.rows.length, limit)
      }),
      { numRuns: 500 },
    )
  })

  it("end at a whole group of one close time, and are cut only where a group alone is too long", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 20 }), (all, limit) => {
        for (const { rows: page, next, nextBefore } of walk(all, limit)) {
          const last = page.at(-1)
          if (last === undefined) continue
          const rest = all.slice(all.indexOf(last) + 1)
          // Every page but the last has both.
          assert.deepStrictEqual(next, rest.length === 0 ? undefined : last)
          assert.strictEqual(nextBefore, rest.length === 0 ? undefined : last.closeTime)
          const isCut = rest[0]?.closeTime === last.closeTime
          if (isCut) assert.isTrue(page.every(({ closeTime }) => closeTime === last.closeTime))
        }
      }),
      { numRuns: 500 },
    )
  })

  it("go by `before` alone where no group exceeds the limit", () => {
    const all = [3, 3, 2, 2, 1].map((closeTime, at) => ({ closeTime, ticker: String(at), venue: "v" }))
    for (const way of [byTime, byCursor]) {
      assert.deepStrictEqual(
        walk(all, 3, way).map((page) => [page.rows.map(({ ticker }) => ticker).join(""), page.nextBefore]),
        [
          ["01", 3],
          ["234", undefined],
        ],
      )
    }
    assert.deepStrictEqual(pageOf([], 3), { rows: [] })
  })

  it("read no position from what is none", () => {
    for (const key of [
      "",
      "null",
      "5",
      "{}",
      "[]",
      '["5","A","v"]',
      '[1.5,"A","v"]',
      '[1,"A"]',
      '[1,"A",2]',
      "[1e400]",
    ]) {
      assert.strictEqual(positionOf(key), undefined, key)
    }
    const position = { closeTime: 5, ticker: 'A"]', venue: "v" }
    assert.deepStrictEqual(positionOf(keyOf(position)), position)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { maxQuoteAgeMs } from "../../../../core/lanes/markets/books.ts"
import { bookCoverage, bookFeed, resultFeed } from "../../../../core/lanes/markets/coverage.ts"
import type { BookPoll } from "../../../../core/lanes/markets/ports.ts"

const now = Date.parse("2026-07-09T12:00:30Z")
const book = (at?: number): BookPoll => ({ venue: "kalshi", domain: "nfl", ...(at === undefined ? {} : { at }) })
const coverage = (...ages: ReadonlyArray<number | undefined>) => {
  const { newest, expected, missing } = bookCoverage(
    ages.map((age) => book(age === undefined ? undefined : now - age)),
    now,
  )
  return { newest: newest?.name, expected: expected?.name, isLate: missing.length > 0, due: missing[0]?.name }
}

describe("the books of a venue", () => {
  it("are as old as the oldest of them, and late from the greatest age on", () => {
    assert.strictEqual(maxQuoteAgeMs, 180_000)
    const due = { expected: "2026-07-09T11:58Z" }
    assert.deepStrictEqual(coverage(10_000, 179_999), {
      newest: "2026-07-09T11:57Z",
      ...due,
      isLate: false,
      due: undefined,
    })
    assert.deepStrictEqual(coverage(180_000, 0), {
      newest: "2026-07-09T11:57Z",
      ...due,
      isLate: true,
      due: due.expected,
    })
  })

  it("are late while one was never read", () => {
    assert.deepInclude(coverage(0, undefined), { newest: undefined, isLate: true })
  })
})

it("a feed is named by its venue, with its usual name in words", () => {
  assert.deepInclude(bookFeed("kalshi"), { name: "kalshi_books", title: "Kalshi books" })
  assert.deepInclude(resultFeed("polymarket"), { name: "polymarket_results", title: "Polymarket results" })
  assert.strictEqual(bookFeed("other").title, "other books")
})

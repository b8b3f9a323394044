import type { Coverage, Due, Period } from "../../feeds/Due.ts"
import { iso, minute } from "../../time.ts"
import { ageMs, maxQuoteAgeMs } from "./books.ts"
import type { BookPoll } from "./ports.ts"

const titles: Readonly<Record<string, string>> = { kalshi: "Kalshi", polymarket: "Polymarket" }

const venueTitle = (venue: string): string => titles[venue] ?? venue

export const bookFeed = (venue: string): Due => ({
  name: `${venue}_books`,
  title: `${venueTitle(venue)} books`,
  due: "Every minute; late after three minutes.",
  absence: "Its contracts are not captured; if every venue is late, the edge board is refused.",
})

export const resultFeed = (venue: string): Due => ({
  name: `${venue}_results`,
  title: `${venueTitle(venue)} results`,
  due: "Every quarter of an hour.",
  absence: "Closed contracts stay unsettled.",
})

const toMinute = (at: number): Period => ({
  order: Math.floor(at / minute),
  name: iso(Math.floor(at / minute) * minute).replace(":00.000Z", "Z"),
})

/** The coverage of a venue's books, at least one: it is as old as the oldest. */
export const bookCoverage = (books: ReadonlyArray<BookPoll>, now: number): Coverage => {
  const times = books.flatMap(({ at }) => (at === undefined ? [] : [at]))
  const oldest = times.length < books.length ? undefined : Math.min(...times)
  const expected = toMinute(now - maxQuoteAgeMs + minute)
  const isLate = oldest === undefined || ageMs(oldest, now) >= maxQuoteAgeMs
  return {
    ...(oldest !== undefined && { newest: toMinute(oldest) }),
    expected,
    missing: isLate ? [expected] : [],
    gaps: [],
  }
}

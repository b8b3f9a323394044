import type { Coverage, Due, Period } from "../../feeds/Due.ts"
import { iso, minute } from "../../time.ts"
import { ageMs, maxQuoteAgeMs } from "./books.ts"
import type { Poll } from "./ports.ts"

const titles: Readonly<Record<string, string>> = { kalshi: "Kalshi", polymarket: "Polymarket" }

const venueTitle = (venue: string): string => titles[venue] ?? venue

/** The open contracts of a venue, with their books. */
export const bookFeed = (venue: string): Due => ({
  name: `${venue}_books`,
  title: `${venueTitle(venue)} books`,
  due: "Each minute, at most three minutes ago.",
  absence: "Its contracts are not captured; with every venue late the edge board is refused.",
})

/** The results of a venue's contracts. */
export const resultFeed = (venue: string): Due => ({
  name: `${venue}_results`,
  title: `${venueTitle(venue)} results`,
  due: "Every quarter of an hour.",
  absence: "Closed contracts stay unsettled.",
})

const minuteAt = (at: number): Period => ({
  order: Math.floor(at / minute),
  name: iso(Math.floor(at / minute) * minute).replace(":00.000Z", "Z"),
})

/**
 * The coverage of a venue, which is as late as its latest book.
 *
 * @param books those that are polled, at least one
 */
export const bookCoverage = (books: ReadonlyArray<Poll>, now: number): Coverage => {
  const times = books.flatMap(({ at }) => (at === undefined ? [] : [at]))
  const oldest = times.length < books.length ? undefined : Math.min(...times)
  const expected = minuteAt(now - maxQuoteAgeMs + minute)
  const isLate = oldest === undefined || ageMs(oldest, now) >= maxQuoteAgeMs
  return {
    ...(oldest !== undefined && { newest: minuteAt(oldest) }),
    expected,
    missing: isLate ? [expected] : [],
    gaps: [],
  }
}

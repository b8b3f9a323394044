import { minute } from "../../time.ts"
import type { Factor } from "../confidence.ts"
import { ageOf, type Book, maxQuoteAgeMs, maxShownAgeMs } from "./books.ts"
import type { Poll } from "./ports.ts"

/** A venue's book of a domain that is late. */
export interface LateBook extends Pick<Poll, "venue" | "domain"> {
  /** Milliseconds; absent if it was never read. */
  readonly age?: number
  /** The venue answered for other series of the domain. */
  readonly isPart: boolean
}

/** The books whose last poll is too old, or of which open contracts have quotes that are: a venue failed, or a series of it. */
export const lateBooks = (
  polls: ReadonlyArray<Poll>,
  books: ReadonlyArray<Book>,
  now: number,
): ReadonlyArray<LateBook> => {
  const ages = new Map<string, number>()
  const isLate = (age: number): boolean => age >= maxQuoteAgeMs
  for (const { venue, domain, closeTimes, quotedAt } of books) {
    const age = ageOf(quotedAt, now)
    if (now >= closeTimes.at(-1)! || !isLate(age)) continue
    const name = `${venue} ${domain}`
    ages.set(name, Math.max(age, ages.get(name) ?? 0))
  }
  return polls.flatMap(({ venue, domain, at }): ReadonlyArray<LateBook> => {
    const quotes = ages.get(`${venue} ${domain}`)
    if (at === undefined) return [{ venue, domain, isPart: false }]
    if (isLate(ageOf(at, now))) return [{ venue, domain, age: ageOf(at, now), isPart: false }]
    return quotes === undefined ? [] : [{ venue, domain, age: quotes, isPart: true }]
  })
}

const inMinutes = (ms: number): string => `${Math.floor(ms / minute)} min`

const nameOf = ({ venue, domain, age, isPart }: LateBook): string =>
  `${isPart ? "a series of " : ""}${venue} ${domain} ${age === undefined ? "was never read" : `is ${inMinutes(age)} old`}`

/** The step of the reasoning that names the late books; none without any. */
export const lateTexts = (late: ReadonlyArray<LateBook>): ReadonlyArray<string> =>
  late.length === 0
    ? []
    : [
        `Late books: ${late.map(nameOf).join(", ")}. A book is late from ${inMinutes(maxQuoteAgeMs)} on and not listed from ${inMinutes(maxShownAgeMs)} on.`,
      ]

/** The share of the followed books that is not late; no factor without a late one. */
export const lateFactor = (late: ReadonlyArray<LateBook>, polls: ReadonlyArray<Poll>): ReadonlyArray<Factor> =>
  late.length === 0
    ? []
    : [
        [
          `${late.length} of ${polls.length} venue books late: ${late.map(nameOf).join(", ")}`,
          1 - late.length / polls.length,
        ],
      ]

import { modelEdge, type Priced } from "../../contracts/Contract.ts"
import { getOrMake } from "../../getOrMake.ts"
import { perObject } from "../../perObject.ts"
import type { Domain } from "../../record/scoreboard/Settled.ts"
import { compare } from "../../text.ts"
import { minute } from "../../time.ts"

/** A quote of this age or older is late, milliseconds: venues are polled every minute, and two polls may fail. */
export const maxQuoteAgeMs = 3 * minute
/** Quotes of this age or older are not on the board, milliseconds. */
export const maxShownAgeMs = 10 * minute

/** Age of a quote in milliseconds. Absolute, so that a quote from the future, after the clock stepped back, is not fresh. */
export const ageMs = (at: number, now: number): number => Math.abs(now - at)

export interface RankedContract {
  readonly contract: Priced
  /** Model's minus market's probability, millionths. */
  readonly edge: number
}

/** Contracts of one venue and domain whose quotes were read at the same time. */
export interface Book {
  readonly venue: string
  readonly domain: Domain
  readonly quotedAt: number
  /** The contract that closes last. */
  readonly ticker: string
  /** Epoch milliseconds, rising. */
  readonly closeTimes: ReadonlyArray<number>
}

/** The contracts of a poll, ranked and grouped once for all calls until the next poll. */
export interface Books {
  /** Contracts with two live sides, largest edge first. */
  readonly ranking: ReadonlyArray<RankedContract>
  readonly books: ReadonlyArray<Book>
}

/** Largest edge first, then earliest close, then ticker and venue. */
const byEdge = (a: RankedContract, b: RankedContract): number =>
  Math.abs(b.edge) - Math.abs(a.edge) ||
  a.contract.closeTime - b.contract.closeTime ||
  compare(a.contract.ticker, b.contract.ticker) ||
  compare(a.contract.venue, b.contract.venue)

const makeBooks = (contracts: ReadonlyArray<Priced>): Books => {
  const ranking: Array<RankedContract> = []
  const groups = new Map<string, Array<Priced>>()
  for (const contract of contracts) {
    const edge = modelEdge(contract)
    if (edge !== undefined) ranking.push({ contract, edge })
    getOrMake(groups, `${contract.venue} ${contract.domain} ${contract.quotedAt}`, () => []).push(contract)
  }
  const books = Array.from(groups.values(), (group): Book => {
    const { venue, domain, quotedAt, ticker } = group.reduce((a, b) => (b.closeTime > a.closeTime ? b : a))
    return {
      venue,
      domain,
      quotedAt,
      ticker,
      closeTimes: group.map(({ closeTime }) => closeTime).sort((a, b) => a - b),
    }
  })
  return { ranking: ranking.sort(byEdge), books }
}

/** Ranks and groups contracts, once per array. */
export const orderBooks = perObject(makeBooks)

export const isShown = ({ closeTime, quotedAt }: Pick<Priced, "closeTime" | "quotedAt">, now: number): boolean =>
  now < closeTime && ageMs(quotedAt, now) < maxShownAgeMs

export interface OpenBook extends Book {
  readonly openCount: number
}

export const openBooks = ({ books }: Books, now: number): ReadonlyArray<OpenBook> =>
  books.flatMap((book) => {
    const openCount =
      ageMs(book.quotedAt, now) < maxShownAgeMs ? book.closeTimes.filter((closeTime) => now < closeTime).length : 0
    return openCount === 0 ? [] : [{ ...book, openCount }]
  })

export const countOpen = (books: ReadonlyArray<OpenBook>): number =>
  books.reduce((sum, { openCount }) => sum + openCount, 0)

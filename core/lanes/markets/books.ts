import { modelEdge, type Priced } from "../../contracts/Contract.ts"
import { getOrMake } from "../../getOrMake.ts"
import { perObject } from "../../perObject.ts"
import type { Domain } from "../../record/scoreboard/Settled.ts"
import { compare } from "../../text.ts"
import { minute } from "../../time.ts"

/** From this age on a quote is late, milliseconds: venues are polled every minute, and two polls may fail. */
export const maxQuoteAgeMs = 3 * minute
/** Greatest age of a quote on the board. */
export const maxShownAgeMs = 10 * minute

/** Milliseconds between a quote and now, absolute: after a clock step backwards a future quote is not fresher. */
export const ageMs = (at: number, now: number): number => Math.abs(now - at)

/** A contract and its model − market. */
export interface Ranked {
  readonly contract: Priced
  /** Millionths. */
  readonly edge: number
}

/** Contracts of a venue and domain whose quotes were read at one time. */
export interface Book {
  readonly venue: string
  readonly domain: Domain
  readonly quotedAt: number
  /** The contract that closes last. */
  readonly ticker: string
  /** Epoch milliseconds, rising. */
  readonly closeTimes: ReadonlyArray<number>
}

/** The contracts of a poll, ordered once for all calls until the next one. */
export interface Books {
  /** Those with two live sides by their difference, in whole millionths: 0.35 − 0.30 is 0.05. */
  readonly ranking: ReadonlyArray<Ranked>
  readonly books: ReadonlyArray<Book>
}

/** Largest difference first, then the one that closes first, then by ticker. */
const byEdge = (a: Ranked, b: Ranked): number =>
  Math.abs(b.edge) - Math.abs(a.edge) ||
  a.contract.closeTime - b.contract.closeTime ||
  compare(a.contract.ticker, b.contract.ticker) ||
  compare(a.contract.venue, b.contract.venue)

const order = (contracts: ReadonlyArray<Priced>): Books => {
  const ranking: Array<Ranked> = []
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

/** The order of contracts, computed once for an array. */
export const orderBooks = perObject(order)

/** Contracts of a book that trade, by bisection. */
const tradingIn = ({ closeTimes }: Book, now: number): number => {
  let [low, high] = [0, closeTimes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (closeTimes[middle]! > now) high = middle
    else low = middle + 1
  }
  return closeTimes.length - low
}

export const isShown = ({ closeTime, quotedAt }: Pick<Priced, "closeTime" | "quotedAt">, now: number): boolean =>
  now < closeTime && ageMs(quotedAt, now) < maxShownAgeMs

/** A book that is open, with the number of its contracts that trade. */
export interface OpenBook extends Book {
  readonly open: number
}

/** The books that have contracts on the board. */
export const openBooks = ({ books }: Books, now: number): ReadonlyArray<OpenBook> =>
  books.flatMap((book) => {
    const open = ageMs(book.quotedAt, now) < maxShownAgeMs ? tradingIn(book, now) : 0
    return open === 0 ? [] : [{ ...book, open }]
  })

export const openIn = (books: ReadonlyArray<OpenBook>): number => books.reduce((sum, { open }) => sum + open, 0)

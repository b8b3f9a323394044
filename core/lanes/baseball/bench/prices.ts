import { americanPrice, multiplicative } from "../../../math/devig.ts"

/** American odds of both sides: +150 wins 150 on 100, −150 wins 100 on 150. */
export interface Price {
  readonly home: number
  readonly away: number
}

/** Range of a book's margin; outside it the two prices are not of one line. */
const isBook = (margin: number): boolean => margin >= 0 && margin <= 0.12

const isAmerican = (odds: number | undefined): odds is number =>
  odds !== undefined && Number.isInteger(odds) && Math.abs(odds) >= 100 && Math.abs(odds) < 100_000

/** A listed price; undefined if a side is missing or the sides are not of one line. */
export const priceOf = (home: number | undefined, away: number | undefined): Price | undefined =>
  isAmerican(home) && isAmerican(away) && isBook(americanPrice(home) + americanPrice(away) - 1)
    ? { home, away }
    : undefined

/** The market's home win probability, with the margin removed in proportion. */
export const impliedHomeWin = ({ home, away }: Price): number =>
  multiplicative([americanPrice(home), americanPrice(away)])[0]!

/** Profit of a winning bet of one unit. */
export const profit = (odds: number): number => (odds > 0 ? odds / 100 : 100 / -odds)

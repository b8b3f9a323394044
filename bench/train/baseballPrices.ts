/** American odds of both sides: +150 wins 150 on 100, −150 wins 100 on 150. */
export interface Price {
  readonly home: number
  readonly away: number
}

/** The margin of a book lies in here; outside, the two numbers are not of one line. */
const isBook = (margin: number): boolean => margin >= 0 && margin <= 0.12

/** What a price asks for a win, as a probability with the book's margin in it. */
export const asked = (odds: number): number => (odds > 0 ? 100 / (100 + odds) : -odds / (100 - odds))

const isAmerican = (odds: number | undefined): odds is number =>
  odds !== undefined && Number.isInteger(odds) && Math.abs(odds) >= 100 && Math.abs(odds) < 100_000

/** A price as it was listed; undefined where one side has none, or where they are not of one line. */
export const priceOf = (home: number | undefined, away: number | undefined): Price | undefined =>
  isAmerican(home) && isAmerican(away) && isBook(asked(home) + asked(away) - 1) ? { home, away } : undefined

/** The market's probability that the home team wins: the margin taken out in proportion. */
export const impliedHomeWin = ({ home, away }: Price): number => asked(home) / (asked(home) + asked(away))

/** What a bet of one unit brings when it wins, besides the unit. */
export const profit = (odds: number): number => (odds > 0 ? odds / 100 : 100 / -odds)

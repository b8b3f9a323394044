/** American odds of both sides: +150 wins 150 on 100, −150 wins 100 on 150. */
export interface Price {
  readonly home: number
  readonly away: number
}

/** The margin of a book lies in here; outside, the two numbers are not of one line. */
const isBook = (margin: number): boolean => margin >= 0 && margin <= 0.12

/** What a price asks for a win, as a probability with the book's margin in it. */
export const asked = (odds: number): number => (odds > 0 ? 100 / (100 + odds) : -odds / (100 - odds))

/** A price of two texts; undefined where they are none, or not of one line. */
export const priceOf = (home: string, away: string): Price | undefined => {
  if (![home, away].every((text) => /^[+-]?\d{3,5}$/.test(text))) return undefined
  const price = { home: Number(home), away: Number(away) }
  return isBook(asked(price.home) + asked(price.away) - 1) ? price : undefined
}

/** The market's probability that the home team wins: the margin taken out in proportion. */
export const impliedHomeWin = ({ home, away }: Price): number => asked(home) / (asked(home) + asked(away))

/** What a bet of one unit brings when it wins, besides the unit. */
export const profit = (odds: number): number => (odds > 0 ? odds / 100 : 100 / -odds)

/** Prices are whole ten-thousandths of a dollar, so that nothing is rounded before a fee is. */
export const dollar = 10_000

/** The edge from which a trade is made, millionths of probability. */
export const threshold = 50_000

/**
 * A venue's fee: rate · contracts · price · (1 − price), rounded up to a whole cent, in integer arithmetic throughout
 * (0.07 · 100 · .50 · .50 is 175 cents; in doubles it is 176).
 *
 * @param rate ten-thousandths: 700 for 0.07
 * @param price ten-thousandths of a dollar per contract
 * @param contracts a fraction of whole numbers; the product with rate and price must stay below 2^53, which a stake of
 *   1 USD always does
 * @returns cents
 *
 * @example
 * import { feeCents } from "./hypothetical.ts"
 *
 * feeCents(700, 5_000, { numerator: 100, denominator: 1 }) // 175
 */
export const feeCents = (
  rate: number,
  price: number,
  { numerator, denominator }: { readonly numerator: number; readonly denominator: number },
): number => {
  const product = rate * numerator * price * (dollar - price)
  if (!Number.isSafeInteger(product))
    throw new RangeError(`A fee of ${numerator} contracts cannot be computed exactly.`)
  // A quotient of whole numbers below 2^53 is a whole double only when it is whole.
  return Math.ceil(product / (denominator * 100 * dollar * dollar))
}

/** A contract as the ledger sees it. */
export interface Offer {
  /** Millionths. */
  readonly model: number
  readonly market: number
  /** Ten-thousandths of a dollar. */
  readonly yesAsk: number
  readonly noAsk: number
  /** Ten-thousandths; absent where the venue's fee is not known. */
  readonly feeRate?: number | undefined
  readonly happened: boolean
}

/**
 * Sums over hypothetical trades. Plain data; whole numbers alone, so that sums of any order are equal. A trade stakes
 * 1 USD: 1 / price contracts.
 */
export interface Ledger {
  trades: number
  /** Trades that ended above zero after fees. */
  wins: number
  feeCents: number
  /** Trades that were left out because the venue's fee is not known. */
  unknownFee: number
  /** How many of the contracts bought paid, by price: each pays 1 / price dollars. */
  readonly paid: { [price: string]: number }
}

export const empty = (): Ledger => ({ trades: 0, wins: 0, feeCents: 0, unknownFee: 0, paid: {} })

/** A price that nothing was paid at has no entry. */
const pay = ({ paid }: Ledger, price: number | string, count: number): void => {
  const total = (paid[price] ?? 0) + count
  if (total === 0) delete paid[price]
  else paid[price] = total
}

/**
 * Counts the trade that an offer leads to, if any: the side that the model favours, where model and market differ by at
 * least 0.05, at its ask. No trade at a price that is not between 0 and 1 dollar.
 *
 * @param sign −1 takes it away again
 */
export const add = (
  into: Ledger,
  { model, market, yesAsk, noAsk, feeRate, happened }: Offer,
  sign: 1 | -1 = 1,
): void => {
  const edge = model - market
  const price = edge > 0 ? yesAsk : noAsk
  if (Math.abs(edge) < threshold || !(price > 0 && price < dollar)) return
  if (feeRate === undefined) {
    into.unknownFee += sign
    return
  }
  const fee = feeCents(feeRate, price, { numerator: dollar, denominator: price })
  into.trades += sign
  into.feeCents += sign * fee
  if (happened !== edge > 0) return
  pay(into, price, sign)
  // Paid 1 / price for 1 and the fee: above zero when 100 · dollar > price · (100 + fee), in whole numbers.
  if (100 * dollar > price * (100 + fee)) into.wins += sign
}

export const merge = (into: Ledger, other: Ledger): void => {
  into.trades += other.trades
  into.wins += other.wins
  into.feeCents += other.feeCents
  into.unknownFee += other.unknownFee
  for (const [price, count] of Object.entries(other.paid)) pay(into, price, count)
}

/** What the trades came to, US dollars. */
export interface Balance {
  readonly trades: number
  readonly wins: number
  readonly losses: number
  readonly staked: number
  readonly fees: number
  readonly pnl: number
  /** Per dollar staked; NaN without a trade. */
  readonly roi: number
  readonly unknownFee: number
}

export const balance = ({ trades, wins, feeCents: fees, unknownFee, paid }: Ledger): Balance => {
  // Whole keys of an object are in ascending order, whatever order they came in: equal sums are equal to the last bit.
  const payouts = Object.entries(paid).reduce((sum, [price, count]) => sum + (count * dollar) / Number(price), 0)
  const pnl = payouts - trades - fees / 100
  return { trades, wins, losses: trades - wins, staked: trades, fees: fees / 100, pnl, roi: pnl / trades, unknownFee }
}

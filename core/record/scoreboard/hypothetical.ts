/** Prices are integers in ten-thousandths of a dollar, so that only fees are rounded. */
export const priceScale = 10_000

/** Minimum edge of a trade, millionths of probability. */
export const minEdge = 50_000

/** rate · price · (1 − price) in integers, millionths of a millionth of a dollar: at most 10^12. */
const feeUnits = (rate: number, price: number): number => rate * price * (priceScale - price)

/**
 * A venue's fee for one contract, USD, before the venue rounds that of a trade.
 *
 * @param rate ten-thousandths: 700 for 0.07
 * @param price ten-thousandths of a dollar
 */
export const feePerContract = (rate: number, price: number): number => feeUnits(rate, price) / priceScale ** 3

/** The ask of the side that the model favours, ten-thousandths of a dollar. */
export const suggestedAsk = (edge: number, { yesAsk, noAsk }: Pick<Offer, "yesAsk" | "noAsk">): number =>
  edge < 0 ? noAsk : yesAsk

/** How a venue rounds the fee of a trade: to whole steps of so many micro-dollars. */
interface FeeRounding {
  readonly stepMicros: number
  readonly round: (steps: number) => number
}

/** Kalshi's fee schedule of 7 July 2026, from midnight in New York: up to 0.0001 USD, before that up to a cent. */
const kalshiCenticents = Date.UTC(2026, 6, 7, 4)

const kalshi = (now: number): FeeRounding => ({ stepMicros: now < kalshiCenticents ? 10_000 : 100, round: Math.ceil })

/** By venue; the generated one rounds as Kalshi does. Polymarket rounds down to 0.00001 USD (docs.polymarket.com/trading/fees). */
const roundings: Readonly<Record<string, (now: number) => FeeRounding>> = {
  kalshi,
  mock: kalshi,
  polymarket: () => ({ stepMicros: 10, round: Math.floor }),
}

/** The rounding in force for a trade at a venue; undefined if unknown. */
export const feeRounding = (venue: string, now: number): FeeRounding | undefined => roundings[venue]?.(now)

/**
 * A venue's fee: rate · contracts · price · (1 − price), rounded as the venue does, in integer arithmetic throughout
 * (0.07 · 100 · .50 · .50 is 175 cents; in doubles it is 176).
 *
 * @param rate ten-thousandths: 700 for 0.07
 * @param price ten-thousandths of a dollar per contract
 * @param contracts a fraction of integers; the product with rate and price must stay below 2^53, which a stake of 1 USD
 *   always does
 * @returns micro-dollars
 *
 * @example
 * ```ts
 * import { feeMicros, feeRounding } from "./hypothetical.ts"
 *
 * const rounding = feeRounding("kalshi", Date.UTC(2026, 10, 1))!
 * feeMicros(700, 5_000, { numerator: 100, denominator: 1 }, rounding) // 1750000
 * ```
 */
export const feeMicros = (
  rate: number,
  price: number,
  { numerator, denominator }: { readonly numerator: number; readonly denominator: number },
  { stepMicros, round }: FeeRounding,
): number => {
  const product = feeUnits(rate, price) * numerator
  if (!Number.isSafeInteger(product))
    throw new RangeError(`A fee of ${numerator} contracts cannot be computed exactly.`)
  // A quotient of integers below 2^53 is an integer double only if it is exact.
  return stepMicros * round(product / (denominator * stepMicros * 1_000_000))
}

/** A contract offered for a hypothetical trade. */
export interface Offer {
  readonly venue: string
  /** Epoch milliseconds of the offer. */
  readonly capturedAt: number
  /** Millionths. */
  readonly model: number
  readonly market: number
  /** Ten-thousandths of a dollar. */
  readonly yesAsk: number
  readonly noAsk: number
  /** Ten-thousandths; absent if the venue's fee is unknown. */
  readonly feeRate?: number | undefined
  readonly happened: boolean
}

/** An offer with the pooled probability of model and market, millionths. */
export interface PooledOffer extends Offer {
  readonly pool: number
}

/**
 * Sums over hypothetical trades. Plain data; integers only, so that sums in any order are equal. A trade stakes 1 USD:
 * 1 / price contracts.
 */
export interface HypotheticalTrades {
  trades: number
  /** Trades that ended above zero after fees. */
  wins: number
  feeMicros: number
  /** Trades skipped because the venue's fee is unknown. */
  unknownFee: number
  /** Number of winning trades by price: each pays 1 / price dollars. */
  readonly paid: { [price: string]: number }
}

export const empty = (): HypotheticalTrades => ({ trades: 0, wins: 0, feeMicros: 0, unknownFee: 0, paid: {} })

/** Adds to the winning trades at a price; a count of 0 has no entry. */
const pay = ({ paid }: HypotheticalTrades, price: number | string, count: number): void => {
  const total = (paid[price] ?? 0) + count
  if (total === 0) delete paid[price]
  else paid[price] = total
}

/** Adds the trade of an offer at the ask of a side, unless its price is not between 0 and 1 USD. */
const addTrade = (
  into: HypotheticalTrades,
  { venue, capturedAt, yesAsk, noAsk, feeRate, happened }: Offer,
  edge: number,
  sign: 1 | -1,
): void => {
  const price = suggestedAsk(edge, { yesAsk, noAsk })
  if (!(price > 0 && price < priceScale)) return
  const rounding = feeRounding(venue, capturedAt)
  if (feeRate === undefined || rounding === undefined) {
    into.unknownFee += sign
    return
  }
  const contracts = { numerator: priceScale, denominator: price }
  const fee = feeMicros(feeRate, price, contracts, rounding)
  into.trades += sign
  into.feeMicros += sign * fee
  if (happened !== edge > 0) return
  pay(into, price, sign)
  // The payout 1 / price exceeds stake and fee when 10^6 · dollar > price · (10^6 + fee), in integers.
  if (1_000_000 * priceScale > price * (1_000_000 + fee)) into.wins += sign
}

/**
 * Adds the trade of an offer, if any: where model and market differ by at least 0.05, the model's side at its ask.
 *
 * @param sign −1 removes it
 */
export const add = (into: HypotheticalTrades, offer: Offer, sign: 1 | -1 = 1): void => {
  const edge = offer.model - offer.market
  if (Math.abs(edge) >= minEdge) addTrade(into, offer, edge, sign)
}

/**
 * Adds the trade of an offer by the pool's rule: its side at its ask, if the expected gain is above 0. If the fee is unknown,
 * the gain before the fee decides, and the trade counts as one with an unknown fee.
 */
export const addPooled = (into: HypotheticalTrades, offer: PooledOffer, sign: 1 | -1 = 1): void => {
  const { pool, market, feeRate = 0 } = offer
  const price = suggestedAsk(pool - market, offer)
  const probability = pool < market ? 1_000_000 - pool : pool
  // Exact, in millionths of a millionth of a dollar.
  if (probability * 1_000_000 - price * 100_000_000 - feeUnits(feeRate, price) > 0) {
    addTrade(into, offer, pool - market, sign)
  }
}

export const merge = (into: HypotheticalTrades, other: HypotheticalTrades): void => {
  into.trades += other.trades
  into.wins += other.wins
  into.feeMicros += other.feeMicros
  into.unknownFee += other.unknownFee
  for (const [price, count] of Object.entries(other.paid)) pay(into, price, count)
}

/** Totals of the trades, USD. */
export interface HypotheticalTotals {
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

export const balance = ({ trades, wins, feeMicros, unknownFee, paid }: HypotheticalTrades): HypotheticalTotals => {
  // Integer keys of an object are in ascending order, so that equal sums are equal to the last bit.
  const payouts = Object.entries(paid).reduce((sum, [price, count]) => sum + (count * priceScale) / Number(price), 0)
  const fees = feeMicros / 1_000_000
  const pnl = payouts - trades - fees
  return { trades, wins, losses: trades - wins, staked: trades, fees, pnl, roi: pnl / trades, unknownFee }
}

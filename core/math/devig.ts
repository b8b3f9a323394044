/**
 * Prices to probabilities: the margin of a market removed in two ways. A price is the implied probability of one
 * outcome, margin included: the cost of a contract that pays 1, or 1 / decimal odds. The prices of all outcomes of one
 * market are given together.
 *
 * Neither says how much to stake, and nothing in this package does.
 *
 * @module
 */
import { checkedInteger } from "./checks.ts"

/**
 * The implied probability of American odds, margin included: +150 wins 150 on a stake of 100, −150 wins 100 on 150.
 *
 * @param odds at most −100 or at least 100
 * @returns a price between 0 and 1; correct to 1 unit in the last place
 * @throws RangeError for odds between −100 and 100, NaN and the infinities
 *
 * @example
 * ```ts
 * import { americanPrice } from "./devig.ts"
 *
 * americanPrice(150) // 0.4
 * americanPrice(-150) // 0.6
 * ```
 */
export const americanPrice = (odds: number): number => {
  if (!(Math.abs(odds) >= 100 && Number.isFinite(odds))) throw new RangeError(`${odds} is not American odds.`)
  return odds > 0 ? 100 / (100 + odds) : -odds / (100 - odds)
}

/** The sum of the prices, once each was checked. */
const checkedSum = (prices: ReadonlyArray<number>): number => {
  checkedInteger("number of prices", prices.length, 2)
  return prices.reduce((sum, price, at) => {
    if (!(price > 0 && price < 1)) throw new RangeError(`Price ${at + 1} is ${price}, not between 0 and 1.`)
    return sum + price
  }, 0)
}

/**
 * Removes the margin in proportion: each price divided by the sum of all.
 *
 * @param prices two or more, each between 0 and 1; their sum may also be below 1
 * @returns probabilities in the order of the prices
 * @throws RangeError for fewer than two prices, and for a price outside (0, 1)
 */
export const multiplicative = (prices: ReadonlyArray<number>): ReadonlyArray<number> => {
  const book = checkedSum(prices)
  return prices.map((price) => price / book)
}

/** The place of the highest price. */
const favouriteIndex = (prices: ReadonlyArray<number>): number => prices.indexOf(Math.max(...prices))

/** Far more steps than the root needs. */
const sweeps = 100

/** The last step, relative to the root: the error after it is its square. */
const least = 1e-8

/** The probabilities of a market, and the share of insiders that explains its margin. */
export interface Shin {
  readonly probabilities: ReadonlyArray<number>
  /** Shin's z: the share of the stakes that comes from insiders; 0 without a margin. */
  readonly insiders: number
}

/** Prices that sum to 1 may sum to this much less in doubles. */
const slack = 1e-12

/**
 * The insiders of a market of two, (book − 1) (book − d²) / (book (1 − d²)), d the difference of the prices; without
 * differences of near numbers.
 */
const insidersOfTwo = (high: number, low: number): number => {
  const rest = 1 - high
  const excess = low - rest
  const spread = (rest + low) * (1 + high - low)
  return (excess * (excess + spread)) / ((1 + excess) * spread)
}

/**
 * The z for which the probabilities of three or more outcomes sum to 1, by Newton's steps, halving where a step leaves the
 * bracket. Their sum falls from √book at 0 to less than 1 at 1. It is the fixed point of Jullien and Salanié's iteration
 * z = (Σ √(z² + 4 (1 − z) price² / book) − 2) / (n − 2), which itself converges slowly for small margins.
 */
const insiderShare = (prices: ReadonlyArray<number>, squares: ReadonlyArray<number>, book: number): number => {
  const favourite = favouriteIndex(prices)
  const price = prices[favourite]!
  // 1 − price² / book of the favourite, as a sum.
  const lack = (prices.reduce((sum, one, at) => (at === favourite ? sum : sum + one), 0) + (1 - price) * price) / book
  let [low, high, z] = [0, 1, 0]
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let above = 0
    let slope = 0
    for (const [at, square] of squares.entries()) {
      const root = Math.sqrt(z * z + 4 * (1 - z) * square)
      const p = (2 * square) / (root + z)
      above += at === favourite ? (-4 * square * lack) / ((root + 2 * square - z) * (root + z)) : p
      slope -= (p * (1 + (z - 2 * square) / root)) / (root + z)
    }
    if (above > 0) low = z
    else high = z
    const next = z - above / slope
    const kept = next >= low && next <= high ? next : (low + high) / 2
    if (Math.abs(kept - z) <= least * kept) return kept
    z = kept
  }
  return z
}

/**
 * Removes the margin by Shin's model: the bookmaker protects himself against a share z of insiders, and
 * p = (√(z² + 4 (1 − z) price² / book) − z) / (2 (1 − z)), book the sum of the prices. For two outcomes z has a closed
 * form, and each outcome loses half of the margin; for more it is the root of Σ p = 1.
 * Sources: H. S. Shin, Economic Journal 103 (1993) 1141–1153; B. Jullien and B. Salanié, Economic Journal 104 (1994)
 * 1418–1419.
 *
 * @param prices two or more, each between 0 and 1, that sum to 1 or more
 * @returns probabilities in the order of the prices; absolute error at most 2e-15 where the margin is lost in the rounding
 *   of the sum
 * @throws RangeError for fewer than two prices, for a price outside (0, 1), and for a sum below 1, which no share of
 *   insiders explains
 *
 * @example
 * ```ts
 * import { shin } from "./devig.ts"
 *
 * shin([0.6, 0.45]) // { probabilities: [0.574…, 0.425…], insiders: 0.0500… }
 * ```
 */
export const shin = (prices: ReadonlyArray<number>): Shin => {
  const book = checkedSum(prices)
  if (book < 1 - slack) throw new RangeError(`The prices sum to ${book}; Shin's model needs a sum of at least 1.`)
  const squares = prices.map((price) => (price * price) / book)
  const insiders =
    book <= 1
      ? 0
      : prices.length === 2
        ? insidersOfTwo(Math.max(...prices), Math.min(...prices))
        : insiderShare(prices, squares, book)
  // The formula above without its difference, which would lose the digits of a long shot.
  const probabilities = squares.map(
    (square) => (2 * square) / (Math.sqrt(insiders * insiders + 4 * (1 - insiders) * square) + insiders),
  )
  return { probabilities, insiders }
}

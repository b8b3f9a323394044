import { multiplicative, shin } from "../math/devig.ts"
import type { Discrete } from "../math/discretise.ts"
import type { Strikes } from "./strikes.ts"

/*
 * A law over whole numbers with a market's prices: the market says how likely each of its intervals is, and the model how
 * an interval's probability lies on the numbers in it. It is no model's forecast, and nothing scores it.
 */

/** The whole numbers on which a contract pays, both ends included; an end may be infinite. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A contract's span with the market's probability of yes. */
export interface QuotedSpan extends Span {
  /** Between 0 and 1, both excluded: the midpoint of a live quote. */
  readonly probability: number
}

/** A law with the quotes that it took. */
interface Anchored<Quote extends QuotedSpan = QuotedSpan> {
  readonly law: Discrete
  readonly used: ReadonlyArray<Quote>
}

/** The whole numbers that pay; undefined for unknown terms, and where no number pays. A strike may be fractional. */
export const strikeSpan = ({ strikeType, floorStrike: floor, capStrike: cap }: Strikes): Span | undefined => {
  const all: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  switch (strikeType) {
    case "greater":
      return floor === undefined ? undefined : { ...all, from: Math.floor(floor) + 1 }
    case "greater_or_equal":
      return floor === undefined ? undefined : { ...all, from: Math.ceil(floor) }
    case "less":
      return cap === undefined ? undefined : { ...all, to: Math.ceil(cap) - 1 }
    case "less_or_equal":
      return cap === undefined ? undefined : { ...all, to: Math.floor(cap) }
    case "between":
      return floor === undefined || cap === undefined || Math.floor(cap) < Math.ceil(floor)
        ? undefined
        : { from: Math.ceil(floor), to: Math.floor(cap) }
    default:
      return undefined
  }
}

/** The same numbers from the other side: a margin of 4 or more is one of −4 or less of the opponent. */
export const negateSpan = ({ from, to }: Span): Span => ({ from: -to, to: -from })

const isOpen = ({ from, to }: Span): boolean => from === Number.NEGATIVE_INFINITY || to === Number.POSITIVE_INFINITY

/** The probabilities of the numbers from `first` on. */
type Shape = Pick<Discrete, "first" | "pmf">

const spanMass = ({ first, pmf }: Shape, { from, to }: Span): number => {
  let sum = 0
  const last = Math.min(pmf.length - 1, to - first)
  for (let at = Math.max(0, from - first); at <= last; at++) sum += pmf[at]!
  return sum
}

/**
 * Probabilities of at least k, in ascending order of k, made to fall: neighbours out of order are replaced by their mean
 * (pool adjacent violators).
 */
const makeNonIncreasing = (steps: ReadonlyArray<readonly [p: number, weight: number]>): ReadonlyArray<number> => {
  const pools: Array<{ p: number; weight: number; count: number }> = []
  for (const [p, weight] of steps) {
    let pool = { p, weight, count: 1 }
    for (let before = pools.at(-1); before !== undefined && before.p < pool.p; before = pools.at(-1)) {
      pools.pop()
      const both = before.weight + pool.weight
      const mean = (before.p * before.weight + pool.p * pool.weight) / both
      pool = { p: mean, weight: both, count: before.count + pool.count }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ p, count }) => Array<number>(count).fill(p))
}

/** The cells between thresholds, which cover every whole number. Two quotes of one threshold count as their mean. */
const thresholdCells = (quotes: ReadonlyArray<QuotedSpan>): ReadonlyArray<QuotedSpan> => {
  const byNumber = new Map<number, Array<number>>()
  for (const { from, to, probability } of quotes) {
    const [k, p] = to === Number.POSITIVE_INFINITY ? [from, probability] : [to + 1, 1 - probability]
    byNumber.set(k, [...(byNumber.get(k) ?? []), p])
  }
  const steps = [...byNumber].sort(([a], [b]) => a - b)
  const atLeast = makeNonIncreasing(steps.map(([, ps]) => [ps.reduce((sum, p) => sum + p, 0) / ps.length, ps.length]))
  const cells: Array<QuotedSpan> = []
  for (let at = 0; at <= steps.length; at++) {
    cells.push({
      from: at === 0 ? Number.NEGATIVE_INFINITY : steps[at - 1]![0],
      to: at === steps.length ? Number.POSITIVE_INFINITY : steps[at]![0] - 1,
      probability: (at === 0 ? 1 : atLeast[at - 1]!) - (at === steps.length ? 0 : atLeast[at]!),
    })
  }
  return cells
}

/** Of spans that overlap, the one that ends first. */
const withoutOverlap = <Quote extends QuotedSpan>(quotes: ReadonlyArray<Quote>): ReadonlyArray<Quote> => {
  let end = Number.NEGATIVE_INFINITY
  return [...quotes]
    .sort((a, b) => a.to - b.to || b.from - a.from)
    .filter(({ from, to }, at) => {
      if (at > 0 && from <= end) return false
      end = to
      return true
    })
}

/** The spans between and beyond quoted ones, in order. */
const findGaps = (buckets: ReadonlyArray<QuotedSpan>): ReadonlyArray<Span> => {
  const ends = [Number.NEGATIVE_INFINITY, ...buckets.map(({ to }) => to + 1)]
  const starts = [...buckets.map(({ from }) => from - 1), Number.POSITIVE_INFINITY]
  return ends
    .map((from, at) => ({ from, to: starts[at]! }))
    .filter(({ from, to }) => from <= to && from !== Number.POSITIVE_INFINITY && to !== Number.NEGATIVE_INFINITY)
}

/**
 * The cells of buckets, which cover every whole number that is possible. Prices of all those numbers lose their margin
 * by Shin's model, in which long shots lose most of it; prices that sum to less than 1 are raised in proportion.
 * Numbers without a quote have what the prices leave, shared as the model shares it; where the prices leave nothing, the
 * model's own probability is the price of those numbers, and the margin goes from all. A venue quotes no bid for what has
 * become impossible: numbers without a quote that the model gives nothing have nothing.
 */
const bucketCells = (law: Shape, buckets: ReadonlyArray<QuotedSpan>): ReadonlyArray<QuotedSpan> => {
  const gaps = findGaps(buckets)
  const sum = buckets.reduce((total, { probability }) => total + probability, 0)
  const masses = gaps.map((gap) => spanMass(law, gap))
  const unquoted = masses.reduce((total, mass) => total + mass, 0)
  const scaled = (factor: number) => buckets.map((one) => ({ ...one, probability: one.probability * factor }))
  if (unquoted > 0) {
    const [factor, share] = sum < 1 ? [1, (1 - sum) / unquoted] : [1 / (sum + unquoted), 1 / (sum + unquoted)]
    return [...scaled(factor), ...gaps.map((gap, at) => ({ ...gap, probability: masses[at]! * share }))]
  }
  const prices = buckets.map(({ probability }) => probability)
  const fair = prices.length === 1 ? [1] : sum < 1 ? multiplicative(prices) : shin(prices).probabilities
  return buckets.map((one, at) => ({ ...one, probability: fair[at]! }))
}

/** Numbers next to the end of an open span that are used when the model gives the span no mass. */
const openSpanReach = 5

/** The numbers that share a span's probability where the model gives them none. */
const fallbackSpan = ({ from, to }: Span): Span => ({
  from: Number.isFinite(from) ? from : to - openSpanReach + 1,
  to: Number.isFinite(to) ? to : from + openSpanReach - 1,
})

/**
 * The probabilities of cells, pooled in log-odds: model^w · market^(1 − w) over its sum. Where no cell is possible for
 * both, there is no such pool, and the market's are kept.
 */
const poolCells = (
  cells: ReadonlyArray<QuotedSpan>,
  masses: ReadonlyArray<number>,
  weight: number,
): ReadonlyArray<number> => {
  const market = cells.map(({ probability }) => probability)
  if (weight === 0) return market
  const raw = market.map((p, at) => masses[at]! ** weight * p ** (1 - weight))
  const sum = raw.reduce((total, p) => total + p, 0)
  return sum > 0 ? raw.map((p) => p / sum) : market
}

const toDiscrete = (first: number, pmf: Float64Array): Discrete => {
  const ge = new Float64Array(pmf.length)
  let tail = 0
  for (let at = pmf.length - 1; at >= 0; at--) {
    tail += pmf[at]!
    ge[at] = Math.min(1, tail)
  }
  ge[0] = 1
  return { first, pmf, ge }
}

/**
 * The law whose intervals have the market's probabilities, and in each of them the model's shape. Thresholds are made to
 * fall in order, buckets lose their margin, so that prices that agree with each other are kept as they are. Numbers that
 * only the market thinks possible share their interval's probability evenly: of an open one the five at its end.
 *
 * @param law the model's
 * @param quotes of one venue on one number; of buckets and thresholds that overlap, the ones that end first
 * @param weight the model's, from 0 (the market's prices) to 1 (the model)
 * @returns undefined without quotes; sums to 1 within 1e-12
 * @throws RangeError for a price outside (0, 1) and a weight outside [0, 1]
 *
 * @example
 * ```ts
 * import { anchored } from "./anchored.ts"
 *
 * const law = { first: 1, pmf: Float64Array.of(0.2, 0.6, 0.2), ge: Float64Array.of(1, 0.8, 0.2) }
 * anchored(law, [{ from: 2, to: Infinity, probability: 0.4 }])!.law.pmf // [0.6, 0.3, 0.1000…]
 * ```
 */
export const anchored = <Quote extends QuotedSpan>(
  law: Shape,
  quotes: ReadonlyArray<Quote>,
  weight = 0,
): Anchored<Quote> | undefined => {
  if (!(weight >= 0 && weight <= 1)) throw new RangeError(`The weight ${weight} is not between 0 and 1.`)
  for (const { probability } of quotes) {
    if (!(probability > 0 && probability < 1)) throw new RangeError(`The price ${probability} is not between 0 and 1.`)
  }
  const used = quotes.every(isOpen) ? quotes : withoutOverlap(quotes)
  if (used.length === 0) return undefined
  const cells = used.every(isOpen) ? thresholdCells(used) : bucketCells(law, used)
  const masses = cells.map((cell) => spanMass(law, cell))
  const shares = poolCells(cells, masses, weight)
  const near = cells.map((cell, at) => (masses[at] === 0 && shares[at]! > 0 ? fallbackSpan(cell) : undefined))
  const first = near.reduce((least, span) => Math.min(least, span?.from ?? least), law.first)
  const last = near.reduce((most, span) => Math.max(most, span?.to ?? most), law.first + law.pmf.length - 1)
  const pmf = new Float64Array(last - first + 1)
  for (const [at, cell] of cells.entries()) {
    const { from, to } = near[at] ?? cell
    const [low, high] = [Math.max(first, from), Math.min(last, to)]
    for (let k = low; k <= high; k++) {
      pmf[k - first]! +=
        near[at] === undefined
          ? masses[at] === 0
            ? 0
            : (shares[at]! * (law.pmf[k - law.first] ?? 0)) / masses[at]!
          : shares[at]! / (to - from + 1)
    }
  }
  return { law: toDiscrete(first, pmf), used }
}

import { hashSeed, normalAt, uniform } from "../../../adapters/lanes/mock/hash.ts"
import * as normalLaw from "../../../core/math/normal.ts"
import type { Domain } from "../../../core/record/scoreboard/Settled.ts"
import { type BidAsk, isLive, type Result } from "../../../core/record/scoreboard/Settled.ts"

/** One contract: it pays when the event's value ends above `above` and at or below `upTo`. */
export interface WorldContract {
  readonly ticker: string
  readonly title: string
  readonly strikeType: string
  readonly floorStrike?: number
  readonly capStrike?: number
  readonly above: number
  readonly upTo: number
}

/**
 * A future value (a high, a price, a margin) and the contracts on it. News comes in steps while the
 * contracts trade, so that at every moment the value is normal with a known mean and deviation: the true probability of
 * each contract is known, and it is a martingale.
 */
export interface WorldEvent {
  readonly domain: Domain
  readonly series: string
  readonly ticker: string
  readonly instrument: string
  readonly opensAt: number
  /** The announced close. */
  readonly scheduledClose: number
  /** The actual close: one event in twenty closes early. */
  readonly closesAt: number
  /** The time of the venue's result. */
  readonly settlesAt: number
  readonly isVoid: boolean
  /** Ten-thousandths; absent where the venue does not tell. */
  readonly feeRate?: number
  /** Of the value, as known when trading opens. */
  readonly mean: number
  readonly sd: number
  /** How far the model's own source may lie from the venue's: one standard deviation of the value. */
  readonly sourceGap: number
  readonly contracts: ReadonlyArray<WorldContract>
}

/** Steps in which news comes, and the share of the variance that they make up: the rest is known only at the end. */
const steps = 32
const revealed = 0.7

/** How far beliefs lie from the truth, in standard deviations of what is still unknown: those of market and model. */
const marketError = 0.12
const modelError = 0.2

const stepsAt = ({ opensAt, closesAt }: WorldEvent, at: number): number =>
  Math.min(steps, Math.max(0, Math.floor(((at - opensAt) / (closesAt - opensAt)) * steps)))

const newsUpTo = (seed: number, count: number): number => {
  let sum = 0
  for (let step = 0; step < count; step++) sum += normalAt(seed, 1, step)
  return sum / Math.sqrt(steps)
}

/** The best estimate of the value at a moment. */
export const lawAt = (event: WorldEvent, at: number): { readonly mean: number; readonly sd: number } => {
  const count = stepsAt(event, at)
  return {
    mean: event.mean + event.sd * Math.sqrt(revealed) * newsUpTo(hashSeed(event.ticker), count),
    sd: event.sd * Math.sqrt(1 - (revealed * count) / steps),
  }
}

/** The value that the venue settles on. */
export const valueOf = (event: WorldEvent): number => {
  const seed = hashSeed(event.ticker)
  return (
    event.mean +
    event.sd * (Math.sqrt(revealed) * newsUpTo(seed, steps) + Math.sqrt(1 - revealed) * normalAt(seed, 2, 0))
  )
}

const pays = ({ above, upTo }: WorldContract, value: number): Result => (value > above && value <= upTo ? "yes" : "no")

/** The venue's final result. */
export const resultOf = (event: WorldEvent, contract: WorldContract): Result | "void" =>
  event.isVoid ? "void" : pays(contract, valueOf(event))

/** The result by the model's own source, which may differ from the venue's. */
export const sourceResultOf = (event: WorldEvent, contract: WorldContract): Result =>
  pays(contract, valueOf(event) + event.sourceGap * normalAt(hashSeed(event.ticker), 3, 0))

/** The time of that result: before the venue's in about half of the cases, at most twice as late. */
export const sourceKnownAt = ({ ticker, scheduledClose, settlesAt }: WorldEvent): number =>
  scheduledClose + Math.round(2 * uniform(ticker, "source") * (settlesAt - scheduledClose))

/** The probability that a contract pays, for somebody whose idea of the mean is `shift` deviations off. */
const believedAt = (event: WorldEvent, { above, upTo }: WorldContract, at: number, shift: number): number => {
  const { mean, sd } = lawAt(event, at)
  const cdf = (x: number) => normalLaw.cdf((x - mean) / sd - shift)
  return cdf(upTo) - cdf(above)
}

/** The true probability that a contract pays, given everything that can be known at a moment. */
export const truthAt = (event: WorldEvent, contract: WorldContract, at: number): number =>
  believedAt(event, contract, at, 0)

const shiftAt = (event: WorldEvent, who: number, size: number, at: number): number =>
  size * normalAt(hashSeed(event.ticker), who, stepsAt(event, at))

/** The demonstration's model: nearly right, and a little farther off than the market. Whole millionths. */
export const modelAt = (event: WorldEvent, contract: WorldContract, at: number): number =>
  Math.round(believedAt(event, contract, at, shiftAt(event, 4, modelError, at)) * 1_000_000)

const cent = 100

/**
 * The venue's book of a contract, in ten-thousandths of a dollar: the market's belief between a bid and an ask on whole
 * cents, one to four apart. A side that would stand at 0 or at 1 dollar is given so, as a venue does: it is no quote.
 */
export const bookAt = (event: WorldEvent, contract: WorldContract, at: number): BidAsk => {
  const believed = believedAt(event, contract, at, shiftAt(event, 5, marketError, at))
  const spread = 1 + Math.floor(uniform(contract.ticker, "spread") * 4)
  const bid = Math.max(0, Math.round(believed * 100 - spread / 2))
  const ask = Math.min(100, bid + spread)
  return { yesBid: bid * cent, yesAsk: ask * cent, noAsk: (100 - bid) * cent }
}

/** The book where it has two live sides. */
export const quotesAt = (event: WorldEvent, contract: WorldContract, at: number): BidAsk | undefined => {
  const book = bookAt(event, contract, at)
  return isLive(book) ? book : undefined
}

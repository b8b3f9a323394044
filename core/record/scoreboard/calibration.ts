import * as ExactSum from "../../math/exactSum.ts"
import { type Decomposition, decomposed } from "../../math/murphy.ts"
import type { ReliabilityBin } from "../../math/reliability.ts"

/** Probabilities are in millionths, so that sums of them and of their squares are exact integers. */
export const probabilityScale = 1_000_000
/** The reliability diagram has this many bins of equal width; the last one includes 1. */
export const binCount = 10
/** Log scores clip probabilities to the range from this to 1 minus this. */
export const clip = 0.001

interface Bin {
  count: number
  yes: number
  /** Σ p. */
  sum: number
  /** Σ p of forecasts with outcome yes. */
  sumYes: number
  /** Σ p². */
  squares: ExactSum.ExactSum
}

/**
 * Sums over one forecaster's forecasts for Brier score, log score, calibration and decomposition, without the forecasts
 * themselves. Plain data.
 */
export interface ReliabilitySums {
  count: number
  yes: number
  /** Σ (p − o)², millionths squared. */
  squared: ExactSum.ExactSum
  /** Σ of the log score in 10⁻¹⁵ nats, each rounded to an integer. */
  log: ExactSum.ExactSum
  readonly bins: ReadonlyArray<Bin>
}

export const empty = (): ReliabilitySums => ({
  count: 0,
  yes: 0,
  squared: ExactSum.zero(),
  log: ExactSum.zero(),
  bins: Array.from({ length: binCount }, () => ({ count: 0, yes: 0, sum: 0, sumYes: 0, squares: ExactSum.zero() })),
})

const logUnit = 1e15

/**
 * The log score as stored sums have it, to the last bit: a correction takes out of them what was put in, and the rows of an
 * earlier release have to give its sums again. So this formula never changes, while that of `math/score` may become more exact.
 */
const summedLogScore = (p: number, happened: boolean): number =>
  -Math.log(Math.min(1 - clip, Math.max(clip, happened ? p : 1 - p)))

/**
 * One forecast in the units of the sums.
 *
 * @param p millionths; integers are summed exactly
 */
export interface ScoredProbability {
  readonly p: number
  readonly happened: boolean
  readonly squared: number
  readonly log: number
}

export const forecast = (p: number, happened: boolean): ScoredProbability => ({
  p,
  happened,
  squared: happened ? (probabilityScale - p) * (probabilityScale - p) : p * p,
  log: Math.round(summedLogScore(p / probabilityScale, happened) * logUnit),
})

/** Adds a forecast; `sign` −1 removes it. */
export const add = (
  into: ReliabilitySums,
  { p, happened, squared, log }: ScoredProbability,
  sign: 1 | -1 = 1,
): void => {
  const bin = into.bins[Math.min(binCount - 1, Math.floor((p * binCount) / probabilityScale))]!
  into.count += sign
  bin.count += sign
  bin.sum += sign * p
  if (happened) {
    into.yes += sign
    bin.yes += sign
    bin.sumYes += sign * p
  }
  ExactSum.add(bin.squares, sign * p * p)
  ExactSum.add(into.squared, sign * squared)
  ExactSum.add(into.log, sign * log)
}

export const merge = (into: ReliabilitySums, other: ReliabilitySums): void => {
  into.count += other.count
  into.yes += other.yes
  ExactSum.merge(into.squared, other.squared)
  ExactSum.merge(into.log, other.log)
  into.bins.forEach((bin, at) => {
    const more = other.bins[at]!
    bin.count += more.count
    bin.yes += more.yes
    bin.sum += more.sum
    bin.sumYes += more.sumYes
    ExactSum.merge(bin.squares, more.squares)
  })
}

/** The Brier score: mean of (p − o)². NaN without forecasts. */
export const brier = ({ squared, count }: ReliabilitySums): number =>
  ExactSum.dividedBy(squared, count * probabilityScale * probabilityScale)

/** The mean log score in nats, probabilities clipped. NaN without forecasts. */
export const meanLogScore = ({ log, count }: ReliabilitySums): number => ExactSum.dividedBy(log, count * logUnit)

/** Expected calibration error over the bins: Σ |mean probability − frequency| · count / all. NaN without forecasts. */
export const calibrationError = ({ bins, count }: ReliabilitySums): number =>
  bins.reduce((off, { sum, yes }) => off + Math.abs(sum - yes * probabilityScale), 0) / (count * probabilityScale)

/** Empty bins have no mean and no frequency: NaN. */
export const reliabilityBins = ({ bins }: ReliabilitySums): ReadonlyArray<ReliabilityBin> =>
  bins.map(({ count, sum, yes }) => ({
    count,
    meanProbability: sum / (count * probabilityScale),
    frequency: yes / count,
  }))

/** Murphy's decomposition of the Brier score over the bins. NaN without forecasts. */
export const decomposition = ({ bins }: ReliabilitySums): Decomposition =>
  decomposed(
    bins.map(({ count, yes, sum, sumYes, squares }) => {
      const mean = sum / (count * probabilityScale)
      return {
        count,
        hits: yes,
        mean,
        variance: ExactSum.dividedBy(squares, probabilityScale * probabilityScale) - count * mean * mean,
        covariance: (sumYes - (sum * yes) / count) / probabilityScale,
      }
    }),
  )

import { ifDefined } from "../../../ifDefined.ts"
import { ratio } from "../../../math/clusters.ts"
import { xoshiro128 } from "../../../math/xoshiro128.ts"
import { crpsUnskewed } from "../signal/temperatureDistribution.ts"
import { type Guidance, type GuidanceSource, guidanceSources } from "./Guidance.ts"

/*
 * Combines the grid's forecast with those of the other sources: weights by recursive least squares with forgetting (L. Ljung,
 * System Identification, 2nd edition (1999), section 11.2), learned only from errors that are known when they are used.
 */

/** The distributions of one extreme as issued, and the forecasts behind them. All in degrees Fahrenheit. */
export interface IssuedLaws {
  /** The grid's forecast as published. */
  readonly forecastF: number
  /** The forecast after bias correction, and its standard deviation. */
  readonly mean: number
  readonly sigma: number
  /** The sources' forecasts, each after its own bias correction, minus `mean`. */
  readonly differences: Readonly<Partial<Record<GuidanceSource, number>>>
  /** The forecasts as published, and their runs. */
  readonly guidance: ReadonlyArray<Pick<Guidance, "issuedAt" | "percentilesF" | "source" | "tempF">>
  /** The combined distribution, whether it was in use or not. */
  readonly stacked: Moments
  /** The distribution by learned bias and spread if these are withdrawn; `mean` and `sigma` are then those of the prior. */
  readonly learned?: Moments
}

/** Mean and standard deviation of a distribution, degrees Fahrenheit. */
interface Moments {
  readonly mean: number
  readonly sigma: number
}

/** A mean or ratio over days with its 95 % interval. */
export interface Estimate {
  readonly estimate: number
  readonly low: number
  readonly high: number
}

/** What has been learned for one station, extreme and lead. */
export interface StackState {
  /** Number of errors counted. */
  readonly n: number
  /** Weight and sum of each source's errors, half-life 20 days. */
  readonly bias: Readonly<Partial<Record<GuidanceSource, readonly [weight: number, sum: number]>>>
  /**
   * Weights in the order of `guidanceSources`, up to the last source that has been seen, and the lower triangle of their
   * covariance by rows, in units of the error's variance.
   */
  readonly weights: ReadonlyArray<number>
  readonly covariance: ReadonlyArray<number>
  /** Weighted squared errors of the grid's mean and of the combined one, in units of sigma squared, half-life 90 days. */
  readonly squares: readonly [grid: number, stacked: number]
  /** CRPS of the combined distribution minus that of the grid's, °F, for the newest 120 days; negative is better. */
  readonly gains: ReadonlyArray<number>
  /** Mean of `gains`; absent below 20 days. */
  readonly gain?: Estimate
}

/** Prior of the weights: mean 0 with a standard deviation of one half. */
const priorVariance = 0.25
/** Weight of the prior, in days: for the biases of sources, and for the spread. */
const priorBias = 8
const priorSpread = 30
const biasDecay = 2 ** (-1 / 20)
const forgetting = 2 ** (-1 / 90)
const maxGains = 120
const minGains = 20
/** Differences and errors are clipped to this range, in standard deviations. */
const errorBounds = [-4, 4] as const
/** Smallest and largest ratio of the combined spread to the grid's. */
const spreadBounds = [0.5, 1.1] as const

export const initialStack: StackState = {
  n: 0,
  bias: {},
  weights: [0, 0],
  covariance: [priorVariance, 0, priorVariance],
  squares: [0, 0],
  gains: [],
}

export const clamp = (value: number, [low, high]: readonly [number, number]): number =>
  Math.min(high, Math.max(low, value))

/** The expected error of a source, official − forecast, °F. */
const sourceBias = ({ bias }: StackState, source: GuidanceSource): number => {
  const [weight, sum] = bias[source] ?? [0, 0]
  return sum / (weight + priorBias)
}

/** @param index of the source in `guidanceSources` */
export const getSourceWeight = ({ weights }: StackState, index: number): number => weights[index] ?? 0

const spreadShare = ({ squares: [grid, stacked] }: StackState): number =>
  clamp(Math.sqrt((priorSpread + stacked) / (priorSpread + grid)), spreadBounds)

/** Whether the combined distribution is used: its mean score on past days is better, and the interval excludes 0. */
export const isInUse = ({ gain }: StackState): boolean => gain !== undefined && gain.high < 0

export const issueLaws = (
  state: StackState,
  { forecastF, bias, sigma }: { readonly forecastF: number; readonly bias: number; readonly sigma: number },
  guidance: ReadonlyArray<Guidance>,
): IssuedLaws => {
  const mean = forecastF + bias
  const differences = Object.fromEntries(
    guidance.map(({ source, tempF }) => [source, tempF + sourceBias(state, source) - mean]),
  ) as IssuedLaws["differences"]
  const shift = guidanceSources.reduce(
    (sum, source, at) => sum + getSourceWeight(state, at) * (differences[source] ?? 0),
    0,
  )
  // The spread narrows in proportion to the weights of the sources that are present; without any it stays the grid's.
  const present = guidanceSources.reduce(
    (sum, source, at) => sum + (source in differences ? Math.abs(getSourceWeight(state, at)) : 0),
    0,
  )
  const all = state.weights.reduce((sum, weight) => sum + Math.abs(weight), 0)
  const share = all === 0 ? 1 : 1 + (spreadShare(state) - 1) * (present / all)
  return {
    forecastF,
    mean,
    sigma,
    differences,
    guidance: guidance.map(({ source, tempF, issuedAt, percentilesF }) => ({
      source,
      tempF,
      issuedAt,
      ...ifDefined("percentilesF", percentilesF),
    })),
    stacked: { mean: mean + shift, sigma: sigma * share },
  }
}

/** Σ `numerators` / Σ `denominators` over days with its 95 % interval; days count as independent. */
export const dailyRatio = (numerators: ReadonlyArray<number>, denominators: ReadonlyArray<number>): Estimate => {
  const sampling = { replicates: 1_000, level: 0.95, generator: xoshiro128(1) }
  const { value, low, high } = ratio(numerators, denominators, Array.from(numerators.keys()), sampling)
  return { estimate: value, low, high }
}

/**
 * The state after one more day.
 *
 * @param issued the distributions as they were when the day was forecast
 * @param officialF the value of the final report
 */
export const learnStack = (state: StackState, issued: IssuedLaws, officialF: number): StackState => {
  const { mean, sigma, differences, guidance, stacked } = issued
  if (guidance.length === 0) return state
  // A source that is seen for the first time begins with the prior and does not change the others.
  const sources = guidanceSources.slice(
    0,
    Math.max(state.weights.length, ...guidance.map(({ source }) => guidanceSources.indexOf(source) + 1)),
  )
  const x = sources.map((source) => clamp((differences[source] ?? 0) / sigma, errorBounds))
  const y = clamp((officialF - mean) / sigma, errorBounds)
  // Forgetting never makes a weight less certain than the prior.
  const covariance = (row: number, column: number): number => {
    const [lower, upper] = [Math.max(row, column), Math.min(row, column)]
    const stored = state.covariance[(lower * (lower + 1)) / 2 + upper]
    return row === column ? Math.min(priorVariance, (stored ?? priorVariance) / forgetting) : (stored ?? 0)
  }
  const covarianceTimesX = x.map((_, row) => x.reduce((sum, each, column) => sum + covariance(row, column) * each, 0))
  const scale = x.reduce((sum, each, at) => sum + each * covarianceTimesX[at]!, 1)
  const gainVector = covarianceTimesX.map((each) => each / scale)
  const surprise = x.reduce((rest, each, at) => rest - getSourceWeight(state, at) * each, y)
  const gains = [...state.gains, crpsUnskewed(stacked, officialF) - crpsUnskewed(issued, officialF)].slice(-maxGains)
  const [gridSquares, stackedSquares] = state.squares
  const square = (error: number) => clamp(error / sigma, errorBounds) ** 2
  return {
    n: state.n + 1,
    bias: {
      ...state.bias,
      ...Object.fromEntries(
        guidance.map(({ source, tempF }) => {
          const [weight, sum] = state.bias[source] ?? [0, 0]
          return [source, [biasDecay * weight + 1, biasDecay * sum + officialF - tempF]]
        }),
      ),
    },
    weights: gainVector.map((each, at) => getSourceWeight(state, at) + each * surprise),
    covariance: covarianceTimesX.flatMap((each, row) =>
      gainVector.slice(0, row + 1).map((gain, column) => covariance(row, column) - gain * each),
    ),
    squares: [
      forgetting * gridSquares + square(officialF - mean),
      forgetting * stackedSquares + square(officialF - stacked.mean),
    ],
    gains,
    ...(gains.length < minGains
      ? {}
      : {
          gain: dailyRatio(
            gains,
            Array.from(gains, () => 1),
          ),
        }),
  }
}

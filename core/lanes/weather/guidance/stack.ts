import { ifDefined } from "../../../ifDefined.ts"
import { ratio } from "../../../math/clusters.ts"
import { xoshiro128 } from "../../../math/xoshiro128.ts"
import { crpsUnskewed } from "../signal/temperatureDistribution.ts"
import { type Guidance, type GuidanceSource, guidanceSources } from "./Guidance.ts"

/*
 * The grid's forecast stacked with the other sources: weights by recursive least squares with forgetting (L. Ljung, System
 * Identification, 2nd edition (1999), section 11.2), from errors alone that were known when the weights are used.
 */

/** The laws of one extreme as they stood when it was forecast, and what the sources said. All in degrees Fahrenheit. */
export interface Issued {
  /** The grid's forecast as published. */
  readonly forecastF: number
  /** The same after bias correction, and its standard deviation. */
  readonly mean: number
  readonly sigma: number
  /** The sources' forecasts after their own bias correction, less `mean`. */
  readonly differences: Readonly<Partial<Record<GuidanceSource, number>>>
  /** The forecasts as published, and their runs. */
  readonly guidance: ReadonlyArray<Pick<Guidance, "issuedAt" | "percentilesF" | "source" | "tempF">>
  /** The stacked law, whether it was in use or not. */
  readonly stacked: Moments
  /** The law of bias and spread where it was withdrawn: `mean` and `sigma` are then those in use. */
  readonly learned?: Moments
}

/** Mean and standard deviation of a law, degrees Fahrenheit. */
interface Moments {
  readonly mean: number
  readonly sigma: number
}

/** A mean or ratio over days with its interval of 95 %. A gain is the mean difference of the scores of two laws of the same days. */
export interface Gain {
  readonly estimate: number
  readonly low: number
  readonly high: number
}

/** All that was learned for one station, extreme and lead. */
export interface StackState {
  /** Errors counted. */
  readonly n: number
  /** Errors of each source: weight and sum, half-life 20 days. */
  readonly bias: Readonly<Partial<Record<GuidanceSource, readonly [weight: number, sum: number]>>>
  /**
   * Weights in the order of `guidanceSources`, as many as there have been, and the lower triangle of their covariance by
   * rows, in units of the error's variance.
   */
  readonly weights: ReadonlyArray<number>
  readonly covariance: ReadonlyArray<number>
  /** Weighted squared errors of the grid's and of the stacked mean, in units of sigma squared, half-life 90 days. */
  readonly squares: readonly [grid: number, stacked: number]
  /** CRPS of the stacked law less that of the grid's, °F, of the newest 120 days. */
  readonly gains: ReadonlyArray<number>
  /** Their mean; absent below 20 of them. */
  readonly gain?: Gain
}

/** A new service gives the sources no weight; a standard deviation of a half lets days teach it. */
const priorVariance = 0.25
/** The prior's weight in days, for the biases of sources and for the spread. */
const priorBias = 8
const priorSpread = 30
const biasDecay = 2 ** (-1 / 20)
const forgetting = 2 ** (-1 / 90)
const mostGains = 120
const fewestGains = 20
/** A source that differs by more standard deviations teaches as one that differs by so many. */
const clip = [-4, 4] as const
/** The least and the greatest share of the spread that is left. */
const spreadBounds = [0.5, 1.1] as const

export const unstacked: StackState = {
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

/** @param at of the source in `guidanceSources` */
export const sourceWeight = ({ weights }: StackState, at: number): number => weights[at] ?? 0

/** The share of the grid's spread that the stacked law keeps. */
export const spreadShare = ({ squares: [grid, stacked] }: StackState): number =>
  clamp(Math.sqrt((priorSpread + stacked) / (priorSpread + grid)), spreadBounds)

/** Whether the stacked law is used: its mean score is lower on past days, and its interval excludes 0. */
export const isInUse = ({ gain }: StackState): boolean => gain !== undefined && gain.high < 0

/** The laws of an extreme that is forecast now. */
export const issue = (
  state: StackState,
  { forecastF, bias, sigma }: { readonly forecastF: number; readonly bias: number; readonly sigma: number },
  guidance: ReadonlyArray<Guidance>,
): Issued => {
  const mean = forecastF + bias
  const differences = Object.fromEntries(
    guidance.map(({ source, tempF }) => [source, tempF + sourceBias(state, source) - mean]),
  ) as Issued["differences"]
  const shift = guidanceSources.reduce(
    (sum, source, at) => sum + sourceWeight(state, at) * (differences[source] ?? 0),
    0,
  )
  // The part of the narrowing is the weight's whose source is there; without any, the grid's law is left as it is.
  const present = guidanceSources.reduce(
    (sum, source, at) => sum + (source in differences ? Math.abs(sourceWeight(state, at)) : 0),
    0,
  )
  const all = state.weights.reduce((sum, weight) => sum + Math.abs(weight), 0)
  const share = all === 0 ? 1 : 1 + (spreadShare(state) - 1) * (present / all)
  return {
    ...{ forecastF, mean, sigma, differences },
    guidance: guidance.map(({ source, tempF, issuedAt, percentilesF }) => ({
      ...{ source, tempF, issuedAt },
      ...ifDefined("percentilesF", percentilesF),
    })),
    stacked: { mean: mean + shift, sigma: sigma * share },
  }
}

/** Σ `numerators` / Σ `denominators` with its interval of 95 %: the days are independent, each is a cluster of its own. */
export const dailyRatio = (numerators: ReadonlyArray<number>, denominators: ReadonlyArray<number>): Gain => {
  const sampling = { replicates: 1_000, level: 0.95, generator: xoshiro128(1) }
  const { value, low, high } = ratio(numerators, denominators, Array.from(numerators.keys()), sampling)
  return { estimate: value, low, high }
}

/** The state after one more day: `issued` as it stood when the day was forecast, and its final report. */
export const learn = (state: StackState, issued: Issued, officialF: number): StackState => {
  const { mean, sigma, differences, guidance, stacked } = issued
  if (guidance.length === 0) return state
  // A source that comes for the first time begins with the prior; the others' numbers do not change by it.
  const sources = guidanceSources.slice(
    0,
    Math.max(state.weights.length, ...guidance.map(({ source }) => guidanceSources.indexOf(source) + 1)),
  )
  const x = sources.map((source) => clamp((differences[source] ?? 0) / sigma, clip))
  const y = clamp((officialF - mean) / sigma, clip)
  // Forgetting never takes more than the prior's knowledge away.
  const covariance = (row: number, column: number): number => {
    const [lower, upper] = [Math.max(row, column), Math.min(row, column)]
    const stored = state.covariance[(lower * (lower + 1)) / 2 + upper]
    return row === column ? Math.min(priorVariance, (stored ?? priorVariance) / forgetting) : (stored ?? 0)
  }
  const g = x.map((_, row) => x.reduce((sum, each, column) => sum + covariance(row, column) * each, 0))
  const s = x.reduce((sum, each, at) => sum + each * g[at]!, 1)
  const k = g.map((each) => each / s)
  const surprise = x.reduce((rest, each, at) => rest - sourceWeight(state, at) * each, y)
  const gains = [...state.gains, crpsUnskewed(stacked, officialF) - crpsUnskewed(issued, officialF)].slice(-mostGains)
  const [grid, kept] = state.squares
  const square = (error: number) => clamp(error / sigma, clip) ** 2
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
    weights: k.map((each, at) => sourceWeight(state, at) + each * surprise),
    covariance: g.flatMap((each, row) =>
      k.slice(0, row + 1).map((gain, column) => covariance(row, column) - gain * each),
    ),
    squares: [forgetting * grid + square(officialF - mean), forgetting * kept + square(officialF - stacked.mean)],
    gains,
    ...(gains.length < fewestGains
      ? {}
      : {
          gain: dailyRatio(
            gains,
            Array.from(gains, () => 1),
          ),
        }),
  }
}

import { type Guidance, type GuidanceSource, guidanceSources } from "../guidance/Guidance.ts"
import { clamp, type Estimate, isInUse, issueLaws, type StackState } from "../guidance/stack.ts"
import type { Site } from "../stations.ts"
import type { Steps } from "./steps.ts"
import { priorSigma, type Variable } from "./temperature.ts"

/** Lead buckets by their upper ends, in days: 0–.5, .5–1.5, … 4.5–5.5, 5.5–7. */
const uppers = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 7] as const

export const bucketCount = uppers.length

/** The bucket of a lead; leads past the last belong to it. */
export const leadBucket = (lead: number): number => {
  const index = uppers.findIndex((upper) => lead < upper)
  return index === -1 ? bucketCount - 1 : index
}

/** The bucket's range of leads, in words. */
export const bucketName = (bucket: number): string => `${bucket === 0 ? 0 : uppers[bucket - 1]}–${uppers[bucket]} days`

/** The errors of one station, variable and lead bucket, as weighted sums; the newest weigh most. */
export interface ErrorStats {
  /** Errors counted. */
  readonly n: number
  /** Weight and sum of errors (official − forecast, °F), half-life 20 days with an error. */
  readonly weight: number
  readonly sum: number
  /** Weight and sum of squared errors in units of the prior spread, half-life 90 such days. */
  readonly squareWeight: number
  readonly squareSum: number
  /** Plain sums of the second and third power of standardised errors, for skewness. */
  readonly second: number
  readonly third: number
  /** Climate days of the first and of the last error. */
  readonly first?: string
  readonly last?: string
  readonly source?: string
  /** The other sources' biases and weights; absent before any was there. */
  readonly stack?: StackState
  /** CRPS of the law as it was issued with its bias and spread less that of the published prior, °F; absent before the first. */
  readonly gain?: GainSums
  /**
   * CRPS of the law as it was issued, and that less the CRPS of the blend's percentiles, °F, on the days that had both; absent
   * before the first.
   */
  readonly percentiles?: readonly [own: GainSums, less: GainSums]
  /** The rules by which it was learned; absent: those of releases before 0.3. */
  readonly version?: number
}

/** Of weights, of their squares, and of the differences and their squares by weight; half-life 400 days with an error. */
export type GainSums = readonly [weight: number, squaredWeight: number, sum: number, squares: number]

/** The version of `step` and `learn`: it grows with each change of what the same errors teach. */
export const learningVersion = 2

export const untaught: ErrorStats = { n: 0, weight: 0, sum: 0, squareWeight: 0, squareSum: 0, second: 0, third: 0 }

/** The errors that a state needs to count at all (10), in full (60), and for skewness (400). */
export const minErrors = 10
const fullWeightErrors = 60
const skewnessErrors = 400
const biasDecay = 2 ** (-1 / 20)
const spreadDecay = 2 ** (-1 / 90)
/**
 * The prior's weight in errors, for bias and for spread. It decays like the errors: a constant prior would withhold a
 * fifth of a lasting bias. On measured day-ahead highs the decay lowers the distance of the probability integral
 * transforms from uniform from .059, .051 and .025 to .014, .029 and .017 at the same score; the skew lowers it to .013,
 * .021 and .013.
 */
const priorBias = 8
const priorSpread = 30
const bounds = { bias: [-6, 6], scale: [0.6, 1.8], skew: [-0.2, 0.2] } as const
/** Errors are clipped at this many standard deviations around the bias. */
const clip = 3
/** Multiplier of the weight of old errors when the source of the forecasts changes. */
const sourceChange = 0.25

const gainDecay = 2 ** (-1 / 400)
const fewestGains = 20

/** The sums after one more day. */
export const addGain = (
  [weight, squaredWeight, sum, squares]: GainSums = [0, 0, 0, 0],
  difference: number,
): GainSums => [
  gainDecay * weight + 1,
  gainDecay ** 2 * squaredWeight + 1,
  gainDecay * sum + difference,
  gainDecay * squares + difference ** 2,
]

/** The mean difference with its interval of 95 %, normal by as many days as the weights are worth; undefined below 20. */
export const meanGain = ({ gain }: Pick<ErrorStats, "gain">): Estimate | undefined => {
  if (gain === undefined) return undefined
  const [weight, squaredWeight, sum, squares] = gain
  const days = weight ** 2 / squaredWeight
  if (days < fewestGains) return undefined
  const estimate = sum / weight
  const half = 1.959964 * Math.sqrt(Math.max(0, squares / weight - estimate ** 2) / (days - 1))
  return { estimate, low: estimate - half, high: estimate + half }
}

/**
 * Whether bias and spread are withdrawn, since the station's own days say that they do harm. That they help is measured over
 * all recorded days ("to published prior" in the model card); a station's own interval would withhold it for months.
 */
export const isWithdrawn = (state: ErrorStats): boolean => (meanGain(state)?.low ?? 0) > 0

/** Official values are expected at forecast + bias, with standard deviation prior σ · scale. */
interface PredictiveParameters {
  /** Degrees Fahrenheit. */
  readonly bias: number
  readonly scale: number
  /** The upper half is wider by 1 + skew, the lower by 1 − skew; 0 with fewer than 400 errors. */
  readonly skew: number
}

const learned = (
  { n, weight, sum, squareWeight, squareSum, second, third }: ErrorStats,
  inherited: number,
): PredictiveParameters => {
  const prior = priorBias * biasDecay ** n
  const spread = priorSpread * spreadDecay ** n
  return {
    bias: clamp((sum + prior * inherited) / (weight + prior), bounds.bias),
    scale: clamp(Math.sqrt((spread + squareSum) / (spread + squareWeight)), bounds.scale),
    skew: n < skewnessErrors || second === 0 ? 0 : clamp((0.5 * third) / n / (second / n) ** 1.5, bounds.skew),
  }
}

/**
 * The parameters of every bucket, shortest lead first. A bucket's prior bias is the bias of the bucket before it; with
 * fewer than ten errors, or withdrawn, it is that prior alone.
 *
 * @param keepsAll whether withdrawn ones count as well
 */
export const errorParameters = (
  states: ReadonlyArray<ErrorStats>,
  keepsAll = false,
): ReadonlyArray<PredictiveParameters> => {
  let inherited = 0
  return states.map((state) => {
    const isPrior = state.n < minErrors || (!keepsAll && isWithdrawn(state))
    const estimates = isPrior ? { bias: inherited, scale: 1, skew: 0 } : learned(state, inherited)
    inherited = estimates.bias
    return estimates
  })
}

export type Stage = "prior" | "partial" | "calibrated"

export const calibrationStage = (state: ErrorStats): Stage =>
  state.n < minErrors || isWithdrawn(state) ? "prior" : state.n < fullWeightErrors ? "partial" : "calibrated"

interface ForecastError {
  readonly day: string
  /** Official value − forecast, degrees Fahrenheit. */
  readonly error: number
  /** The prior standard deviation of that forecast, degrees Fahrenheit. */
  readonly sigma: number
  readonly source: string
}

/**
 * The state after one more error. Exponentially weighted sums after the ensemble model output statistics of T. Gneiting
 * et al., Monthly Weather Review 133 (2005) 1098–1118, with a bias and a scale left to learn, and in the long run a skew.
 *
 * @param inherited the bias of the next shorter lead bucket, 0 for the shortest
 */
export const step = (state: ErrorStats, { day, error, sigma, source }: ForecastError, inherited = 0): ErrorStats => {
  const isSameSource = state.source === undefined || state.source === source
  const before = isSameSource ? state : { ...state, weight: sourceChange * state.weight, sum: sourceChange * state.sum }
  const { bias, scale } = learned(before, inherited)
  const reach = clip * sigma * scale
  const around = clamp(error - bias, [-reach, reach])
  const z = around / sigma
  const standard = z / scale
  return {
    n: before.n + 1,
    weight: biasDecay * before.weight + 1,
    sum: biasDecay * before.sum + bias + around,
    squareWeight: spreadDecay * before.squareWeight + 1,
    squareSum: spreadDecay * before.squareSum + z * z,
    second: before.second + standard ** 2,
    third: before.third + standard ** 3,
    first: before.first ?? day,
    last: before.last === undefined || day > before.last ? day : before.last,
    source,
    version: learningVersion,
  }
}

/** A bucket's state with the revision of its publication, 0 before the first. */
export interface Published {
  readonly state: ErrorStats
  readonly revision: number
}

/** How often the final reports of a station were corrected. */
export interface Corrections {
  /** Climate days with a final report. */
  readonly days: number
  /** Days whose final reports give more than one high, or more than one low. */
  readonly changed: number
}

/** Every bucket of a station's two variables, shortest lead first. */
export interface StationStates extends Readonly<Record<Variable, ReadonlyArray<Published>>> {
  /** How far its official extremes lie beyond its readings; absent before any day was counted. */
  readonly steps?: Readonly<Partial<Record<Variable, Steps>>>
  /** Absent without an archive of reports. */
  readonly corrections?: Corrections
}

const never: ReadonlyArray<Published> = Array.from({ length: bucketCount }, () => ({ state: untaught, revision: 0 }))

/** The states of a station without errors. */
export const untaughtStation: StationStates = { high: never, low: never }

/** The predictive parameters of one forecast. */
export interface Calibration {
  readonly bias: number
  /** Degrees Fahrenheit. */
  readonly sigma: number
  readonly skew: number
  readonly stage: Stage
  readonly state: ErrorStats
  readonly bucket: number
  /** The newest revision among the states used; 0 for the prior alone. */
  readonly revision: number
  /** The other sources that moved it; absent where none is in use. */
  readonly sources?: ReadonlyArray<GuidanceSource>
  /** Where a rule of changes moved it: the forecast less that of the day before, and its part of the bias, °F. */
  readonly change?: { readonly byF: number; readonly addedF: number }
}

/**
 * The predictive parameters of a forecast at a lead. The spread never falls as the lead grows: a calibrated shorter
 * bucket bounds it from below.
 *
 * @param keepsAll whether withdrawn states count as well
 */
export const calibrationAt = (
  station: Pick<Site, "id">,
  variable: Variable,
  day: string,
  lead: number,
  states: ReadonlyArray<Published>,
  keepsAll = false,
): Calibration => {
  const bucket = leadBucket(lead)
  const used = states.slice(0, bucket + 1)
  const parameters = errorParameters(
    used.map(({ state }) => state),
    keepsAll,
  )
  const { bias, scale, skew } = parameters[bucket]!
  let sigma = scale * priorSigma(station, variable, day, lead)
  let revision = 0
  used.forEach((published, at) => {
    const stage = calibrationStage(published.state)
    if (published.state.n >= minErrors) revision = Math.max(revision, published.revision)
    if (at < bucket && stage === "calibrated") {
      sigma = Math.max(sigma, parameters[at]!.scale * priorSigma(station, variable, day, uppers[at]!))
    }
  })
  const { state } = used[bucket]!
  return { bias, sigma, skew, stage: calibrationStage(state), state, bucket, revision }
}

/** A calibration moved and narrowed to the stacked law, where that is in use. */
export const stackedCalibration = (
  calibration: Calibration,
  forecastF: number,
  guidance: ReadonlyArray<Guidance>,
): Calibration => {
  const { bias, sigma, state } = calibration
  const { stack } = state
  if (stack === undefined || !isInUse(stack)) return calibration
  // Of a source that has never been counted there is no weight yet.
  const weighed = guidance.filter(({ source }) => guidanceSources.indexOf(source) < stack.weights.length)
  if (weighed.length === 0) return calibration
  const { stacked } = issueLaws(stack, { forecastF, bias, sigma }, weighed)
  const sources = weighed.map(({ source }) => source)
  return { ...calibration, bias: stacked.mean - forecastF, sigma: stacked.sigma, sources }
}

import { type Guidance, type GuidanceSource, guidanceSources } from "../guidance/Guidance.ts"
import { clamp, type Estimate, isInUse, issueLaws, type StackState } from "../guidance/stack.ts"
import type { Site } from "../stations.ts"
import type { StepSums } from "./steps.ts"
import { priorSigma, type Variable } from "./temperature.ts"

/** Upper ends of the lead buckets, in days: 0–.5, .5–1.5, … 4.5–5.5, 5.5–7. */
const bucketEnds = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 7] as const

export const bucketCount = bucketEnds.length

/** The bucket of a lead; longer leads are in the last one. */
export const leadBucket = (lead: number): number => {
  const index = bucketEnds.findIndex((upper) => lead < upper)
  return index === -1 ? bucketCount - 1 : index
}

/** The bucket's range of leads, in words. */
export const bucketName = (bucket: number): string =>
  `${bucket === 0 ? 0 : bucketEnds[bucket - 1]}–${bucketEnds[bucket]} days`

/** The errors of one station, variable and lead bucket as weighted sums, in which the newest weigh most. */
export interface ErrorStats {
  /** Number of errors counted. */
  readonly n: number
  /** Weight and sum of errors (official − forecast, °F), half-life 20 days with an error. */
  readonly weight: number
  readonly sum: number
  /** Weight and sum of squared errors in units of the prior spread, half-life 90 such days. */
  readonly squareWeight: number
  readonly squareSum: number
  /** Unweighted sums of the second and third powers of standardised errors, for skewness. */
  readonly second: number
  readonly third: number
  /** Climate days of the first and of the last error. */
  readonly first?: string
  readonly last?: string
  readonly source?: string
  /** The second forecasts' biases and weights; absent before there were any. */
  readonly stack?: StackState
  /** CRPS of the distribution with learned bias and spread minus that of the published prior, °F; absent before the first. */
  readonly gain?: GainSums
  /**
   * CRPS of the distribution as issued, and its difference to the CRPS of the blend's percentiles, °F, on the days that had
   * both; absent before the first.
   */
  readonly percentiles?: readonly [own: GainSums, less: GainSums]
  /** `learningVersion` when it was learned; absent before the first error. */
  readonly version?: number
}

/** Sums of weights, of squared weights, and of weighted differences and their squares; half-life 400 days with an error. */
export type GainSums = readonly [weight: number, squaredWeight: number, sum: number, squares: number]

/** The version of `step` and `learn`: it grows with each change of what the same errors teach. */
export const learningVersion = 2

export const initialErrors: ErrorStats = { n: 0, weight: 0, sum: 0, squareWeight: 0, squareSum: 0, second: 0, third: 0 }

/** How many errors a state needs to be used at all (10), to count as calibrated (60), and to have a skew (400). */
export const minErrors = 10
const fullWeightErrors = 60
const skewnessErrors = 400
const biasDecay = 2 ** (-1 / 20)
const spreadDecay = 2 ** (-1 / 90)
/**
 * Weight of the prior in errors, for bias and for spread. It decays like the errors do: a constant prior would hide a fifth
 * of a lasting bias. For the measured day-ahead highs of three stations the decay brings the probability integral
 * transforms closer to uniform at the same score, from a distance of .059, .051 and .025 to .014, .029 and .017; the skew
 * brings it to .013, .021 and .013.
 */
const priorBias = 8
const priorSpread = 30
const bounds = { bias: [-6, 6], scale: [0.6, 1.8], skew: [-0.2, 0.2] } as const
/** Errors are clipped at this many standard deviations from the bias. */
const maxDeviation = 3
/** Factor on the weight of old errors when the source of the forecasts changes. */
const sourceChangeFactor = 0.25

const gainDecay = 2 ** (-1 / 400)
const minGainDays = 20

export const addGain = (
  [weight, squaredWeight, sum, squares]: GainSums = [0, 0, 0, 0],
  difference: number,
): GainSums => [
  gainDecay * weight + 1,
  gainDecay ** 2 * squaredWeight + 1,
  gainDecay * sum + difference,
  gainDecay * squares + difference ** 2,
]

/** The mean difference with its normal 95 % interval by the effective number of days; undefined below 20 days. */
export const meanGain = ({ gain }: Pick<ErrorStats, "gain">): Estimate | undefined => {
  if (gain === undefined) return undefined
  const [weight, squaredWeight, sum, squares] = gain
  const days = weight ** 2 / squaredWeight
  if (days < minGainDays) return undefined
  const estimate = sum / weight
  const half = 1.959964 * Math.sqrt(Math.max(0, squares / weight - estimate ** 2) / (days - 1))
  return { estimate, low: estimate - half, high: estimate + half }
}

/**
 * Whether learned bias and spread are withdrawn, because they have made this station's forecasts worse. That they help in
 * general is measured over all stations ("to published prior" in the model card): a single station would take months to
 * show it.
 */
export const isWithdrawn = (state: ErrorStats): boolean => (meanGain(state)?.low ?? 0) > 0

/** The official value is expected at forecast + bias, with standard deviation prior σ · scale. */
interface PredictiveParameters {
  /** Degrees Fahrenheit. */
  readonly bias: number
  readonly scale: number
  /** The upper half is wider by 1 + skew, the lower by 1 − skew; 0 with fewer than 400 errors. */
  readonly skew: number
}

const estimateParameters = (
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
 * The parameters of all buckets, shortest lead first. The prior bias of a bucket is the bias of the next shorter one. A
 * bucket with fewer than ten errors, or a withdrawn one, has the prior alone.
 *
 * @param keepsAll whether withdrawn states are used as well
 */
export const errorParameters = (
  states: ReadonlyArray<ErrorStats>,
  keepsAll = false,
): ReadonlyArray<PredictiveParameters> => {
  let inherited = 0
  return states.map((state) => {
    const isPrior = state.n < minErrors || (!keepsAll && isWithdrawn(state))
    const estimates = isPrior ? { bias: inherited, scale: 1, skew: 0 } : estimateParameters(state, inherited)
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
 * The state after one more error: exponentially weighted sums, after the ensemble model output statistics of T. Gneiting
 * et al., Monthly Weather Review 133 (2005) 1098–1118, for a bias, a scale and, in the long run, a skew.
 *
 * @param inherited the bias of the next shorter lead bucket, 0 for the shortest
 */
export const learnError = (
  state: ErrorStats,
  { day, error, sigma, source }: ForecastError,
  inherited = 0,
): ErrorStats => {
  const isSameSource = state.source === undefined || state.source === source
  const previous = isSameSource
    ? state
    : { ...state, weight: sourceChangeFactor * state.weight, sum: sourceChangeFactor * state.sum }
  const { bias, scale } = estimateParameters(previous, inherited)
  const reach = maxDeviation * sigma * scale
  const deviation = clamp(error - bias, [-reach, reach])
  const z = deviation / sigma
  const standard = z / scale
  return {
    n: previous.n + 1,
    weight: biasDecay * previous.weight + 1,
    sum: biasDecay * previous.sum + bias + deviation,
    squareWeight: spreadDecay * previous.squareWeight + 1,
    squareSum: spreadDecay * previous.squareSum + z * z,
    second: previous.second + standard ** 2,
    third: previous.third + standard ** 3,
    first: previous.first ?? day,
    last: previous.last === undefined || day > previous.last ? day : previous.last,
    source,
    version: learningVersion,
  }
}

/** A bucket's state and the revision in which it was published, 0 before the first. */
export interface Published {
  readonly state: ErrorStats
  readonly revision: number
}

/** How often the final reports of a station were corrected. */
export interface Corrections {
  readonly days: number
  /** Days whose final reports differ in the high or in the low. */
  readonly changed: number
}

/** The states of all buckets of a station's high and low, shortest lead first. */
export interface StationStates extends Readonly<Record<Variable, ReadonlyArray<Published>>> {
  /** How far its official extremes lie beyond its observations; absent before any day was counted. */
  readonly steps?: Readonly<Partial<Record<Variable, StepSums>>>
  /** Absent without an archive of reports. */
  readonly corrections?: Corrections
}

const initialStates: ReadonlyArray<Published> = Array.from({ length: bucketCount }, () => ({
  state: initialErrors,
  revision: 0,
}))

/** The states of a station without errors. */
export const initialStation: StationStates = { high: initialStates, low: initialStates }

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
  /** The second forecasts that moved it; absent if none is in use. */
  readonly sources?: ReadonlyArray<GuidanceSource>
  /** If a rule of changes moved it: the forecast minus that of the day before, and what the rule added to the bias, °F. */
  readonly change?: { readonly byF: number; readonly addedF: number }
}

/**
 * The bias, spread and skew of a forecast at a lead. The spread is never below that of a calibrated bucket of shorter
 * leads.
 *
 * @param keepsAll whether withdrawn states are used as well
 */
export const calibrate = (
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
      sigma = Math.max(sigma, parameters[at]!.scale * priorSigma(station, variable, day, bucketEnds[at]!))
    }
  })
  const { state } = used[bucket]!
  return { bias, sigma, skew, stage: calibrationStage(state), state, bucket, revision }
}

/** The calibration with the second forecasts, if the state has learned to use them. */
export const stackCalibration = (
  calibration: Calibration,
  forecastF: number,
  guidance: ReadonlyArray<Guidance>,
): Calibration => {
  const { bias, sigma, state } = calibration
  const { stack } = state
  if (stack === undefined || !isInUse(stack)) return calibration
  // A source that has never been counted has no weight yet.
  const weighted = guidance.filter(({ source }) => guidanceSources.indexOf(source) < stack.weights.length)
  if (weighted.length === 0) return calibration
  const { stacked } = issueLaws(stack, { forecastF, bias, sigma }, weighted)
  const sources = weighted.map(({ source }) => source)
  return { ...calibration, bias: stacked.mean - forecastF, sigma: stacked.sigma, sources }
}

import { clusterBootstrapSteps } from "../../math/bootstrap.ts"
import { clusterSums, leastClusters } from "../../math/clusters.ts"
import { logistic, logit } from "../../math/logistic.ts"
import { logScore } from "../../math/score.ts"
import { xoshiro128 } from "../../math/xoshiro128.ts"
import { day } from "../../time.ts"
import { probabilityScale } from "./calibration.ts"
import { clusterName } from "./cluster.ts"
import { clip, clipMillionths } from "./pool.ts"
import { type Domain, type SettledMarket, toMarketProbability } from "./Settled.ts"
import { intervalCoverage, replicates } from "./scores.ts"

/*
 * How much a model adds to a market: the weight w of P = logistic(w · logit(model) + (1 − w) · logit(market)). Judged by
 * walking forward: each day's captures are scored with the weight that the rows settled before that day give.
 */

/** The fields of a scored row that the weight depends on. */
export type WeighedRow = Pick<
  SettledMarket,
  "capturedAt" | "closeTime" | "domain" | "model" | "quotes" | "result" | "settledAt"
>

export interface AnchorWeight {
  /** The weight in use: the fitted one if the whole interval of the improvement is above 0, else 0. */
  readonly weight: number
  /** The maximum-likelihood weight over all rows, 0 to 1; absent with too few rows. */
  readonly fitted?: number
  /** The market's mean log score minus the pool's, nats: above 0 the pool is better. Absent without an interval. */
  readonly improvement?: { readonly value: number; readonly low: number; readonly high: number }
  /** Number of rows that were scored with a weight fitted on earlier rows. */
  readonly rows: number
}

export type Weights = Readonly<Record<Domain, AnchorWeight>>

export interface Published {
  /** The UTC day before which their rows had settled; absent before the first publication. */
  readonly day?: string
  readonly weights: Weights
}

const noWeight: AnchorWeight = { weight: 0, rows: 0 }
export const unpublished: Published = { weights: { weather: noWeight, nfl: noWeight, mlb: noWeight, crypto: noWeight } }

/** A weight fitted on fewer rows is noise and is not judged. */
const minRows = 100
const seed = 20_260_102

interface KnownForecast {
  readonly row: WeighedRow
  readonly market: number
  /** Log-odds of the market, and of the model beyond them. */
  readonly base: number
  readonly beyond: number
  readonly yes: boolean
}

const knownForecasts = (row: WeighedRow): ReadonlyArray<KnownForecast> => {
  if (row.quotes === undefined || row.result === "void") return []
  const market = clipMillionths(toMarketProbability(row.quotes))
  const base = logit(market)
  return [{ row, market, base, beyond: logit(clipMillionths(row.model)) - base, yes: row.result === "yes" }]
}

/** The pooled probability. At weight 0 it is exactly the market's, so that rounding does not look like a gain. */
const poolForecast = ({ market, base, beyond }: KnownForecast, weight: number): number =>
  weight === 0 ? market : logistic(base + weight * beyond)

/** A bound of the iterations: Newton's method takes about five; halving, if it leaves the bracket, thirty. */
const maxSteps = 40
const tolerance = 1e-9

/**
 * The weight of maximum likelihood of the first `count` rows, within 0 and 1. The likelihood is concave in the weight: its
 * slope falls.
 *
 * @param from a weight near it
 */
const fitWeight = (rows: ReadonlyArray<KnownForecast>, count: number, from: number): number => {
  let [low, high, weight] = [0, 1, from]
  for (let step = 0; step < maxSteps; step++) {
    let [slope, curvature] = [0, 0]
    for (let at = 0; at < count; at++) {
      const row = rows[at]!
      const p = poolForecast(row, weight)
      slope += row.beyond * ((row.yes ? 1 : 0) - p)
      curvature += row.beyond * row.beyond * p * (1 - p)
    }
    if (slope === 0 || (weight === 0 && slope < 0) || (weight === 1 && slope > 0)) return weight
    if (slope > 0) low = weight
    else high = weight
    const newton = Math.min(1, Math.max(0, weight + slope / curvature))
    // The ends of the bracket are known, but for 0 and 1 at first.
    const isNew = (newton > low && newton < high) || (newton === 0 && low === 0) || (newton === 1 && high === 1)
    const next = isNew ? newton : (low + high) / 2
    if (Math.abs(next - weight) < tolerance) return next
    weight = next
  }
  return weight
}

/**
 * Fits the weight day by day and judges it on rows that it had not seen, in steps of some milliseconds.
 *
 * @param all scored rows of one domain
 */
export function* anchorWeightSteps(all: ReadonlyArray<WeighedRow>): Generator<undefined, AnchorWeight> {
  const settled = all.flatMap(knownForecasts).sort((a, b) => a.row.settledAt - b.row.settledAt)
  yield
  const captured = [...settled].sort((a, b) => a.row.capturedAt - b.row.capturedAt)
  const clusters: Array<string> = []
  const gains: Array<number> = []
  let [count, today, weight] = [0, Number.NEGATIVE_INFINITY, 0]
  for (const known of captured) {
    const start = Math.floor(known.row.capturedAt / day) * day
    if (start !== today) {
      today = start
      while (count < settled.length && settled[count]!.row.settledAt < start) count++
      if (count >= minRows) {
        weight = fitWeight(settled, count, weight)
        yield
      }
    }
    if (count < minRows) continue
    clusters.push(clusterName(known.row))
    gains.push(logScore(known.market, known.yes, clip) - logScore(poolForecast(known, weight), known.yes, clip))
  }
  yield
  // In millionths, as it is served and recorded.
  const fitted =
    settled.length < minRows
      ? undefined
      : Math.round(probabilityScale * fitWeight(settled, settled.length, weight)) / probabilityScale
  const unused: AnchorWeight = { weight: 0, ...(fitted === undefined ? {} : { fitted }), rows: gains.length }
  if (new Set(clusters).size < leastClusters || fitted === undefined) return unused
  yield
  const [interval] = yield* clusterBootstrapSteps(
    [clusterSums(clusters, [gains, gains.map(() => 1)])],
    2,
    1,
    ([sums], into) => {
      into[0] = sums![0]! / sums![1]!
    },
    replicates,
    xoshiro128(seed),
    intervalCoverage,
  )
  const { low, high } = interval!
  const value = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  return { weight: low > 0 ? fitted : 0, fitted, improvement: { value, low, high }, rows: gains.length }
}

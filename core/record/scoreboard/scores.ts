import { clusterBootstrapSteps, type Interval } from "../../math/bootstrap.ts"
import { leastClusters } from "../../math/clusters.ts"
import type { Decomposition } from "../../math/murphy.ts"
import type { ReliabilityBin } from "../../math/reliability.ts"
import { runToEnd } from "../../math/runToEnd.ts"
import { wilson } from "../../math/wilson.ts"
import { xoshiro128 } from "../../math/xoshiro128.ts"
import { byKey } from "../../text.ts"
import { type Board, type Contender, cells, clusterFields, mergeCell, type Pair } from "./board.ts"
import * as Calibration from "./calibration.ts"
import * as Hypothetical from "./hypothetical.ts"
import { type Domain, domains } from "./Settled.ts"

/** Coverage of every interval, and its normal quantile. */
export const intervalCoverage = 0.95
const quantile = 1.959963984540054

/** Bootstrap resamples, and the seed that makes intervals reproducible. */
export const replicates = 2_000
export const seed = 20_260_101

/** Mean scores of the contenders on the same contracts. NaN throughout without contracts. */
export interface Scores extends Readonly<Record<Contender, number>> {
  readonly scored: number
}

export const scoresOf = ({ model, market, pool }: Pair): Scores => ({
  scored: model.count,
  model: Calibration.brier(model),
  market: Calibration.brier(market),
  pool: Calibration.brier(pool),
})

/** A bin of the reliability diagram with the interval of its frequency. */
export interface Bin extends ReliabilityBin {
  /** Wilson interval of the frequency. It is too narrow, since contracts of one cluster are dependent. */
  readonly low: number
  readonly high: number
}

/** All scores of one forecaster. */
export interface Report extends Decomposition {
  readonly brier: number
  readonly logScore: number
  readonly calibrationError: number
  readonly bins: ReadonlyArray<Bin>
}

export const reportOf = (sums: Calibration.ReliabilitySums): Report => ({
  brier: Calibration.brier(sums),
  logScore: Calibration.meanLogScore(sums),
  calibrationError: Calibration.calibrationError(sums),
  ...Calibration.decomposition(sums),
  bins: Calibration.reliabilityBins(sums).map((bin, at) => ({
    ...bin,
    ...wilson(sums.bins[at]!.yes, bin.count, quantile),
  })),
})

/** The sum of all pairs whose name has a prefix; empty sums if there are none. */
const sumOf = ({ pairs }: Board, prefix: string): Pair => {
  const sums = cells.pairs()
  for (const [name, pair] of pairs) if (name.startsWith(prefix)) mergeCell.pairs(sums, pair)
  return sums
}

/**
 * The sums of `all`, of `domain/…`, or of a stored pair; empty sums if there are none. Read only.
 */
export const pairOf = (board: Board, name: string): Pair => {
  if (name === "all") return sumOf(board, "version/")
  if (name.startsWith("domain/")) return sumOf(board, `version/${name.slice("domain/".length)}/`)
  return board.pairs.get(name) ?? cells.pairs()
}

/** The pairs under a prefix with at least one contract, by name without the prefix. */
export const pairsBelow = ({ pairs }: Board, prefix: string): ReadonlyArray<readonly [name: string, pair: Pair]> =>
  [...pairs]
    .filter(([name, { model }]) => name.startsWith(prefix) && model.count > 0)
    .map(([name, pair]) => [name.slice(prefix.length), pair] as const)
    .sort(byKey)

/** Hypothetical trades in total, and cumulated by day. */
export interface Curve {
  readonly total: Hypothetical.HypotheticalTotals
  readonly days: ReadonlyArray<{ readonly day: string; readonly trades: number; readonly pnl: number }>
}

export const curveOf = (days: Board["days"]): Curve => {
  const sums = Hypothetical.empty()
  const after = [...days].sort(byKey).flatMap(([day, ledger]) => {
    Hypothetical.merge(sums, ledger)
    const { trades, pnl } = Hypothetical.balance(sums)
    return ledger.trades === 0 ? [] : [{ day, trades, pnl }]
  })
  return { total: Hypothetical.balance(sums), days: after }
}

/** Intervals of a scope's Brier scores, and of their differences to the market's. */
export interface Intervals extends Readonly<Record<Contender, Interval>> {
  readonly difference: Interval
  readonly poolDifference: Interval
}

const width = clusterFields.length
/** Intervals of a scope. */
const figures = 5

/**
 * The non-empty clusters of each domain, as input of the bootstrap.
 *
 * @param clusters by name, `<domain>/…`
 * @param fields the sums of a cluster, in the order of the input
 */
export const strataOf = <Field extends string>(
  clusters: ReadonlyMap<string, Readonly<Record<Field | "count", number>>>,
  fields: ReadonlyArray<Field>,
): ReadonlyArray<readonly [Domain, Float64Array]> =>
  domains.flatMap((domain) => {
    const held = [...clusters].filter(([name, { count }]) => name.startsWith(`${domain}/`) && count > 0)
    // Sorted, so that the draws do not depend on the order of creation.
    const sums = held.sort(byKey).flatMap(([, cluster]) => fields.map((name) => cluster[name]))
    return sums.length === 0 ? [] : [[domain, Float64Array.from(sums)] as const]
  })

/** The unit of squared errors, of probabilities in millionths. */
export const squareUnit: number = Calibration.probabilityScale * Calibration.probabilityScale

/**
 * Bootstrap intervals of the Brier scores; all scopes use the same draws. It draws clusters, not contracts, and each domain
 * draws as many as it has. A scope with fewer than `leastClusters` has no interval.
 */
export const intervalsOf = (board: Board): IntervalsByScope => runToEnd(intervalSteps(board))

export type IntervalsByScope = ReadonlyMap<"all" | "contested" | Domain, Intervals>

/** The same in steps of a few milliseconds, so that the caller can yield in between. */
export function* intervalSteps(board: Board): Generator<undefined, IntervalsByScope> {
  const strata = strataOf(board.clusters, clusterFields)
  const scopes = ["all", "contested", ...strata.map(([domain]) => domain)] as const
  /** @param from of the count, which the errors of model, market and pool follow */
  const write = (into: Float64Array, at: number, sums: Float64Array, from: number): void => {
    const unit = sums[from]! * squareUnit
    const [model, market, pool] = [sums[from + 1]!, sums[from + 2]!, sums[from + 3]!]
    into[at] = model / unit
    into[at + 1] = market / unit
    into[at + 2] = (model - market) / unit
    into[at + 3] = pool / unit
    into[at + 4] = (pool - market) / unit
  }
  const total = new Float64Array(width)
  const intervals = yield* clusterBootstrapSteps(
    strata.map(([, sums]) => sums),
    width,
    figures * scopes.length,
    (drawn, into) => {
      total.fill(0)
      for (let stratum = 0; stratum < drawn.length; stratum++) {
        const sums = drawn[stratum]!
        for (let at = 0; at < width; at++) total[at]! += sums[at]!
        write(into, figures * (stratum + 2), sums, 0)
      }
      write(into, 0, total, 0)
      write(into, figures, total, width / 2)
    },
    replicates,
    xoshiro128(seed),
    intervalCoverage,
  )
  const clusters = strata.map(([, sums]) => sums.length / width)
  const all = clusters.reduce((sum, count) => sum + count, 0)
  return new Map(
    scopes.flatMap((scope, at) => {
      const [model, market, difference, pool, poolDifference] = intervals.slice(figures * at, figures * (at + 1)) as [
        ...[Interval, Interval, Interval, Interval, Interval],
      ]
      const drawn = at < 2 ? all : clusters[at - 2]!
      return drawn < leastClusters || Number.isNaN(difference.standardError)
        ? []
        : [[scope, { model, market, difference, pool, poolDifference }] as const]
    }),
  )
}

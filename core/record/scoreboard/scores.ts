import { clusterBootstrapSteps, type Interval } from "../../math/bootstrap.ts"
import { leastClusters } from "../../math/clusters.ts"
import type { Decomposition } from "../../math/murphy.ts"
import type { ReliabilityBin } from "../../math/reliability.ts"
import { runToEnd } from "../../math/runToEnd.ts"
import { wilson } from "../../math/wilson.ts"
import { xoshiro128 } from "../../math/xoshiro128.ts"
import { byKey } from "../../text.ts"
import {
  type Board,
  type Cluster,
  type Contender,
  clusterFields,
  emptyCells,
  errorFields,
  mergeCell,
  type Pair,
} from "./board.ts"
import * as Calibration from "./calibration.ts"
import { type DivisionName, divisionNames, divisions, firstParts } from "./divisions.ts"
import * as Hypothetical from "./hypothetical.ts"
import { type Domain, domains } from "./Settled.ts"

/** The coverage of all intervals, and its normal quantile. */
export const intervalCoverage = 0.95
const quantile = 1.959963984540054

/** The number of bootstrap replicates, and the seed that makes intervals reproducible. */
export const replicates = 2_000
export const seed = 20_260_101

/** Mean scores of the contenders on the same contracts. NaN throughout without contracts. */
export interface Scores extends Readonly<Record<Contender, number>> {
  readonly scored: number
}

export const pairScores = ({ model, market, pool }: Pair): Scores => ({
  scored: model.count,
  model: Calibration.brier(model),
  market: Calibration.brier(market),
  pool: Calibration.brier(pool),
})

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

export const toReport = (sums: Calibration.ReliabilitySums): Report => ({
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
const sumPairs = ({ pairs }: Board, prefix: string): Pair => {
  const sums = emptyCells.pairs()
  for (const [name, pair] of pairs) if (name.startsWith(prefix)) mergeCell.pairs(sums, pair)
  return sums
}

/** The sums of `all`, of `domain/…`, or of a stored pair; empty sums if there are none. Do not modify them. */
export const findPair = (board: Board, name: string): Pair => {
  if (name === "all") return sumPairs(board, "version/")
  if (name.startsWith("domain/")) return sumPairs(board, `version/${name.slice("domain/".length)}/`)
  return board.pairs.get(name) ?? emptyCells.pairs()
}

/** The pairs under a prefix with at least one contract, by name without the prefix. */
export const pairsBelow = ({ pairs }: Board, prefix: string): ReadonlyArray<readonly [name: string, pair: Pair]> =>
  [...pairs]
    .filter(([name, { model }]) => name.startsWith(prefix) && model.count > 0)
    .map(([name, pair]) => [name.slice(prefix.length), pair] as const)
    .sort(byKey)

/** Hypothetical trades in total, and running totals by day. */
interface Curve {
  readonly total: Hypothetical.HypotheticalTotals
  readonly days: ReadonlyArray<{ readonly day: string; readonly trades: number; readonly pnl: number }>
}

export const profitCurve = (days: Board["days"]): Curve => {
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

/** Intervals of a scope. */
const figuresPerScope = 5

/** @param from of the count, which the errors of model, market and pool follow */
const writeFigures = (into: Float64Array, at: number, sums: Float64Array, from: number): void => {
  const unit = sums[from]! * squareUnit
  const [model, market, pool] = [sums[from + 1]!, sums[from + 2]!, sums[from + 3]!]
  into[at] = model / unit
  into[at + 1] = market / unit
  into[at + 2] = (model - market) / unit
  into[at + 3] = pool / unit
  into[at + 4] = (pool - market) / unit
}

/** The intervals of a scope; undefined with fewer than `leastClusters`. */
const pickIntervals = (all: ReadonlyArray<Interval>, scope: number, clusters: number): Intervals | undefined => {
  const [model, market, difference, pool, poolDifference] = all.slice(
    figuresPerScope * scope,
    figuresPerScope * (scope + 1),
  ) as [...[Interval, Interval, Interval, Interval, Interval]]
  return clusters < leastClusters || Number.isNaN(difference.standardError)
    ? undefined
    : { model, market, difference, pool, poolDifference }
}

/**
 * The non-empty clusters of each domain, as input of the bootstrap.
 *
 * @param clusters by name, `<domain>/…`
 * @param fields the sums of a cluster, in the order of the input
 */
export const domainStrata = <Field extends string>(
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
export const boardIntervals = (board: Board): IntervalsByScope => runToEnd(intervalSteps(board))

export type IntervalsByScope = ReadonlyMap<"all" | "contested" | Domain, Intervals>

/** Computes `boardIntervals` in steps of a few milliseconds, so that the caller can yield in between. */
export function* intervalSteps(board: Board): Generator<undefined, IntervalsByScope> {
  const strata = domainStrata(board.clusters, clusterFields)
  const width = clusterFields.length
  const scopes = ["all", "contested", ...strata.map(([domain]) => domain)] as const
  const total = new Float64Array(width)
  const intervals = yield* clusterBootstrapSteps(
    strata.map(([, sums]) => sums),
    width,
    figuresPerScope * scopes.length,
    (drawn, into) => {
      total.fill(0)
      for (let stratum = 0; stratum < drawn.length; stratum++) {
        const sums = drawn[stratum]!
        for (let at = 0; at < width; at++) total[at]! += sums[at]!
        writeFigures(into, figuresPerScope * (stratum + 2), sums, 0)
      }
      writeFigures(into, 0, total, 0)
      writeFigures(into, figuresPerScope, total, width / 2)
    },
    replicates,
    xoshiro128(seed),
    intervalCoverage,
  )
  const clusters = strata.map(([, sums]) => sums.length / width)
  const all = clusters.reduce((sum, count) => sum + count, 0)
  return new Map(
    scopes.flatMap((scope, at) => {
      const drawn = pickIntervals(intervals, at, at < 2 ? all : clusters[at - 2]!)
      return drawn === undefined ? [] : [[scope, drawn] as const]
    }),
  )
}

/** The scores of a part of a division. The more parts one looks at, the more intervals miss the truth by chance. */
export interface PartScores extends Scores {
  readonly place: number
  readonly part: string
  readonly clusters: number
  readonly intervals?: Intervals | undefined
}

type Errors = Pick<Cluster, (typeof errorFields)[number]>

export type Divisions = Readonly<Record<DivisionName, ReadonlyArray<PartScores>>>

/** The parts with at least one contract, in their order, in steps of a few milliseconds. */
export function* divisionSteps({ parts }: Board): Generator<undefined, Divisions> {
  const byDivision: Record<DivisionName, Array<PartScores>> = { edge: [], lead: [], month: [], hour: [] }
  for (const name of divisionNames) {
    for (const [place, part] of divisions[name].parts.entries()) {
      yield
      const offset = errorFields.length * (firstParts[name] + place)
      const clusters = [...parts].map(([cluster, all]): readonly [string, Errors] => {
        const [count, model, market, pool] = all.slice(offset, offset + errorFields.length) as [
          number,
          number,
          number,
          number,
        ]
        return [cluster, { count, model, market, pool }]
      })
      const strata = domainStrata(new Map(clusters), errorFields)
      if (strata.length > 0)
        byDivision[name].push({ place, part, ...(yield* partSteps(strata.map(([, sums]) => sums))) })
    }
  }
  return byDivision
}

function* partSteps(strata: ReadonlyArray<Float64Array>): Generator<undefined, Omit<PartScores, "part" | "place">> {
  const width = errorFields.length
  const total = new Float64Array(width)
  const addUp = (drawn: ReadonlyArray<Float64Array>) => {
    total.fill(0)
    for (const sums of drawn) for (let at = 0; at < sums.length; at++) total[at % width]! += sums[at]!
    return total
  }
  const clusters = strata.reduce((sum, { length }) => sum + length / width, 0)
  const intervals = yield* clusterBootstrapSteps(
    ...([strata, width, figuresPerScope] as const),
    (drawn, into) => writeFigures(into, 0, addUp(drawn), 0),
    // Without replicates there is no interval.
    ...([clusters < leastClusters ? 0 : replicates, xoshiro128(seed), intervalCoverage] as const),
  )
  const [scored, model, market, pool] = addUp(strata) as unknown as [number, number, number, number]
  const unit = scored * squareUnit
  return {
    ...{ scored, model: model / unit, market: market / unit, pool: pool / unit },
    clusters,
    intervals: pickIntervals(intervals, 0, clusters),
  }
}

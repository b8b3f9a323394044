import { getOrMake } from "../../getOrMake.ts"
import { clusterBootstrapSteps, type Interval } from "../../math/bootstrap.ts"
import { leastClusters } from "../../math/clusters.ts"
import { runToEnd } from "../../math/runToEnd.ts"
import { xoshiro128 } from "../../math/xoshiro128.ts"
import type { HeadToHead } from "./board.ts"
import { forecast } from "./calibration.ts"
import { clusterName } from "./cluster.ts"
import { domainStrata, intervalCoverage, replicates, seed, squareUnit } from "./scores.ts"

/** A challenger's opinion on a contract, on the record. */
export interface Opinion {
  /** Probability of yes, whole millionths. */
  readonly p: number
  /** Epoch milliseconds. */
  readonly at: number
  /** When the first checkpoint that covers it was signed, epoch milliseconds; absent without one. */
  readonly anchoredAt?: number
}

/** A contract that is scored for us, with the times of the capture that is scored. Probabilities in whole millionths. */
export interface Scored
  extends Pick<HeadToHead, "domain" | "event" | "model" | "market" | "happened" | "capturedAt" | "closeTime"> {
  /** When the venue's bid and ask in the capture were read, epoch milliseconds; absent: at the capture. */
  readonly quotedAt?: number
}

/** The time of a capture's oldest figures: a bought capture has the quotes of the last poll. */
export const figuresAt = ({ capturedAt, quotedAt = capturedAt }: Pick<Scored, "capturedAt" | "quotedAt">): number =>
  Math.min(capturedAt, quotedAt)

/**
 * Whether an opinion may be compared with the figures of a capture: the figures are not older than the opinion, and a
 * checkpoint signed before the close covers it. Of several such opinions the last one counts.
 */
export const isComparable = ({ at, anchoredAt }: Opinion, row: Scored): boolean =>
  at <= figuresAt(row) && anchoredAt !== undefined && anchoredAt < row.closeTime

const fields = ["count", "challenger", "model", "market"] as const

/** Contracts and squared errors of a cluster. Exact up to 9,007 contracts at the worst score, as on the board. */
type Cluster = Record<(typeof fields)[number], number>

/** The sums behind a challenger's scores; their size does not grow with the rows. */
export interface Sums {
  /** By name, as on the board. */
  readonly clusters: Map<string, Cluster>
  /** Contracts on which none of its opinions is comparable. */
  unscored: number
  /** Milliseconds to the close, from its opinions and from the captures that they are compared with. */
  lead: number
  captureLead: number
  /** Number of changes; while it stays the same, so do the scores. */
  changes: number
}

export const empty = (): Sums => ({ clusters: new Map(), unscored: 0, lead: 0, captureLead: 0, changes: 0 })

/**
 * Adds a contract on which the challenger has opinions; `sign` −1 removes it.
 *
 * @param opinion the last comparable one; one that is not comparable is counted and not scored
 */
export const add = (sums: Sums, row: Scored, opinion: Opinion | undefined, sign: 1 | -1 = 1): void => {
  sums.changes += 1
  if (opinion === undefined || !isComparable(opinion, row)) {
    sums.unscored += sign
    return
  }
  const cluster = getOrMake(sums.clusters, clusterName(row), () => ({ count: 0, challenger: 0, model: 0, market: 0 }))
  cluster.count += sign
  const squared = (p: number): number => sign * forecast(p, row.happened).squared
  cluster.challenger += squared(opinion.p)
  cluster.model += squared(row.model)
  cluster.market += squared(row.market)
  sums.lead += sign * (row.closeTime - opinion.at)
  sums.captureLead += sign * (row.closeTime - row.capturedAt)
}

/** The number of contracts that are scored for both. */
export const sharedClusters = ({ clusters }: Sums): number =>
  [...clusters.values()].reduce((sum, { count }) => sum + count, 0)

/** Mean Brier scores on the same rows, and the intervals of the challenger's differences; below zero it is ahead. */
export interface ChallengerScores {
  readonly shared: number
  /** Mean milliseconds to the close, from the opinions and from the captures. */
  readonly lead: number
  readonly captureLead: number
  readonly challenger: number
  readonly model: number
  readonly market: number
  /** Challenger minus model, and minus market. Absent with fewer than `leastClusters`. */
  readonly differences?: { readonly model: Interval; readonly market: Interval }
}

/**
 * The scores of a challenger, undefined without a shared row, in steps of a few milliseconds between which the caller can
 * yield. The bootstrap is the board's: it draws clusters within each domain, under the same seed.
 */
export function* scoreSteps(sums: Sums): Generator<undefined, ChallengerScores | undefined> {
  const strata = domainStrata(sums.clusters, fields).map(([, clusters]) => clusters)
  const totals = [...sums.clusters.values()].reduce(
    (sum, cluster) => fields.map((name, at) => sum[at]! + cluster[name]),
    fields.map(() => 0),
  )
  const [shared, ...errors] = totals as [number, number, number, number]
  if (shared === 0) return undefined
  const [challenger, model, market] = errors.map((error) => error / (shared * squareUnit)) as [number, number, number]
  const scores = {
    ...{ shared, lead: sums.lead / shared, captureLead: sums.captureLead / shared },
    ...{ challenger, model, market },
  }
  if (strata.reduce((sum, { length }) => sum + length / fields.length, 0) < leastClusters) return scores
  const total = new Float64Array(fields.length)
  const [toModel, toMarket] = yield* clusterBootstrapSteps(
    strata,
    fields.length,
    2,
    (drawn, into) => {
      total.fill(0)
      for (const draw of drawn) for (let at = 0; at < total.length; at++) total[at]! += draw[at]!
      const unit = total[0]! * squareUnit
      into[0] = (total[1]! - total[2]!) / unit
      into[1] = (total[1]! - total[3]!) / unit
    },
    replicates,
    xoshiro128(seed),
    intervalCoverage,
  )
  return { ...scores, differences: { model: toModel!, market: toMarket! } }
}

/** Computes a challenger's scores without yielding. */
export const challengerScores = (sums: Sums): ChallengerScores | undefined => runToEnd(scoreSteps(sums))

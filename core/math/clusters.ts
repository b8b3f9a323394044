import { clusterBootstrap, type Generator, type Interval } from "./bootstrap.ts"
import { checkedInteger, finite, sameLength } from "./checks.ts"

/** With fewer clusters their spread is unknown, and an interval of them means nothing. */
export const leastClusters = 10

/** How an interval is drawn. */
export interface Sampling {
  /** Rounds of the bootstrap; 1000 or more for an interval of 95 %. */
  readonly replicates: number
  /** The share of the replicates inside the interval, between 0 and 1. */
  readonly level: number
  /** An example is `xoshiro128(seed)`; the same seed gives the same interval. */
  readonly generator: Generator
}

/** A ratio of sums over rows with the interval of a bootstrap over clusters of dependent rows. */
export interface ClusteredEstimate extends Interval {
  readonly value: number
  readonly rows: number
  readonly clusters: number
}

/**
 * Sums by cluster, as `clusterBootstrap` takes them: one cluster after the other in the order in which they first appear,
 * and a sum of each column for each.
 *
 * @param clusters the cluster of each row
 * @param columns lists of one number per row
 * @throws RangeError for a column of another length
 *
 * @example
 * ```ts
 * import { clusterSums } from "./clusters.ts"
 *
 * clusterSums(["mon", "tue", "mon"], [[1, 1, 1], [0.5, 0.25, 0.125]]) // [2, 0.625, 1, 0.25]
 * ```
 */
export const clusterSums = (
  clusters: ReadonlyArray<string | number>,
  columns: ReadonlyArray<ReadonlyArray<number>>,
): Float64Array => {
  const width = columns.length
  const places = new Map<string | number, number>()
  for (const cluster of clusters) if (!places.has(cluster)) places.set(cluster, width * places.size)
  const sums = new Float64Array(width * places.size)
  for (const [column, values] of columns.entries()) {
    sameLength(["clusters", clusters.length], ["numbers in a column", values.length])
    for (const [row, cluster] of clusters.entries()) sums[places.get(cluster)! + column]! += values[row]!
  }
  return sums
}

/** Throws for the first value that is not finite. */
const checkRows = (name: string, values: ReadonlyArray<number>): void => {
  for (const [row, value] of values.entries()) finite(`${name} of row ${row + 1}`, value)
}

const quotient = ([sums]: ReadonlyArray<Float64Array>, into: Float64Array): void => {
  into[0] = sums![0]! / sums![1]!
}

/**
 * Σ numerator / Σ denominator, with the interval of `clusterBootstrap`: whole clusters of dependent rows are drawn, such
 * as the contracts of one event. With denominators of 1 it is a mean.
 *
 * @param numerators one per row
 * @param denominators one per row
 * @param clusters the cluster of each row
 * @returns the ratio of all rows, and the interval; with fewer than `leastClusters` the interval is NaN
 * @throws RangeError without rows, for lists of different lengths, for a value that is not finite, and for a sampling
 *   that `clusterBootstrap` refuses
 *
 * @example
 * ```ts
 * import { ratio } from "./clusters.ts"
 * import { xoshiro128 } from "./xoshiro128.ts"
 *
 * const sampling = { replicates: 1000, level: 0.95, generator: xoshiro128(1) }
 * const mean = ratio([1, 2, 6, 3], [1, 1, 2, 2], ["mon", "mon", "tue", "wed"], sampling)
 * mean.value // 2
 * mean.clusters // 3
 * ```
 */
export const ratio = (
  numerators: ReadonlyArray<number>,
  denominators: ReadonlyArray<number>,
  clusters: ReadonlyArray<string | number>,
  { replicates, level, generator }: Sampling,
): ClusteredEstimate => {
  const rows = checkedInteger("number of rows", numerators.length, 1)
  sameLength(["numerators", rows], ["denominators", denominators.length], ["clusters", clusters.length])
  checkRows("numerator", numerators)
  checkRows("denominator", denominators)
  const sums = clusterSums(clusters, [numerators, denominators])
  const [interval] = clusterBootstrap([sums], 2, 1, quotient, replicates, generator, level)
  const value = numerators.reduce((sum, one) => sum + one, 0) / denominators.reduce((sum, one) => sum + one, 0)
  const none: Interval = { low: Number.NaN, high: Number.NaN, standardError: Number.NaN }
  return { value, rows, clusters: sums.length / 2, ...(sums.length / 2 < leastClusters ? none : interval!) }
}

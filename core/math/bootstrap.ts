import { checkedInteger } from "./checks.ts"
import { runToEnd } from "./runToEnd.ts"

/** Draws integers from 0 up to, not including, `max`. An example is `PCGRandom` of `effect/Utils`. */
export interface Generator {
  readonly integer: (max: number) => number
}

export interface Interval {
  readonly low: number
  readonly high: number
  readonly standardError: number
}

/**
 * The block bootstrap: each of `replicates` rounds draws `blocks` blocks with replacement and computes the statistic from
 * them. Dependent data (such as one day) is in one block.
 * Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapters 8 and 13.
 *
 * @param blocks number of blocks; without one, nothing is drawn
 * @param replicates number of rounds
 * @param generator draws the blocks; the same draws give the same interval
 * @param statistic computed from the number of draws of each block; the array is reused for the next replicate. A
 *   replicate whose statistic is NaN (no data in the drawn blocks) is skipped
 * @param level the share of the replicates inside the interval, with equal tails
 * @returns NaN throughout when fewer than two replicates have a value
 * @throws RangeError for a number of blocks or replicates that is not whole and at least 0, and for a level outside (0, 1)
 *
 * @example
 * ```ts
 * import { PCGRandom } from "effect/Utils"
 * import { blockBootstrap } from "./bootstrap.ts"
 *
 * const sums = [3, 5, 4, 6]
 * const mean = (drawn: Int32Array) => sums.reduce((total, sum, block) => total + sum * drawn[block]!, 0) / 4
 * blockBootstrap(4, mean, 1000, new PCGRandom(1), 0.95) // { low: 3.5, high: 5.5, standardError: 0.56… }
 * ```
 */
export const blockBootstrap = (
  blocks: number,
  statistic: (drawn: Int32Array) => number,
  replicates: number,
  generator: Generator,
  level: number,
): Interval => {
  const drawn = new Int32Array(checkedInteger("number of blocks", blocks, 0))
  checkSampling(replicates, level)
  const values: Array<number> = []
  for (let replicate = 0; replicate < replicates; replicate++) {
    drawn.fill(0)
    for (let k = 0; k < blocks; k++) drawn[generator.integer(blocks)]! += 1
    const value = statistic(drawn)
    if (!Number.isNaN(value)) values.push(value)
  }
  return percentileInterval(Float64Array.from(values), level)
}

const checkSampling = (replicates: number, level: number): void => {
  checkedInteger("number of replicates", replicates, 0)
  if (!(level > 0 && level < 1)) throw new RangeError(`The level ${level} is not between 0 and 1.`)
}

/** The central `level` of the replicates, and their standard deviation. Sorts the array. */
const percentileInterval = (values: Float64Array, level: number): Interval => {
  const n = values.length
  if (n < 2) return { low: Number.NaN, high: Number.NaN, standardError: Number.NaN }
  const sorted = values.sort()
  const mean = sorted.reduce((sum, value) => sum + value, 0) / n
  const variance = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  // At least the middle one or two are kept, however low the level.
  const cut = Math.min(Math.round(((1 - level) / 2) * n), Math.floor((n - 1) / 2))
  return { low: sorted[cut]!, high: sorted[n - 1 - cut]!, standardError: Math.sqrt(variance) }
}

/**
 * The stratified cluster bootstrap of several statistics at once: in each of `replicates` rounds every stratum draws as
 * many clusters as it has, with replacement, and all statistics are computed from the same draw. Dependent data (such as
 * the contracts of one event) is in one cluster.
 * Source: A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application (1997), sections 3.2 and 3.8.
 *
 * @param strata the clusters of each stratum: `width` sums per cluster, one cluster after the other
 * @param width sums per cluster
 * @param statistics number of statistics
 * @param observe writes the statistics of one draw into `into`, from the drawn sums of each stratum; NaN is skipped
 * @param replicates number of rounds
 * @param generator draws the clusters; the same draws give the same intervals
 * @param level the share of the replicates inside each interval, with equal tails
 * @returns an interval per statistic; NaN throughout where fewer than two replicates have a value
 * @throws RangeError for a width that is not whole and at least 1, for a number of statistics or replicates that is not
 *   whole and at least 0, for a stratum that does not hold whole clusters, and for a level outside (0, 1)
 *
 * @example
 * ```ts
 * import { clusterBootstrap } from "./bootstrap.ts"
 * import { xoshiro128 } from "./xoshiro128.ts"
 *
 * // Two clusters of 3 and 2 rows with sums 1.5 and 0.4: the mean per row.
 * const mean = ([sums]: ReadonlyArray<Float64Array>, into: Float64Array) => void (into[0] = sums![1]! / sums![0]!)
 * clusterBootstrap([Float64Array.of(3, 1.5, 2, 0.4)], 2, 1, mean, 1000, xoshiro128(1), 0.95) // [{ low: 0.2, high: 0.5, … }]
 * ```
 */
export const clusterBootstrap = (...args: Parameters<typeof clusterBootstrapSteps>): ReadonlyArray<Interval> =>
  runToEnd(clusterBootstrapSteps(...args))

/** Replicates of one step: a few milliseconds with some hundred clusters. */
const stretch = 50

/**
 * `clusterBootstrap` in steps of 50 replicates, so that the caller can yield in between.
 *
 * @example
 * ```ts
 * import { clusterBootstrapSteps } from "./bootstrap.ts"
 * import { xoshiro128 } from "./xoshiro128.ts"
 *
 * const sum = ([drawn]: ReadonlyArray<Float64Array>, into: Float64Array) => void (into[0] = drawn![0]!)
 * const steps = clusterBootstrapSteps([Float64Array.of(1, 1)], 1, 1, sum, 60, xoshiro128(1), 0.95)
 * steps.next().done // false
 * steps.next().value // [{ low: 2, high: 2, standardError: 0 }]
 * ```
 */
export function* clusterBootstrapSteps(
  strata: ReadonlyArray<Float64Array>,
  width: number,
  statistics: number,
  observe: (drawn: ReadonlyArray<Float64Array>, into: Float64Array) => void,
  replicates: number,
  generator: Generator,
  level: number,
): globalThis.Generator<undefined, ReadonlyArray<Interval>> {
  checkSampling(replicates, level)
  const drawn = strata.map(() => new Float64Array(checkedInteger("width", width, 1)))
  for (const { length } of strata) {
    if (length % width !== 0) throw new RangeError(`A stratum of ${length} sums does not hold clusters of ${width}.`)
  }
  const into = new Float64Array(checkedInteger("number of statistics", statistics, 0))
  const values = Array.from({ length: statistics }, () => new Float64Array(replicates))
  const counts = new Int32Array(statistics)
  for (let replicate = 0; replicate < replicates; replicate++) {
    for (let stratum = 0; stratum < strata.length; stratum++) {
      const sums = strata[stratum]!
      const total = drawn[stratum]!.fill(0)
      const clusters = sums.length / width
      for (let draw = 0; draw < clusters; draw++) {
        const from = generator.integer(clusters) * width
        for (let at = 0; at < width; at++) total[at]! += sums[from + at]!
      }
    }
    observe(drawn, into)
    for (let each = 0; each < statistics; each++) {
      if (!Number.isNaN(into[each]!)) values[each]![counts[each]!++] = into[each]!
    }
    if (replicate % stretch === stretch - 1) yield
  }
  return values.map((all, each) => percentileInterval(all.subarray(0, counts[each]!), level))
}

/** Draws whole numbers from 0 up to, not including, `max`; `PCGRandom` of `effect/Utils` is one. */
export interface Generator {
  readonly integer: (max: number) => number
}

/** An interval of a statistic, with its standard error. */
export interface Interval {
  readonly low: number
  readonly high: number
  readonly standardError: number
}

/**
 * The block bootstrap: `replicates` times, as many blocks as there are are drawn with replacement and the statistic is
 * computed from them. Blocks (such as days) keep together what depends on each other.
 * Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapters 8 and 13.
 *
 * @param blocks how many blocks there are, at least 1
 * @param statistic computed from how many times each block was drawn; the array is used again for the next replicate.
 *   A replicate whose statistic is NaN (no data in the blocks drawn) is left out
 * @param level the share of the replicates inside the interval, cut off equally at both ends
 * @returns NaN throughout when fewer than two replicates have a value
 *
 * @example
 * import { PCGRandom } from "effect/Utils"
 * import { blockBootstrap } from "./bootstrap.ts"
 *
 * const sums = [3, 5, 4, 6]
 * const mean = (drawn: Int32Array) => sums.reduce((total, sum, block) => total + sum * drawn[block]!, 0) / 4
 * blockBootstrap(4, mean, 1000, new PCGRandom(1), 0.95) // { low: 3.5, high: 5.5, standardError: 0.56… }
 */
export const blockBootstrap = (
  blocks: number,
  statistic: (drawn: Int32Array) => number,
  replicates: number,
  generator: Generator,
  level: number,
): Interval => {
  const drawn = new Int32Array(blocks)
  const values: Array<number> = []
  for (let replicate = 0; replicate < replicates; replicate++) {
    drawn.fill(0)
    for (let k = 0; k < blocks; k++) drawn[generator.integer(blocks)]! += 1
    const value = statistic(drawn)
    if (!Number.isNaN(value)) values.push(value)
  }
  const n = values.length
  if (n < 2) return { low: Number.NaN, high: Number.NaN, standardError: Number.NaN }
  const sorted = Float64Array.from(values).sort()
  const mean = sorted.reduce((sum, value) => sum + value, 0) / n
  const variance = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  const cut = Math.round(((1 - level) / 2) * n)
  return { low: sorted[cut]!, high: sorted[n - 1 - cut]!, standardError: Math.sqrt(variance) }
}

import { checkedInteger, integer, probability } from "./checks.ts"
import type { Discrete } from "./discretise.ts"

/**
 * The probability integral transform of an outcome under a distribution over whole numbers: the step of the distribution
 * function at the outcome. If the forecast is calibrated, a uniform draw between the two is uniform on [0, 1].
 */
export interface Pit {
  /** The probability of less than the outcome. */
  readonly low: number
  /** The probability of the outcome or less. */
  readonly high: number
}

/**
 * The probability integral transform of a whole-number outcome. For a continuous distribution it is the distribution
 * function at the outcome, `{ low: F(x), high: F(x) }`.
 *
 * @param law its end numbers include the tails, so that an outcome beyond them counts as the end
 * @param outcome a whole number, in the units of the law
 * @throws RangeError for an outcome that is not whole
 *
 * @example
 * ```ts
 * import { pit } from "./pit.ts"
 *
 * pit({ first: 1, ge: Float64Array.of(1, 0.75, 0.5) }, 2) // { low: 0.25, high: 0.5 }
 * ```
 */
export const pit = ({ first, ge }: Pick<Discrete, "first" | "ge">, outcome: number): Pit => {
  const index = Math.min(ge.length - 1, Math.max(0, integer("outcome", outcome) - first))
  return { low: 1 - ge[index]!, high: index + 1 < ge.length ? 1 - ge[index + 1]! : 1 }
}

const checkStep = (low: number, high: number): void => {
  if (probability(low) > probability(high)) throw new RangeError(`The step from ${low} to ${high} falls.`)
}

/**
 * The histogram of transforms without random draws: each spreads evenly over its step. Flat if the forecasts are
 * calibrated.
 * Source: C. Czado, T. Gneiting and L. Held, Biometrics 65 (2009) 1254–1261.
 *
 * @param pits one per forecast; a step without width counts in the bin that holds it, the last bin including 1
 * @param bins how many bins of equal width
 * @returns the share of each bin; they sum to 1 within 1e-14 per transform. NaN throughout without transforms
 * @throws RangeError for a number of bins that is not whole and at least 1, and for steps that do not lie in [0, 1] or fall
 *
 * @example
 * ```ts
 * import { pitHistogram } from "./pit.ts"
 *
 * pitHistogram([{ low: 0.25, high: 0.75 }, { low: 0.9, high: 0.9 }], 4) // [0, 0.25, 0.25, 0.5]
 * ```
 */
export const pitHistogram = (pits: Iterable<Pit>, bins: number): Float64Array => {
  const shares = new Float64Array(checkedInteger("number of bins", bins, 1))
  let count = 0
  for (const { low, high } of pits) {
    checkStep(low, high)
    count += 1
    const [from, to] = [low * bins, high * bins]
    const last = bins - 1
    const start = Math.min(last, Math.floor(from))
    if (to - from === 0) {
      shares[start]! += 1
      continue
    }
    for (let bin = start; bin <= last && bin < to; bin++) {
      shares[bin]! += (Math.min(to, bin + 1) - Math.max(from, bin)) / (to - from)
    }
  }
  return shares.map((share) => share / count)
}

/**
 * The share of outcomes within the central interval of a level: of each step, the part that lies in it. It is the level if
 * the forecasts are calibrated, also for whole numbers, whose intervals hold more than the level.
 *
 * @param pits one per forecast
 * @param level between 0 and 1
 * @returns NaN without transforms
 * @throws RangeError for a level outside [0, 1], and for steps that do not lie in [0, 1] or fall
 *
 * @example
 * ```ts
 * import { coverage } from "./pit.ts"
 *
 * // Whole within 0.25 to 0.75, half within it, and beyond it.
 * coverage([{ low: 0.25, high: 0.5 }, { low: 0.5, high: 1 }, { low: 0.9, high: 0.9 }], 0.5) // 0.5
 * ```
 */
export const coverage = (pits: Iterable<Pit>, level: number): number => {
  const tail = (1 - probability(level)) / 2
  let [inside, count] = [0, 0]
  for (const { low, high } of pits) {
    checkStep(low, high)
    count += 1
    if (low === high) inside += low >= tail && low <= 1 - tail ? 1 : 0
    else inside += Math.max(0, Math.min(high, 1 - tail) - Math.max(low, tail)) / (high - low)
  }
  return inside / count
}

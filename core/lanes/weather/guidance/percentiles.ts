import { studentT8 } from "../../../math/studentT8.ts"

/** The levels of the percentiles that the blend states. */
export const levels = [0.1, 0.25, 0.5, 0.75, 0.9] as const

const knots = levels.map((level) => studentT8.quantile(level))
const middle = 2

/** Probabilities at which a law is scored, each with its quantile of Student's t. */
const grid = Array.from({ length: 400 }, (_, at) => (at + 0.5) / 400).map(
  (level) => [level, studentT8.quantile(level)] as const,
)

/**
 * The temperature of a law at a quantile of Student's t with 8 degrees of freedom: on a line between its percentiles, and
 * beyond them with the slope that the outermost one has from the median, which whole degrees leave 0 least often.
 */
const quantileAt = (percentiles: ReadonlyArray<number>, z: number): number => {
  const next = knots.findIndex((knot) => z < knot)
  const [from, to] = next === -1 ? [middle, 4] : next === 0 ? [0, middle] : [next - 1, next]
  const slope = (percentiles[to]! - percentiles[from]!) / (knots[to]! - knots[from]!)
  const base = next === -1 ? to : from
  return percentiles[base]! + slope * (z - knots[base]!)
}

/**
 * The continuous ranked probability score of the law through five percentiles, in their units: twice the mean quantile
 * score over 400 levels (T. Gneiting and R. Ranjan, J. Business & Economic Statistics 29 (2011) 411–422).
 *
 * @param percentiles at `levels`
 */
export const crpsOfPercentiles = (percentiles: ReadonlyArray<number>, actual: number): number =>
  (2 / grid.length) *
  grid.reduce((sum, [level, z]) => {
    const quantile = quantileAt(percentiles, z)
    return sum + (Number(actual < quantile) - level) * (quantile - actual)
  }, 0)

/**
 * The percentiles of a law of whole degrees: of each level the lowest degree that is not exceeded with at least that
 * probability.
 *
 * @param ge the probability of each degree or more, from `first` on
 */
export const computePercentiles = (first: number, ge: Float64Array): ReadonlyArray<number> =>
  levels.map((level) => first + ge.findIndex((_, at) => 1 - (ge[at + 1] ?? 0) >= level))

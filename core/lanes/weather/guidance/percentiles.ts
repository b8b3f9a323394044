import { studentT8 } from "../../../math/studentT8.ts"

export const percentileLevels = [0.1, 0.25, 0.5, 0.75, 0.9] as const

const knots = percentileLevels.map((level) => studentT8.quantile(level))
const medianIndex = 2

/** The levels at which a distribution is scored, each with its quantile of Student's t. */
const grid = Array.from({ length: 400 }, (_, at) => (at + 0.5) / 400).map(
  (level) => [level, studentT8.quantile(level)] as const,
)

/**
 * The temperature of a distribution at the quantile `z` of Student's t with 8 degrees of freedom: linear between the
 * percentiles; beyond them with the slope from the median to the outermost one, since between neighbours whole degrees
 * often give a slope of 0.
 */
const quantileAt = (percentiles: ReadonlyArray<number>, z: number): number => {
  const next = knots.findIndex((knot) => z < knot)
  const [from, to] = next === -1 ? [medianIndex, 4] : next === 0 ? [0, medianIndex] : [next - 1, next]
  const slope = (percentiles[to]! - percentiles[from]!) / (knots[to]! - knots[from]!)
  const base = next === -1 ? to : from
  return percentiles[base]! + slope * (z - knots[base]!)
}

/**
 * The continuous ranked probability score of the distribution through five percentiles, in their units: twice the mean
 * quantile score over 400 levels (T. Gneiting and R. Ranjan, J. Business & Economic Statistics 29 (2011) 411–422).
 *
 * @param percentiles at `percentileLevels`
 */
export const crpsOfPercentiles = (percentiles: ReadonlyArray<number>, actual: number): number =>
  (2 / grid.length) *
  grid.reduce((sum, [level, z]) => {
    const quantile = quantileAt(percentiles, z)
    return sum + (Number(actual < quantile) - level) * (quantile - actual)
  }, 0)

/**
 * The percentiles of a distribution over whole degrees: for each level the lowest degree that is not exceeded with at least
 * that probability.
 *
 * @param ge the probability of each degree or more, from `first` on
 */
export const computePercentiles = (first: number, ge: Float64Array): ReadonlyArray<number> =>
  percentileLevels.map((level) => first + ge.findIndex((_, at) => 1 - (ge[at + 1] ?? 0) >= level))

import { type Discrete, discretise, type Sides } from "../../../math/discretise.ts"
import { crpsStudentT } from "../../../math/score.ts"
import { studentT8, unitSd } from "../../../math/studentT8.ts"

/** A continuous distribution of an extreme, degrees Fahrenheit. */
export interface TemperatureDistribution extends Sides {
  readonly mean: number
  /** Standard deviation. */
  readonly sigma: number
  /** The point where the two halves meet: mean and median without skew. */
  readonly pivot: number
}

/** Mean distance of a Student t with 8 degrees of freedom and standard deviation 1 from 0: 2√8 Γ(9/2) / (7 √π Γ(4)) · √(6/8). */
const meanDistance = 0.765465544619743

/**
 * Student's t with 8 degrees of freedom, by mean and standard deviation (above 0). Errors of day-ahead forecasts have an
 * excess kurtosis of 1.2 to 2.7; this distribution has 1.5. A skew scales the upper half by 1 + skew and the lower by
 * 1 − skew (two-piece scales after C. Fernández and M. F. J. Steel, J. Amer. Statist. Assoc. 93 (1998) 359–371), shifted
 * and rescaled to the given mean and standard deviation.
 *
 * @param skew between −1 and 1
 */
export const temperatureDistribution = (mean: number, sigma: number, skew = 0): TemperatureDistribution => {
  const spread = sigma / Math.sqrt(1 + (3 - 4 * meanDistance ** 2) * skew * skew)
  const pivot = mean - 2 * skew * spread * meanDistance
  const lower = spread * unitSd * (1 - skew)
  const upper = spread * unitSd * (1 + skew)
  return {
    mean,
    sigma,
    pivot,
    cdf(x) {
      return x < pivot
        ? (1 - skew) * studentT8.cdf((x - pivot) / lower)
        : 1 - (1 + skew) * studentT8.sf((x - pivot) / upper)
    },
    sf(x) {
      return x < pivot
        ? 1 - (1 - skew) * studentT8.cdf((x - pivot) / lower)
        : (1 + skew) * studentT8.sf((x - pivot) / upper)
    },
  }
}

const standardCrps = crpsStudentT(studentT8)

/** The continuous ranked probability score of such a distribution without skew, degrees Fahrenheit. */
export const crpsUnskewed = (
  { mean, sigma }: Pick<TemperatureDistribution, "mean" | "sigma">,
  actual: number,
): number => {
  const scale = sigma * unitSd
  return scale * standardCrps((actual - mean) / scale)
}

/** The whole numbers from `first` to `last`, each with the probability that the official value rounds to it. */
export const toDegrees = (distribution: TemperatureDistribution, first: number, last: number): Discrete =>
  discretise(distribution, distribution.pivot, first, last)

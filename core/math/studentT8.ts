import type { StudentT } from "./studentT.ts"
import * as studentT from "./studentT.ts"

/**
 * The upper tail for x ≥ 0. (1 + x/√(8 + x²)) / 2 has the distribution Beta(4, 4) when x has Student's t with 8 degrees of
 * freedom, so the tail is the incomplete beta function I_u(4, 4) = u⁴ (35 − 84u + 70u² − 20u³) at u = (1 − x/√(8 + x²)) / 2,
 * written here without the difference, which would lose the digits of a small u.
 */
const tail = (x: number): number => {
  if (!(x < 1e50)) return Number.isNaN(x) ? x : 0
  const q = x * x + 8
  const u = 4 / (q * (1 + x / Math.sqrt(q)))
  const u2 = u * u
  return u2 * u2 * (35 + u * (u * (70 - 20 * u) - 84))
}

/** The probability of 0 … x for |x| ≤ 1: (35z − 35z³ + 21z⁵ − 5z⁷) / 32 at z = x/√(8 + x²), the same function from its centre. */
const centre = (x: number): number => {
  const q = x * x + 8
  const s = (x * x) / q
  return (x / Math.sqrt(q)) * (1.09375 - s * (1.09375 - s * (0.65625 - s * 0.15625)))
}

const general = studentT.make(8)

/**
 * Student's t with 8 degrees of freedom: `make(8)` in closed form, with one square root per probability.
 * Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 26.5.27 and 26.7.1.
 *
 * @example
 * ```ts
 * import { studentT8 } from "./studentT8.ts"
 *
 * studentT8.sf(2) // 0.04025811897863134
 * ```
 */
export const studentT8: StudentT = {
  nu: 8,
  cdf(x) {
    return x <= -1 ? tail(-x) : x < 1 ? 0.5 + centre(x) : 1 - tail(x)
  },
  sf(x) {
    return x >= 1 ? tail(x) : x > -1 ? 0.5 - centre(x) : 1 - tail(-x)
  },
  pdf: general.pdf,
  quantile: general.quantile,
}

/** The scale of `studentT8` with standard deviation 1: √((ν − 2) / ν). */
export const unitSd: number = Math.sqrt(6 / 8)

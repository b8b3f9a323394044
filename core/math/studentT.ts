import { scaledGammaRatio } from "./gammaRatio.ts"
import * as normal from "./normal.ts"

/**
 * Student's t distribution with location 0, scale 1 and fixed degrees of freedom. No function throws, and NaN gives NaN.
 */
export interface StudentT {
  /** Degrees of freedom ν. */
  readonly nu: number
  /** The probability of at most `x`: −∞ gives 0, 0 gives exactly ½, ∞ gives 1. */
  readonly cdf: (x: number) => number
  /** The probability of more than `x`, correct relative to its own size for large `x`, where 1 − cdf is not. */
  readonly sf: (x: number) => number
  /** The density Γ((ν+1)/2) / (√(νπ) Γ(ν/2)) · (1 + x²/ν)^(−(ν+1)/2). */
  readonly pdf: (x: number) => number
  /**
   * The x whose cdf is `p`: 0 gives −∞, 1 gives ∞, anything outside [0, 1] NaN. |cdf(x) − p| is at most
   * 1e-14 · p + 1e-16. A value beyond the range of doubles (small ν, p near 0) is ±∞.
   */
  readonly quantile: (p: number) => number
}

const sqrtPi = 1.772453850905516

/** From here on it is the normal distribution: their relative difference x⁴ / 4ν is below rounding where Φ is above 0. */
const largest = 2 ** 70

/** From here on 1 + y is y. */
const lone = 1e30

/** ln(1 + y), y = x²/ν, x ≥ 0; also where x² overflows. */
const logOf = (nu: number, x: number, y: number): number =>
  y > lone ? 2 * (Math.log(x) - 0.5 * Math.log(nu)) : Math.log1p(y)

/** The quantile of a distribution whose tail is w^a · `bracket`. */
const quantileOf = (p: number, nu: number, d0: number, bracket: (y: number, log: number) => number): number => {
  const a = nu / 2
  if (!(p >= 0 && p <= 1 && a > 0)) return Number.NaN
  if (p === 0) return Number.NEGATIVE_INFINITY
  if (p === 1) return Number.POSITIVE_INFINITY
  const q = p < 0.5 ? p : 1 - p
  const z = -normal.quantile(q)
  if (z === 0) return 0
  // Newton's steps for ln tail as a function of ln x, which is concave, from the start of the Cornish–Fisher expansion.
  const goal = Math.log(q)
  let x = z + (z * z * z + z) / (4 * nu)
  for (let sweep = 0; sweep < 40 && x < Number.POSITIVE_INFINITY; sweep++) {
    const y = (x * x) / nu
    const log = logOf(nu, x, y)
    const scaled = bracket(y, log)
    const slope = (d0 * nu * (y > lone ? 1 : Math.sqrt(y / (1 + y)))) / scaled
    const step = (Math.log(scaled) - a * log - goal) / slope
    x *= Math.exp(step)
    if (Math.abs(step) < 1e-8) break
  }
  return p < 0.5 ? -x : x
}

/**
 * Student's t for the given degrees of freedom. Constants of ν are computed here once, so that each probability costs one
 * logarithm, one exponential and a few rational operations.
 *
 * The tail is half of the incomplete beta function I_w(a, ½), a = ν/2, w = ν / (ν + x²) (DLMF 8.17). Ten steps of
 * I_w(a, b) = w^a (1 − w)^b / (a B(a, b)) + I_w(a + 1, b) (DLMF 8.17.20) raise a to A ≥ 10, where the expansion of
 * I_w(A, ½) for large A around erfc holds to rounding: A. R. DiDonato and A. H. Morris, "Algorithm 708: Significant digit
 * computation of the incomplete beta function ratios", ACM TOMS 18 (1992) 360–373, formula (9). Every term of the first
 * part is positive, so both tails keep their digits for every ν.
 *
 * Against 60-digit values: relative error at most 3e-14 for ν in [2.5, 30] and |x| ≤ 1000; in general at most
 * 3e-15 + 4e-16 · |ln p|, which is 1e-13 for values of 1e-100 or more. The density has a relative error of at most 1e-13
 * there, and the quantile one of 1e-13 for ν ≥ 1 and p of 1e-20 or more.
 *
 * @param nu degrees of freedom, any positive number; from 2⁷⁰ on, ∞ included, it is the normal distribution. When it is
 *   0, negative or NaN, every function gives NaN
 *
 * @example
 * ```ts
 * import * as studentT from "./studentT.ts"
 *
 * const t = studentT.make(4.5)
 * t.cdf(-2) // 0.05412895359056251
 * // -2, to the last digit but one
 * t.quantile(0.05412895359056251) // -1.99999999999999…
 * ```
 */
export const make = (nu: number): StudentT => {
  if (nu >= largest) return { nu, cdf: normal.cdf, sf: normal.sf, pdf: normal.pdf, quantile: normal.quantile }
  const a = nu / 2 > 0 ? nu / 2 : Number.NaN
  const t = a + 9.75
  const r = 1 / (4 * t * t)
  const scale = scaledGammaRatio(a + 10)
  // d0 … d9: ½ / ((a + k) B(a + k, ½)) = Γ(a + k + ½) / (2√π Γ(a + k + 1)), downwards from A = a + 10, then up again.
  let first = (Math.sqrt(t) * scale) / (2 * sqrtPi * (a + 0.5))
  for (let k = 1; k < 10; k++) first *= (a + k) / (a + k + 0.5)
  const d0 = first
  const d1 = (d0 * (a + 0.5)) / (a + 1)
  const d2 = (d1 * (a + 1.5)) / (a + 2)
  const d3 = (d2 * (a + 2.5)) / (a + 3)
  const d4 = (d3 * (a + 3.5)) / (a + 4)
  const d5 = (d4 * (a + 4.5)) / (a + 5)
  const d6 = (d5 * (a + 5.5)) / (a + 6)
  const d7 = (d6 * (a + 6.5)) / (a + 7)
  const d8 = (d7 * (a + 7.5)) / (a + 8)
  const d9 = (d8 * (a + 8.5)) / (a + 9)

  /** The probability of more than x ≥ 0, divided by w^a. */
  const bracket = (y: number, log: number): number => {
    if (y > lone) return d0
    const w = 1 / (1 + y)
    const head =
      Math.sqrt(y * w) *
      (d0 + w * (d1 + w * (d2 + w * (d3 + w * (d4 + w * (d5 + w * (d6 + w * (d7 + w * (d8 + w * d9)))))))))
    // Below, w¹⁰ is less than 1e-17 of the head.
    if (w < 0.018) return head
    const u = t * log
    const h = Math.sqrt(u) * 0.28209479177387814
    const v = 0.25 * log * log
    const v2 = v * v
    const k0 = normal.scaledTail(Math.sqrt(2 * u))
    const k1 = r * (0.75 * k0 + h * (u + 1.5))
    const k2 = r * (8.75 * k1 + h * (u + 3.5) * v)
    const k3 = r * (24.75 * k2 + h * (u + 5.5) * v2)
    const k4 = r * (48.75 * k3 + h * (u + 7.5) * (v2 * v))
    const k5 = r * (80.75 * k4 + h * (u + 9.5) * (v2 * v2))
    const k6 = r * (120.75 * k5 + h * (u + 11.5) * (v2 * v2 * v))
    const rest =
      k0 +
      (k1 * -0.08333333333333333 +
        (k2 * 0.00625 +
          (k3 * -0.0005042989417989418 +
            (k4 * 4.343722442680776e-5 + (k5 * -3.896385732323233e-6 + k6 * 3.583335463445079e-7)))))
    const w2 = w * w
    const w4 = w2 * w2
    return head + scale * rest * (w4 * w4 * w2 * Math.sqrt(Math.sqrt(1 + y)))
  }

  const tail = (x: number): number => {
    if (x === 0 && a > 0) return 0.5
    const y = (x * x) / nu
    const log = logOf(nu, x, y)
    return Math.min(0.5, Math.exp(-a * log) * bracket(y, log))
  }

  // Methods of one object, not arrow constants: tsx names each arrow at run time, which costs more than the rest.
  return {
    nu,
    cdf(x) {
      return x < 0 ? tail(-x) : 1 - tail(x)
    },
    sf(x) {
      return x > 0 ? tail(x) : 1 - tail(-x)
    },
    pdf(x) {
      return d0 * Math.sqrt(nu) * Math.exp(-(a + 0.5) * logOf(nu, Math.abs(x), (x * x) / nu))
    },
    quantile(p) {
      return quantileOf(p, nu, d0, bracket)
    },
  }
}

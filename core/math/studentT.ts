import { logScaledGammaRatio } from "./gammaRatio.ts"
import * as normal from "./normal.ts"
import { restOfProduct, restOfSum } from "./rounding.ts"

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

/** From here on it is the normal distribution: their relative difference x⁴ / 4ν is below rounding where Φ is above 0. */
const largest = 2 ** 70

/** From here on 1 + y is y. */
const lone = 1e30

/** Exponents from which the rest of a base is no longer small when multiplied by them. */
const nearNormal = 2 ** 20

/** 2√π, and the rest that it leaves. */
const [twoRootPi, twoRootPiRest] = [3.544907701811032, -1.5333172999651597e-16]

/** (a + first)(a + first + 1) … (a + last), rounded, and what rounding took from it. */
const risingProduct = (a: number, first: number, last: number): readonly [product: number, rest: number] => {
  let product = 1
  let rest = 0
  for (let k = first; k <= last; k++) {
    const factor = a + k
    const previous = product
    product *= factor
    rest = rest * factor + previous * restOfSum(a, k, factor) + restOfProduct(previous, factor, product)
  }
  return [product, rest]
}

/** d₀ = Γ(a + ½) / (2√π Γ(a + 1)), a = ν/2, and the density at 0, d₀√ν: from the ratio at a + 10 downwards. */
const densityConstants = (nu: number): { readonly d0: number; readonly peak: number } => {
  const a = nu / 2
  const t = a + 9.75
  const [top, restOfTop] = risingProduct(a, 1, 9)
  const [bottom, restOfBottom] = risingProduct(a, 0.5, 9.5)
  const share = top / bottom
  const root = Math.sqrt(t)
  const whole = root * share
  const value = whole / twoRootPi
  // What all roundings took, relative to the value.
  const rest =
    Math.expm1(logScaledGammaRatio(a + 10)) +
    (restOfSum(a, 9.75, t) - restOfProduct(root, root, t)) / (2 * t) +
    (restOfTop - restOfProduct(share, bottom, top)) / top -
    restOfBottom / bottom +
    (restOfProduct(root, share, whole) - restOfProduct(value, twoRootPi, whole)) / whole -
    twoRootPiRest / twoRootPi
  const wide = Math.sqrt(nu)
  const peak = value * wide
  const restOfPeak = rest + restOfProduct(value, wide, peak) / peak - restOfProduct(wide, wide, nu) / (2 * nu)
  return { d0: value + value * rest, peak: peak + peak * restOfPeak }
}

/** (1 + y)^−exponent for x ≥ 0, y = x²/ν. */
const tailPower = (nu: number, exponent: number, x: number, y: number): number => {
  if (y > lone) return (x / Math.sqrt(nu)) ** (-2 * exponent)
  if (exponent > nearNormal) return Math.exp(-exponent * Math.log1p(y))
  // The power has the roundings of the square, the sum and the quotient, times its exponent.
  const high = Math.fround(x)
  const square = x * x
  const sum = nu + square
  const base = sum / nu
  const rest = restOfSum(nu, square, sum) + (high * high - square + (x - high) * (x + high))
  const power = base ** -exponent
  return power - (power * exponent * (rest - restOfProduct(base, nu, sum))) / sum
}

type Law = Pick<StudentT, "nu" | "sf" | "pdf">

/** Halley's step for the cdf or the tail; `newton` is Newton's. */
const halley = (nu: number, x: number, newton: number): number =>
  newton / (1 - (0.5 * newton * (nu + 1)) / (nu / x + x))

/** P(0 < X ≤ x) / (x · density) − 1: the series of I_z(½, a), z = y / (1 + y), all of whose terms are positive. */
const centreSeries = (nu: number, y: number): number => {
  const z = y / (1 + y)
  let [term, sum] = [1, 0]
  for (let k = 0.5; term > 1e-18; k++) {
    term *= (z * (nu / 2 + k)) / (1 + k)
    sum += term
  }
  return sum
}

/** The x with P(0 < X ≤ x) = r, near 0. */
const centreQuantile = ({ nu, pdf }: Law, r: number, start: number): number => {
  let x = start
  for (let sweep = 0; sweep < 40; sweep++) {
    const step = halley(nu, x, r / pdf(x) - x - x * centreSeries(nu, (x * x) / nu))
    x += step
    if (Math.abs(step) < 1e-5 * x) break
  }
  return x
}

/** The x with P(X > x) = q: Newton's steps for ln tail as a function of ln x, which is concave, and one of Halley's. */
const tailQuantile = ({ nu, sf, pdf }: Law, q: number, start: number): number => {
  let x = start
  for (let sweep = 0; sweep < 40; sweep++) {
    const tail = sf(x)
    const step = (Math.log(tail / q) * tail) / (x * pdf(x))
    x *= Math.exp(step)
    if (x === Number.POSITIVE_INFINITY) return x
    if (Math.abs(step) < 1e-4) break
  }
  return x + halley(nu, x, (sf(x) - q) / pdf(x))
}

const quantileAt = (p: number, t: Law): number => {
  const { nu } = t
  if (!(p >= 0 && p <= 1 && nu / 2 > 0)) return Number.NaN
  if (p === 0) return Number.NEGATIVE_INFINITY
  if (p === 1) return Number.POSITIVE_INFINITY
  const q = p < 0.5 ? p : 1 - p
  if (q === 0.5) return 0
  const [r, z] = [0.5 - q, -normal.quantile(q)]
  // The start of the Cornish–Fisher expansion; r / density at 0 where that is of no use.
  const start = nu < 2 && r < 0.35 ? r / t.pdf(0) : z + (z * z * z + z) / (4 * nu)
  const x = r <= Math.min(0.35, t.pdf(0) * Math.sqrt(nu)) ? centreQuantile(t, r, start) : tailQuantile(t, q, start)
  return p < 0.5 ? -x : x
}

/**
 * Student's t for the given degrees of freedom. Constants of ν are computed here once, so that each probability costs one
 * power, one logarithm, one exponential and a few rational operations.
 *
 * The tail is half of the incomplete beta function I_w(a, ½), a = ν/2, w = ν / (ν + x²) (DLMF 8.17). Ten steps of
 * I_w(a, b) = w^a (1 − w)^b / (a B(a, b)) + I_w(a + 1, b) (DLMF 8.17.20) raise a to A ≥ 10, where the expansion of
 * I_w(A, ½) for large A around erfc holds to rounding: A. R. DiDonato and A. H. Morris, "Algorithm 708: Significant digit
 * computation of the incomplete beta function ratios", ACM TOMS 18 (1992) 360–373, formula (9). Every term of the first
 * part is positive, so both tails keep their digits for every ν.
 *
 * The quantile ends with one step of Halley's method on the tail, or near 0 on the probability between 0 and x, whose
 * series has positive terms only. Powers have the rounding of their base beside them, the constants that of every factor.
 *
 * Against 60-digit values the relative error is at most 1e-15 for ν of 1 to 120 and |x| ≤ 1000, and otherwise at most
 * 3e-15 + 4e-16 · |ln p|.
 *
 * @param nu degrees of freedom, any positive number; from 2⁷⁰ on, ∞ included, it is the normal distribution. When it is
 *   0, negative or NaN, every function gives NaN
 *
 * @example
 * ```ts
 * import * as studentT from "./studentT.ts"
 *
 * const t = studentT.make(4.5)
 * t.cdf(-2) // 0.05412895359056252
 * t.quantile(0.05412895359056252) // -2
 * ```
 */
export const make = (nu: number): StudentT => {
  if (nu >= largest) return { nu, cdf: normal.cdf, sf: normal.sf, pdf: normal.pdf, quantile: normal.quantile }
  const a = nu / 2 > 0 ? nu / 2 : Number.NaN
  const t = a + 9.75
  const r = 1 / (4 * t * t)
  const scale = Math.exp(logScaledGammaRatio(a + 10))
  // d0 … d9: ½ / ((a + k) B(a + k, ½)) = Γ(a + k + ½) / (2√π Γ(a + k + 1)).
  const { d0, peak } = densityConstants(nu)
  const d1 = (d0 * (a + 0.5)) / (a + 1)
  const d2 = (d1 * (a + 1.5)) / (a + 2)
  const d3 = (d2 * (a + 2.5)) / (a + 3)
  const d4 = (d3 * (a + 3.5)) / (a + 4)
  const d5 = (d4 * (a + 4.5)) / (a + 5)
  const d6 = (d5 * (a + 5.5)) / (a + 6)
  const d7 = (d6 * (a + 6.5)) / (a + 7)
  const d8 = (d7 * (a + 7.5)) / (a + 8)
  const d9 = (d8 * (a + 8.5)) / (a + 9)

  /** The probability of more than x ≥ 0. */
  const tail = (x: number): number => {
    if (x === 0 && a > 0) return 0.5
    const y = (x * x) / nu
    const power = tailPower(nu, a, x, y)
    if (y > lone) return Math.min(0.5, power * d0)
    const w = 1 / (1 + y)
    const head =
      power *
      Math.sqrt(y * w) *
      (d0 + w * (d1 + w * (d2 + w * (d3 + w * (d4 + w * (d5 + w * (d6 + w * (d7 + w * (d8 + w * d9)))))))))
    // Below, w¹⁰ is less than 1e-17 of the head.
    if (w < 0.018) return head
    const log = Math.log1p(y)
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
    return Math.min(0.5, head + scale * rest * Math.exp(-u))
  }
  const pdf = (x: number): number => peak * tailPower(nu, a + 0.5, Math.abs(x), (x * x) / nu)
  const sf = (x: number): number => (x > 0 ? tail(x) : 1 - tail(-x))
  const law = { nu, sf, pdf }

  // Methods of one object, not arrow constants: tsx names each arrow at run time, which costs more than the rest.
  return {
    nu,
    sf,
    pdf,
    cdf(x) {
      return x < 0 ? tail(-x) : 1 - tail(x)
    },
    quantile(p) {
      return quantileAt(p, law)
    },
  }
}

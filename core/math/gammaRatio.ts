/**
 * ln(Γ(c + ½) / (Γ(c) · √(c − ¼))) for large c, by the difference of two Stirling series. With t = c − ¼ only even powers
 * occur: Σ 2 B₂ₖ₊₁(¼) / (2k (2k + 1) t²ᵏ), B the Bernoulli polynomials (J. L. Fields, "A note on the asymptotic
 * expansion of a ratio of gamma functions", Proc. Edinburgh Math. Soc. 15 (1966) 43–45).
 *
 * @param c at least 10
 * @returns a number between 0 and 1.7e-4, right to 2e-17
 */
export const logScaledGammaRatio = (c: number): number => {
  const t = c - 0.25
  const s = 1 / (t * t)
  const last = 0.002409029006958008 + s * (-0.006712389489014944 + s * (0.02652419744325535 - s * 0.14109182044194313))
  return s * (0.015625 + s * (-0.00244140625 + s * (0.0012410481770833333 + s * (-0.0013208389282226562 + s * last))))
}

/**
 * Γ(c + ½) / (Γ(c) · √(c − ¼)) for large c.
 *
 * @param c at least 10
 */
export const scaledGammaRatio = (c: number): number => Math.exp(logScaledGammaRatio(c))

/**
 * Γ(c + ½) / Γ(c), without the cancellation and the overflow of two gamma functions.
 *
 * @param c a positive number; 0, negative numbers and NaN give no meaningful value
 * @returns the ratio, about √(c − ¼)
 *
 * @example
 * ```ts
 * import { gammaRatio } from "./gammaRatio.ts"
 *
 * // √π / 2
 * gammaRatio(1) // 0.88622692545275…
 * ```
 */
export const gammaRatio = (c: number): number => {
  let shifted = c
  let factor = 1
  while (shifted < 10) {
    factor *= shifted / (shifted + 0.5)
    shifted += 1
  }
  return factor * Math.sqrt(shifted - 0.25) * scaledGammaRatio(shifted)
}

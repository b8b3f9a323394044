/**
 * The standard normal distribution, accurate relative to the value itself in both tails.
 *
 * The tail is 1 − Φ(x) = exp(−x²/2) · R(x), where R falls slowly and is approximated by one rational function below 2.5
 * and one in 1/x² above; the centre is Φ(x) = ½ + x · C(x²). This division of the line, and the computation of exp(−x²/2)
 * from an x whose square is exact, follow W. J. Cody, "Rational Chebyshev approximations for the error function",
 * Mathematics of Computation 23 (1969) 631–637. The coefficients are this project's own:
 * test/fixtures/normal-rationals.py fits them, and the exact rationals are within 2e-17 of their functions.
 *
 * Against 60-digit values, |x| ≤ 37: absolute error at most 1.3e-16, relative error at most 7e-16. Below −37.5 the values
 * are subnormal and have fewer digits. NaN gives NaN everywhere.
 *
 * @module
 */

const sqrtTwoPi = 2.5066282746310002

/** (Φ(x) − ½) / x as a function of s = x², for |x| ≤ 0.75. */
const centre = (s: number): number =>
  ((((1.4415562444510378e-6 * s + 4.9849294372797334e-5) * s + 0.0035430897084139444) * s + 0.023562997236342493) * s +
    0.3989422804014327) /
  ((((2.2122719123623025e-5 * s + 0.0010417076611738932) * s + 0.021502932471721584) * s + 0.22573034177433485) * s + 1)

const near = (x: number): number =>
  ((((((7.315443124593103e-5 * x + 0.0014812201733785037) * x + 0.01370071732838989) * x + 0.07392569926439621) * x +
    0.24752815291161273) *
    x +
    0.4943618274748984) *
    x +
    0.5) /
  (((((((0.00018336534134150866 * x + 0.00371308372031045) * x + 0.03452186982417548) * x + 0.1890689057294302) * x +
    0.6539544292881093) *
    x +
    1.4205634173756623) *
    x +
    1.7866082157526664) *
    x +
    1)

const far = (s: number): number =>
  ((((((((7166.221155687539 * s + 112379.56356816638) * s + 249308.06631202073) * s + 184813.65772403564) * s +
    59825.7951276904) *
    s +
    9453.521075227303) *
    s +
    750.3887656302032) *
    s +
    28.32296275311781) *
    s +
    0.3989422804014327) /
  ((((((((93302.81122816002 * s + 585059.640789899) * s + 927995.0140665318) * s + 580089.0592715801) * s +
    170531.55284335732) *
    s +
    25445.418640350734) *
    s +
    1949.9408361524304) *
    s +
    71.99513925828577) *
    s +
    1)

/**
 * exp(x²/2) · (1 − Φ(x)) for x ≥ 0: the tail without its exponential, from ½ at 0 down to 1 / (x√2π).
 * Relative error at most 4e-16.
 *
 * @param x at least 0; NaN gives NaN
 *
 * @example
 * ```ts
 * import * as normal from "./normal.ts"
 *
 * normal.scaledTail(0) // 0.5
 * normal.scaledTail(40) // 0.00996733…
 * ```
 */
export const scaledTail = (x: number): number => (x <= 2.5 ? near(x) : far(1 / (x * x)) / x)

/** exp(−x²/2): the square of x rounded to 24 bits is exact; a series corrects for the rounding. */
const gauss = (x: number): number => {
  const rounded = Math.fround(x)
  const rest = (x - rounded) * (x + rounded) * 0.5
  const coarse = Math.exp(-0.5 * rounded * rounded)
  return coarse - coarse * (rest * (1 - rest * (0.5 - rest * 0.16666666666666666)))
}

const tail = (x: number): number => (x > 39 ? 0 : gauss(x) * scaledTail(x))

/**
 * Φ(x), the probability that a standard normal variable is at most `x`.
 *
 * @param x any number; −∞ gives 0, ∞ gives 1
 * @returns a probability in [0, 1]; for negative x correct relative to its own size down to 5e-324
 *
 * @example
 * ```ts
 * import * as normal from "./normal.ts"
 *
 * normal.cdf(0) // 0.5
 * normal.cdf(-10) // 7.619853024160527e-24
 * ```
 */
export const cdf = (x: number): number => (x >= 0.75 ? 1 - tail(x) : x > -0.75 ? 0.5 + x * centre(x * x) : tail(-x))

/**
 * The survival function 1 − Φ(x), correct relative to its own size for large `x`, where 1 − cdf(x) is not.
 *
 * @example
 * ```ts
 * import * as normal from "./normal.ts"
 *
 * normal.sf(10) // 7.619853024160527e-24
 * ```
 */
export const sf = (x: number): number => cdf(-x)

/**
 * The density exp(−x²/2) / √2π.
 *
 * @example
 * ```ts
 * import * as normal from "./normal.ts"
 *
 * normal.pdf(0) // 0.3989422804014327
 * ```
 */
export const pdf = (x: number): number => (Math.abs(x) > 39 ? 0 : gauss(x) / sqrtTwoPi)

/** The x ≥ 0 with 1 − Φ(x) = q, 0 < q ≤ ½. */
const tailQuantile = (q: number): number => {
  if (q > 0.25) {
    const rise = 0.5 - q
    let x = rise * sqrtTwoPi
    for (let sweep = 0; sweep < 6; sweep++) x += (rise - x * centre(x * x)) / pdf(x)
    return x
  }
  // ln(1 − Φ) is concave and 1 − Φ(x) ≤ ½ exp(−x²/2): Newton's steps from there fall towards the root and never pass it.
  const goal = Math.log(q)
  let x = Math.sqrt(-2 * Math.log(2 * q))
  for (let sweep = 0; sweep < 20; sweep++) {
    const scaled = scaledTail(x)
    const step = (Math.log(scaled) - 0.5 * x * x - goal) * scaled * sqrtTwoPi
    x += step
    if (Math.abs(step) < 1e-8 * x) break
  }
  return x
}

/**
 * The x with Φ(x) = `p`: Newton's method on the logarithm of the tail, on the distance from ½ in the middle.
 * Relative error at most 1e-15 (for `p` taken as exact).
 *
 * @param p a probability; 0 gives −∞, 1 gives ∞, anything outside [0, 1] gives NaN
 *
 * @example
 * ```ts
 * import * as normal from "./normal.ts"
 *
 * normal.quantile(0.975) // 1.959963984540054
 * ```
 */
export const quantile = (p: number): number => {
  if (!(p >= 0 && p <= 1)) return Number.NaN
  if (p === 0) return Number.NEGATIVE_INFINITY
  if (p === 1) return Number.POSITIVE_INFINITY
  return p < 0.5 ? -tailQuantile(p) : tailQuantile(1 - p)
}

/**
 * The standard normal distribution, accurate relative to the value itself in both tails.
 *
 * The tail is 1 − Φ(x) = exp(−x²/2) · R(x), where R falls slowly and is approximated by one rational function below 2.5
 * and one in 1/x² above; the centre is Φ(x) = ½ + x · C(x²). This division of the line, and the computation of exp(−x²/2)
 * from an x whose square is exact, follow W. J. Cody, "Rational Chebyshev approximations for the error function",
 * Mathematics of Computation 23 (1969) 631–637. The coefficients are this project's own:
 * test/fixtures/normal-rationals.py fits them, and the exact rationals are within 2e-17 of their functions (those of the
 * quantile's centre within 9e-17 of a quarter of it).
 *
 * Below −37.5 the values are subnormal and have fewer digits. NaN gives NaN everywhere.
 *
 * @module
 */
import { restOfProduct } from "./rounding.ts"

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
 *
 * @param x at least 0; NaN gives NaN
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

/** The survival function 1 − Φ(x), correct relative to its own size for large `x`, where 1 − cdf(x) is not. */
export const sf = (x: number): number => cdf(-x)

/** The density exp(−x²/2) / √2π. */
export const pdf = (x: number): number => (Math.abs(x) > 39 ? 0 : gauss(x) / sqrtTwoPi)

/** √2π in 24 bits, and the rest. */
const [rootHigh, rootLow] = [2.5066282749176025, -2.866020366467347e-10]

/** (x / r − √2π) / r² as a function of t = .180625 − r², where Φ(x) = ½ + r, |r| ≤ .425. */
const bend = (t: number): number =>
  (((((((472.47915604464964 * t + 32085.846858515262) * t + 78053.15157003772) * t + 57968.43908780637) * t +
    18228.07716764604) *
    t +
    2709.3337422073687) *
    t +
    187.75300661341544) *
    t +
    4.874765941399952) /
  (((((((17339.474910465542 * t + 60908.38050842682) * t + 64332.39095719154) * t + 29302.008640966935) * t +
    6616.050130475947) *
    t +
    772.6079462527886) *
    t +
    44.53960427347539) *
    t +
    1)

/** The x with Φ(x) = ½ + r + rest: its greatest part r√2π is exact, and r² has its rounding beside it. */
const centreQuantile = (r: number, rest: number): number => {
  const [high, s] = [Math.fround(r), r * r]
  const low = r - high
  const below = high * high - s + low * (r + high)
  const slope = bend(0.180625 - s)
  // The rounding error. φ(x) to two digits is enough for a rest beneath the last digit of r.
  const lost = low * rootHigh + r * rootLow + 2 * r * slope * below + rest / (0.3989 - (1.2533 + 0.9 * s) * s)
  return high * rootHigh + (r * s * slope + lost)
}

/** The x with 1 − Φ(x) = q, 0 < q < .075, to seven digits: routine PPND7 of AS241. */
const roughly = (r: number): number => {
  if (r <= 5) {
    const t = r - 1.6
    return (
      (((0.17023821103 * t + 1.3067284816) * t + 2.75681539) * t + 1.4234372777) /
      ((0.12021132975 * t + 0.7370016425) * t + 1)
    )
  }
  const t = r - 5
  return (
    (((0.017337203997 * t + 0.42868294337) * t + 3.081226386) * t + 6.657905115) /
    ((0.012258202635 * t + 0.24197894225) * t + 1)
  )
}

/** One step of Halley's method for ln(1 − Φ) from an x that has 24 bits, so that its square is exact. */
const tailQuantile = (q: number): number => {
  const goal = Math.log(q)
  const root = Math.sqrt(-goal)
  const x = Math.fround(roughly(root))
  const [scaled, half] = [scaledTail(x), -0.5 * x * x]
  const gap = root <= 5 ? restOfProduct(Math.exp(half), scaled, q) / q : Math.exp(half - goal) * scaled - 1
  const log = gap * (1 - gap * (0.5 - gap * 0.3333333333333333))
  const mills = scaled * sqrtTwoPi
  return x + (log * mills) / (1 + 0.5 * log * (1 - x * mills))
}

/**
 * The x with Φ(x) = `p`. For p of .075 to .925 a rational function of (p − ½)², otherwise the start of algorithm AS 241
 * of M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988)
 * 477–484, and one step of Halley's method on the logarithm of the tail.
 * Of 50,000 drawn p of .004 to .925 five exceeded a relative error of 2e-16, by up to 2.4e-16 in all.
 *
 * @param p a probability; 0 gives −∞, 1 gives ∞, anything outside [0, 1] gives NaN
 *
 * @example
 * ```ts
 * import * as normal from "./normal.ts"
 *
 * normal.quantile(0.975) // 1.95996398454005…
 * ```
 */
export const quantile = (p: number): number => {
  const r = p - 0.5
  if (Math.abs(r) <= 0.425) return centreQuantile(r, p - (r + 0.5))
  if (!(p >= 0 && p <= 1)) return Number.NaN
  if (p === 0) return Number.NEGATIVE_INFINITY
  if (p === 1) return Number.POSITIVE_INFINITY
  return p < 0.5 ? -tailQuantile(p) : tailQuantile(1 - p)
}

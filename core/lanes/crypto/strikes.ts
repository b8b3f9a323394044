const count = 21
/** Of spot: finer steps than a tape that stood still would ask for. */
const leastSigma = 1e-6

/** A step of 1, 2 or 5 times a power of ten. */
interface Step {
  readonly digit: 1 | 2 | 5
  readonly exponent: number
}

const digits = [1, 2, 5] as const

const valueOf = ({ digit, exponent }: Step): number => times(1, { digit, exponent })

/** n steps, rounded once: powers of ten with a negative exponent are no doubles, their reciprocals are. */
const times = (n: number, { digit, exponent }: Step): number =>
  exponent < 0 ? (n * digit) / 10 ** -exponent : n * digit * 10 ** exponent

/** The nearest step; between two at the same distance, the smaller. */
const nearest = (size: number): Step => {
  const exponent = Math.floor(Math.log10(size))
  const steps = [exponent - 1, exponent, exponent + 1].flatMap((power) =>
    digits.map((digit): Step => ({ digit, exponent: power })),
  )
  return steps.reduce((best, step) => (Math.abs(valueOf(step) - size) < Math.abs(valueOf(best) - size) ? step : best))
}

const smaller = ({ digit, exponent }: Step): Step =>
  digit === 1 ? { digit: 5, exponent: exponent - 1 } : { digit: digit === 5 ? 2 : 1, exponent }

/**
 * The strikes of an answer that was asked for none: 21 multiples of one step, rising, the middle one nearest to spot. The
 * step is the 1, 2 or 5 times a power of ten nearest to sigmaLn · spot / 4, so that they reach about two and a half times
 * the expected move to either side; it is smaller where the lowest strike would not be positive.
 *
 * @param spot US dollars, positive
 * @param sigmaLn of the distribution at the horizon, ≥ 0; taken as at least one millionth
 * @returns US dollars
 *
 * @example
 * import { strikesOf } from "./strikes.ts"
 *
 * strikesOf(65_012, 0.006) // step 100: [64000, 64100, …, 66000]
 */
export const strikesOf = (spot: number, sigmaLn: number): ReadonlyArray<number> => {
  const half = (count - 1) / 2
  let step = nearest((Math.max(sigmaLn, leastSigma) * spot) / 4)
  let middle = Math.round(spot / valueOf(step))
  while (middle <= half) {
    step = smaller(step)
    middle = Math.round(spot / valueOf(step))
  }
  return Array.from({ length: count }, (_, at) => times(middle - half + at, step))
}

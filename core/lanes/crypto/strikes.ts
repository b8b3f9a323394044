const strikeCount = 21
/** Lower bound of sigma, for a tape that did not move. */
const minSigma = 1e-6

/**
 * The default strikes: 21 multiples of one step, rising, the middle one nearest to spot. The step is 1, 2 or 5 times a
 * power of ten, nearest to sigmaLn · spot / 4 (the smaller of two at the same distance): the strikes reach about 2.5 times
 * the expected move to either side. The step is smaller if the lowest strike would not be positive.
 *
 * @param spot US dollars, positive
 * @param sigmaLn of the distribution at the horizon, ≥ 0; taken as at least one millionth
 * @returns US dollars; each equals `Number()` of its decimal text (0.3, not 0.30000000000000004)
 */
export const chooseStrikes = (spot: number, sigmaLn: number): ReadonlyArray<number> => {
  const half = (strikeCount - 1) / 2
  const size = (Math.max(sigmaLn, minSigma) * spot) / 4
  const exponent = Math.floor(Math.log10(size))
  const leading = size / 10 ** exponent
  const nearest = leading <= 1.5 ? 0 : leading <= 3.5 ? 1 : leading <= 7.5 ? 2 : 3
  // Steps by index: 0 is 1, 1 is 2, 2 is 5, 3 is 10, -1 is 0.5.
  for (let index = 3 * exponent + nearest; ; index--) {
    const power = Math.floor(index / 3)
    // A power of ten below 1 is not a double, its reciprocal is.
    const numerator = [1, 2, 5][index - 3 * power]! * 10 ** Math.max(power, 0)
    const denominator = 10 ** Math.max(-power, 0)
    const lowest = Math.round((spot * denominator) / numerator) - half
    // NaN ends the loop too.
    if (!(lowest <= 0)) return Array.from({ length: strikeCount }, (_, up) => ((lowest + up) * numerator) / denominator)
  }
}

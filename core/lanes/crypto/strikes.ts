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
 * @returns US dollars; each the double nearest to its decimal
 */
export const chooseStrikes = (spot: number, sigmaLn: number): ReadonlyArray<number> => {
  const half = (strikeCount - 1) / 2
  const size = (Math.max(sigmaLn, minSigma) * spot) / 4
  let exponent = Math.floor(Math.log10(size))
  const leading = size / 10 ** exponent
  let digit = leading <= 1.5 ? 1 : leading <= 3.5 ? 2 : leading <= 7.5 ? 5 : 10
  for (;;) {
    // The step is digit · up / down: a power of ten below 1 is not a double, its reciprocal is.
    const up = exponent > 0 ? 10 ** exponent : 1
    const down = exponent < 0 ? 10 ** -exponent : 1
    const lowest = Math.round((spot * down) / (digit * up)) - half
    if (!(lowest <= 0)) {
      const strikes: Array<number> = []
      for (let at = 0; at < strikeCount; at++) strikes.push(((lowest + at) * digit * up) / down)
      return strikes
    }
    if (digit === 1) {
      digit = 5
      exponent -= 1
    } else digit = digit === 10 ? 5 : digit === 5 ? 2 : 1
  }
}

/**
 * Discretised normal density with weights; sums to 1.
 *
 * @param from the first number
 * @param size how many there are
 */
export const bell = (
  from: number,
  size: number,
  mean: number,
  sigma: number,
  weightOf: (number: number) => number,
): Float64Array => {
  const pmf = new Float64Array(size)
  let sum = 0
  for (let at = 0; at < size; at++) {
    const z = (at + from - mean) / sigma
    const p = weightOf(at + from) * Math.exp(-0.5 * z * z)
    pmf[at] = p
    sum += p
  }
  for (let at = 0; at < size; at++) pmf[at]! /= sum
  return pmf
}

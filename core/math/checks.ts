/*
 * The checks of arguments that scores, intervals and the removal of margins share. Each throws a RangeError whose sentence
 * has the value.
 */

/** `p`, if it is a probability. */
export const probability = (p: number): number => {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`The probability ${p} is not between 0 and 1.`)
  return p
}

/** `value`, if it is a number other than NaN and the infinities. */
export const finite = (name: string, value: number): number => {
  if (!Number.isFinite(value)) throw new RangeError(`The ${name} ${value} is not a finite number.`)
  return value
}

/** `value`, if it is a whole number. */
export const integer = (name: string, value: number): number => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`The ${name} ${value} is not a whole number.`)
  return value
}

/** `value`, if it is a whole number of at least `least`. */
export const checkedInteger = (name: string, value: number, least: number): number => {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`The ${name} ${value} is not a whole number of at least ${least}.`)
  }
  return value
}

/** Throws unless the lists have one length. */
export const sameLength = (...lengths: ReadonlyArray<readonly [name: string, length: number]>): void => {
  const [[name, length] = ["", 0], ...others] = lengths
  for (const [other, otherLength] of others) {
    if (otherLength !== length) throw new RangeError(`There are ${length} ${name} and ${otherLength} ${other}.`)
  }
}

/** How far a sum of probabilities may be from 1 by rounding. */
const slack = 1e-9

/** Throws unless the probabilities lie in [0, 1] and sum to 1 within 1e-9. */
export const distribution = (probabilities: ArrayLike<number>): void => {
  let sum = 0
  for (let at = 0; at < probabilities.length; at++) sum += probability(probabilities[at]!)
  if (!(Math.abs(sum - 1) <= slack)) throw new RangeError(`The probabilities sum to ${sum}, not to 1.`)
}

import type { Confidence } from "../endpoint/Answer.ts"

/** An input with its value, and its multiplier, which is absent if the input does not change the score. */
export type Factor = readonly [input: string, multiplier?: number]

/** The base times all multipliers, in order. */
export const multiplyFactors = (base: number, factors: ReadonlyArray<Factor>): number =>
  factors.reduce((score, [, multiplier = 1]) => score * multiplier, base)

/** The lines of `_confidence.factors`: the base, which says what kind of number the score is, then `lead 1.5 days: ×0.91`. */
export const toFactorLines = (base: number, factors: ReadonlyArray<Factor>): ReadonlyArray<string> => [
  `base ${base.toFixed(2)} of a score judged by hand: not a probability, not calibrated`,
  ...factors.map(([input, multiplier]) => (multiplier === undefined ? input : `${input}: ×${multiplier.toFixed(2)}`)),
]

/** One factor for all quality flags together; empty without flags. */
export const toFlagFactor = (flags: ReadonlyArray<string>, multiplier: number): ReadonlyArray<Factor> =>
  flags.length === 0 ? [] : [[`quality flag${flags.length === 1 ? "" : "s"} ${flags.join(", ")}`, multiplier]]

/** The smallest multiplier by a track record. */
const minRecordFactor = 0.5

/**
 * The factor for the track records of model and market on the same outcomes, as mean errors. If the model's error is larger,
 * it is the ratio of the market's error to the model's, but at least one half.
 */
export const toRecordFactor = (input: string, model: number, market: number): Factor => [
  input,
  model > market ? Math.max(minRecordFactor, market / model) : 1,
]

/** A confidence with the base times all multipliers, to two decimals, as its score. */
export const scored = (label: Confidence["label"], base: number, factors: ReadonlyArray<Factor>): Confidence => ({
  score: Math.round(multiplyFactors(100 * base, factors)) / 100,
  label,
  factors: toFactorLines(base, factors),
})

export const recorded = (score: number, ...factors: ReadonlyArray<string>): Confidence => ({
  score,
  label: "settlement",
  factors,
})

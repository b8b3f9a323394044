import type { Confidence } from "../endpoint/Answer.ts"

/** An input with its value, and its multiplier; absent where the input does not change the score. */
export type Factor = readonly [input: string, multiplier?: number]

/** The base times all multipliers, in order. */
export const product = (base: number, factors: ReadonlyArray<Factor>): number =>
  factors.reduce((score, [, multiplier = 1]) => score * multiplier, base)

/** `_confidence.factors`: the base, which says what kind of number the score is, and `lead 1.5 days: ×0.91`. */
export const factorLines = (base: number, factors: ReadonlyArray<Factor>): ReadonlyArray<string> => [
  `base ${base.toFixed(2)} of a score judged by hand: not a probability, not calibrated`,
  ...factors.map(([input, multiplier]) => (multiplier === undefined ? input : `${input}: ×${multiplier.toFixed(2)}`)),
]

/** One factor for all quality flags together; none without flags. */
export const flagFactor = (flags: ReadonlyArray<string>, multiplier: number): ReadonlyArray<Factor> =>
  flags.length === 0 ? [] : [[`quality flag${flags.length === 1 ? "" : "s"} ${flags.join(", ")}`, multiplier]]

/** The least that a record leaves of a score. */
const leastOfRecord = 0.5

/**
 * The record of a model and the market on the same outcomes, as mean errors: lower is better. A model that is behind
 * counts less, by the market's error as a share of its own, but not below a half.
 */
export const recordFactor = (input: string, model: number, market: number): Factor => [
  input,
  model > market ? Math.max(leastOfRecord, market / model) : 1,
]

/** A score of two decimals, the base times all multipliers, with the lines that explain it. */
export const scored = (label: Confidence["label"], base: number, factors: ReadonlyArray<Factor>): Confidence => ({
  score: Math.round(product(100 * base, factors)) / 100,
  label,
  factors: factorLines(base, factors),
})

/** The score of recorded values, with the lines that explain it. */
export const recorded = (score: number, ...factors: ReadonlyArray<string>): Confidence => ({
  score,
  label: "settlement",
  factors,
})

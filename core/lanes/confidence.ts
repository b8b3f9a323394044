import type { Confidence } from "../endpoint/Answer.ts"

/** An input with its value, and its multiplier; absent where the input does not change the score. */
export type Factor = readonly [input: string, multiplier?: number]

/** The base times all multipliers, in order. */
export const product = (base: number, factors: ReadonlyArray<Factor>): number =>
  factors.reduce((score, [, multiplier = 1]) => score * multiplier, base)

/** `_confidence.factors`: `base 0.90`, `lead 1.5 days: ×0.91`. */
export const factorLines = (base: number, factors: ReadonlyArray<Factor>): ReadonlyArray<string> => [
  `base ${base.toFixed(2)}`,
  ...factors.map(([input, multiplier]) => (multiplier === undefined ? input : `${input}: ×${multiplier.toFixed(2)}`)),
]

/** One factor for all quality flags together; none without flags. */
export const flagFactor = (flags: ReadonlyArray<string>, multiplier: number): ReadonlyArray<Factor> =>
  flags.length === 0 ? [] : [[`quality flag${flags.length === 1 ? "" : "s"} ${flags.join(", ")}`, multiplier]]

/** A score of two decimals, the base times all multipliers, with the lines that explain it. */
export const scored = (label: Confidence["label"], base: number, factors: ReadonlyArray<Factor>): Confidence => ({
  score: Math.round(product(100 * base, factors)) / 100,
  label,
  factors: factorLines(base, factors),
})

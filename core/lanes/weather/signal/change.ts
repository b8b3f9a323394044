import { clamp } from "../guidance/stack.ts"
import type { Site } from "../stations.ts"
import artefact from "./change.json" with { type: "json" }
import { dayOfYear, dot, harmonics, type Variable } from "./temperature.ts"

/*
 * A day-ahead high that differs much from the one forecast for the day before belongs to a front, whose error is larger and
 * often to one side. Mean and logarithm of the spread are linear in the rise and the fall, and in the season.
 */

/** Coefficients of `changeTerms`. */
export interface ChangeRule {
  /** Degrees Fahrenheit added to the mean. */
  readonly mean: ReadonlyArray<number>
  /** Added to the logarithm of the standard deviation. */
  readonly logSigma: ReadonlyArray<number>
}

/** The rules of stations with enough recorded days, of highs a day ahead; `npm run train:changes` fits them. */
const rules: Readonly<Record<string, ChangeRule>> = artefact.stations

/** The bucket of leads from half a day to one and a half. */
export const dayAhead = 1

/** The rule of a forecast; undefined where none was fitted. */
export const changeRule = ({ id }: Pick<Site, "id">, variable: Variable, bucket: number): ChangeRule | undefined =>
  variable === "high" && bucket === dayAhead ? rules[id] : undefined

/** Larger changes count as this one: there are none in the fit, but for errors of archives. */
const farthest = 20

/**
 * 1, rise and fall in tens of degrees, cos w and sin w of the day.
 *
 * @param change the forecast of this day less that of the day before, at the same lead, degrees Fahrenheit
 */
export const changeTerms = (day: string, change: number): ReadonlyArray<number> => {
  const [one, cos, sin] = harmonics(dayOfYear(day)) as [number, number, number]
  const tens = clamp(change, [-farthest, farthest]) / 10
  return [one, Math.max(0, tens), Math.max(0, -tens), cos, sin]
}

/** Bias and spread of a law with what the rule adds. */
export const withChange = <Law extends { readonly bias: number; readonly sigma: number }>(
  law: Law,
  { mean, logSigma }: ChangeRule,
  terms: ReadonlyArray<number>,
): Law => ({ ...law, bias: law.bias + dot(mean, terms), sigma: law.sigma * Math.exp(dot(logSigma, terms)) })

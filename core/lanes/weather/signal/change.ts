import { clamp } from "../guidance/stack.ts"
import type { Site } from "../stations.ts"
import artefact from "./change.json" with { type: "json" }
import { dayOfYear, dot, harmonics, type Variable } from "./temperature.ts"

/*
 * If a day-ahead high differs much from the one that was forecast for the day before, a front is passing, and errors are
 * larger and often to one side. Mean and logarithm of the spread are linear in the rise, the fall and the season.
 */

/** Coefficients of the terms of `toChangeTerms`. */
export interface ChangeRule {
  /** Degrees Fahrenheit added to the mean. */
  readonly mean: ReadonlyArray<number>
  /** Added to the logarithm of the standard deviation. */
  readonly logSigma: ReadonlyArray<number>
}

/** The rules for day-ahead highs, by station, fitted by `npm run train:changes` where enough days are recorded. */
const rules: Readonly<Record<string, ChangeRule>> = artefact.stations

/** The lead bucket from half a day to one and a half days. */
export const dayAheadBucket = 1

/** The rule for a forecast; undefined if none was fitted. */
export const findChangeRule = ({ id }: Pick<Site, "id">, variable: Variable, bucket: number): ChangeRule | undefined =>
  variable === "high" && bucket === dayAheadBucket ? rules[id] : undefined

/** Larger changes are clipped to this, °F: the data of the fit have none, except for errors of archives. */
const maxChangeF = 20

/**
 * The terms of a rule: 1, rise and fall in tens of degrees, and cos w and sin w of the day of the year.
 *
 * @param change the forecast of this day minus that of the day before, at the same lead, degrees Fahrenheit
 */
export const toChangeTerms = (day: string, change: number): ReadonlyArray<number> => {
  const [one, cos, sin] = harmonics(dayOfYear(day)) as [number, number, number]
  const tens = clamp(change, [-maxChangeF, maxChangeF]) / 10
  return [one, Math.max(0, tens), Math.max(0, -tens), cos, sin]
}

export const addChange = <Law extends { readonly bias: number; readonly sigma: number }>(
  law: Law,
  { mean, logSigma }: ChangeRule,
  terms: ReadonlyArray<number>,
): Law => ({ ...law, bias: law.bias + dot(mean, terms), sigma: law.sigma * Math.exp(dot(logSigma, terms)) })

import { byMonth, type Label, partLabel } from "../../../core/record/scoreboard/divisions.ts"
import type { Case, Division, Kind } from "./Task.ts"

/** The month of the question, of all years. */
export const month: Division<unknown, unknown, unknown> =
  () =>
  ({ at }) =>
    partLabel(byMonth, at)

/** The third of a number among all: low, middle, high. */
export const thirds = (values: ReadonlyArray<number>): ((value: number) => Label) => {
  const sorted = values.toSorted((a, b) => a - b)
  const bounds = [1, 2].map((third) => sorted[Math.floor((third * sorted.length) / 3)]!)
  return (value) => {
    const place = bounds.filter((bound) => value >= bound).length
    return [place, ["lowest third", "middle third", "highest third"][place]!]
  }
}

/** The cases of a division with its parts as their groups, and the parts in their order. */
export const divided = <Question, Forecast, Outcome>(
  cases: ReadonlyArray<Case<Question, Outcome>>,
  contenders: ReadonlyArray<{ readonly kind: Kind; readonly forecasts: ReadonlyMap<string, Forecast> }>,
  division: Division<Question, Forecast, Outcome>,
): { readonly cases: ReadonlyArray<Case<Question, Outcome>>; readonly groups: ReadonlyArray<string> } => {
  const label = division(cases, (kind, id) => contenders.find((one) => one.kind === kind)?.forecasts.get(id))
  const places = new Map<string, number>()
  const labelled = cases.flatMap((each) => {
    const part = label(each)
    if (part === undefined) return []
    places.set(part[1], part[0])
    return [{ ...each, groups: [part[1]] }]
  })
  const groups = [...places].sort(([, a], [, b]) => a - b).map(([name]) => name)
  return { cases: labelled, groups }
}

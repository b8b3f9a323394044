/** @jsxRuntime automatic @jsxImportSource preact */
import type { leads } from "../../../core/record/scoreboard/board.ts"
import { isDay, iso } from "../../../core/time.ts"

/*
 * Fields of forms that filter a list by GET.
 */

/** Lead times in words. */
export const leadNames: Readonly<Record<(typeof leads)[number]["name"], string>> = {
  over_24h: "over 24 h",
  "6_to_24h": "6 to 24 h",
  "1_to_6h": "1 to 6 h",
  under_1h: "under 1 h",
}

export const Choice = ({
  name,
  label,
  value,
  options,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
}) => (
  <span class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {options.map(([each, words]) => (
        <option key={each} value={each} selected={each === value}>
          {words}
        </option>
      ))}
    </select>
  </span>
)

/** A day in UTC, by its midnight in epoch milliseconds. */
export const DateField = ({
  name,
  label,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly value: number | undefined
}) => (
  <span class="field">
    <label for={name}>{label}</label>
    <input id={name} name={name} type="date" value={value === undefined ? "" : iso(value).slice(0, 10)} />
  </span>
)

/** One of some values in a query; any other text is none of them. */
export const choiceIn = <A extends string>(
  query: URLSearchParams,
  name: string,
  values: ReadonlyArray<A>,
): A | undefined => values.find((value) => value === query.get(name))

/** The midnight of a day in a query, epoch milliseconds. */
export const dateIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name) ?? ""
  return isDay(text) ? Date.parse(text) : undefined
}

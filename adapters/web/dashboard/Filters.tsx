/** @jsxRuntime automatic @jsxImportSource preact */
import { change, type Failure, fail } from "../../../core/Failure.ts"
import { addDays, day, dayOf, isDay } from "../../../core/time.ts"
import { addressWith } from "../view/addresses.ts"
import { modeIn, withMode } from "./mode.tsx"

/** A filter of a page: a choice, a UTC day or an id, under its name in the page's address. */
export interface Filter {
  readonly name: string
  readonly label: string
  /** Values and their words. Absent: free text. */
  readonly choices?: ReadonlyArray<readonly [value: string, words: string]>
  /** The words for no choice; absent: there is always one. */
  readonly all?: string
  readonly isDay?: boolean
  /** Shown where the address has none. */
  readonly initial?: string
}

export interface Wrong {
  /** A filter's name. */
  readonly field: string
  readonly message: string
}

/** Reads the filters in a page's address. Wrong ones are collected, so that all of them are named at once. */
export const reading = (query: URLSearchParams) => {
  const wrong: Array<Wrong> = []
  const text = (name: string): string | undefined => {
    const given = query.get(name)?.trim() ?? ""
    return given === "" ? undefined : given
  }
  const refuse = (field: string, message: string): undefined => {
    wrong.push({ field, message })
    return undefined
  }
  return {
    wrong,
    refuse,
    text,
    /** One of the values; undefined: absent or wrong. */
    one: <A,>(name: string, values: ReadonlyMap<string, A>, message: string): A | undefined => {
      const given = text(name)
      if (given === undefined) return undefined
      return values.has(given) ? values.get(given) : refuse(name, message)
    },
    /** The beginning of a UTC day, epoch milliseconds. */
    day: (name: string): number | undefined => {
      const given = text(name)
      if (given === undefined) return undefined
      return isDay(given) && given >= "1970" && given < "3000"
        ? Date.parse(`${given}T00:00:00Z`)
        : refuse(name, "Write a day as year, month and day, such as 2026-11-01; this one does not exist.")
    },
  }
}

/** Values by themselves, of which a filter offers and takes each. */
export const byName = <A extends string>(values: Iterable<A>): ReadonlyMap<string, A> =>
  new Map(Array.from(values, (value) => [value, value]))

/** Wrong filters as a failure, for answers that are no pages. */
export const refusal = (wrong: ReadonlyArray<Wrong>): Failure =>
  fail("invalid_parameter", {
    hints: wrong.map(({ field, message }) => change(field, `${field}: ${message}`)),
  })

/** The end of the day that begins then. */
export const endOfDay = (at: number): number => at + day

/** The day before an end, as people name a range. */
export const lastDay = (end: number): string => addDays(dayOf(end), -1)

/** The address of a page with its filters, and some of them changed. */
export const filteredAddress = (
  path: string,
  query: URLSearchParams,
  names: ReadonlyArray<string>,
  changes: Readonly<Record<string, string>> = {},
): string =>
  addressWith(path, { ...Object.fromEntries(names.map((name) => [name, query.get(name)?.trim()])), ...changes })

const Control = ({
  filter: { name, choices, all, isDay: isDate, initial },
  value,
  notes,
}: {
  readonly filter: Filter
  readonly value: string
  readonly notes: { readonly "aria-invalid"?: "true"; readonly "aria-describedby"?: string }
}) => {
  const shown = value === "" ? (initial ?? "") : value
  const common = { id: `filter-${name}`, name, ...notes }
  if (isDate === true) return <input {...common} type="date" value={shown} />
  return choices === undefined ? (
    <input {...common} type="text" value={shown} />
  ) : (
    <select {...common}>
      {all !== undefined && <option value="">{all}</option>}
      {choices.map(([each, words]) => (
        <option key={each} value={each} selected={each === shown}>
          {words}
        </option>
      ))}
    </select>
  )
}

/** The filters of a page as a form that changes its address. */
export const Filters = ({
  filters,
  query,
  wrong,
  path,
}: {
  readonly filters: ReadonlyArray<Filter>
  readonly query: URLSearchParams
  readonly wrong: ReadonlyArray<Wrong>
  readonly path: string
}) => {
  const known = new Set(filters.map(({ name }) => name))
  const others = wrong.filter(({ field }) => !known.has(field))
  const mode = modeIn(query)
  return (
    <form class="filters" action={path}>
      {mode !== undefined && <input type="hidden" name="mode" value={mode} />}
      {others.length > 0 && (
        <p class="error" role="alert">
          {others.map(({ message }) => message).join(" ")}
        </p>
      )}
      {filters.map((filter) => {
        const { name, label } = filter
        const messages = wrong.flatMap(({ field, message }) => (field === name ? [message] : []))
        const id = `filter-${name}-error`
        return (
          <div key={name} class="field">
            <label for={`filter-${name}`}>{label}</label>
            <Control
              filter={filter}
              value={query.get(name)?.trim() ?? ""}
              notes={messages.length === 0 ? {} : { "aria-invalid": "true", "aria-describedby": id }}
            />
            {messages.length > 0 && (
              <span class="error" id={id} role="alert">
                {messages.join(" ")}
              </span>
            )}
          </div>
        )
      })}
      <button type="submit">Show</button>
      {[...query.keys()].some((name) => name !== "mode") && <a href={withMode(path, query)}>Clear</a>}
    </form>
  )
}

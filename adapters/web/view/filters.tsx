/** @jsxRuntime automatic @jsxImportSource preact */
import { change, type Failure, fail } from "../../../core/Failure.ts"
import { type Lead, leads } from "../../../core/record/scoreboard/divisions.ts"
import { type Domain, domains } from "../../../core/record/scoreboard/Settled.ts"
import { addDays, day, dayOf, isDay } from "../../../core/time.ts"
import { addressWith } from "./addresses.ts"
import { dayText } from "./dates.ts"

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
export const makeFilterReader = (query: URLSearchParams) => {
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
    one: <A,>(name: string, values: ReadonlyMap<string, A>, message = "There is no such choice."): A | undefined => {
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

/** What is wrong with where a page of a list begins. */
export const badPlace = "This page link is invalid. The list begins with the newest."

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

const wordsOf = (choices: Filter["choices"] = [], value: string): string =>
  choices.find(([each]) => each === value)?.[1] ?? value

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
  if (isDate === true) return <input {...common} type="date" min="1970-01-01" value={shown} />
  return choices === undefined ? (
    <input {...common} type="search" value={shown} />
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

interface Props {
  readonly filters: ReadonlyArray<Filter>
  readonly query: URLSearchParams
  readonly wrong: ReadonlyArray<Wrong>
  readonly path: string
  /** Parts of the address that are no filters, and stay. */
  readonly kept?: Readonly<Record<string, string | undefined>>
  /** Whether they are folded in a wide window too. */
  readonly isFolded?: boolean
}

/** The filters in use, each with the way to the list without it. */
const InUse = ({ filters, query, path, kept = {} }: Props) => {
  const given = filters.flatMap((filter) => {
    const value = query.get(filter.name)?.trim() ?? ""
    return value === "" ? [] : [{ ...filter, value }]
  })
  const values = Object.fromEntries(given.map(({ name, value }) => [name, value]))
  // What is always chosen, such as an interval, cannot be taken away.
  const chips = given.filter(({ choices, all }) => choices === undefined || all !== undefined)
  // A text alone can be taken away in its own field.
  return chips.length === 0 || filters.length === 1 ? null : (
    <p class="chips">
      {chips.map(({ name, label, choices, isDay: isDate, value }) => (
        <a key={name} class="chip" href={addressWith(path, { ...kept, ...values, [name]: undefined })}>
          <span class="unseen">Remove </span>
          {label.replace(/ \(.*/, "")}: {isDate === true && isDay(value) ? dayText(value) : wordsOf(choices, value)}
          <span aria-hidden="true"> ×</span>
        </a>
      ))}
      {chips.length > 1 && <a href={addressWith(path, kept)}>Clear all</a>}
    </p>
  )
}

/** The filters of a page as a form that changes its address; on a phone several are folded. A script sends it when one is chosen (`browser/filters.js`). */
export const Filters = (props: Props) => {
  const { filters, query, wrong, path, kept = {}, isFolded = false } = props
  const names = new Set(filters.map(({ name }) => name))
  const others = wrong.filter(({ field }) => !names.has(field))
  return (
    <>
      {filters.length > 1 && (
        <details class={isFolded ? "menu fold always" : "menu fold"} open={wrong.length > 0}>
          <summary>Filters</summary>
        </details>
      )}
      <form class="filters" action={path} autocomplete="off" data-at-once>
        {Object.entries(kept).map(([name, value]) =>
          value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
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
      </form>
      <InUse {...props} />
    </>
  )
}

/** Finds things of a list by a text, `q` of its address. */
export const Find = ({ label, ...form }: Omit<Props, "filters" | "wrong"> & { readonly label: string }) => (
  <Filters filters={[{ name: "q", label }]} wrong={[]} {...form} />
)

/** Filters of markets: by domain, by the time from forecast to close, and by day. */
export interface MarketFilters {
  readonly domain?: Domain | undefined
  readonly lead?: Lead | undefined
  /** Days in UTC, both included, epoch milliseconds of their midnights. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Domains in words. */
export const domainNames: Readonly<Record<Domain, string>> = {
  weather: "Weather",
  nfl: "Football",
  mlb: "Baseball",
  crypto: "Crypto",
}

/** Lead times in words. */
export const leadNames: Readonly<Record<Lead, string>> = {
  over_24h: "over 24 h",
  "6_to_24h": "6 to 24 h",
  "1_to_6h": "1 to 6 h",
  under_1h: "under 1 h",
}

export const marketFilters: ReadonlyArray<Filter> = [
  { name: "domain", label: "Subject", all: "All", choices: domains.map((each) => [each, domainNames[each]]) },
  { name: "lead", label: "Time to close", all: "Any", choices: leads.map(({ name }) => [name, leadNames[name]]) },
]

export const marketFiltersIn = (read: ReturnType<typeof makeFilterReader>): MarketFilters => ({
  domain: read.one("domain", byName(domains)),
  lead: read.one("lead", byName(leads.map(({ name }) => name))),
  from: read.day("from"),
  to: read.day("to"),
})

/** The value of a date field. */
export const dayField = (at: number | undefined): string | undefined => (at === undefined ? undefined : dayOf(at))

/** @jsxRuntime automatic @jsxImportSource preact */
import { type Lead, leads } from "../../../core/record/scoreboard/divisions.ts"
import { type Domain, domains } from "../../../core/record/scoreboard/Settled.ts"
import { dayOf, isDay } from "../../../core/time.ts"

/*
 * Fields of forms that filter a list by GET.
 */

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
    <input id={name} name={name} type="date" value={dayField(value) ?? ""} />
  </span>
)

/** The fields of domain and lead. */
export const DomainAndLead = ({ domain, lead }: MarketFilters) => (
  <>
    <Choice
      name="domain"
      label="Subject"
      value={domain ?? ""}
      options={[["", "All"], ...domains.map((each) => [each, domainNames[each]] as const)]}
    />
    <Choice
      name="lead"
      label="Time to close"
      value={lead ?? ""}
      options={[["", "Any"], ...leads.map(({ name }) => [name, leadNames[name]] as const)]}
    />
  </>
)

/** One of some values in a query; any other text is none of them. */
export const choiceIn = <A extends string>(
  query: URLSearchParams,
  name: string,
  values: ReadonlyArray<A>,
): A | undefined => values.find((value) => value === query.get(name))

/** The midnight of a day in a query, epoch milliseconds. */
const dateIn = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name) ?? ""
  return isDay(text) ? Date.parse(text) : undefined
}

export const marketFiltersIn = (query: URLSearchParams): MarketFilters => ({
  domain: choiceIn(query, "domain", domains),
  lead: choiceIn(
    query,
    "lead",
    leads.map(({ name }) => name),
  ),
  from: dateIn(query, "from"),
  to: dateIn(query, "to"),
})

/** The filters of a query that were not understood, a sentence each. */
export const problemsIn = (
  query: URLSearchParams,
  understood: Readonly<Record<string, unknown>>,
): ReadonlyArray<string> =>
  Object.keys(understood)
    .filter((name) => (query.get(name) ?? "") !== "" && understood[name] === undefined)
    .map((name) => `The filter ${name} was not understood and is left out.`)

/** The same as notices of a page. */
export const Problems = ({ of }: { readonly of: ReadonlyArray<string> }) => (
  <>
    {of.map((each) => (
      <p key={each} class="notice">
        {each}
      </p>
    ))}
  </>
)

/** The value of a date field. */
export const dayField = (at: number | undefined): string | undefined => (at === undefined ? undefined : dayOf(at))

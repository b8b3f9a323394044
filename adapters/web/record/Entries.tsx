/** @jsxRuntime automatic @jsxImportSource preact */
import * as Arr from "effect/Array"
import * as Record from "effect/Record"
import type { ComponentChildren } from "preact"
import { probabilityScale } from "../../../core/record/scoreboard/calibration.ts"
import { count, plural } from "../../../core/text.ts"
import { iso } from "../../../core/time.ts"
import { duration } from "../subjects/words.ts"
import { addressWith } from "../view/addresses.ts"
import { clock, dayText, shortly, timeText } from "../view/dates.ts"
import { dayField, type Filter, Filters, marketFilters, type Wrong } from "../view/filters.tsx"
import { percent } from "../view/numbers.ts"
import { List, numeric } from "../view/parts.tsx"
import { At, findCloser, Market, Outcome, Said, Verify } from "./parts.tsx"
import type { Asked, Entry, EntryPage, Forecast, Sealed } from "./readEntries.ts"
import { groupsOf, shows } from "./readEntries.ts"

const path = "/record"

/** The contract whose probability is nearest to 50 %. */
const mostContested = (contracts: Forecast["contracts"]) =>
  contracts.reduce<Forecast["contracts"][number] | undefined>(
    (best, one) => (best === undefined || Math.abs(one.model - 500_000) < Math.abs(best.model - 500_000) ? one : best),
    undefined,
  )

const Contract = (one: Forecast["contracts"][number]) => (
  <>
    <Market ticker={one.ticker}>{one.words}</Market>: <Said {...one} />
    {one.result !== undefined && (
      <>
        , <Outcome {...one} />
      </>
    )}
  </>
)

type Open = Exclude<Entry, Sealed>

/** How far an entry is from a toss-up, millionths; a contract that came true counts as nearest. */
const distance = (entry: Open): number => {
  if (entry._tag === "Result" && entry.result === "yes") return -1
  const model = entry._tag === "Forecast" ? mostContested(entry.contracts)?.model : undefined
  return Math.abs(((entry._tag === "Result" ? entry.model : model) ?? 0) - 500_000)
}

/** An entry as a row of the table. */
interface Row {
  readonly at?: number
  readonly kind?: string
  /** When its forecast was written, and how long before the close. */
  readonly predictedAt?: number | undefined
  readonly lead?: number | undefined
  readonly contract: ComponentChildren
  readonly model?: number | undefined
  readonly market?: number | undefined
  /** Of a result: who was closer. */
  readonly who?: ReturnType<typeof findCloser>
  readonly outcome: ComponentChildren
  readonly position?: number
  readonly others?: readonly [summary: string, items: ReadonlyArray<readonly [key: string, ComponentChildren]>]
}

/** Kinds of entries, by their tag or the kind of their leaf; every other is a result. */
const kindNames: Readonly<Record<string, string>> = {
  Forecast: "forecast",
  Opinion: "opinion",
  correction: "correction",
}

/** An open entry as a row: of its contracts the most uncertain one. */
const headRow = (entry: Open): Row => {
  const { at, position, predictedAt, lead } = entry
  const kind = entry._tag === "Result" ? entry.kind : entry._tag
  const head = { at, position, predictedAt, lead, kind: kindNames[kind] ?? "result" }
  switch (entry._tag) {
    case "Forecast": {
      const { about, contracts, closeTime } = entry
      const first = mostContested(contracts)
      if (first === undefined) return { ...head, contract: about, outcome: <Outcome closeTime={closeTime} /> }
      const { ticker, words, model, market } = first
      return {
        ...{ ...head, model, market },
        contract: (
          <Market ticker={ticker}>
            {about}, {words}
          </Market>
        ),
        outcome: <Outcome {...first} />,
      }
    }
    case "Opinion": {
      const { ticker, model, p } = entry
      const contract = (
        <>
          <Market ticker={ticker}>{ticker}</Market> <small>challenger {model}</small>
        </>
      )
      return { ...head, contract, model: p, outcome: <Outcome result={entry.result} closeTime={entry.closeTime} /> }
    }
    case "Result": {
      const { ticker, about, result, model, market } = entry
      return {
        ...{ ...head, model, market },
        contract: <>{ticker === undefined ? about : <Market ticker={ticker}>{about}</Market>}</>,
        who: findCloser(entry),
        outcome: <Outcome {...{ result, model, market }} />,
      }
    }
  }
}

/** Entries on one event: the one on which most was open, the others folded. */
const openRow = (group: ReadonlyArray<Open>): Row => {
  const [head, ...others] = [...group].sort((a, b) => distance(a) - distance(b))
  const contracts = head!._tag === "Forecast" ? head!.contracts : []
  const first = mostContested(contracts)
  const more = contracts.filter((one) => one !== first)
  const items = [
    ...more.map((one) => [one.ticker, <Contract key={one.ticker} {...one} />] as const),
    ...[...others].reverse().map((entry) => {
      const line = (
        <>
          <Sentence entry={entry} /> <Verify {...entry} />
        </>
      )
      return [String(entry.position), line] as const
    }),
  ]
  return {
    ...headRow(head!),
    ...(items.length === 0 ? {} : { others: [plural(items.length, "more contract"), items] }),
  }
}

const sealedRow = (run: ReadonlyArray<Sealed>): Row => ({
  contract: run.length === 1 && "Sealed forecast, its hash is public",
  outcome: (
    <>
      opens <At at={Math.min(...run.map(({ until }) => until))} />
    </>
  ),
  ...(run.length === 1
    ? { position: run[0]!.position }
    : {
        others: [
          `${run.length} sealed forecasts`,
          run.map(({ position, until }) => [
            String(position),
            <>
              opens {timeText(until)} <Verify position={position} />
            </>,
          ]),
        ],
      }),
})

const Others = ({ others }: Row) =>
  others === undefined ? null : (
    <details>
      <summary>{others[0]}</summary>
      <ul>
        {others[1].map(([key, item]) => (
          <li key={key}>{item}</li>
        ))}
      </ul>
    </details>
  )

export const Sentence = ({ entry }: { readonly entry: Open }) => {
  const row = openRow([entry])
  const { contract, model, market, outcome } = row
  return (
    <>
      {entry._tag === "Result" && (entry.kind === "correction" ? "Corrected: " : "Result: ")}
      {contract}
      {entry._tag === "Opinion" ? (
        <>
          {" "}
          said <strong>{chance(model)}</strong>
        </>
      ) : model !== undefined ? (
        <>
          : <Said model={model} market={market} />
        </>
      ) : (
        entry._tag === "Forecast" && ": a forecast without a market price"
      )}
      , {outcome}
      <Others {...row} />
    </>
  )
}

/** When an entry was written, and before a result its forecast. */
const writtenCell = ({ at, kind, predictedAt, lead }: Row) => {
  if (at === undefined) return "sealed"
  const leadText = lead !== undefined && lead > 0 && `${duration(lead)} before the close`
  return (
    <>
      <time datetime={iso(at)}>{clock(at)}</time> {kind}{" "}
      <small>
        {predictedAt !== undefined && predictedAt !== at && `forecast ${shortly(predictedAt, at)}, `}
        {leadText}
      </small>
    </>
  )
}

const chance = (millionths: number | undefined) =>
  millionths === undefined ? "–" : percent(millionths / probabilityScale)

const dayIn = ({ at }: Row): string => (at === undefined ? "" : dayText(at))

/** A day, and how often model, market or neither was closer in its results. */
const dayHeading = (rows: ReadonlyArray<Row>, day: string): string => {
  const times = (who: Row["who"]) => rows.filter((row) => row.who === who).length
  const [we, market, neither] = [times("model"), times("market"), times("neither")]
  const results = we + market + neither
  if (results === 0) return day
  return `${day} · ${plural(results, "result")}: we were closer in ${we}, the market in ${market}, equal in ${neither}`
}

const isOpen = (entry: Entry): entry is Open => entry._tag !== "Sealed"

const showNames: Readonly<Record<Asked["show"], string>> = {
  ours: "Forecasts and results",
  forecasts: "Forecasts",
  results: "Results",
  challengers: "Challengers' opinions",
}

const filters: ReadonlyArray<Filter> = [
  { name: "show", label: "Show", choices: shows.map((show) => [show, showNames[show]]), initial: "ours" },
  ...marketFilters,
  { name: "from", label: "From", isDay: true },
  { name: "to", label: "To", isDay: true },
]

/** A page further back. */
export const queryOf = ({ show, domain, lead, from, to }: Asked, before?: number): string =>
  addressWith(path, {
    ...{ show: show === "ours" ? undefined : show, domain, lead },
    ...{ from: dayField(from), to: dayField(to), before },
  })

interface Props {
  readonly asked: Asked
  readonly page: EntryPage
  /** Where the log's proofs are: before `/v1/proof`. */
  readonly base: string
  readonly query: URLSearchParams
  readonly wrong: ReadonlyArray<Wrong>
}

/** The newest entries in words; the reader's browser adds a tick to each that it has verified. */
export const Entries = ({ asked, page: { entries, older, looked }, base, query, wrong }: Props) => {
  const positions = entries.map(({ position }) => position)
  const rows = groupsOf(entries).map((group) => {
    const open = group.filter(isOpen)
    return open.length > 0 ? openRow(open) : sealedRow(group.filter((entry) => entry._tag === "Sealed"))
  })
  const headings = Record.map(Arr.groupBy(rows, dayIn), dayHeading)
  return (
    <section>
      <h2>{asked.before === undefined ? "Newest entries" : `Entries before ${count(asked.before)}`}</h2>
      {entries.length > 0 && (
        <p
          class="soft"
          role="status"
          data-proofs={base}
          data-from={Math.min(...positions)}
          data-to={Math.max(...positions) + 1}
        >
          Automatic checks need JavaScript; Verify opens the proof of an entry.
        </p>
      )}
      <Filters filters={filters} query={query} wrong={wrong} path={path} />
      <p class="soft">In the order of the log: an entry below a later time was signed late.</p>
      {entries.length === 0 ? (
        <p>
          {looked[0] === looked[1]
            ? "No entries here."
            : `None of the entries ${looked[0]} to ${looked[1] - 1} is one of these.`}
        </p>
      ) : (
        <div class="entries listing">
          <List
            caption="Entries, newest first"
            heading={(row) => (row.at === undefined ? undefined : headings[dayIn(row)])}
            rows={rows}
            columns={[
              ["Written, UTC", writtenCell],
              [
                "Contract",
                (row) => (
                  <>
                    {row.contract}
                    <Others {...row} />
                  </>
                ),
              ],
              [numeric("We said"), ({ model }) => chance(model)],
              [numeric("Market"), ({ market }) => chance(market)],
              ["Result", ({ outcome }) => outcome],
              ["Proof", ({ position }) => position !== undefined && <Verify position={position} />],
            ]}
          />
        </div>
      )}
      {(older !== undefined || asked.before !== undefined) && (
        <p class="actions">
          {asked.before !== undefined && <a href={queryOf(asked)}>Newest</a>}
          {older !== undefined && <a href={queryOf(asked, older)}>Older</a>}
        </p>
      )}
    </section>
  )
}

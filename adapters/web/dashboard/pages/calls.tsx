/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { environments } from "../../../../core/account/ApiKey.ts"
import { type CallFilter, Calls } from "../../../../core/account/Calls.ts"
import type { Audit } from "../../../../core/account/Ledger.ts"
import { exactDecimals, usd } from "../../../../core/account/Money.ts"
import * as Port from "../../../../core/account/Names.ts"
import type * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { codeNames, codes } from "../../../../core/Failure.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { capitalize, count } from "../../../../core/text.ts"
import { day, hour, iso, minute, second } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { playground } from "../../view/addresses.ts"
import { shortly } from "../../view/dates.ts"
import {
  byName,
  endOfDay,
  type Filter,
  Filters,
  filteredAddress,
  makeFilterReader,
  refusal,
  type Wrong,
} from "../../view/filters.tsx"
import { List, numeric } from "../../view/parts.tsx"
import { exported, type Form, forms } from "../callFiles.ts"
import { inPages } from "../downloads.ts"
import { Newer } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { modeError, modeIn } from "../mode.tsx"
import { type Names, namesIn, readNames } from "../names.ts"
import { type AccountVisit, type Download, ofAccount, type Page } from "../Page.ts"
import { agentLink } from "../parts.tsx"
import { callPage, callPath, endpointText, Outcome, callsPath as path } from "./call.tsx"

const pageSize = 50

/** With fewer rows the filters are folded until one is used. */
const fewRows = 20

/** How often a page asks for more rows while few pass the filter: each time is a millisecond or two of the store. */
const maxReads = 2

/** Rows of a piece of an export: some milliseconds of work. */
const exportRows = 150

/** Keys or agents that a list offers; others are named by their id. */
const maxChoices = 50

/** Statuses that a call can have, with the kinds of them. */
const statuses = new Map<string, NonNullable<CallFilter["status"]>>([
  ["failed", "failed"],
  ...([2, 3, 4, 5] as const).map((first) => [`${first}xx`, first] as const),
  ...[200, 304, ...new Set(Object.values(codes).map(({ status }) => status))]
    .toSorted((one, other) => one - other)
    .map((status) => [String(status), status] as const),
])

/** Codes of errors, by their names. */
const outcomes = byName<string>(codeNames)

const filterNames = ["endpoint", "agent", "key", "status", "code", "from", "to", "mode"] as const

const parseFilter = (
  query: URLSearchParams,
  names: Names,
  endpoints: ReadonlyMap<string, string>,
): { readonly filter: CallFilter; readonly wrong: ReadonlyArray<Wrong> } => {
  const read = makeFilterReader(query)
  const endpoint = read.one("endpoint", endpoints, "There is no such endpoint.")
  // A filter by an id that is not the account's own is wrong, not empty.
  const agentId = read.one("agent", byName(names.agents.keys()), "The account has no agent with this id.")
  const keyId = read.one("key", byName(names.keys.keys()), "The account has no key with this id.")
  const status = read.one("status", statuses, `Status is one of ${[...statuses.keys()].join(", ")}.`)
  const code = read.one("code", outcomes, "There is no such error code.")
  const environment = read.one("mode", byName(environments), modeError)
  const from = read.day("from")
  const last = read.day("to")
  if (from !== undefined && last !== undefined && last < from) {
    read.refuse("to", "The last day is before the first one.")
  }
  return {
    filter: {
      ...ifDefined("endpoint", endpoint),
      ...ifDefined("agentId", agentId),
      ...ifDefined("keyId", keyId),
      ...ifDefined("status", status),
      ...ifDefined("code", code),
      ...ifDefined("environment", environment),
      ...ifDefined("from", from),
      ...ifDefined("to", last === undefined ? undefined : endOfDay(last)),
    },
    wrong: read.wrong,
  }
}

/** The newest agents and keys, one more than a list offers, and those that the filters name. */
const namesFor = (accountId: string, query: URLSearchParams) =>
  Effect.flatMap(
    readNames(accountId, { agents: { newest: maxChoices + 1 }, keys: { newest: maxChoices + 1 } }),
    (names) => namesIn(accountId, [{ agentId: query.get("agent")?.trim(), keyId: query.get("key")?.trim() }], names),
  )

/** A list of the newest; text for an id where there are more. */
const byId = (name: string, label: string, all: string, ids: ReadonlyMap<string, string>): Filter =>
  ids.size > maxChoices ? { name, label: `${label} (id)` } : { name, label, all, choices: [...ids] }

/** A page's rows, and where the search ended: it reads a few pages further where few rows pass the filter. */
const readRows = (accountId: string, filter: CallFilter, cursor: string | undefined) =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const rows: Array<Audit> = []
    let next = cursor
    for (let look = 0; look < maxReads; look++) {
      if (look > 0) yield* yieldToEventLoop
      const page = yield* calls.page(accountId, filter, pageSize - rows.length, next)
      rows.push(...page.rows)
      next = page.next
      if (next === undefined || rows.length === pageSize) break
    }
    return { rows, next }
  })

const noRows = { rows: [], next: undefined }

/** A page's rows, or the error of a cursor that is of another list. */
const readPage = (accountId: string, filter: CallFilter, cursor: string | undefined) =>
  Effect.catchIf(
    Effect.map(readRows(accountId, filter, cursor), (page) => ({ ...page, wrong: [] as ReadonlyArray<Wrong> })),
    ({ code }) => code === "invalid_parameter",
    () => {
      const message = "This page link is invalid. Start from the newest calls."
      return Effect.succeed({ ...noRows, wrong: [{ field: "cursor", message }] })
    },
  )

const readNewestId = (accountId: string) =>
  Effect.flatMap(Calls, ({ page }) => Effect.map(page(accountId, {}, 1), ({ rows }) => rows[0]?.requestId))

/** Calls that follow each other and differ in nothing but their time, charge and latency; the newest first. */
type Alike = readonly [Audit, ...Array<Audit>]

const alike = ["endpoint", "agentId", "keyId", "status", "code"] as const

/** Neighbours that are alike, together. */
export const folded = (rows: ReadonlyArray<Audit>): ReadonlyArray<Alike> => {
  const folds: Array<[Audit, ...Array<Audit>]> = []
  for (const row of rows) {
    const last = folds.at(-1)
    if (last !== undefined && alike.every((name) => last[0][name] === row[name])) last.push(row)
    else folds.push([row])
  }
  return folds
}

const sum = (fold: Alike, of: (row: Audit) => number): number => fold.reduce((all, row) => all + of(row), 0)

/** How many calls, and in what time. */
const timesIn = (fold: Alike): string => {
  const ms = fold[0].at - fold.at(-1)!.at
  const [length, unit] = [[day, "days"] as const, [hour, "h"] as const, [minute, "min"] as const].find(
    ([length]) => ms > 2 * length,
  ) ?? [second, "s"]
  return `${count(sum(fold, ({ calls = 1 }) => calls))} times in ${Math.ceil(Math.max(1, ms) / length)} ${unit}`
}

/** The newest call of some that are alike, and all of them below it. */
const Newest = ({
  fold,
  path,
  decimals,
  now,
}: {
  readonly fold: Alike
  readonly path: string | undefined
  readonly decimals: number
  readonly now: number
}) => (
  <>
    <a href={callPath(fold[0])}>
      {capitalize(endpointText(fold.length > 1 ? { ...fold[0], calls: 1 } : fold[0]).replaceAll("_", " "))}
    </a>
    {path !== undefined && <small class="wide">{path}</small>}
    {fold.length > 1 && (
      <details>
        <summary>{timesIn(fold)}</summary>
        <ol>
          {fold.map((row) => (
            <li key={row.requestId}>
              <a href={callPath(row)}>{shortly(row.at, now, true)}</a> {usd(row.charged, decimals)},{" "}
              {count(row.latencyMs)} ms
              {(row.calls ?? 1) > 1 && `, ${count(row.calls!)} calls`}
            </li>
          ))}
        </ol>
      </details>
    )}
  </>
)

/** The action of pages about calls. */
export const makeCall = { href: playground, label: "Make a call" }

/** Calls as a list, each row those that are alike. */
export const CallList = ({
  rows,
  names,
  now,
  catalogue,
}: {
  readonly rows: ReadonlyArray<Alike>
  readonly names: Names
  readonly now: number
  readonly catalogue: Catalogue.Any
}) => {
  const decimals = exactDecimals(rows.flat().map(({ charged }) => charged))
  return (
    <List
      isBrief
      caption="Calls, newest first"
      rows={rows}
      columns={[
        ["Time", ([{ at }]) => <time datetime={iso(at)}>{shortly(at, now, true)}</time>],
        [
          "Call",
          (fold) => (
            <Newest
              fold={fold}
              path={catalogue.byId.get(fold[0].endpoint)?.endpoint.path}
              decimals={decimals}
              now={now}
            />
          ),
        ],
        [
          numeric("Charged"),
          (fold) =>
            usd(
              sum(fold, ({ charged }) => charged),
              decimals,
            ),
        ],
        ["Status", ([row]) => <Outcome {...row} />],
        [
          { name: "Key and agent", isWide: true },
          ([{ agentId, keyId }]) => (
            <>
              <a href={`/dashboard/keys/${keyId}`}>{names.keys.get(keyId) ?? keyId}</a>
              {agentId !== undefined && <small>{agentLink(agentId, names)}</small>}
            </>
          ),
        ],
        [
          { name: "Latency", isNumber: true, isWide: true },
          (fold) => `${fold.length > 1 ? "≤ " : ""}${count(Math.max(...fold.map(({ latencyMs }) => latencyMs)))} ms`,
        ],
      ]}
    />
  )
}

/** A file of all calls that the filters let through. */
const download = (endpoints: ReadonlyMap<string, string>, form: keyof typeof forms): Download => {
  const { type, head, line }: Form = forms[form]
  return {
    type,
    fileName: `calls.${form}`,
    open: ({ account, query }) =>
      Effect.gen(function* () {
        const { page } = yield* Calls
        const port = yield* Port.Names
        let names = yield* namesFor(account.id, query)
        const { filter, wrong } = parseFilter(query, names, endpoints)
        if (wrong.length > 0) return yield* refusal(wrong)
        return yield* inPages((cursor: string | undefined) =>
          Effect.gen(function* () {
            const { rows, next } = yield* page(account.id, filter, exportRows, cursor)
            names = yield* Effect.provideService(namesIn(account.id, rows, names), Port.Names, port)
            return {
              text: (cursor === undefined ? head : "") + rows.map((row) => line(exported(row, names))).join(""),
              next,
            }
          }),
        )
      }),
  }
}

const listFilters = (endpoints: ReadonlyMap<string, string>, { agents, keys }: Names): ReadonlyArray<Filter> => [
  { name: "endpoint", label: "Endpoint", all: "all", choices: [...endpoints] },
  byId("agent", "Agent", "all", agents),
  byId("key", "Key", "all", keys),
  { name: "status", label: "Status", all: "all", choices: [...byName(statuses.keys())] },
  { name: "code", label: "Outcome", all: "all", choices: [...outcomes] },
  { name: "from", label: "From (UTC)", isDay: true },
  { name: "to", label: "To (UTC)", isDay: true },
]

/** The audit trail of an account: a page with filters in its address, and files of all that they let through. */
const listPage = (catalogue: Catalogue.Any): Page => {
  const endpoints = byName(catalogue.entries.map(({ endpoint: { id } }) => id))

  const view = (visit: AccountVisit) =>
    Effect.gen(function* () {
      const { account, query } = visit
      const own = yield* namesFor(account.id, query)
      const { filter, wrong } = parseFilter(query, own, endpoints)
      const cursor = query.get("cursor") ?? undefined
      const isFiltered = filterNames.some((name) => (query.get(name) ?? "") !== "")
      // Read before the rows: a call in between is announced rather than missed.
      const newest = isFiltered ? yield* readNewestId(account.id) : undefined
      const page = wrong.length > 0 ? { ...noRows, wrong } : yield* readPage(account.id, filter, cursor)
      const names = yield* namesIn(account.id, page.rows, own)
      const filters = listFilters(endpoints, own)
      const address = (ending: string, changes?: Readonly<Record<string, string>>) =>
        filteredAddress(path + ending, query, filterNames, changes)
      return {
        title: "Calls",
        action: makeCall,
        ...(page.wrong.length > 0 ? { status: 400 } : {}),
        body: (
          <>
            <Filters
              filters={filters}
              query={query}
              wrong={page.wrong}
              path={path}
              kept={{ mode: modeIn(query) }}
              isFolded={!isFiltered && page.rows.length < fewRows}
            />
            {page.wrong.length === 0 && (
              <>
                <p>
                  Export{isFiltered ? " these" : " all"} as <a href={address(".csv")}>CSV</a> or{" "}
                  <a href={address(".ndjson")}>NDJSON</a>.
                </p>
                {cursor === undefined && (
                  <Newer is={values.newestCall(newest ?? page.rows[0]?.requestId)} what="calls" href={address("")} />
                )}
                {page.rows.length === 0 ? (
                  <p>
                    {page.next !== undefined
                      ? "None of the newest calls passes these filters. Older ones may."
                      : isFiltered || cursor !== undefined
                        ? "No further call passes these filters."
                        : "No call yet: the first one is shown here within a minute."}
                  </p>
                ) : (
                  <section class="listing">
                    <CallList rows={folded(page.rows)} names={names} now={visit.now} catalogue={catalogue} />
                  </section>
                )}
                <p class="actions">
                  {cursor !== undefined && <a href={address("")}>Newest calls</a>}
                  {page.next !== undefined && <a href={address("", { cursor: page.next })}>Older calls</a>}
                </p>
              </>
            )}
          </>
        ),
      }
    })

  return ofAccount({
    path,
    label: "Calls",
    hasModes: true,
    view,
    downloads: { ".csv": download(endpoints, "csv"), ".ndjson": download(endpoints, "ndjson") },
  })
}

export const callPages = (catalogue: Catalogue.Any): ReadonlyArray<Page> => [listPage(catalogue), callPage(catalogue)]

/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { exactDecimals, usd } from "../../../../core/account/Money.ts"
import * as Port from "../../../../core/account/Names.ts"
import {
  nextSpanStart,
  oldestKept,
  retentionDays,
  type Span,
  spanStart,
  Usage,
  type UsageGroup,
  type UsageQuery,
  type UsageTotals,
} from "../../../../core/account/Usage.ts"
import * as Csv from "../../../../core/csv/write.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { capitalize, count } from "../../../../core/text.ts"
import { day, dayOf, iso } from "../../../../core/time.ts"
import { addressWith, playground } from "../../view/addresses.ts"
import { dayText } from "../../view/dates.ts"
import {
  byName,
  endOfDay,
  type Filter,
  Filters,
  filteredAddress,
  lastDay,
  makeFilterReader,
  refusal,
} from "../../view/filters.tsx"
import { Figure, numeric, Table } from "../../view/parts.tsx"
import { inPages } from "../downloads.ts"
import { countedIn, modeError, modeIn, modes } from "../mode.tsx"
import { type Names, namesIn } from "../names.ts"
import { type AccountVisit, type Download, ofAccount } from "../Page.ts"
import { addUp, bySpan, minus, type Series, spendOverTime, type Total } from "../spend.ts"
import { Sums } from "../WalletCard.tsx"

const path = "/dashboard/usage"

/** Days of one page: ten years by the month, a year, and a week by the hour. */
const maxDays: Readonly<Record<Span, number>> = { month: 3_660, day: 366, hour: 7 }

/** Days that are shown where the address has no first one. */
const defaultDays: Readonly<Record<Span, number>> = { month: 365, day: 30, hour: 2 }

const bySpans = byName<Span>(["day", "hour", "month"])

const groups = byName<UsageGroup>(["endpoint", "agent", "key", "status"])

/** Which rows a file has. */
const byTimes: ReadonlyMap<string, boolean> = new Map([
  ["group", false],
  ["time", true],
])

/** The days in a page's address; invalid ones are reported, and the defaults used. */
const parseQuery = (query: URLSearchParams, now: number) => {
  const read = makeFilterReader(query)
  const span = read.one("by", bySpans, "Show usage by month, by day or by hour.") ?? "day"
  const group = read.one("group", groups, `Group by ${[...groups.keys()].join(", ")}.`) ?? "endpoint"
  const livemode = read.one("mode", modes, modeError)
  const today = now - (now % day)
  const shown = span === "hour" ? "day" : span
  const to = nextSpanStart(shown, endOfDay(read.day("to") ?? today))
  const from = spanStart(shown, read.day("from") ?? Math.max(0, to - defaultDays[span] * day))
  if (from >= to) read.refuse("to", "The last day is before the first one.")
  else if (to - from > maxDays[span] * day) {
    read.refuse("from", `By the ${span}, a page shows ${maxDays[span]} days at most.`)
  }
  if (span !== "month" && from < oldestKept(span, now)) {
    read.refuse("from", `Usage by the ${span} is kept for ${retentionDays[span]} days.`)
  }
  const skipped = read.text("after") ?? "0"
  if (!/^\d{1,7}$/.test(skipped)) read.refuse("after", "This page link is invalid.")
  const found: UsageQuery = { from, to, span, group, ...ifDefined("livemode", livemode) }
  const byTime = read.one("rows", byTimes, "Rows are by group, or by time.") ?? false
  return { found, skip: Number(skipped), byTime, wrong: read.wrong }
}

const makeFilters = ({ from, to, span, group }: UsageQuery): ReadonlyArray<Filter> => [
  { name: "by", label: "Interval", choices: [...bySpans], initial: span },
  { name: "group", label: "Group by", choices: [...groups], initial: group },
  { name: "from", label: "From (UTC)", isDay: true, initial: dayOf(from) },
  { name: "to", label: "To (UTC)", isDay: true, initial: lastDay(to) },
]

/** Groups that a page shows by name; the others are one row, so that the total stays whole. */
const groupsShown = 50

const textOf = (group: UsageGroup, id: string, names: Names): string => {
  switch (group) {
    case "agent":
      return id === "" ? "no agent" : (names.agents.get(id) ?? id)
    case "key":
      return names.keys.get(id) ?? id
    case "endpoint":
      return id === "*" ? "several endpoints" : id
    case "status":
      return id
  }
}

const linkOf = (group: UsageGroup, id: string, names: Names) =>
  id === "" || (group !== "agent" && group !== "key") ? (
    textOf(group, id, names)
  ) : (
    <a href={`/dashboard/${group}s/${id}`}>{textOf(group, id, names)}</a>
  )

const namesOf = (accountId: string, group: UsageGroup, ids: ReadonlyArray<string>) =>
  namesIn(accountId, group === "agent" || group === "key" ? ids.map((id) => ({ [`${group}Id`]: id })) : [])

/** The calls behind a row; a group that the calls' filters do not know has none. */
const callsAddress = (group: UsageGroup, id: string, { from, to, livemode }: UsageQuery): string | undefined =>
  id === "" || id === "*" || livemode !== undefined
    ? undefined
    : addressWith("/dashboard/calls", { [group]: id, from: dayOf(from), to: lastDay(to) })

/** The table by group, with the ways to smaller and larger ones. */
const Groups = ({
  totals: { groups, groupCount },
  total,
  names,
  query,
  skip,
  address,
}: {
  readonly totals: UsageTotals
  readonly total: Total
  readonly names: Names
  readonly query: UsageQuery
  readonly skip: number
  readonly address: (ending: string, changes?: Readonly<Record<string, string>>) => string
}) => {
  const { group } = query
  const others = groupCount - groups.length
  const rest = minus(total, addUp(groups))
  const decimals = exactDecimals([...groups, rest, total].map(({ charged }) => charged))
  const cells = (name: ReturnType<typeof linkOf>, { calls, charged }: Total, calledFrom?: string) => [
    name,
    calledFrom === undefined ? count(calls) : <a href={calledFrom}>{count(calls)}</a>,
    usd(charged, decimals),
  ]
  const fromRow = (after: number) => address("", after === 0 ? {} : { after: String(after) })
  return (
    <>
      <Table
        caption={`Calls and spend by ${group}`}
        columns={[capitalize(group), numeric("Calls"), numeric("Spend")]}
        rows={[
          ...groups.map((sum) => cells(linkOf(group, sum.group, names), sum, callsAddress(group, sum.group, query))),
          ...(others > 0 ? [cells(`${count(others)} others`, rest)] : []),
        ]}
        total={cells("Total", total)}
      />
      {others > 0 && (
        <p class="actions">
          {skip > 0 && <a href={fromRow(Math.max(0, skip - groupsShown))}>Previous</a>}
          {skip + groups.length < groupCount && <a href={fromRow(skip + groupsShown)}>Next</a>}
        </p>
      )}
    </>
  )
}

/** Groups that the picture shows by name; the others are one layer. */
const groupsDrawn = 5

/** The picture of a page: the largest groups, and one layer for all others. */
const drawingOf = ({ spans, inSpans }: UsageTotals, { from, to, span, group }: UsageQuery, names: Names) => {
  const each = bySpan(spans, from, to, span)
  const first = [...new Set(inSpans.map((sum) => sum.group))]
    .map((id) => ({ id, sums: inSpans.filter((sum) => sum.group === id) }))
    .map(({ id, sums }) => ({ id, total: addUp(sums), each: bySpan(sums, from, to, span) }))
    .toSorted(({ total: one }, { total: other }) => other.charged - one.charged || other.calls - one.calls)
  const others = each.map((whole, at) => minus(whole, addUp(first.map((own) => own.each[at]!))))
  const series: ReadonlyArray<Series> = [
    ...first.map((own, at) => ({ name: textOf(group, own.id, names), kind: `layer-${at}`, each: own.each })),
    ...(addUp(others).calls > 0 ? [{ name: "Others", kind: "layer-others", each: others }] : []),
  ]
  return { each, series, span }
}

const noTotals: UsageTotals = { spans: [], groups: [], inSpans: [], groupCount: 0 }

/** Letters of a span's beginning in a file, as ISO 8601 has it. */
const letters: Readonly<Record<Span, number>> = { month: 7, day: 10, hour: 16 }

const exportRows = 500

/** Every row by group, or by time: those of the page's tables, and the groups that the page shows as others. */
const rowsFile: Download = {
  type: "text/csv; charset=utf-8; header=present",
  fileName: "usage.csv",
  open: ({ account, query, now }) =>
    Effect.gen(function* () {
      const { found, byTime, wrong } = parseQuery(query, now)
      if (wrong.length > 0) return yield* refusal(wrong)
      const { group, span, from, to } = found
      const { spans, groups } = yield* (yield* Usage).totals(account.id, found, {
        skip: 0,
        limit: Number.MAX_SAFE_INTEGER,
      })
      const lineOf = (...cells: ReadonlyArray<string | number>) => `${Csv.toLine(cells)}\r\n`
      if (byTime) {
        const rows = bySpan(spans, from, to, span).toReversed()
        const lines = rows.map(({ at, calls, charged }) =>
          lineOf(iso(at).slice(0, letters[span]).replace("T", " "), calls, charged),
        )
        return Stream.make(lineOf(span, "calls", "charged_micros") + lines.join(""))
      }
      const port = yield* Port.Names
      return yield* inPages((place: number | undefined) =>
        Effect.gen(function* () {
          const skip = place ?? 0
          const rows = groups.slice(skip, skip + exportRows)
          const names = yield* namesOf(
            account.id,
            group,
            rows.map((row) => row.group),
          )
          const lines = rows.map((row) =>
            lineOf(row.group, Csv.escapeFormula(textOf(group, row.group, names)), row.calls, row.charged),
          )
          const end = skip + rows.length
          return {
            text: (skip === 0 ? lineOf(group, "name", "calls", "charged_micros") : "") + lines.join(""),
            next: end < groups.length ? end : undefined,
          }
        }).pipe(Effect.provideService(Port.Names, port)),
      )
    }),
}

/** Sums of the audit trail: by endpoint, agent, key or status, and over time. Both have the same total. */
export const usagePage = ofAccount({
  path,
  label: "Usage",
  hasModes: true,
  downloads: { ".csv": rowsFile },
  view: ({ account, query, now }: AccountVisit) =>
    Effect.gen(function* () {
      const { found, skip, wrong } = parseQuery(query, now)
      const { span, group, from, to } = found
      const page = { skip, limit: groupsShown, inSpans: groupsDrawn }
      const totals = wrong.length > 0 ? noTotals : yield* (yield* Usage).totals(account.id, found, page)
      const { spans, groups, groupCount } = totals
      const ids = [...groups, ...totals.inSpans].map((sum) => sum.group)
      const names = yield* namesOf(account.id, group, [...new Set(ids)])
      const total = addUp(spans)
      const filters = makeFilters(found)
      const parts = ["mode", ...filters.map(({ name }) => name)]
      const address = (ending: string, changes?: Readonly<Record<string, string>>) =>
        filteredAddress(path + ending, query, parts, changes)
      return {
        title: "Usage",
        ...(wrong.length > 0
          ? { status: 400 }
          : { action: { href: address(".csv"), label: `Export by ${group} (CSV)` } }),
        body: (
          <>
            <Filters filters={filters} query={query} wrong={wrong} path={path} kept={{ mode: modeIn(query) }} />
            {wrong.length === 0 && (
              <>
                <Sums>
                  <Figure name="Spend">{usd(total.charged)}</Figure>
                  <Figure name="Calls">{count(total.calls)}</Figure>
                </Sums>
                <p class="soft">
                  {dayText(from)} to {dayText(to - 1)}. Days are UTC, by start of the call. {countedIn(query)}
                </p>
                <section class="listing">
                  <h2>By {group}</h2>
                  {groupCount === 0 ? (
                    <p>
                      No call in these days. <a href={playground}>Try one</a>, or{" "}
                      <a href="/dashboard/connect">connect a program</a>.
                    </p>
                  ) : (
                    <Groups {...{ totals, total, names }} query={found} skip={skip} address={address} />
                  )}
                </section>
                <section class="listing">
                  <h2>By {span}</h2>
                  {spendOverTime(drawingOf(totals, found, names))}
                  <p>
                    <a class="button plain" href={address(".csv", { rows: "time" })}>
                      Export by {span} (CSV)
                    </a>
                  </p>
                </section>
              </>
            )}
          </>
        ),
      }
    }),
})

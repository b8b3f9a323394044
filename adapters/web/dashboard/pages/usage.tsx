/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import {
  keptDays,
  nextSpanStart,
  oldestKept,
  type Span,
  spanStart,
  Usage,
  type UsageGroup,
  type UsageQuery,
} from "../../../../core/account/Usage.ts"
import { day, dayOf } from "../../../../core/time.ts"
import { numeric, Table } from "../../view/parts.tsx"
import { endOfDay, type Filter, Filters, filteredAddress, lastDay, reading } from "../Filters.tsx"
import { type Names, namesIn } from "../names.ts"
import { type AccountVisit, ofAccount } from "../Page.ts"
import { usd } from "../parts.tsx"
import { addUp, bySpan, SpendOverTime } from "../spend.tsx"

const path = "/dashboard/usage"

/** Groups that a page shows by name; the others are one row, so that the total stays whole. */
const groupsShown = 50

/** Days of one page: ten years by the month, a year, and a week by the hour. */
const maxDays: Readonly<Record<Span, number>> = { month: 3_660, day: 366, hour: 7 }

/** Days that are shown where the address has no first one. */
const defaultDays: Readonly<Record<Span, number>> = { month: 365, day: 30, hour: 2 }

const bySpans: ReadonlyMap<string, Span> = new Map([
  ["day", "day"],
  ["hour", "hour"],
  ["month", "month"],
])

const groups: ReadonlyMap<string, UsageGroup> = new Map([
  ["endpoint", "endpoint"],
  ["agent", "agent"],
  ["key", "key"],
  ["status", "status"],
])

const modes: ReadonlyMap<string, boolean> = new Map([
  ["live", true],
  ["test", false],
])

/** The days in a page's address; wrong ones are said, and the usual ones stand for them. */
const parseQuery = (query: URLSearchParams, now: number) => {
  const read = reading(query)
  const span = read.one("by", bySpans, "Show usage by month, by day or by hour.") ?? "day"
  const group = read.one("group", groups, `Group by ${[...groups.keys()].join(", ")}.`) ?? "endpoint"
  const livemode = read.one("mode", modes, "Mode is live or test.")
  const today = now - (now % day)
  const shown = span === "hour" ? "day" : span
  const to = nextSpanStart(shown, endOfDay(read.day("to") ?? today))
  const from = spanStart(shown, read.day("from") ?? Math.max(0, to - defaultDays[span] * day))
  if (from >= to) read.refuse("to", "The last day is before the first one.")
  else if (to - from > maxDays[span] * day) {
    read.refuse("from", `By the ${span}, a page shows ${maxDays[span]} days at most.`)
  }
  if (span !== "month" && from < oldestKept(span, now)) {
    read.refuse("from", `Usage by the ${span} is kept for ${keptDays[span]} days.`)
  }
  const skipped = read.text("after") ?? "0"
  if (!/^\d{1,7}$/.test(skipped)) read.refuse("after", "This page link is invalid.")
  const found: UsageQuery = { from, to, span, group, ...(livemode === undefined ? {} : { livemode }) }
  return { found, skip: Number(skipped), wrong: read.wrong }
}

const nameOf = (group: UsageGroup, id: string, names: Names) => {
  switch (group) {
    case "agent":
      return id === "" ? "no agent" : <a href={`/dashboard/agents/${id}`}>{names.agents.get(id) ?? id}</a>
    case "key":
      return <a href={`/dashboard/keys/${id}`}>{names.keys.get(id) ?? id}</a>
    case "endpoint":
      return id === "*" ? "several endpoints" : id
    case "status":
      return id
  }
}

/** The calls behind a row; a group that the calls' filters do not know has none. */
const callsAddress = (group: UsageGroup, id: string, { from, to, livemode }: UsageQuery): string | undefined =>
  id === "" || id === "*" || livemode !== undefined
    ? undefined
    : `/dashboard/calls?${new URLSearchParams({ [group]: id, from: dayOf(from), to: lastDay(to) }).toString()}`

const makeFilters = ({ from, to, span, group }: UsageQuery): ReadonlyArray<Filter> => [
  { name: "by", label: "Interval", choices: [...bySpans.keys()].map((each) => [each, each]), initial: span },
  { name: "group", label: "Group by", choices: [...groups.keys()].map((each) => [each, each]), initial: group },
  { name: "mode", label: "Keys", all: "live and test", choices: [...modes.keys()].map((each) => [each, each]) },
  { name: "from", label: "From (UTC)", isDay: true, initial: dayOf(from) },
  { name: "to", label: "To (UTC)", isDay: true, initial: lastDay(to) },
]

/** Sums of the audit trail: over time, and by endpoint, agent, key or status. Both have the same total. */
export const usagePage = ofAccount({
  path,
  label: "Usage",
  hasModes: true,
  view: ({ account, query, now }: AccountVisit) =>
    Effect.gen(function* () {
      const { totals } = yield* Usage
      const { found, skip, wrong } = parseQuery(query, now)
      const { span, group, from, to } = found
      const { spans, groups, groupCount } =
        wrong.length > 0
          ? { spans: [], groups: [], groupCount: 0 }
          : yield* totals(account.id, found, { skip, limit: groupsShown })
      const names = yield* namesIn(
        account.id,
        group === "agent" || group === "key" ? groups.map(({ group: id }) => ({ [`${group}Id`]: id })) : [],
      )
      const total = addUp(spans)
      const others = groupCount - groups.length
      const shown = addUp(groups)
      const filters = makeFilters(found)
      const fromRow = (after: number) =>
        filteredAddress(
          path,
          query,
          filters.map(({ name }) => name),
          after === 0 ? {} : { after: String(after) },
        )
      const cells = (name: ReturnType<typeof nameOf>, calls: number, charged: number, address?: string) => [
        name,
        address === undefined ? calls : <a href={address}>{calls}</a>,
        usd(charged),
      ]
      return {
        title: "Usage",
        ...(wrong.length > 0 ? { status: 400 } : {}),
        body: (
          <>
            <Filters filters={filters} query={query} wrong={wrong} path={path} />
            {wrong.length === 0 && (
              <>
                <dl class="cards">
                  <div class="card">
                    <dt>Spend</dt>
                    <dd class="figure">{usd(total.charged)}</dd>
                  </div>
                  <div class="card">
                    <dt>Calls</dt>
                    <dd class="figure">{total.calls}</dd>
                  </div>
                </dl>
                <p class="soft">
                  {dayOf(from)} to {lastDay(to)}. Days are UTC, by start of the call. Calls of test keys are free.
                </p>
                <section class="listing">
                  <h2>By {group}</h2>
                  {groupCount === 0 ? (
                    <p>
                      No call in these days. <a href="/dashboard/playground">Try one</a>, or{" "}
                      <a href="/dashboard/connect">connect a program</a>.
                    </p>
                  ) : (
                    <Table
                      caption={`Calls and spend by ${group}`}
                      columns={[group[0]!.toUpperCase() + group.slice(1), numeric("Calls"), numeric("Spend")]}
                      rows={[
                        ...groups.map(({ group: id, calls, charged }) =>
                          cells(nameOf(group, id, names), calls, charged, callsAddress(group, id, found)),
                        ),
                        ...(others > 0
                          ? [cells(`${others} others`, total.calls - shown.calls, total.charged - shown.charged)]
                          : []),
                      ]}
                      total={cells("Total", total.calls, total.charged)}
                    />
                  )}
                  {others > 0 && (
                    <p class="actions">
                      {skip > 0 && <a href={fromRow(Math.max(0, skip - groupsShown))}>Larger ones</a>}
                      {skip + groups.length < groupCount && <a href={fromRow(skip + groupsShown)}>Smaller ones</a>}
                    </p>
                  )}
                </section>
                <section class="listing">
                  <h2>By {span}</h2>
                  <SpendOverTime each={bySpan(spans, from, to, span)} span={span} />
                </section>
              </>
            )}
          </>
        ),
      }
    }),
})

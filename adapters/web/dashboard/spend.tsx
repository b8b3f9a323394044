/** @jsxRuntime automatic @jsxImportSource preact */
import { MicroUsd } from "../../../core/account/Money.ts"
import { nextSpanStart, type Span, spanStart, type UsageSum } from "../../../core/account/Usage.ts"
import { day, iso } from "../../../core/time.ts"
import { Chart, gridAcross, Line, round, scale, ticks, width, words } from "../view/chart.tsx"
import { numeric, Table } from "../view/parts.tsx"
import { usd } from "./parts.tsx"

/** Calls and charges of a span of time, or of a group. */
export interface Total {
  readonly calls: number
  readonly charged: MicroUsd
}

export interface SpanTotal extends Total {
  /** The beginning, epoch milliseconds. */
  readonly at: number
}

const none: Total = { calls: 0, charged: MicroUsd(0) }

const plus = (one: Total, other: Total): Total => ({
  calls: one.calls + other.calls,
  charged: MicroUsd(one.charged + other.charged),
})

export const addUp = (sums: Iterable<Total>): Total => {
  let total = none
  for (const sum of sums) total = plus(total, sum)
  return total
}

/** Usage of a month so far, and of its last day. */
export interface MonthAndToday {
  readonly month: Total
  readonly today: Total
  /** Calls of today that were answered by an error. */
  readonly failed: Total
}

/** The beginning of an instant's day and of its month, in UTC. */
export const beginningsOf = (now: number): { readonly today: number; readonly month: number } => ({
  today: now - (now % day),
  month: Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()),
})

/** @param sums per day and status, of the month at least */
export const monthAndToday = (sums: ReadonlyArray<UsageSum>, now: number): MonthAndToday => {
  const { today, month } = beginningsOf(now)
  const ofToday = sums.filter(({ at }) => at === today)
  return {
    month: addUp(sums.filter(({ at }) => at >= month)),
    today: addUp(ofToday),
    failed: addUp(ofToday.filter(({ group }) => group === "4xx" || group === "5xx")),
  }
}

const totals = <K,>(sums: ReadonlyArray<UsageSum>, keyOf: (sum: UsageSum) => K): Map<K, Total> => {
  const found = new Map<K, Total>()
  for (const sum of sums) found.set(keyOf(sum), plus(found.get(keyOf(sum)) ?? none, sum))
  return found
}

/** Totals of each span from the first to the last, in order; those without a call are 0. */
export const bySpan = (
  sums: ReadonlyArray<UsageSum>,
  from: number,
  to: number,
  span: Span,
): ReadonlyArray<SpanTotal> => {
  const found = totals(sums, ({ at }) => at)
  const each: Array<SpanTotal> = []
  for (let at = spanStart(span, from); at < to; at = nextSpanStart(span, at + 1))
    each.push({ at, ...(found.get(at) ?? none) })
  return each
}

/** Letters of a span's beginning, as ISO 8601 has it. */
const letters: Readonly<Record<Span, number>> = { month: 7, day: 10, hour: 16 }

/** A month, a day, or an hour of a day, in UTC. */
export const nameOf = (at: number, span: Span): string => iso(at).slice(0, letters[span]).replace("T", " ")

const frame = { left: 52, top: 10, height: 150 }

/** Spend as bars. The table of the same values is next to it. */
export const SpendChart = ({ each, span }: { readonly each: ReadonlyArray<SpanTotal>; readonly span: Span }) => {
  const { left, top, height } = frame
  const right = width - 8
  const most = Math.max(...each.map(({ charged }) => charged))
  const all = ticks(0, Math.max(most, 1) / 1e6, 4)
  const y = scale([0, Math.max(most / 1e6, all.at(-1) ?? 0)], [top + height, top])
  const x = scale([0, each.length], [left, right])
  const thick = ((right - left) / each.length) * 0.8
  const bars = each
    .map(({ charged }, at) =>
      charged === 0 ? "" : `M${x(at + 0.1)} ${y(0)}V${y(charged / 1e6)}h${round(thick)}V${y(0)}Z`,
    )
    .join("")
  const named = [...new Set([0, Math.floor((each.length - 1) / 2), each.length - 1])]
  const { charged } = addUp(each)
  return (
    <Chart
      height={top + height + 24}
      label={`Spend per ${span}, UTC: ${usd(charged)} in ${each.length} ${span}s, at most ${usd(most)} in one.`}
    >
      {most > 0 && gridAcross(all, y, left, right)}
      <Line from={[left, y(0)]} to={[right, y(0)]} kind="axis" />
      <path class="model" d={bars} />
      {most === 0 && words((left + right) / 2, top + height / 2, "no spend")}
      {named.map((at, n) =>
        words(
          n === 0 && named.length > 1 ? left : at === each.length - 1 && named.length > 1 ? right : x(at + 0.5),
          top + height + 16,
          nameOf(each[at]!.at, span).slice(span === "month" ? 0 : 5),
          n === 0 && named.length > 1 ? "start" : at === each.length - 1 && named.length > 1 ? "end" : "middle",
        ),
      )}
    </Chart>
  )
}

/** The chart, and its values: the newest first. */
export const SpendOverTime = ({ each, span }: { readonly each: ReadonlyArray<SpanTotal>; readonly span: Span }) => {
  const total = addUp(each)
  return (
    <div class="columns">
      <figure>
        <SpendChart each={each} span={span} />
        <figcaption class="soft">Spend in USD per {span}, UTC</figcaption>
      </figure>
      <Table
        caption={`Calls and spend per ${span}, UTC, newest first`}
        columns={[span[0]!.toUpperCase() + span.slice(1), numeric("Calls"), numeric("Spend")]}
        rows={each.toReversed().map(({ at, calls, charged }) => [nameOf(at, span), calls, usd(charged)])}
        total={["Total", total.calls, usd(total.charged)]}
        isLong
      />
    </div>
  )
}

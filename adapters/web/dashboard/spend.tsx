/** @jsxRuntime automatic @jsxImportSource preact */
import { decimalsOf, MicroUsd, usd } from "../../../core/account/Money.ts"
import { nextSpanStart, type Span, spanStart, type UsageSum } from "../../../core/account/Usage.ts"
import { count, plural } from "../../../core/text.ts"
import { day, iso } from "../../../core/time.ts"
import { Chart, gridAcross, Line, round, scale, ticks, width, words } from "../view/chart.tsx"
import { numeric, Table } from "../view/parts.tsx"

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

export const minus = (one: Total, other: Total): Total => ({
  calls: one.calls - other.calls,
  charged: MicroUsd(one.charged - other.charged),
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

const isFailed = (status: string): boolean => status === "4xx" || status === "5xx"

/** @param sums per day and status, of the month at least */
export const monthAndToday = (sums: ReadonlyArray<UsageSum>, now: number): MonthAndToday => {
  const { today, month } = beginningsOf(now)
  const ofToday = sums.filter(({ at }) => at === today)
  return {
    month: addUp(sums.filter(({ at }) => at >= month)),
    today: addUp(ofToday),
    failed: addUp(ofToday.filter(({ group }) => isFailed(group))),
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

/** A part of the calls, such as those that failed or those of an agent: a layer of the picture. */
export interface Series {
  readonly name: string
  /** Its class in the style sheet. */
  readonly kind: string
  /** Its totals, of the same spans as the whole's. */
  readonly each: ReadonlyArray<Total>
}

const left = 52
const right = width - 8
const panelHeight = 88
const panelTops = [20, 20 + panelHeight + 26] as const
const bottom = panelTops[1] + panelHeight

/** One measure of all series, stacked: the first series is the lowest. */
const Panel = ({
  title,
  top,
  each,
  series,
  of,
  isWhole = false,
}: {
  readonly title: string
  readonly top: number
  readonly each: ReadonlyArray<Total>
  readonly series: ReadonlyArray<Series>
  readonly of: (total: Total) => number
  /** The measure is a count. */
  readonly isWhole?: boolean
}) => {
  const most = Math.max(...each.map(of))
  const grid = ticks(0, most, 3).filter((tick) => most > 0 && (!isWhole || Number.isInteger(tick)))
  const y = scale([0, most === 0 ? 1 : most], [top + panelHeight, top])
  const x = scale([0, each.length], [left, right])
  const thick = round(((right - left) / each.length) * 0.8)
  const bases = each.map(() => 0)
  return (
    <g>
      {words(left, top - 7, title, "start", "name")}
      {gridAcross(grid, y, left, right)}
      {series.map(({ name, kind, each: own }) => {
        const bars = own.map((total, at) => {
          const base = bases[at]!
          bases[at] = base + of(total)
          return of(total) === 0 ? "" : `M${x(at + 0.1)} ${y(base)}V${y(bases[at])}h${thick}V${y(base)}Z`
        })
        return bars.some((bar) => bar !== "") && <path key={name} class={`layer ${kind}`} d={bars.join("")} />
      })}
      <Line from={[left, y(0)]} to={[right, y(0)]} kind="axis" />
      {most === 0 && words((left + right) / 2, top + panelHeight / 2, isWhole ? "no calls" : "no spend")}
    </g>
  )
}

interface Stacked {
  readonly each: ReadonlyArray<SpanTotal>
  readonly span: Span
  /** They add up to the whole. */
  readonly series: ReadonlyArray<Series>
}

/** Spend and calls over the same time, each stacked by series. A span's values are shown where the pointer is on it. */
export const SpendChart = ({ each, span, series }: Stacked) => {
  const { calls, charged } = addUp(each)
  const most = Math.max(...each.map((of) => of.charged))
  const last = each.length - 1
  const x = scale([0, each.length], [left, right])
  const titleOf = ({ at, ...whole }: SpanTotal, n: number) =>
    [
      `${nameOf(at, span)}: ${usd(whole.charged)}, ${plural(whole.calls, "call")}`,
      ...series.flatMap(({ name, each: own }) => {
        const { calls, charged } = own[n]!
        return calls === 0 ? [] : [`${name}: ${charged === 0 ? "" : `${usd(charged)}, `}${plural(calls, "call")}`]
      }),
    ].join("\n")
  return (
    <Chart
      height={bottom + 20}
      label={`Spend and calls per ${span}, UTC: ${usd(charged)} and ${plural(calls, "call")} in ${each.length} ${span}s, at most ${usd(most)} in one.`}
    >
      <Panel title="Spend, USD" top={panelTops[0]} {...{ each, series }} of={(total) => total.charged / 1e6} />
      <Panel title="Calls" top={panelTops[1]} {...{ each, series }} of={(total) => total.calls} isWhole />
      {[...new Set([0, Math.floor(last / 2), last])].map((at, n) => {
        const isEdge = last > 0 && (n === 0 || at === last)
        return words(
          isEdge ? (n === 0 ? left : right) : x(at + 0.5),
          bottom + 16,
          nameOf(each[at]!.at, span).slice(span === "month" ? 0 : 5),
          isEdge ? (n === 0 ? "start" : "end") : "middle",
        )
      })}
      {each.map((total, at) =>
        total.calls === 0 ? null : (
          <rect key={at} class="over" x={x(at)} y={panelTops[0]} width={round(x(at + 1) - x(at))} height={bottom - 20}>
            <title>{titleOf(total, at)}</title>
          </rect>
        ),
      )}
    </Chart>
  )
}

/**
 * The picture, its key, and its values as a table, the newest first.
 *
 * @param shows the measure of each series in the table
 */
export const SpendOverTime = ({ each, span, series, shows }: Stacked & { readonly shows: keyof Total }) => {
  const total = addUp(each)
  const decimals = decimalsOf([each, ...series.map((one) => one.each)].flat().map(({ charged }) => charged))
  const cells = (whole: Total, own: (series: Series) => Total) => [
    count(whole.calls),
    usd(whole.charged, decimals),
    ...series.map((one) => (shows === "calls" ? count(own(one).calls) : usd(own(one).charged, decimals))),
  ]
  return (
    // A table of many columns has the whole width.
    <div {...(series.length > 2 ? {} : { class: "columns" })}>
      <figure>
        <SpendChart each={each} span={span} series={series} />
        <ul class="key" aria-hidden="true">
          {series.map(({ name, kind }) => (
            <li key={name}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect class={kind} width={10} height={10} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      </figure>
      <Table
        caption={`Calls and spend per ${span}, UTC, newest first`}
        columns={[
          span[0]!.toUpperCase() + span.slice(1),
          ...["Calls", "Spend", ...series.map(({ name }) => name)].map(numeric),
        ]}
        rows={each.map((whole, at) => [nameOf(whole.at, span), ...cells(whole, (one) => one.each[at]!)]).toReversed()}
        total={["Total", ...cells(total, (one) => addUp(one.each))]}
        isLong
      />
    </div>
  )
}

/** Calls by their result, as series. */
export const byResult = (
  sums: ReadonlyArray<UsageSum>,
  from: number,
  to: number,
  span: Span,
): ReadonlyArray<Series> => {
  const part = (failed: boolean) =>
    bySpan(
      sums.filter(({ group }) => isFailed(group) === failed),
      from,
      to,
      span,
    )
  return [
    { name: "Succeeded", kind: "model", each: part(false) },
    { name: "Failed", kind: "failed", each: part(true) },
  ]
}

/** Days whose spend is the pace. */
const paceDays = 7

/** How long a balance lasts at the spend of the last 7 days, today included. */
export interface TimeLeft {
  readonly figure: string
  readonly note: string
}

/** @param sums per day, of the last 7 days at least */
export const timeLeft = (balance: number, sums: ReadonlyArray<UsageSum>, now: number): TimeLeft => {
  const from = paceFrom(now)
  const pace = addUp(sums.filter(({ at }) => at >= from)).charged / ((now - from) / day)
  if (!(pace > 0)) return { figure: "–", note: `no spend in the last ${paceDays} days` }
  const days = balance / pace
  return {
    figure: days >= 1_000 ? "1000 days or more" : days < 1 ? "less than a day" : plural(Math.floor(days), "day"),
    note: `at ${usd(Math.round(Number(pace.toPrecision(3))))} a day, the average of the last ${paceDays} days`,
  }
}

/** The first instant of the days whose spend is the pace. */
export const paceFrom = (now: number): number => beginningsOf(now).today - (paceDays - 1) * day

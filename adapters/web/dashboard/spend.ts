import { exactDecimals, MicroUsd, usd } from "../../../core/account/Money.ts"
import { nextSpanStart, type Span, spanStart, type UsageSum } from "../../../core/account/Usage.ts"
import { capitalize, count, plural } from "../../../core/text.ts"
import { day, hour } from "../../../core/time.ts"
import { dayText, monthText, timeText } from "../view/dates.ts"
import { numeric } from "../view/parts.tsx"
import { type Mark, plot } from "../view/plot.tsx"
import { ticks } from "../view/ticks.ts"

/** Calls and charges of a span of time, or of a group. */
export interface Total {
  readonly calls: number
  readonly charged: MicroUsd
}

interface SpanTotal extends Total {
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
}

/** The beginning of an instant's day and of its month, in UTC. */
export const startOfDayAndMonth = (now: number): { readonly today: number; readonly month: number } => ({
  today: now - (now % day),
  month: Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()),
})

export const isFailed = (status: string): boolean => status === "4xx" || status === "5xx"

/** @param sums per day, of the month at least */
export const monthAndToday = (sums: ReadonlyArray<UsageSum>, now: number): MonthAndToday => {
  const { today, month } = startOfDayAndMonth(now)
  return {
    month: addUp(sums.filter(({ at }) => at >= month)),
    today: addUp(sums.filter(({ at }) => at === today)),
  }
}

const totals = <K>(sums: ReadonlyArray<UsageSum>, keyOf: (sum: UsageSum) => K): Map<K, Total> => {
  const totalsByKey = new Map<K, Total>()
  for (const sum of sums) totalsByKey.set(keyOf(sum), plus(totalsByKey.get(keyOf(sum)) ?? none, sum))
  return totalsByKey
}

/** Totals of each span from the first to the last, in order; those without a call are 0. */
export const bySpan = (
  sums: ReadonlyArray<UsageSum>,
  from: number,
  to: number,
  span: Span,
): ReadonlyArray<SpanTotal> => {
  const byDay = totals(sums, ({ at }) => at)
  const each: Array<SpanTotal> = []
  for (let at = spanStart(span, from); at < to; at = nextSpanStart(span, at + 1))
    each.push({ at, ...(byDay.get(at) ?? none) })
  return each
}

/** About how long a span is, milliseconds. */
const lengths: Readonly<Record<Span, number>> = { month: 30 * day, day, hour }

/** A month, a day, or an hour of a day, in UTC, as pages write it. */
export const nameOf = (at: number, span: Span): string => ({ month: monthText, day: dayText, hour: timeText })[span](at)

/** A part of the calls, such as those that failed or those of an agent: a layer of the picture. */
export interface Series {
  readonly name: string
  /** Its class in the style sheet. */
  readonly kind: string
  /** Its totals, of the same spans as the whole's. */
  readonly each: ReadonlyArray<Total>
}

interface Stacked {
  readonly each: ReadonlyArray<SpanTotal>
  readonly span: Span
  /** They add up to the whole. */
  readonly series: ReadonlyArray<Series>
}

/** One measure of all series, stacked: the first series is the lowest. */
const stacked = ({ each, span, series }: Stacked, of: (total: Total) => number): ReadonlyArray<Mark> => {
  const bases = each.map(() => 0)
  return series.map(({ name, kind, each: own }) => ({
    ...{ kind: "bar", as: kind, name, width: 0.8 * lengths[span] },
    rows: own.flatMap((total, n) => {
      const base = bases[n]!
      bases[n] = base + of(total)
      return of(total) === 0 ? [] : [[each[n]!.at, base, bases[n]!] as const]
    }),
  }))
}

/** A value axis from 0 to the round number above the most; of nothing it has no tick. */
export const makeAxis = (name: string, most: number, isWhole: boolean) => {
  const [, step = most || 1] = ticks(0, most, 3)
  const top = Math.ceil(most / step - 1e-9) * step || 1
  return {
    name,
    domain: [0, top] as const,
    ticks: most === 0 ? [] : ticks(0, top, 3).filter((tick) => !isWhole || Number.isInteger(tick)),
  }
}

/** Spend and calls over the same time, each stacked by series; their values as a table, the newest first. */
export const spendOverTime = (spend: Stacked) => {
  const { each, span, series } = spend
  const total = addUp(each)
  const largest = (of: (total: Total) => number) => Math.max(0, ...each.map(of))
  const [dollars, calls] = [({ charged }: Total) => charged / 1e6, (whole: Total) => whole.calls]
  const decimals = exactDecimals([each, ...series.map((one) => one.each)].flat().map(({ charged }) => charged))
  const cells = (whole: Total, own: (series: Series) => Total) => [
    count(whole.calls),
    usd(whole.charged, decimals),
    ...series.map((one) => usd(own(one).charged, decimals)),
  ]
  return plot({
    title: `Calls and spend per ${span}, UTC`,
    label: `Spend and calls per ${span}, UTC: ${usd(total.charged)} and ${plural(total.calls, "call")} in ${each.length} ${span}s, at most ${usd(largest(({ charged }) => charged))} in one.`,
    isTitled: true,
    x: { isTime: true, domain: [each[0]!.at - lengths[span] / 2, each.at(-1)!.at + lengths[span] / 2] },
    y: makeAxis("Spend, USD", largest(dollars), false),
    height: 110,
    marks: stacked(spend, dollars),
    below: {
      y: makeAxis("Calls", largest(calls), true),
      height: 90,
      marks: stacked(spend, calls).map(({ name: _, ...mark }) => mark),
    },
    columns: [capitalize(span), ...["Calls", "Spend", ...series.map(({ name }) => name)].map(numeric)],
    rows: each
      .map((whole, n) => ({ at: whole.at, cells: [nameOf(whole.at, span), ...cells(whole, (one) => one.each[n]!)] }))
      .toReversed(),
    total: ["Total", ...cells(total, (one) => addUp(one.each))],
  })
}

/** The pace is the mean spend of these days, if at least so many of them have any. */
const [paceDays, leastDays] = [7, 3]

/** How long a balance lasts at the spend of the last 7 days, today included. */
export interface TimeLeft {
  readonly figure: string
  readonly note: string
}

/** @param sums per day, of the last 7 days at least */
export const timeLeft = (balance: number, sums: ReadonlyArray<UsageSum>, now: number): TimeLeft | undefined => {
  const from = paceFrom(now)
  const spent = sums.filter(({ at, charged }) => at >= from && charged > 0)
  if (new Set(spent.map(({ at }) => at)).size < leastDays) return undefined
  const pace = addUp(spent).charged / ((now - from) / day)
  const days = balance / pace
  return {
    figure: days >= 1_000 ? "1000 days or more" : days < 1 ? "less than a day" : plural(Math.floor(days), "day"),
    note: `At ${usd(Math.round(Number(pace.toPrecision(3))))} a day, the average of the last ${paceDays} days`,
  }
}

/** The first instant of the days whose spend is the pace. */
export const paceFrom = (now: number): number => startOfDayAndMonth(now).today - (paceDays - 1) * day

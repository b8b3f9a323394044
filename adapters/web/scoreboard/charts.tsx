/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact"
import {
  type Bin,
  Chart,
  type Curve,
  gridAcross,
  gridUp,
  IntervalPlot,
  Key,
  Line,
  Mark,
  ReliabilityPlot,
  reliabilitySquare,
  round,
  scale,
  signed,
  ticks,
  type Who,
  width,
  words,
} from "../view/chart.tsx"
import { count, type Difference } from "./verdict.ts"

/*
 * The charts of the scoreboard. Each has a text alternative, and the page has a table of its numbers below it.
 */

/** Left end of the plots that have a name on every line. */
const nameWidthPx = 92

/** The name of a line, with its number of markets below. */
const Name = ({ y, label, markets }: { readonly y: number; readonly label: string; readonly markets: number }) => (
  <>
    {words(nameWidthPx - 12, y, label, "end", "name")}
    {words(nameWidthPx - 12, y + 14, count(markets), "end")}
  </>
)

/** Characters of a name that fit left of a plot. */
const fitting = 14

const short = (name: string): string => (name.length <= fitting ? name : `${name.slice(0, fitting - 1)}…`)

const digits = (value: number): string => signed(value.toFixed(4))

/**
 * Differences with intervals, one per line; left of zero the first is ahead.
 *
 * @param of who is compared with whom
 * @param hasTotal whether the first line is the sum of the others
 */
export const Differences = ({
  rows,
  of: [one, other],
  hasTotal,
}: {
  readonly rows: ReadonlyArray<Difference>
  readonly of: readonly [one: string, other: string]
  readonly hasTotal: boolean
}) => (
  <IntervalPlot
    label={`Brier score of the ${one} minus that of the ${other}, with 95 % intervals. Left of zero the ${one} is ahead. ${rows
      .map(
        ({ label, estimate, low, high }) => `${label} ${estimate.toFixed(4)}, ${low.toFixed(4)} to ${high.toFixed(4)}`,
      )
      .join("; ")}.`}
    sides={[`${one} ahead`, `${other} ahead`]}
    rows={rows.map((row) => ({ ...row, value: row.estimate }))}
    left={nameWidthPx}
    far={Math.max(1e-6, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])) * 1.1}
    name={({ label, markets }, y) => <Name y={y} label={short(label)} markets={markets} />}
    mark={({ label, value, low, high }, x, y, at) => {
      const title = <title>{`${label}: ${digits(value)}, 95 % from ${digits(low)} to ${digits(high)}`}</title>
      return (
        <>
          {hasTotal && at === 0 ? (
            <path class="point" d={`M${x - 7} ${y}l7 -6 7 6 -7 6z`}>
              {title}
            </path>
          ) : (
            <circle class="point" cx={x} cy={y} r={4.5}>
              {title}
            </circle>
          )}
          {words(x, y - 11, digits(value), "middle", "value")}
        </>
      )
    }}
  />
)

export interface Lead {
  readonly label: string
  readonly markets: number
  readonly model: number
  readonly market: number
}

/**
 * Two points per line, the model's above the market's so that neither covers the other, on an axis that does not begin at
 * zero, for the differences are small; each is written at the end of its line.
 */
export const Leads = ({ rows }: { readonly rows: ReadonlyArray<Lead> }) => {
  const [top, lineHeight] = [26, 50]
  const values = rows.flatMap(({ model, market }) => [model, market])
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const pad = Math.max((high - low) * 0.08, 1e-4)
  const right = width - 56
  const x = scale([low - pad, high + pad], [nameWidthPx, right])
  const bottom = top + rows.length * lineHeight
  return (
    <Chart
      height={bottom + 38}
      label={`Brier score of model and market by time from capture to close. ${rows
        .map(({ label, model, market }) => `${label}: model ${model.toFixed(4)}, market ${market.toFixed(4)}`)
        .join("; ")}.`}
    >
      <Key x={nameWidthPx + 4} y={10} />
      {words(width - 2, 14, "difference", "end")}
      {gridUp(ticks(low - pad, high + pad, 4), x, top, bottom)}
      {rows.map(({ label, markets, model, market }, at) => {
        const y = top + (at + 0.5) * lineHeight
        return (
          <g key={label}>
            <Name y={y} label={label} markets={markets} />
            <Line from={[nameWidthPx, y]} to={[right, y]} kind="grid" />
            <Mark who="model" x={x(model)} y={y - 6} title={`${label}: model ${model.toFixed(4)}`} />
            <Mark who="market" x={x(market)} y={y + 6} title={`${label}: market ${market.toFixed(4)}`} />
            {words(width - 2, y + 4, signed((model - market).toFixed(4)), "end")}
          </g>
        )
      })}
      {words((nameWidthPx + right) / 2, bottom + 32, "Brier score, better to the left")}
    </Chart>
  )
}

/** One bin of a reliability diagram. A bin without forecasts has a count only. */
export interface ReliabilityPoint {
  readonly count: number
  readonly mean_probability?: number
  readonly frequency?: number
  readonly low?: number
  readonly high?: number
}

const scoredBins = (bins: ReadonlyArray<ReliabilityPoint>): ReadonlyArray<Bin> =>
  bins.flatMap(({ count: forecasts, mean_probability: p, frequency, low, high }) =>
    p === undefined || frequency === undefined || low === undefined || high === undefined
      ? []
      : [{ forecasts, p, frequency, band: [low, high] }],
  )

/** Height of the bars that count the markets of a bin. */
const barHeight = 34

/**
 * Observed frequency over forecast probability, with 95 % bands; the diagonal is perfect calibration. Below it the number
 * of markets in each bin: the model's upwards, the market's downwards.
 */
export const Reliability = (bins: { readonly [who in Who]: ReadonlyArray<ReliabilityPoint> }) => {
  const { left, top, size, x } = reliabilitySquare
  const scored = { model: scoredBins(bins.model), market: scoredBins(bins.market) }
  const most = Math.max(1, ...[...bins.model, ...bins.market].map((bin) => bin.count))
  const middle = top + size + 44 + barHeight
  const bar = scale([0, most], [0, barHeight])
  const curves = (["market", "model"] as const).map(
    (who): Curve => ({
      kind: who,
      bins: scored[who],
      mark: ({ forecasts, p, frequency }, markX, markY) => (
        <Mark
          who={who}
          x={markX}
          y={markY}
          title={`${who} said ${p.toFixed(3)}, came true ${frequency.toFixed(3)}, ${count(forecasts)} markets`}
        />
      ),
    }),
  )
  return (
    <ReliabilityPlot
      height={middle + barHeight + 34}
      label={`Reliability of model and market: share that came true over probability given, ${scored.model.length} and ${scored.market.length} bins with 95 % bands, and the number of markets in each bin.`}
      curves={curves}
    >
      <Key x={left + 16} y={top + 18} />
      {(["model", "market"] as const).map((who) =>
        bins[who].map(({ count: markets }, at) => (
          <rect
            key={`${who}${at}`}
            class={who}
            x={round(x(at / bins[who].length) + 3)}
            y={who === "model" ? round(middle - 1 - bar(markets)) : middle + 1}
            width={round(size / bins[who].length - 6)}
            height={bar(markets)}
          >
            <title>{`${who}, bin ${at + 1}: ${count(markets)} markets`}</title>
          </rect>
        )),
      )}
      <Line from={[x(0), middle]} to={[x(1), middle]} kind="axis" />
      {words(left - 6, middle - barHeight + 8, count(most), "end")}
      {words(left - 6, middle + 4, "0", "end")}
      {words(left - 6, middle + barHeight, count(most), "end")}
      {words(x(0.5), middle + barHeight + 20, "markets per bin: model above, market below")}
    </ReliabilityPlot>
  )
}

const monthName = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" })

/** The first days of months within a time, at most seven: else those of every second, third or sixth month or of years. */
export const months = (from: number, to: number): ReadonlyArray<number> => {
  const first = new Date(from)
  const all: Array<number> = []
  for (let month = 0; ; month++) {
    const at = Date.UTC(first.getUTCFullYear(), month, 1)
    if (at > to) break
    if (at >= from) all.push(at)
  }
  const every = [1, 2, 3, 6].find((step) => all.length / step <= 7) ?? 12 * Math.ceil(all.length / 84)
  return all.filter((at) => (12 * new Date(at).getUTCFullYear() + new Date(at).getUTCMonth()) % every === 0)
}

/** A cumulative sum by day, as steps: nothing changes between days with trades. */
export const Steps = ({
  points,
}: {
  readonly points: ReadonlyArray<{ readonly day: string; readonly value: number }>
}) => {
  const [left, right, top, height] = [44, width - 62, 12, 200]
  const times = points.map(({ day }) => Date.parse(day))
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0]
  const values = [0, ...points.map(({ value }) => value)]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = scale([from, to], [left, right])
  const y = scale([low, high], [top + height, top])
  const last = points.at(-1)
  const path = points.map(({ value }, at) =>
    at === 0 ? `M${x(times[at]!)} ${y(0)}V${y(value)}` : `H${x(times[at]!)}V${y(value)}`,
  )
  return (
    <Chart
      height={top + height + 40}
      label={`Running result of the hypothetical ledger after fees, US dollars, by day of close${
        last === undefined ? "" : `, from ${points[0]!.day} to ${last.day}, at last ${last.value.toFixed(2)}`
      }.`}
    >
      {gridAcross(ticks(low, high), y, left, right, "zero")}
      {months(from, to).map((at, index) => {
        const date = new Date(at)
        return (
          <g key={at}>
            <Line from={[x(at), top + height]} to={[x(at), top + height + 5]} kind="axis" />
            {words(x(at), top + height + 18, monthName.format(date))}
            {(index === 0 || date.getUTCMonth() === 0) && words(x(at), top + height + 32, date.getUTCFullYear())}
          </g>
        )
      })}
      <Line from={[left, top + height]} to={[right, top + height]} kind="axis" />
      <path class="curve ledger" d={path.join("")} />
      {last !== undefined && (
        <>
          <Mark who="model" x={x(to)} y={y(last.value)} title={`${last.day}: ${signed(last.value.toFixed(2))} USD`} />
          {words(right + 8, Math.max(y(last.value) + 4, top + 8), signed(last.value.toFixed(2)), "start", "name")}
        </>
      )}
    </Chart>
  )
}

/** A picture with the tables of its numbers folded below it. Without enough markets for a picture the tables are open. */
export const Picture = ({
  title,
  words,
  chart,
  children,
}: {
  readonly title: string
  readonly words: string
  readonly chart: VNode | undefined
  readonly children: ComponentChildren
}) => (
  <section>
    <h2>{title}</h2>
    <p class="soft">{words}</p>
    {chart === undefined ? (
      children
    ) : (
      <figure>
        {chart}
        <details>
          <summary>{title} in figures</summary>
          {children}
        </details>
      </figure>
    )}
  </section>
)

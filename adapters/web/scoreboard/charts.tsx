/** @jsxRuntime automatic @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact"
import { count } from "../../../core/text.ts"
import {
  Chart,
  gridUp,
  Key,
  Line,
  Mark,
  PartLink,
  round,
  scale,
  signed,
  ticks,
  touchArea,
  type Who,
  width,
  words,
} from "../view/chart.tsx"
import { type Bin, type Curve, IntervalPlot, ReliabilityPlot, reliabilitySquare } from "../view/plots.tsx"
import { linkOf } from "./markets/asked.ts"
import type { Difference } from "./verdict.ts"

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
  hrefOf,
}: {
  readonly rows: ReadonlyArray<Difference>
  readonly of: readonly [one: string, other: string]
  readonly hasTotal: boolean
  /** Where the point of a line leads. */
  readonly hrefOf?: (label: string) => string
}) => (
  <IntervalPlot
    hasLinks={hrefOf !== undefined}
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
      const name = `${label}: ${digits(value)}, 95 % from ${digits(low)} to ${digits(high)}`
      const title = <title>{name}</title>
      return (
        <>
          {words(x, y - 11, digits(value), "middle", "value")}
          <PartLink href={hrefOf?.(label)} label={name}>
            {hrefOf !== undefined && touchArea(x, y)}
            {hasTotal && at === 0 ? (
              <path class="point" d={`M${x - 7} ${y}l7 -6 7 6 -7 6z`}>
                {title}
              </path>
            ) : (
              <circle class="point" cx={x} cy={y} r={4.5}>
                {title}
              </circle>
            )}
          </PartLink>
        </>
      )
    }}
  />
)

export interface Lead {
  /** Where its line leads. */
  readonly href?: string
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
      hasLinks={rows.some(({ href }) => href !== undefined)}
      label={`Brier score of model and market by time from capture to close. ${rows
        .map(({ label, model, market }) => `${label}: model ${model.toFixed(4)}, market ${market.toFixed(4)}`)
        .join("; ")}.`}
    >
      <Key x={nameWidthPx + 4} y={10} />
      {words(width - 2, 14, "difference", "end")}
      {gridUp(ticks(low - pad, high + pad, 4), x, top, bottom)}
      {rows.map(({ label, markets, model, market, href }, at) => {
        const y = top + (at + 0.5) * lineHeight
        return (
          <g key={label}>
            <Name y={y} label={label} markets={markets} />
            <Line from={[nameWidthPx, y]} to={[right, y]} kind="grid" />
            {words(width - 2, y + 4, signed((model - market).toFixed(4)), "end")}
            <PartLink href={href} label={`${label}: model ${model.toFixed(4)}, market ${market.toFixed(4)}`}>
              {href !== undefined && (
                <rect x={0} y={y - 18} width={width} height={36} fill="none" pointer-events="all" />
              )}
              <Mark who="model" x={x(model)} y={y - 6} title={`${label}: model ${model.toFixed(4)}`} />
              <Mark who="market" x={x(market)} y={y + 6} title={`${label}: market ${market.toFixed(4)}`} />
            </PartLink>
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
      hasLinks
      height={middle + barHeight + 34}
      label={`Reliability of model and market: share that came true over probability given, ${scored.model.length} and ${scored.market.length} bins with 95 % bands, and the number of markets in each bin.`}
      curves={curves}
    >
      <Key x={left + 16} y={top + 18} />
      {(["model", "market"] as const).map((who) =>
        bins[who].map(({ count: markets }, at) => {
          const [from, wide] = [round(x(at / bins[who].length) + 3), round(size / bins[who].length - 6)]
          const name = `${who} ${at * 10} to ${at * 10 + 10} %: ${count(markets)} markets`
          return (
            <PartLink
              key={`${who}${at}`}
              href={markets === 0 ? undefined : linkOf({ bin: `${who}-${at}` })}
              label={name}
            >
              {/* A finger's width on the smallest phone. */}
              <rect
                x={round(from - 3.2)}
                y={who === "model" ? middle - barHeight : middle}
                width={round(wide + 6.4)}
                height={barHeight}
                fill="none"
                pointer-events="all"
              />
              <rect
                class={who}
                x={from}
                y={who === "model" ? round(middle - 1 - bar(markets)) : middle + 1}
                width={wide}
                height={bar(markets)}
              >
                <title>{name}</title>
              </rect>
            </PartLink>
          )
        }),
      )}
      <Line from={[x(0), middle]} to={[x(1), middle]} kind="axis" />
      {words(left - 6, middle - barHeight + 8, count(most), "end")}
      {words(left - 6, middle + 4, "0", "end")}
      {words(left - 6, middle + barHeight, count(most), "end")}
      {words(x(0.5), middle + barHeight + 20, "markets per bin: model above, market below")}
    </ReliabilityPlot>
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

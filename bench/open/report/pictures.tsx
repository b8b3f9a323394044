/** @jsxRuntime automatic @jsxImportSource preact */

import type { VNode } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { round, signed, width, words } from "../../../adapters/web/view/chart.tsx"
import {
  type Curve,
  differencesHeight,
  IntervalPlot,
  ReliabilityPlot,
  reliabilitySquare,
} from "../../../adapters/web/view/plots.tsx"
import { count } from "../../../core/text.ts"
import type { Calibration, Difference, Part } from "../compare/compare.ts"
import { figure, signedFigure, span } from "../compare/table.ts"

/*
 * The pictures of a comparison. A contender has a colour and a mark of its own, so that colour alone says nothing.
 */

/** The colours of contenders, the first one's first, on a light ground and on a dark one. */
export const colours = {
  light: ["#1d4ed8", "#b45309", "#15803d", "#7e22ce", "#be123c", "#0e7490"],
  dark: ["#7dd3fc", "#fbbf24", "#4ade80", "#d8b4fe", "#fda4af", "#67e8f9"],
}
const marks = colours.light.length

const Mark = ({
  at,
  x,
  y,
  title,
}: {
  readonly at: number
  readonly x: number
  readonly y: number
  readonly title?: string
}) => {
  const inside = title === undefined ? null : <title>{title}</title>
  const kind = `who${at % marks}`
  const side = 4
  const shapes = [
    `M${x - side} ${y}a${side} ${side} 0 1 0 ${2 * side} 0a${side} ${side} 0 1 0 ${-2 * side} 0z`,
    `M${round(x - 3.5)} ${round(y - 3.5)}h7v7h-7z`,
    `M${x} ${y - 5}l5 8.5h-10z`,
    `M${x} ${y - 5}l5 5-5 5-5-5z`,
    `M${x} ${y + 5}l5-8.5h-10z`,
    `M${round(x - 4.5)} ${y - 1.5}h3v-3h3v3h3v3h-3v3h-3v-3h-3z`,
  ]
  return (
    <path class={kind} d={shapes[at % marks]!}>
      {inside}
    </path>
  )
}

const keyHeight = 18
const reliabilityHeight = (contenders: number): number =>
  reliabilitySquare.top + reliabilitySquare.size + 44 + contenders * keyHeight

/** Bins with fewer forecasts than this are drawn faint and not joined: their standard error is above .1. */
const minForecasts = 25

/** Observed frequency over probability given; the diagonal is perfect calibration. The key is below. */
export const Reliability = ({ all, event }: { readonly all: ReadonlyArray<Calibration>; readonly event: string }) => {
  const { left, y } = reliabilitySquare
  const curves = all.map(
    ({ contender, bins }, at): Curve => ({
      kind: `who${at % marks}`,
      bins: bins.flatMap(({ count, meanProbability: p, frequency }) =>
        count === 0 ? [] : [{ forecasts: count, p, frequency }],
      ),
      minForecasts,
      mark: ({ forecasts, p, frequency }, x, y) => (
        <Mark
          at={at}
          x={x}
          y={y}
          title={`${contender} said ${p.toFixed(3)}, came true ${frequency.toFixed(3)}, ${forecasts} forecasts`}
        />
      ),
    }),
  )
  return (
    <ReliabilityPlot
      height={reliabilityHeight(all.length)}
      label={`Reliability: share in which ${event} over the probability given, for ${all.map(({ contender }) => contender).join(", ")}.`}
      // The first one is drawn last, on top.
      curves={curves.reverse()}
    >
      {all.map(({ contender, ece, forecasts }, at) => {
        const line = y(0) + 50 + at * keyHeight
        return (
          <g key={contender}>
            <Mark at={at} x={left + 4} y={line} />
            {words(left + 14, line + 4, `${contender}, error ${figure(ece)}, ${count(forecasts)} forecasts`, "start")}
          </g>
        )
      })}
    </ReliabilityPlot>
  )
}

/** How far a difference or its interval is from 0. */
const reachOf = ({ low, high, value }: Difference): number =>
  Math.max(...[low, high, value].map(Math.abs).filter(Number.isFinite))

/** The end of the axis. One far worse forecaster, such as a climatology, does not make dots of the others' intervals. */
const farOf = (rows: ReadonlyArray<Difference>): number => {
  const reaches = rows.map(reachOf).sort((a, b) => a - b)
  const middle = reaches[(reaches.length - 1) >> 1]!
  return 1.1 * Math.max(1e-9, ...reaches.filter((reach) => reach <= 8 * middle))
}

/** Differences of one score, with intervals; left of zero the first contender has the lower score. */
export const Differences = ({
  of,
  measure,
  better,
  rows,
}: {
  readonly of: string
  readonly measure: string
  readonly better: "lower" | "higher"
  readonly rows: ReadonlyArray<Difference>
}) => (
  <IntervalPlot
    label={`${measure} of ${of} minus that of each other, with 95 % intervals: ${rows
      .map((row) => `${row.minus} ${figure(row.value)}, ${span(row)}`)
      .join("; ")}.`}
    sides={better === "lower" ? ["better", "worse"] : ["worse", "better"]}
    rows={rows}
    left={12}
    far={farOf(rows)}
    name={({ minus, value }, y) => words(12, y - 11, `minus ${minus}: ${signed(signedFigure(value))}`, "start", "name")}
    mark={({ value, low, high }, x, y) => (
      <Mark
        at={0}
        x={x}
        y={y}
        title={`${signed(figure(value))}, 95 % from ${signed(figure(low))} to ${signed(figure(high))}`}
      />
    )}
  />
)

/** Colours and strokes of the charts, for a picture that stands alone; a page has them in its style sheet. */
const standaloneStyle = `
svg { background: #fff; color: #0f172a; font: 11px system-ui, sans-serif }
text { fill: #334155 } .name { fill: #0f172a; font-weight: 600; paint-order: stroke; stroke: #fff; stroke-width: 4px } .title { fill: #0f172a; font-weight: 600; font-size: 13px }
.grid { stroke: #e2e8f0 } .zero { stroke: #64748b } .perfect { stroke: #64748b; stroke-dasharray: 4 4 }
.interval { stroke: #334155; stroke-width: 2 } .curve { fill: none }
${colours.light.map((colour, at) => `.who${at} { fill: ${colour} } .curve.who${at} { fill: none; stroke: ${colour}; stroke-width: 1.4 }`).join("\n")}
`

interface Panel {
  readonly title: string
  readonly chart: VNode
  /** Of the chart, pixels. */
  readonly height: number
}

/** The parts' pictures in one SVG file, side by side in rows of three. */
const sheet = (title: string, panels: ReadonlyArray<Panel>): string => {
  const columns = Math.max(1, Math.min(3, panels.length))
  const cell = { width: width + 24, height: Math.max(0, ...panels.map(({ height }) => height)) + 48 }
  const size = { width: columns * cell.width + 24, height: Math.ceil(panels.length / columns) * cell.height + 56 }
  return `${renderToStaticMarkup(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${size.width} ${size.height}`}
      width={size.width}
      height={size.height}
      role="img"
      aria-label={title}
    >
      <style dangerouslySetInnerHTML={{ __html: standaloneStyle }} />
      <rect width={size.width} height={size.height} fill="#fff" />
      <text class="title" x={24} y={32}>
        {title}
      </text>
      {panels.map((panel, at) => (
        <g
          key={panel.title}
          transform={`translate(${24 + (at % columns) * cell.width} ${70 + Math.floor(at / columns) * cell.height})`}
        >
          <text class="title">{panel.title}</text>
          <svg y={10} width={width} height={panel.height} role="img" aria-label={panel.title}>
            {panel.chart}
          </svg>
        </g>
      ))}
    </svg>,
  )}\n`
}

const filled = <P extends { readonly cases: number }>(parts: ReadonlyArray<P>) => parts.filter(({ cases }) => cases > 0)

/** The reliability diagrams of all parts as one SVG file. */
export const reliabilityPicture = (
  title: string,
  event: string,
  parts: ReadonlyArray<Pick<Part, "group" | "cases" | "reliability">>,
): string =>
  sheet(
    title,
    filled(parts)
      .filter(({ reliability }) => reliability.length > 0)
      .map(({ group, reliability }) => ({
        title: group,
        chart: <Reliability all={reliability} event={event} />,
        height: reliabilityHeight(reliability.length),
      })),
  )

/** The differences of all parts and scores as one SVG file. */
export const differencesPicture = (title: string, of: string, parts: ReadonlyArray<Part>): string =>
  sheet(
    title,
    filled(parts).flatMap(({ group, measures }) =>
      measures
        .filter(({ differences }) => differences.length > 0)
        .map(({ measure, better, differences }) => ({
          title: `${group}: ${measure}`,
          chart: <Differences of={of} measure={measure} better={better} rows={differences} />,
          height: differencesHeight(differences.length),
        })),
    ),
  )

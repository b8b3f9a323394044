/** @jsxRuntime automatic @jsxImportSource preact */
import { renderToStaticMarkup } from "preact-render-to-string"
import { reliability as reliabilityOf } from "../../../adapters/web/pictures/reliability.ts"
import { signed } from "../../../adapters/web/view/numbers.ts"
import { numeric } from "../../../adapters/web/view/parts.tsx"
import { draw, type Mark, marginOf, markShape, type Picture } from "../../../adapters/web/view/plot.tsx"
import { plotStyle } from "../../../adapters/web/view/style.ts"
import * as tokens from "../../../adapters/web/view/tokens.ts"
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

/** Bins with fewer forecasts than this are drawn faint and not joined: their standard error is above .1. */
const minForecasts = 25

/** Observed frequency over probability given; the diagonal is perfect calibration. */
export const reliability = (all: ReadonlyArray<Calibration>, event: string): Picture => ({
  title: `Reliability: ${event}`,
  label: `Reliability: share in which ${event} over the probability given, for ${all.map(({ contender }) => contender).join(", ")}.`,
  ...reliabilityOf(
    all.map(({ contender, ece, forecasts, bins }, at) => ({
      name: `${contender}, error ${figure(ece)}, ${count(forecasts)} forecasts`,
      as: `who${at % colours.light.length}`,
      bins: bins.map(({ count: n, meanProbability: mean, frequency }) => ({ count: n, mean, frequency })),
    })),
    "Forecasts",
    minForecasts,
  ),
})

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
export const differences = (
  of: string,
  title: string,
  better: "lower" | "higher",
  rows: ReadonlyArray<Difference>,
): Picture => {
  const far = farOf(rows)
  const [left, right] = better === "lower" ? ["better", "worse"] : ["worse", "better"]
  const all = rows.map((row, at) => ({ ...row, at, isBeyond: Math.abs(row.value) > far }))
  const [near, beyond] = [all.filter(({ isBeyond }) => !isBeyond), all.filter(({ isBeyond }) => isBeyond)]
  return {
    title,
    label: `${title}, ${of} minus each other, with 95 % intervals.`,
    isAcross: true,
    x: { domain: [-far, far], ends: [`← ${left}`, `${right} →`] },
    marks: [
      {
        kind: "rule",
        as: "who0",
        rows: near.filter(({ low, high }) => Number.isFinite(low + high)).map(({ at, low, high }) => [at, low, high]),
      },
      { kind: "dot", as: "who0", rows: near.map(({ at, value }) => [at, value]) },
      ...beyond.map(
        ({ at, value }): Mark => ({
          kind: "text",
          as: "name",
          text: value < 0 ? "← beyond the axis" : "beyond the axis →",
          rows: [[at + 0.38, value]],
        }),
      ),
    ],
    columns: ["Minus", numeric("Difference"), numeric("95 % interval")],
    rows: all.map((row) => ({ at: row.at, cells: [row.minus, signed(signedFigure(row.value)), span(row)] })),
  }
}

/** Colours of a picture that stands alone; a page has them in its style sheet. */
const standaloneStyle = `
:root { ${Object.entries(tokens.colours)
  .map(([role, [light]]) => `--${role}: ${light}`)
  .join("; ")} }
${plotStyle}
${colours.light.map((colour, at) => `.who${at} { --mark: ${colour} }`).join("\n")}
svg { font: 12px system-ui, sans-serif } svg .title { fill: var(--ink); font-weight: 600; font-size: 13px }
`

/** Width of a picture in a sheet, of names beside it, and height of a line of its key, pixels. */
const [width, gutter, keyHeight] = [340, 110, 18]

/** The pictures in one SVG file, side by side in rows of three, each with its key below. */
const sheet = (title: string, pictures: ReadonlyArray<Picture>): string => {
  const panels = pictures.map((picture) => {
    const keys = picture.marks.filter(({ name }) => name !== undefined).reverse()
    const { size: letters, ...drawn } = draw(picture, picture.rows)
    const room = marginOf(letters)
    const [left, right] = picture.isAcross === true ? [gutter, room] : [room, 0]
    return { ...picture, ...drawn, keys, left, right }
  })
  const columns = Math.max(1, Math.min(3, panels.length))
  const cell = {
    width: width + 32,
    height: Math.max(0, ...panels.map(({ height, keys }) => height + keys.length * keyHeight)) + 56,
  }
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
      <rect width={size.width} height={size.height} fill="#fff" class="over" />
      <text class="title" x={24} y={32}>
        {title}
      </text>
      {panels.map(({ title: name, label, height, left, right, body, keys, x, rows, placeOf, isAcross }, at) => (
        <g
          key={name}
          transform={`translate(${24 + (at % columns) * cell.width} ${70 + Math.floor(at / columns) * cell.height})`}
        >
          <text class="title">{name}</text>
          {x?.ends?.map((words, n) => (
            <text key={words} x={n === 0 ? left : width - right} y={20} text-anchor={n === 0 ? "start" : "end"}>
              {words}
            </text>
          ))}
          {isAcross === true &&
            rows.map(({ at: row, cells: [name, value] }) => (
              <g key={row} transform={`translate(0 ${Number(placeOf(row)) + 29})`}>
                <text>{name}</text>
                <text x={width} text-anchor="end">
                  {value}
                </text>
              </g>
            ))}
          <svg
            x={left}
            y={isAcross === true ? 25 : 10}
            width={width - left - right}
            height={height}
            role="img"
            aria-label={label}
          >
            {body}
          </svg>
          {keys.map(({ name: words, as }, n) => (
            <g key={words} transform={`translate(8 ${height + 32 + n * keyHeight})`}>
              <path class={`dot ${as}`} d={markShape(as)} />
              <text x={12} y={4}>
                {words}
              </text>
            </g>
          ))}
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
      .filter((part) => part.reliability.length > 0)
      .map((part) => ({ ...reliability(part.reliability, event), title: part.group })),
  )

/** The differences of all parts and scores as one SVG file. */
export const differencesPicture = (title: string, of: string, parts: ReadonlyArray<Part>): string =>
  sheet(
    title,
    filled(parts).flatMap(({ group, measures }) =>
      measures
        .filter((compared) => compared.differences.length > 0)
        .map((compared) => differences(of, `${group}: ${compared.measure}`, compared.better, compared.differences)),
    ),
  )

/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact"
import { Chart, gridUp, Line, pathThrough, scale, ticks, width, words } from "./chart.tsx"

/*
 * Charts of how good forecasts were: differences of scores with their intervals, and reliability.
 */

/** A value with its interval; without one both ends are NaN. */
export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

const differencesTop = 22
const lineHeight = 50
export const differencesHeight = (rows: number): number => differencesTop + rows * lineHeight + 24

/**
 * Differences around 0 with their intervals, one per line. One that is far beyond the end of the axis is only named.
 *
 * @param sides the meanings of both sides of 0
 * @param left the left end of the plot, and `far` the difference at its right end
 * @param mark draws a difference
 * @param name draws its name, at the height of its line
 */
export const IntervalPlot = <Row extends Interval>({
  label,
  hasLinks,
  sides: [less, more],
  rows,
  left,
  far,
  mark,
  name,
}: {
  readonly label: string
  readonly hasLinks?: boolean | undefined
  readonly sides: readonly [less: string, more: string]
  readonly rows: ReadonlyArray<Row>
  readonly left: number
  readonly far: number
  readonly mark: (row: Row, x: number, y: number, at: number) => VNode
  readonly name: (row: Row, y: number) => VNode
}) => {
  const x = scale([-far, far], [left, width - 8])
  const bottom = differencesTop + rows.length * lineHeight
  return (
    <Chart height={differencesHeight(rows.length)} label={label} hasLinks={hasLinks}>
      {gridUp(ticks(-far, far, 4), x, differencesTop, bottom, "zero")}
      {words(x(0) - 10, 12, `← ${less}`, "end")}
      {words(x(0) + 10, 12, `${more} →`, "start")}
      {rows.map((row, at) => {
        const y = differencesTop + (at + 0.5) * lineHeight
        const ends = [row.low, row.high].filter(Number.isFinite).map((end) => x(Math.max(-far, Math.min(far, end))))
        return (
          <g key={at}>
            {name(row, y)}
            {Math.abs(row.value) > far ? (
              words(
                row.value < 0 ? left : width - 8,
                y + 4,
                row.value < 0 ? "← beyond the axis" : "beyond the axis →",
                row.value < 0 ? "start" : "end",
              )
            ) : (
              <>
                {ends.length === 2 && <Line from={[ends[0]!, y]} to={[ends[1]!, y]} kind="interval" />}
                {ends.map((end) => (
                  <Line key={end} from={[end, y - 5]} to={[end, y + 5]} kind="interval" />
                ))}
                {mark(row, x(row.value), y, at)}
              </>
            )}
          </g>
        )
      })}
    </Chart>
  )
}

/** The square of a reliability diagram: probabilities to the right, shares upwards. */
const square = { left: 44, top: 12, size: 300 }
export const reliabilitySquare = {
  ...square,
  x: scale([0, 1], [square.left, square.left + square.size]),
  y: scale([0, 1], [square.top + square.size, square.top]),
}

const ReliabilityAxes = () => {
  const { left, x, y } = reliabilitySquare
  return (
    <>
      {ticks(0, 1).map((tick) => (
        <g key={tick}>
          <Line from={[x(tick), y(0)]} to={[x(tick), y(1)]} kind="grid" />
          <Line from={[x(0), y(tick)]} to={[x(1), y(tick)]} kind="grid" />
          {words(x(tick), y(0) + 15, tick)}
          {words(left - 6, y(tick) + 4, tick, "end")}
        </g>
      ))}
      <Line from={[x(0), y(0)]} to={[x(1), y(1)]} kind="perfect" />
      {words(x(0.5), y(0) + 31, "probability given")}
      <text transform={`translate(11 ${y(0.5)}) rotate(-90)`} text-anchor="middle">
        share that came true
      </text>
    </>
  )
}

/** A bin of forecasts. */
export interface Bin {
  readonly forecasts: number
  /** Their mean probability. */
  readonly p: number
  readonly frequency: number
  /** The 95 % band of the frequency. */
  readonly band?: readonly [low: number, high: number]
}

/** A forecaster's curve, by its class in the style sheet. */
export interface Curve {
  readonly kind: string
  readonly bins: ReadonlyArray<Bin>
  /** Bins with fewer forecasts are drawn faint and not joined. */
  readonly minForecasts?: number
  readonly mark: (bin: Bin, x: number, y: number) => VNode
}

/** Observed frequency over probability given: perfect calibration is the diagonal. The last curve is on top. */
export const ReliabilityPlot = ({
  label,
  hasLinks,
  height,
  curves,
  children,
}: {
  readonly label: string
  readonly hasLinks?: boolean | undefined
  readonly height: number
  readonly curves: ReadonlyArray<Curve>
  /** Below the square. */
  readonly children: ComponentChildren
}) => {
  const { x, y } = reliabilitySquare
  return (
    <Chart height={height} label={label} hasLinks={hasLinks}>
      <ReliabilityAxes />
      {curves.map(({ kind, bins, minForecasts = 0, mark }) => (
        <g key={kind}>
          {bins.map(
            ({ p, band }) =>
              band && <Line key={p} from={[x(p), y(band[0])]} to={[x(p), y(band[1])]} kind={`band ${kind}`} />,
          )}
          <path
            class={`curve ${kind}`}
            d={pathThrough(
              bins.flatMap(({ forecasts, p, frequency }) =>
                forecasts < minForecasts ? [] : [[p, frequency] as const],
              ),
              x,
              y,
            )}
          />
          {bins.map((bin) => {
            const drawn = mark(bin, x(bin.p), y(bin.frequency))
            return bin.forecasts < minForecasts ? (
              <g key={bin.p} opacity={0.4}>
                {drawn}
              </g>
            ) : (
              drawn
            )
          })}
        </g>
      ))}
      {children}
    </Chart>
  )
}

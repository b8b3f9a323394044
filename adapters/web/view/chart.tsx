/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact"

/*
 * Parts of SVG charts, without scripts: classes carry the colours, so that the style sheet follows the reader's light or
 * dark setting and forced colours. All charts are 360 units wide, about the width of a phone, and grow with their column.
 */

export const width = 360

/** Coordinates to a tenth of a unit. */
export const round = (value: number): number => Math.round(value * 10) / 10

/** A number with a minus sign, not a hyphen. */
export const signed = (text: string): string => text.replace(/^-/, "−")

/** About `wanted` round numbers across a range. */
export const ticks = (low: number, high: number, wanted = 5): ReadonlyArray<number> => {
  const rough = (high - low) / wanted
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  // Multiples of the step, so that rounding errors do not add up.
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** A linear scale. All values at one point: the middle. */
export const scale =
  (from: readonly [number, number], to: readonly [number, number]) =>
  (value: number): number =>
    round(
      from[0] === from[1] ? (to[0] + to[1]) / 2 : to[0] + ((value - from[0]) / (from[1] - from[0])) * (to[1] - to[0]),
    )

export const Chart = ({
  height,
  label,
  hasLinks = false,
  children,
}: {
  readonly height: number
  /** The text alternative of the chart. */
  readonly label: string
  /** Parts of a picture are not read out; links in it are. */
  readonly hasLinks?: boolean | undefined
  readonly children: ComponentChildren
}) => (
  <svg class="chart" viewBox={`0 0 ${width} ${height}`} role={hasLinks ? "group" : "img"} aria-label={label}>
    {children}
  </svg>
)

export const Line = ({
  from: [x1, y1],
  to: [x2, y2],
  kind,
}: {
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
  readonly kind: string
}) => <line class={kind} x1={x1} y1={y1} x2={x2} y2={y2} />

/** Words at a point; `kind` is their class in the style sheet. */
export const words = (
  x: number,
  y: number,
  text: string | number,
  anchor: "start" | "middle" | "end" = "middle",
  kind?: string,
) => (
  <text x={x} y={y} text-anchor={anchor} {...(kind === undefined ? {} : { class: kind })}>
    {text}
  </text>
)

type Scale = (value: number) => number

/** A part of a chart that leads to the rows behind it. */
export const PartLink = ({
  href,
  label,
  children,
}: {
  /** Absent: it leads nowhere. */
  readonly href: string | undefined
  readonly label: string
  readonly children: ComponentChildren
}) => (href === undefined ? <g>{children}</g> : <a {...{ href, "aria-label": label }}>{children}</a>)

/** Makes a point of a chart large enough for a finger. */
export const touchArea = (x: number, y: number) => <circle cx={x} cy={y} r={15.5} fill="none" pointer-events="all" />

/** Lines of a grid upwards, with their numbers below. */
export const gridUp = (values: ReadonlyArray<number>, x: Scale, top: number, bottom: number, zero = "grid") =>
  values.map((value) => (
    <g key={value}>
      <Line from={[x(value), top]} to={[x(value), bottom]} kind={value === 0 ? zero : "grid"} />
      {words(x(value), bottom + 15, signed(String(value)))}
    </g>
  ))

/** Lines of a grid across, with their numbers on the left. */
export const gridAcross = (values: ReadonlyArray<number>, y: Scale, left: number, right: number, zero = "grid") =>
  values.map((value) => (
    <g key={value}>
      <Line from={[left, y(value)]} to={[right, y(value)]} kind={value === 0 ? zero : "grid"} />
      {words(left - 6, y(value) + 4, signed(String(value)), "end")}
    </g>
  ))

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

export type Who = "model" | "market"

/** The model's marks are circles, the market's squares. */
export const Mark = ({
  who,
  x,
  y,
  title,
}: {
  readonly who: Who
  readonly x: number
  readonly y: number
  readonly title?: string
}) => {
  const inside = title === undefined ? null : <title>{title}</title>
  return who === "model" ? (
    <circle class="model" cx={x} cy={y} r={4}>
      {inside}
    </circle>
  ) : (
    <rect class="market" x={round(x - 3.5)} y={round(y - 3.5)} width={7} height={7}>
      {inside}
    </rect>
  )
}

/** The key of a chart of both. */
export const Key = ({ x, y }: { readonly x: number; readonly y: number }) => (
  <>
    <Mark who="model" x={x} y={y} />
    {words(x + 9, y + 4, "model", "start")}
    <Mark who="market" x={x + 60} y={y} />
    {words(x + 69, y + 4, "market", "start")}
  </>
)

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
            d={bins
              .filter(({ forecasts }) => forecasts >= minForecasts)
              .map(({ p, frequency }, at) => `${at === 0 ? "M" : "L"}${x(p)} ${y(frequency)}`)
              .join("")}
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

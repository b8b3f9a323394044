/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"

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

/** Lines of a grid across, with their values on the left. */
export const gridAcross = (
  values: ReadonlyArray<number>,
  y: Scale,
  left: number,
  right: number,
  zero = "grid",
  named = (value: number) => signed(String(value)),
) =>
  values.map((value) => (
    <g key={value}>
      <Line from={[left, y(value)]} to={[right, y(value)]} kind={value === 0 ? zero : "grid"} />
      {words(left - 6, y(value) + 4, named(value), "end")}
    </g>
  ))

/** A point of a line. */
export type Point = readonly [x: number, y: number]

/** The path through points. */
export const pathThrough = (points: ReadonlyArray<Point>, x: Scale, y: Scale): string =>
  points.map(([a, b], at) => `${at === 0 ? "M" : "L"}${x(a)} ${y(b)}`).join("")

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

/** The key of a chart: the marks of model and market with their names. */
export const Key = ({
  x,
  y,
  names: [model, market] = ["model", "market"],
  gap = 60,
}: {
  readonly x: number
  readonly y: number
  readonly names?: readonly [model: string, market?: string]
  /** From one mark to the other. */
  readonly gap?: number
}) => (
  <>
    <Mark who="model" x={x} y={y} />
    {words(x + 9, y + 4, model, "start")}
    {market !== undefined && (
      <>
        <Mark who="market" x={x + gap} y={y} />
        {words(x + gap + 9, y + 4, market, "start")}
      </>
    )}
  </>
)

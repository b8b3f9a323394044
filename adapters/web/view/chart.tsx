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
  children,
}: {
  readonly height: number
  /** The text alternative of the chart. */
  readonly label: string
  readonly children: ComponentChildren
}) => (
  <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
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

export const Words = ({
  x,
  y,
  anchor = "middle",
  kind,
  children,
}: {
  readonly x: number
  readonly y: number
  readonly anchor?: "start" | "middle" | "end"
  readonly kind?: string
  readonly children: ComponentChildren
}) => (
  <text x={x} y={y} text-anchor={anchor} {...(kind === undefined ? {} : { class: kind })}>
    {children}
  </text>
)

/** The grid of differences around 0, with its numbers below. */
export const DifferenceGrid = ({
  x,
  far,
  top,
  bottom,
}: {
  readonly x: (value: number) => number
  readonly far: number
  readonly top: number
  readonly bottom: number
}) => (
  <>
    {ticks(-far, far, 4).map((tick) => (
      <g key={tick}>
        <Line from={[x(tick), top]} to={[x(tick), bottom]} kind={tick === 0 ? "zero" : "grid"} />
        <Words x={x(tick)} y={bottom + 15}>
          {signed(String(tick))}
        </Words>
      </g>
    ))}
  </>
)

/** The meanings of both sides of a line. */
export const Sides = ({
  x,
  y,
  left,
  right,
}: { readonly x: number; readonly y: number } & Record<"left" | "right", string>) => (
  <>
    <Words x={x - 10} y={y} anchor="end">
      {`← ${left}`}
    </Words>
    <Words x={x + 10} y={y} anchor="start">
      {`${right} →`}
    </Words>
  </>
)

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
    <Words x={x + 9} y={y + 4} anchor="start">
      model
    </Words>
    <Mark who="market" x={x + 60} y={y} />
    <Words x={x + 69} y={y + 4} anchor="start">
      market
    </Words>
  </>
)

/** The square of a reliability diagram: probabilities to the right, shares upwards. */
const square = { left: 44, top: 12, size: 300 }
export const reliabilitySquare = {
  ...square,
  x: scale([0, 1], [square.left, square.left + square.size]),
  y: scale([0, 1], [square.top + square.size, square.top]),
}

/** Its grid and axes; the diagonal is perfect calibration. */
export const ReliabilityAxes = ({ left, x, y }: typeof reliabilitySquare) => (
  <>
    {ticks(0, 1).map((tick) => (
      <g key={tick}>
        <Line from={[x(tick), y(0)]} to={[x(tick), y(1)]} kind="grid" />
        <Line from={[x(0), y(tick)]} to={[x(1), y(tick)]} kind="grid" />
        <Words x={x(tick)} y={y(0) + 15}>
          {tick}
        </Words>
        <Words x={left - 6} y={y(tick) + 4} anchor="end">
          {tick}
        </Words>
      </g>
    ))}
    <Line from={[x(0), y(0)]} to={[x(1), y(1)]} kind="perfect" />
    <Words x={x(0.5)} y={y(0) + 31}>
      probability given
    </Words>
    <text transform={`translate(11 ${y(0.5)}) rotate(-90)`} text-anchor="middle">
      share that came true
    </text>
  </>
)

/** @jsxRuntime automatic @jsxImportSource preact */
import type { VNode } from "preact"
import { Chart, gridUp, round, scale, signed, ticks, words } from "../view/chart.tsx"
import { right, top } from "./frame.ts"

/** A part of a sum. */
export interface Part {
  readonly name: string
  readonly value: number
}

const rowHeight = 20
/** Room for the longest name, of about 6 units a letter. */
const roomFor = (names: ReadonlyArray<string>): number =>
  Math.max(90, Math.min(200, 6 * Math.max(...names.map(({ length }) => length)) + 14))

/** How parts add up to a sum: each begins where the one before it ends. */
export const Waterfall = ({
  label,
  parts,
  sum,
  against,
  sides: [less, more],
  digits,
}: {
  readonly label: string
  readonly parts: ReadonlyArray<Part>
  readonly sum: Part
  /** The market's value of the sum. */
  readonly against?: Part
  readonly sides: readonly [less: string, more: string]
  readonly digits: number
}) => {
  const nameWidth = roomFor([sum, ...parts].map(({ name }) => name))
  const ends = [0]
  for (const { value } of parts) ends.push(ends.at(-1)! + value)
  const far = [
    Math.min(...ends, sum.value, against?.value ?? 0),
    Math.max(...ends, sum.value, against?.value ?? 0),
  ] as const
  // The numbers stand beside the bars.
  const room = (far[1] - far[0] || 1) * 0.17
  const x = scale([far[0] - room, far[1] + room], [nameWidth, right])
  const bottom = top + (parts.length + (against === undefined ? 1 : 2)) * rowHeight
  const bar = ({ name, value }: Part, from: number, at: number, kind: string): VNode => {
    const [a, b] = [x(Math.min(from, from + value)), x(Math.max(from, from + value))]
    const y = top + at * rowHeight
    const text = `${value > 0 ? "+" : ""}${signed(value.toFixed(digits))}`
    return (
      <g key={name}>
        {words(nameWidth - 8, y + 14, name, "end", kind === "sum" ? "name" : undefined)}
        <rect class={`part ${kind}`} x={a} y={y + 4} width={Math.max(1, round(b - a))} height={rowHeight - 8}>
          <title>{`${name}: ${text}`}</title>
        </rect>
        {value < 0 ? words(a - 4, y + 14, text, "end", "value") : words(b + 4, y + 14, text, "start", "value")}
      </g>
    )
  }
  return (
    <Chart height={bottom + 22} label={label}>
      {gridUp(ticks(far[0], far[1], 4), x, top, bottom, "zero")}
      {words(x(0) - 8, 14, `← ${less}`, "end")}
      {words(x(0) + 8, 14, `${more} →`, "start")}
      {parts.map((part, at) => bar(part, ends[at]!, at, part.value < 0 ? "less" : "more"))}
      {bar(sum, 0, parts.length, "sum")}
      {against !== undefined && bar(against, 0, parts.length + 1, "against")}
    </Chart>
  )
}

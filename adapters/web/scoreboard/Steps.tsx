/** @jsxRuntime automatic @jsxImportSource preact */
import { Chart, gridAcross, Line, Mark, scale, signed, ticks, width, words } from "../view/chart.tsx"

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

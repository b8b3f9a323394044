/** @jsxRuntime automatic @jsxImportSource preact */
import { Chart, gridUp, Key, Line, Mark, scale, words } from "../view/chart.tsx"
import { key, percent, right, top } from "./frame.ts"

/** Pairs of model and market in rows, largest difference first. */
export const Pairs = ({
  label,
  rows,
}: {
  readonly label: string
  readonly rows: ReadonlyArray<{ readonly title: string; readonly model: number; readonly market: number }>
}) => {
  const x = scale([0, 1], [14, right - 10])
  const height = 34
  const bottom = top + rows.length * height
  return (
    <Chart height={bottom + 22} label={label}>
      {gridUp([0, 0.25, 0.5, 0.75, 1], x, top, bottom)}
      {rows.map(({ title, model, market }, at) => {
        const y = top + at * height + 22
        return (
          <g key={title}>
            {words(14, y - 9, title.length > 58 ? `${title.slice(0, 57)}…` : title, "start", "value")}
            <Line from={[x(model), y]} to={[x(market), y]} kind="axis" />
            <Mark who="model" x={x(model)} y={y} title={`model ${percent(model)}`} />
            <Mark who="market" x={x(market)} y={y} title={`market ${percent(market)}`} />
          </g>
        )
      })}
      <Key {...key} />
    </Chart>
  )
}

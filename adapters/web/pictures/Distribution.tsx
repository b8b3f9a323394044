/** @jsxRuntime automatic @jsxImportSource preact */
import { Chart, gridAcross, Key, Line, round, scale, ticks, words } from "../view/chart.tsx"
import { key, left, percent, right, top } from "./frame.ts"

/** A contract that pays for values from `low` to `high`, both included; an open end is infinite. */
export interface Strike {
  readonly title: string
  readonly low: number
  readonly high: number
  /** The model's probability of yes. */
  readonly model: number
  /** The market's; absent: one side of the book is empty. */
  readonly market?: number
}

const barsHeight = 190

/**
 * A distribution over whole values as bars. With contracts, each is a box over its values, as high as the model's
 * probability, and a line at the market's price: the same axis, the same scale.
 */
export const Distribution = ({
  label,
  unit,
  bars,
  strikes = [],
  sure,
}: {
  readonly label: string
  readonly unit: string
  readonly bars: ReadonlyArray<{ readonly value: number; readonly p: number }>
  readonly strikes?: ReadonlyArray<Strike>
  /** A value that is reached already, and its name. */
  readonly sure?: { readonly value: number; readonly name: string }
}) => {
  const first = bars[0]!.value
  const last = bars.at(-1)!.value
  const most = Math.max(...bars.map(({ p }) => p), ...strikes.flatMap(({ model, market = 0 }) => [model, market]))
  const x = scale([first - 0.5, last + 0.5], [left, right])
  const y = scale([0, most * 1.08], [barsHeight, top])
  const within = (value: number) => Math.max(first - 0.5, Math.min(last + 0.5, value))
  const every = Math.ceil(bars.length / 14)
  return (
    <Chart height={barsHeight + 34} label={label}>
      {gridAcross(ticks(0, most, 4), y, left, right, "axis")}
      {strikes.map(({ title, low, high, model, market }) => {
        const [from, to] = [x(within(low - 0.5)), x(within(high + 0.5))]
        return (
          <g key={title}>
            <rect
              class="range"
              x={from + 1}
              y={y(model)}
              width={round(to - from - 2)}
              height={round(barsHeight - y(model))}
            >
              <title>{`${title}: model ${percent(model)}${market === undefined ? "" : `, market ${percent(market)}`}`}</title>
            </rect>
            {market !== undefined && <Line from={[from + 1, y(market)]} to={[to - 1, y(market)]} kind="price" />}
          </g>
        )
      })}
      {bars.map(({ value, p }) => (
        <rect
          key={value}
          class="bin"
          x={round(x(value) - 0.3 * (x(value + 1) - x(value)))}
          y={y(p)}
          width={round(0.6 * (x(value + 1) - x(value)))}
          height={round(barsHeight - y(p))}
        >
          <title>{`${value} ${unit}: ${percent(p)}`}</title>
        </rect>
      ))}
      {sure !== undefined && sure.value >= first && sure.value <= last && (
        <>
          <Line from={[x(sure.value), top - 4]} to={[x(sure.value), barsHeight]} kind="official" />
          {words(x(sure.value) + 4, top + 6, sure.name, "start", "official")}
        </>
      )}
      {bars.filter((_, at) => at % every === 0).map(({ value }) => words(x(value), barsHeight + 15, value))}
      {words(right, barsHeight + 30, unit, "end")}
      <Key {...key} names={strikes.length === 0 ? ["model"] : ["model: each value, each contract", "market"]} />
    </Chart>
  )
}

/** @jsxRuntime automatic @jsxImportSource preact */
import { Chart, DifferenceGrid, Key, Line, Mark, Sides, scale, signed, ticks, Words, width } from "../view/chart.tsx"
import { count, type Difference } from "./verdict.ts"

/*
 * Charts with a name on every line. Each has a text alternative, and the page has a table of its numbers below it.
 */

/** Left end of the plots that have a name on every line. */
const nameWidthPx = 92

/** The name of a line, with its number of markets below. */
const Name = ({ y, label, markets }: { readonly y: number; readonly label: string; readonly markets: number }) => (
  <>
    <Words x={nameWidthPx - 12} y={y} anchor="end" kind="name">
      {label}
    </Words>
    <Words x={nameWidthPx - 12} y={y + 14} anchor="end">
      {count(markets)}
    </Words>
  </>
)

/** Characters of a name that fit left of a plot. */
const fitting = 14

const short = (name: string): string => (name.length <= fitting ? name : `${name.slice(0, fitting - 1)}…`)

/**
 * Differences with intervals, one per line; left of zero the first is ahead.
 *
 * @param of who is compared with whom
 * @param hasTotal whether the first line is the sum of the others
 */
export const Differences = ({
  rows,
  of: [one, other],
  hasTotal,
}: {
  readonly rows: ReadonlyArray<Difference>
  readonly of: readonly [one: string, other: string]
  readonly hasTotal: boolean
}) => {
  const [top, lineHeight] = [22, 50]
  const far = Math.max(1e-6, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])) * 1.1
  const x = scale([-far, far], [nameWidthPx, width - 8])
  const bottom = top + rows.length * lineHeight
  return (
    <Chart
      height={bottom + 24}
      label={`Brier score of the ${one} minus that of the ${other}, with 95 % intervals. Left of zero the ${one} is ahead. ${rows
        .map(
          ({ label, estimate, low, high }) =>
            `${label} ${estimate.toFixed(4)}, ${low.toFixed(4)} to ${high.toFixed(4)}`,
        )
        .join("; ")}.`}
    >
      <DifferenceGrid x={x} far={far} top={top} bottom={bottom} />
      <Sides x={x(0)} y={12} left={`${one} ahead`} right={`${other} ahead`} />
      {rows.map(({ label, markets, estimate, low, high }, at) => {
        const y = top + (at + 0.5) * lineHeight
        const title = `${label}: ${signed(estimate.toFixed(4))}, 95 % from ${signed(low.toFixed(4))} to ${signed(high.toFixed(4))}`
        return (
          <g key={label}>
            <Name y={y} label={short(label)} markets={markets} />
            <Line from={[x(low), y]} to={[x(high), y]} kind="interval" />
            <Line from={[x(low), y - 5]} to={[x(low), y + 5]} kind="interval" />
            <Line from={[x(high), y - 5]} to={[x(high), y + 5]} kind="interval" />
            {hasTotal && at === 0 ? (
              <path class="point" d={`M${x(estimate) - 7} ${y}l7 -6 7 6 -7 6z`}>
                <title>{title}</title>
              </path>
            ) : (
              <circle class="point" cx={x(estimate)} cy={y} r={4.5}>
                <title>{title}</title>
              </circle>
            )}
            <Words x={x(estimate)} y={y - 11} kind="value">
              {signed(estimate.toFixed(4))}
            </Words>
          </g>
        )
      })}
    </Chart>
  )
}

export interface Lead {
  readonly label: string
  readonly markets: number
  readonly model: number
  readonly market: number
}

/**
 * Two points per line, the model's above the market's so that neither covers the other, on an axis that does not begin at
 * zero, for the differences are small; each is written at the end of its line.
 */
export const Leads = ({ rows }: { readonly rows: ReadonlyArray<Lead> }) => {
  const [top, lineHeight] = [26, 50]
  const values = rows.flatMap(({ model, market }) => [model, market])
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const pad = Math.max((high - low) * 0.08, 1e-4)
  const right = width - 56
  const x = scale([low - pad, high + pad], [nameWidthPx, right])
  const bottom = top + rows.length * lineHeight
  return (
    <Chart
      height={bottom + 38}
      label={`Brier score of model and market by time from capture to close. ${rows
        .map(({ label, model, market }) => `${label}: model ${model.toFixed(4)}, market ${market.toFixed(4)}`)
        .join("; ")}.`}
    >
      <Key x={nameWidthPx + 4} y={10} />
      <Words x={width - 2} y={14} anchor="end">
        difference
      </Words>
      {ticks(low - pad, high + pad, 4).map((tick) => (
        <g key={tick}>
          <Line from={[x(tick), top]} to={[x(tick), bottom]} kind="grid" />
          <Words x={x(tick)} y={bottom + 15}>
            {tick}
          </Words>
        </g>
      ))}
      {rows.map(({ label, markets, model, market }, at) => {
        const y = top + (at + 0.5) * lineHeight
        return (
          <g key={label}>
            <Name y={y} label={label} markets={markets} />
            <Line from={[nameWidthPx, y]} to={[right, y]} kind="grid" />
            <Mark who="model" x={x(model)} y={y - 6} title={`${label}: model ${model.toFixed(4)}`} />
            <Mark who="market" x={x(market)} y={y + 6} title={`${label}: market ${market.toFixed(4)}`} />
            <Words x={width - 2} y={y + 4} anchor="end">
              {signed((model - market).toFixed(4))}
            </Words>
          </g>
        )
      })}
      <Words x={(nameWidthPx + right) / 2} y={bottom + 32}>
        Brier score, better to the left
      </Words>
    </Chart>
  )
}

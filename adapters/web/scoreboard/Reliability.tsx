/** @jsxRuntime automatic @jsxImportSource preact */
import {
  Chart,
  Key,
  Line,
  Mark,
  ReliabilityAxes,
  reliabilitySquare,
  round,
  scale,
  type Who,
  Words,
} from "../view/chart.tsx"
import { count } from "./verdict.ts"

/** One bin of a reliability diagram. A bin without forecasts has a count only. */
export interface ReliabilityPoint {
  readonly count: number
  readonly mean_probability?: number
  readonly frequency?: number
  readonly low?: number
  readonly high?: number
}

const scoredBins = (bins: ReadonlyArray<ReliabilityPoint>) =>
  bins.flatMap(({ count: markets, mean_probability: p, frequency, low, high }) =>
    p === undefined || frequency === undefined || low === undefined || high === undefined
      ? []
      : [{ markets, p, frequency, low, high }],
  )

/** Height of the bars that count the markets of a bin. */
const barHeight = 34

/**
 * Observed frequency over forecast probability, with 95 % bands; the diagonal is perfect calibration. Below it the number
 * of markets in each bin: the model's upwards, the market's downwards.
 */
export const Reliability = (bins: { readonly [who in Who]: ReadonlyArray<ReliabilityPoint> }) => {
  const { left, top, size, x, y } = reliabilitySquare
  const known = { model: scoredBins(bins.model), market: scoredBins(bins.market) }
  const most = Math.max(1, ...[...bins.model, ...bins.market].map((bin) => bin.count))
  const middle = top + size + 44 + barHeight
  const bar = scale([0, most], [0, barHeight])
  return (
    <Chart
      height={middle + barHeight + 34}
      label={`Reliability of model and market: share that came true over probability given, ${known.model.length} and ${known.market.length} bins with 95 % bands, and the number of markets in each bin.`}
    >
      <ReliabilityAxes {...reliabilitySquare} />
      {(["market", "model"] as const).map((who) => (
        <g key={who}>
          {known[who].map(({ p, low, high }) => (
            <Line key={p} from={[x(p), y(low)]} to={[x(p), y(high)]} kind={`band ${who}`} />
          ))}
          <path
            class={`curve ${who}`}
            d={known[who].map(({ p, frequency }, at) => `${at === 0 ? "M" : "L"}${x(p)} ${y(frequency)}`).join("")}
          />
          {known[who].map(({ markets, p, frequency }) => (
            <Mark
              key={p}
              who={who}
              x={x(p)}
              y={y(frequency)}
              title={`${who} said ${p.toFixed(3)}, came true ${frequency.toFixed(3)}, ${count(markets)} markets`}
            />
          ))}
        </g>
      ))}
      <Key x={left + 16} y={top + 18} />
      {(["model", "market"] as const).map((who) =>
        bins[who].map(({ count: markets }, at) => (
          <rect
            key={`${who}${at}`}
            class={who}
            x={round(x(at / bins[who].length) + 3)}
            y={who === "model" ? round(middle - 1 - bar(markets)) : middle + 1}
            width={round(size / bins[who].length - 6)}
            height={bar(markets)}
          >
            <title>{`${who}, bin ${at + 1}: ${count(markets)} markets`}</title>
          </rect>
        )),
      )}
      <Line from={[x(0), middle]} to={[x(1), middle]} kind="axis" />
      <Words x={left - 6} y={middle - barHeight + 8} anchor="end">
        {count(most)}
      </Words>
      <Words x={left - 6} y={middle + 4} anchor="end">
        0
      </Words>
      <Words x={left - 6} y={middle + barHeight} anchor="end">
        {count(most)}
      </Words>
      <Words x={x(0.5)} y={middle + barHeight + 20}>
        markets per bin: model above, market below
      </Words>
    </Chart>
  )
}

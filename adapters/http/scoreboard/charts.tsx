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
  signed,
  ticks,
  type Who,
  Words,
  width,
} from "../view/chart.tsx"

/*
 * The scoreboard's charts. Each has a text alternative, and the page has a table of its numbers below it.
 */

const count = (value: number): string => value.toLocaleString("en-US")

/** One bin of a reliability diagram. A bin without forecasts has a count only. */
export interface ReliabilityPoint {
  readonly count: number
  readonly mean_probability?: number
  readonly frequency?: number
  readonly low?: number
  readonly high?: number
}

const knownOf = (bins: ReadonlyArray<ReliabilityPoint>) =>
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
  const known = { model: knownOf(bins.model), market: knownOf(bins.market) }
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

export interface Difference {
  readonly label: string
  readonly markets: number
  readonly estimate: number
  readonly low: number
  readonly high: number
}

/** Left end of the plots that have a name on every line. */
const named = 92

/** The name of a line, with its number of markets below. */
const Name = ({ y, label, markets }: { readonly y: number; readonly label: string; readonly markets: number }) => (
  <>
    <Words x={named - 12} y={y} anchor="end" kind="name">
      {label}
    </Words>
    <Words x={named - 12} y={y + 14} anchor="end">
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
  const x = scale([-far, far], [named, width - 8])
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
      {ticks(-far, far, 4).map((tick) => (
        <g key={tick}>
          <Line from={[x(tick), top]} to={[x(tick), bottom]} kind={tick === 0 ? "zero" : "grid"} />
          <Words x={x(tick)} y={bottom + 15}>
            {signed(String(tick))}
          </Words>
        </g>
      ))}
      <Words x={x(0) - 10} y={12} anchor="end">
        {`← ${one} ahead`}
      </Words>
      <Words x={x(0) + 10} y={12} anchor="start">
        {`${other} ahead →`}
      </Words>
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
  const x = scale([low - pad, high + pad], [named, right])
  const bottom = top + rows.length * lineHeight
  return (
    <Chart
      height={bottom + 38}
      label={`Brier score of model and market by time from capture to close. ${rows
        .map(({ label, model, market }) => `${label}: model ${model.toFixed(4)}, market ${market.toFixed(4)}`)
        .join("; ")}.`}
    >
      <Key x={named + 4} y={10} />
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
            <Line from={[named, y]} to={[right, y]} kind="grid" />
            <Mark who="model" x={x(model)} y={y - 6} title={`${label}: model ${model.toFixed(4)}`} />
            <Mark who="market" x={x(market)} y={y + 6} title={`${label}: market ${market.toFixed(4)}`} />
            <Words x={width - 2} y={y + 4} anchor="end">
              {signed((model - market).toFixed(4))}
            </Words>
          </g>
        )
      })}
      <Words x={(named + right) / 2} y={bottom + 32}>
        Brier score, better to the left
      </Words>
    </Chart>
  )
}

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
      {ticks(low, high).map((tick) => (
        <g key={tick}>
          <Line from={[left, y(tick)]} to={[right, y(tick)]} kind={tick === 0 ? "zero" : "grid"} />
          <Words x={left - 6} y={y(tick) + 4} anchor="end">
            {signed(String(tick))}
          </Words>
        </g>
      ))}
      {months(from, to).map((at, index) => {
        const date = new Date(at)
        return (
          <g key={at}>
            <Line from={[x(at), top + height]} to={[x(at), top + height + 5]} kind="axis" />
            <Words x={x(at)} y={top + height + 18}>
              {monthName.format(date)}
            </Words>
            {(index === 0 || date.getUTCMonth() === 0) && (
              <Words x={x(at)} y={top + height + 32}>
                {date.getUTCFullYear()}
              </Words>
            )}
          </g>
        )
      })}
      <Line from={[left, top + height]} to={[right, top + height]} kind="axis" />
      <path class="curve ledger" d={path.join("")} />
      {last !== undefined && (
        <>
          <Mark who="model" x={x(to)} y={y(last.value)} title={`${last.day}: ${signed(last.value.toFixed(2))} USD`} />
          <Words x={right + 8} y={Math.max(y(last.value) + 4, top + 8)} anchor="start" kind="name">
            {signed(last.value.toFixed(2))}
          </Words>
        </>
      )}
    </Chart>
  )
}

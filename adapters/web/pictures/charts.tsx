/** @jsxRuntime automatic @jsxImportSource preact */
import type { VNode } from "preact"
import { Chart, gridAcross, gridUp, Line, Mark, round, scale, signed, ticks, width, words } from "../view/chart.tsx"

/** A probability in percent: whole, with one decimal below 10 %, and never 0 % or 100 % for what may be otherwise. */
export const percent = (p: number): string => {
  if (p === 0 || p === 1) return `${p * 100} %`
  if (p < 0.001) return "< 0.1 %"
  if (p > 0.999) return "> 99.9 %"
  return p < 0.1 || p > 0.9 ? `${(p * 100).toFixed(1)} %` : `${Math.round(p * 100)} %`
}

const left = 40
const right = width - 10
const top = 26

/** The key of a chart: model's and market's marks with their names. */
const Key = ({ names }: { readonly names: readonly [model: string, market?: string] }) => (
  <>
    <Mark who="model" x={left + 4} y={10} />
    {words(left + 13, 14, names[0], "start")}
    {names[1] !== undefined && (
      <>
        <Mark who="market" x={left + 206} y={10} />
        {words(left + 215, 14, names[1], "start")}
      </>
    )}
  </>
)

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
      {gridAcross(ticks(0, most, 4), (p) => y(p), left, right, "axis")}
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
      <Key names={strikes.length === 0 ? ["model"] : ["model: each value, each contract", "market"]} />
    </Chart>
  )
}

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

/** A point of a line. */
export type Point = readonly [x: number, y: number]

export interface Series {
  readonly who: "model" | "market" | "official"
  readonly points: ReadonlyArray<Point>
}

const path = (points: ReadonlyArray<Point>, x: (value: number) => number, y: (value: number) => number): string =>
  points.map(([a, b], at) => `${at === 0 ? "M" : "L"}${x(a)} ${y(b)}`).join("")

const spread = (values: ReadonlyArray<number>): readonly [number, number] => {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return low === high ? [low - 1, high + 1] : [low, high]
}

/** Whether a word fits between those of its neighbours. */
const isRoomy = (places: ReadonlyArray<number>, at: number): boolean =>
  places[at]! - places[at - 1]! >= 52 && places.at(-1)! - places[at]! >= 62

const linesHeight = 170
const linesLeft = 52

/** Lines over a common axis, with a mark at each end. `bounds`: of the values; absent: all of them. */
export const Lines = ({
  label,
  series,
  bounds,
  at,
  named = String,
  marked,
}: {
  readonly label: string
  readonly series: ReadonlyArray<Series>
  readonly bounds?: readonly [low: number, high: number]
  /** Places on the axis, with their words. */
  readonly at: ReadonlyArray<readonly [x: number, text: string]>
  readonly named?: (value: number) => string
  /** A place on the axis that has a name. */
  readonly marked?: readonly [x: number, name: string]
}) => {
  const all = series.flatMap(({ points }) => points)
  const x = scale(spread([...all.map(([a]) => a), ...at.map(([a]) => a)]), [linesLeft, right])
  const [low, high] = bounds ?? spread(all.map(([, b]) => b))
  const y = scale([low, high], [linesHeight, top])
  const names = series.map(({ who }) => who)
  return (
    <Chart height={linesHeight + 24} label={label}>
      {ticks(low, high, 4).map((tick) => (
        <g key={tick}>
          <Line from={[linesLeft, y(tick)]} to={[right, y(tick)]} kind="grid" />
          {words(linesLeft - 6, y(tick) + 4, named(tick), "end")}
        </g>
      ))}
      {at.map(([place, text], index) => (
        <g key={place}>
          <Line from={[x(place), linesHeight]} to={[x(place), linesHeight + 4]} kind="axis" />
          {/* The ends always have their words, and places between them where there is room. */}
          {(index === 0 ||
            index === at.length - 1 ||
            isRoomy(
              at.map(([each]) => x(each)),
              index,
            )) &&
            words(x(place), linesHeight + 17, text, index === 0 ? "start" : index === at.length - 1 ? "end" : "middle")}
        </g>
      ))}
      {marked !== undefined && (
        <>
          <Line from={[x(marked[0]), top]} to={[x(marked[0]), linesHeight]} kind="official" />
          {words(x(marked[0]) + 4, top + 8, marked[1], "start", "official")}
        </>
      )}
      {series.map(({ who, points }) => (
        <path key={who} class={`curve ${who}`} d={path(points, x, y)} />
      ))}
      {series.flatMap(({ who, points }) =>
        points.length === 0 || who === "official"
          ? []
          : [
              <Mark
                key={who}
                who={who}
                x={x(points.at(-1)![0])}
                y={y(points.at(-1)![1])}
                title={named(points.at(-1)![1])}
              />,
            ],
      )}
      {names.includes("market") ? <Key names={["model", "market"]} /> : <Key names={["model"]} />}
    </Chart>
  )
}

/** A band of values at a place of the axis, from the inner to the outer one. */
export interface Band {
  readonly name: string
  readonly middle: number
  readonly inner: readonly [number, number]
  readonly outer: readonly [number, number]
}

/** Ranges of values at some horizons: the outer one holds 80 %, the inner one half, the line is the median. */
export const Fan = ({
  label,
  bands,
  named = String,
  now,
}: {
  readonly label: string
  readonly bands: ReadonlyArray<Band>
  readonly named?: (value: number) => string
  readonly now: number
}) => {
  const y = scale(spread([now, ...bands.flatMap(({ outer }) => outer)]), [linesHeight, top])
  const x = scale([0, bands.length], [linesLeft + 10, right - 10])
  const area = (of: (band: Band) => readonly [number, number]) => {
    const upper = bands.map((band, at): Point => [at + 1, of(band)[1]])
    const lower = bands.map((band, at): Point => [at + 1, of(band)[0]]).reverse()
    return `${path([[0, now], ...upper, ...lower], x, y)}Z`
  }
  const [low, high] = spread([now, ...bands.flatMap(({ outer }) => outer)])
  return (
    <Chart height={linesHeight + 24} label={label}>
      {ticks(low, high, 5).map((tick) => (
        <g key={tick}>
          <Line from={[linesLeft, y(tick)]} to={[right, y(tick)]} kind="grid" />
          {words(linesLeft - 6, y(tick) + 4, named(tick), "end")}
        </g>
      ))}
      <path class="range" d={area(({ outer }) => outer)}>
        <title>8 of 10 prices</title>
      </path>
      <path class="range" d={area(({ inner }) => inner)}>
        <title>5 of 10 prices</title>
      </path>
      <path class="curve model" d={path([[0, now], ...bands.map(({ middle }, at): Point => [at + 1, middle])], x, y)} />
      {words(x(0), linesHeight + 17, "now")}
      {bands.map(({ name, outer, inner, middle }, at) => (
        <g key={name}>
          <Mark
            who="model"
            x={x(at + 1)}
            y={y(middle)}
            title={`${name}: half between ${inner.map(named).join(" and ")}, 8 of 10 between ${outer.map(named).join(" and ")}`}
          />
          {words(x(at + 1), linesHeight + 17, name)}
        </g>
      ))}
      {words(linesLeft, 14, "bands: 5 and 8 of 10 prices", "start")}
    </Chart>
  )
}

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
      <Key names={["model", "market"]} />
    </Chart>
  )
}

/** Low and high of each day as a bar between them. */
export const DayRanges = ({
  label,
  days,
}: {
  readonly label: string
  readonly days: ReadonlyArray<{ readonly day: string; readonly low: number; readonly high: number }>
}) => {
  const [low, high] = spread(days.flatMap((one) => [one.low, one.high]))
  const y = scale([low, high], [linesHeight, top])
  const x = scale([-0.5, days.length - 0.5], [linesLeft, right])
  const step = (right - linesLeft) / days.length
  const every = Math.ceil(days.length / 6)
  return (
    <Chart height={linesHeight + 24} label={label}>
      {gridAcross(ticks(low, high, 5), y, linesLeft, right, "axis")}
      {days.map((one, at) => (
        <g key={one.day}>
          <rect
            class="official"
            x={round(x(at) - 0.32 * step)}
            y={y(one.high)}
            width={round(0.64 * step)}
            height={Math.max(1, round(y(one.low) - y(one.high)))}
          >
            <title>{`${one.day}: low ${one.low} °F, high ${one.high} °F`}</title>
          </rect>
          {at % every === 0 && words(x(at), linesHeight + 17, one.day.slice(5))}
        </g>
      ))}
      {words(linesLeft, 14, "official low to high, °F", "start")}
    </Chart>
  )
}

/** @jsxRuntime automatic @jsxImportSource preact */
import {
  Chart,
  gridAcross,
  Key,
  Line,
  Mark,
  type Point,
  pathThrough,
  round,
  scale,
  ticks,
  words,
} from "../view/chart.tsx"
import { key, right, top } from "./frame.ts"

export interface Series {
  readonly who: "model" | "market" | "official"
  readonly points: ReadonlyArray<Point>
}

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
  return (
    <Chart height={linesHeight + 24} label={label}>
      {gridAcross(ticks(low, high, 4), y, linesLeft, right, "grid", named)}
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
        <path key={who} class={`curve ${who}`} d={pathThrough(points, x, y)} />
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
      <Key {...key} names={series.some(({ who }) => who === "market") ? ["model", "market"] : ["model"]} />
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
  const [low, high] = spread([now, ...bands.flatMap(({ outer }) => outer)])
  const y = scale([low, high], [linesHeight, top])
  const x = scale([0, bands.length], [linesLeft + 10, right - 10])
  const area = (of: (band: Band) => readonly [number, number]) => {
    const upper = bands.map((band, at): Point => [at + 1, of(band)[1]])
    const lower = bands.map((band, at): Point => [at + 1, of(band)[0]]).reverse()
    return `${pathThrough([[0, now], ...upper, ...lower], x, y)}Z`
  }
  return (
    <Chart height={linesHeight + 24} label={label}>
      {gridAcross(ticks(low, high, 5), y, linesLeft, right, "grid", named)}
      <path class="range" d={area(({ outer }) => outer)}>
        <title>8 of 10 prices</title>
      </path>
      <path class="range" d={area(({ inner }) => inner)}>
        <title>5 of 10 prices</title>
      </path>
      <path
        class="curve model"
        d={pathThrough([[0, now], ...bands.map(({ middle }, at): Point => [at + 1, middle])], x, y)}
      />
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

/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact"
import { signed } from "./numbers.ts"
import { type Column, Table } from "./parts.tsx"
import { type Axis, makeScale, round, type Scale } from "./scale.ts"
import { apart, narrowest, type Tick, ticks, ticksAround, timeTicks } from "./ticks.ts"

/*
 * The one grammar of pictures: marks of rows [place, value, to] over two axes, or, `isAcross`, of a line for each place with its
 * values to the right. Across a picture lengths are percent and downwards pixels, so that it fills a column of any width and
 * its words keep their size. Classes carry the colours, so that the style sheet follows the reader's setting.
 */

export interface Mark {
  readonly kind: "line" | "area" | "bar" | "dot" | "rule" | "text"
  /** Its colour, a class of the style sheet, which is the shape of dots too. */
  readonly as: string
  /** Its name in the key. */
  readonly name?: string
  /** [place, value]; of areas, bars and rules [place, from, to]. A rule without values goes from one end to the other. */
  readonly rows: ReadonlyArray<readonly [place: number, value?: number, to?: number]>
  /** Of bars, in units of places. */
  readonly width?: number
  /** Of a text, at the head of a rule, and at the end of a line in place of its name in the key. */
  readonly text?: string
}

interface Panel {
  readonly y?: Axis
  readonly marks: ReadonlyArray<Mark>
  /** Of the plot, pixels. */
  readonly height?: number
}

export interface Drawn extends Panel {
  readonly x?: Axis
  /** A second panel over the same places. */
  readonly below?: Panel
  readonly isAcross?: boolean
}

/** A row of the table: its place, its cells, and where the first one leads. */
export interface Row {
  readonly at: number
  readonly cells: ReadonlyArray<string>
  readonly href?: string
}

export interface Picture extends Drawn {
  readonly title: string
  /** The text alternative; absent: the title. */
  readonly label?: string
  /** A heading above it has the title. */
  readonly isTitled?: boolean
  /** It is as wide as high. */
  readonly isSquare?: boolean
  /** The table behind the picture, whose rows the crosshair reads. Across, its first two columns stand beside each place. */
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<Row>
  /** A last row for all others. */
  readonly total?: ReadonlyArray<string>
  /** Further tables. */
  readonly children?: ComponentChildren
}

/** Square, diamond, triangles and cross. */
const angular = [
  "M-3.5-3.5h7v7h-7z",
  "M0-5.5l5.5 5.5-5.5 5.5-5.5-5.5z",
  "M0-5l5 8.5h-10z",
  "M0 5l5-8.5h-10z",
  "M-4.5-1.5h3v-3h3v3h3v3h-3v3h-3v-3h-3z",
]

/** Squares are the market's, diamonds of both or of all, circles of others; contenders, `who` and a number, have each their own. */
export const markShape = (as: string): string => {
  const [, contender = "0"] = /^who(\d+)/.exec(as) ?? []
  const n = as.startsWith("market") ? 1 : /^official|total/.test(as) ? 2 : Number(contender) % (angular.length + 1)
  return n === 0 ? "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z" : angular[n - 1]!
}

/** Pixels of a row across, as `.names` of the style sheet has it. */
const rowHeight = 34

const placesOf = ({ kind, rows, width = 0.7 }: Mark): ReadonlyArray<number> =>
  rows.flatMap(([place]) => (kind === "bar" ? [place - width / 2, place + width / 2] : [place]))
const valuesOf = ({ rows }: Mark): ReadonlyArray<number> => rows.flatMap(([, ...values]) => values as Array<number>)

const placeTick =
  ({ show = (value) => signed(String(value)) }: Axis) =>
  (value: number): Tick => [value, show(value)]
const valueTicks = (axis: Axis, { domain }: Scale): ReadonlyArray<Tick> =>
  (axis.ticks ?? ticks(...domain, 4)).map(placeTick(axis))

/** The words along the lower axis, in even steps: those that stand apart on a plot of a wide window, some of them on a phone too. */
const wordsAlong = (axis: Axis, { domain, of }: Scale, width: number) => {
  const placed = (wanted: number) =>
    (axis.isTime === true
      ? timeTicks(...domain, wanted)
      : (axis.ticks ?? ticks(...domain, wanted)).map(placeTick(axis))
    ).map(([value, words]) => [of(value), words] as const)
  const isApart = (each: ReturnType<typeof placed>, on: number) => apart(each, on).length === each.length
  const all =
    [7, 6, 5, 4, 3, 2].map(placed).find((each) => each.length > 1 && isApart(each, roomy)) ?? apart(placed(7), roomy)
  const every = (step: number) => all.filter((_, n) => n % step === 0)
  const step = 1 + all.findIndex((_, n) => isApart(every(n + 1), width))
  return all.map(([x, words], n) => [x, words, n % step === 0 ? undefined : "wide"] as const)
}

const words = (x: string, y: number, content: string, anchor: string, kind?: string) => (
  <text x={x} y={y} class={kind} {...(anchor === "start" ? {} : { "text-anchor": anchor })}>
    {content}
  </text>
)
/** Words at a place across, within the plot where the place is nearer than `edge` percent to an end. */
const wordsAt = (x: number, y: number, content: string, edge: number, kind?: string) =>
  words(`${x}%`, y, content, x < edge ? "start" : x > 100 - edge ? "end" : "middle", kind)

const line = (kind: string, [x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], key?: number) => (
  <line key={key} class={kind} x1={`${x1}%`} y1={y1} x2={`${x2}%`} y2={y2} />
)

/** A panel where it is: places and values to percent across and pixels down. */
interface Frame extends Panel {
  readonly axis: Axis
  readonly scale: Scale
  readonly at: (place: number, value: number) => readonly [x: number, y: number]
  readonly isAcross: boolean
  readonly top: number
  readonly bottom: number
}

const path = (points: ReadonlyArray<readonly [number, number]>): string =>
  points.map(([x, y], n) => `${n === 0 ? "M" : "L"}${Math.round(x * 10)} ${Math.round(y * 10) / 10}`).join("")

/** Lines and areas are drawn in a box of 1,000 units that is stretched. */
const stretched = (kind: string, d: string, { bottom }: Frame) => (
  <svg viewBox={`0 0 1000 ${bottom}`} height={bottom} preserveAspectRatio="none" aria-hidden="true">
    <path class={kind} d={d} />
  </svg>
)

const kinds: Readonly<Record<Mark["kind"], (mark: Mark, frame: Frame) => ComponentChildren>> = {
  line: ({ as, rows }, frame) =>
    stretched(`line ${as}`, path(rows.map(([place, value]) => frame.at(place, value!))), frame),
  area: ({ as, rows }, frame) => {
    const [lower, upper] = [1, 2].map((end) =>
      path(rows.map((row) => frame.at(row[0], row[end]!)).sort(([a], [b]) => (end === 1 ? b - a : a - b))),
    )
    return stretched(`area ${as}`, `${upper}${lower!.replace("M", "L")}Z`, frame)
  },
  bar: ({ as, rows, width = 0.7 }, { at, isAcross }) =>
    rows.map(([place, from = 0, to = 0]) => {
      const half = isAcross ? 0 : width / 2
      const [[x1, y1], [x2, y2]] = [at(place - half, from), at(place + half, to)]
      const size = isAcross
        ? { y: y1 - 7, height: 14 }
        : { y: Math.min(y1, y2), height: Math.max(1, round(Math.abs(y2 - y1))) }
      return (
        <rect
          key={place}
          class={as}
          x={`${Math.min(x1, x2)}%`}
          width={`${Math.max(0.3, round(Math.abs(x2 - x1)))}%`}
          {...size}
        />
      )
    }),
  dot: ({ as, rows }, { at }) =>
    rows.map(([place, value]) => {
      const [x, y] = at(place, value!)
      return (
        <svg key={place} x={`${x}%`} y={y} aria-hidden="true">
          <path class={`dot ${as}`} d={markShape(as)} />
        </svg>
      )
    }),
  rule: ({ as, rows, text }, { at, scale: { domain }, top }) =>
    rows.flatMap(([place, from = domain[0], to = domain[1]]) => {
      const [start, end] = [at(place, from), at(place, to)]
      return [line(`rule ${as}`, start, end, place), text !== undefined && wordsAt(start[0], top - 6, text, 30, as)]
    }),
  text: ({ as, rows, text = "" }, { at }) =>
    rows.map(([place, value]) => {
      const [x, y] = at(place, value!)
      return wordsAt(x, y - 9, text, 30, as)
    }),
}

const Grid = ({ axis, scale, at, isAcross, top, bottom, y = {}, margin }: Frame & { readonly margin: number }) => {
  const kind = (tick: number) => (tick === 0 && scale.domain[0] < 0 ? "zero" : "grid")
  const all = valueTicks(axis, scale)
  if (isAcross) return all.map(([tick]) => line(kind(tick), [scale.of(tick), top], [scale.of(tick), bottom], tick))
  return (
    <>
      {y.name !== undefined && words(String(-margin), top - 12, y.name, "start")}
      {all.map(([tick, name]) => [
        line(kind(tick), [0, scale.of(tick)], [100, scale.of(tick)]),
        words("-8", at(0, tick)[1] + 4, name, "end"),
      ])}
    </>
  )
}

/** Whether lines are named at their ends, for which there is room to the right. */
const hasEnds = ({ marks }: Panel) => marks.some(({ kind, text }) => kind === "line" && text !== undefined)

/** The values that lines end with, right of the plot, of two at least their height apart. */
const Ends = ({ marks, at }: Frame) => {
  const ends = marks
    .flatMap(({ kind, as, rows, text }) => {
      const [place, value] = rows.at(-1) ?? []
      return kind !== "line" || text === undefined || value === undefined
        ? []
        : [{ as, text, spot: at(place!, value)[1] }]
    })
    .toSorted((a, b) => a.spot - b.spot)
  const [upper, lower = upper] = ends
  const push = ends.length < 2 ? 0 : Math.max(0, 15 - lower!.spot + upper!.spot) / 2
  return ends.map(({ as, text, spot }, n) => (
    <text key={as} class={as} x="100%" dx="9" y={spot + 4 + (n === 0 ? -push : push)}>
      {text}
    </text>
  ))
}

/** An axis across that ends at ticks. */
const rounded = (axis: Axis, values: ReadonlyArray<number>): Axis => {
  if (axis.ticks !== undefined) return axis
  const round = ticksAround(...makeScale(axis, values, [0, 100], 0).domain)
  return { ...axis, ticks: round, domain: [round[0]!, round.at(-1)!] }
}

/** The panels of a picture, one below the other. @param count rows across */
const framesOf = ({ x = {}, y = {}, marks, height = 190, below, isAcross = false }: Drawn, count: number) => {
  const own: Panel = { y, marks, height: isAcross ? count * rowHeight : height }
  const panels = below === undefined ? [own] : [own, below]
  const place = makeScale(
    x,
    panels.flatMap((panel) => panel.marks.flatMap(placesOf)),
    [0, 100],
    0,
  )
  let end = 0
  return panels.map((panel): Frame & { readonly place: Scale } => {
    // Names of axes and rules stand above a plot.
    const isNamed = panel.y?.name !== undefined || panel.marks.some(({ text }) => text !== undefined)
    const top = end + (isAcross ? 0 : isNamed ? 26 : 8)
    const bottom = top + (panel.height ?? 80)
    end = bottom + 8
    const values = panel.marks.flatMap(valuesOf)
    const axis = isAcross ? rounded(x, values) : (panel.y ?? {})
    const scale = makeScale(axis, values, isAcross ? [0, 100] : [bottom, top], 0.06)
    const at: Frame["at"] = (where, value) =>
      isAcross ? [scale.of(value), top + (where + 0.5) * rowHeight] : [place.of(where), scale.of(value)]
    return { ...panel, axis, scale, at, isAcross, top, bottom, place }
  })
}

/** Draws a picture: the contents of its `svg`, its height, the width of the names beside it in letters, the places of its rows. */
export const draw = (drawn: Drawn, rows: ReadonlyArray<Row>) => {
  const { x = {}, isAcross = false } = drawn
  const frames = framesOf(drawn, rows.length)
  const { at, axis, scale, place, bottom } = frames.at(-1)!
  const letters = isAcross
    ? rows.map(({ cells: [, value = ""] }) => value.length)
    : frames.flatMap((frame) => valueTicks(frame.axis, frame.scale).map(([, name]) => name.length))
  const size = Math.min(maxLetters, Math.ceil(Math.max(0, ...letters) / 4) * 4)
  const under = bottom + 34
  return {
    size,
    height: x.name === undefined ? bottom + 20 : under + 4,
    placeOf: (row: number): string => (isAcross ? String(at(row, 0)[1]) : `${place.of(row)}%`),
    body: (
      <>
        <rect class="over" width="100%" height={bottom} />
        <rect
          class="cross"
          {...(isAcross
            ? { y: -rowHeight / 2, width: "100%", height: rowHeight }
            : { y: frames[0]!.top, width: 1, height: bottom - frames[0]!.top })}
        />
        {frames.map((frame) => [
          <Grid key={frame.top} {...frame} margin={marginOf(size)} />,
          frame.marks.map((mark) => kinds[mark.kind](mark, frame)),
          <Ends key="ends" {...frame} />,
        ])}
        {(isAcross
          ? apart(
              valueTicks(axis, scale).map(([tick, name]) => [scale.of(tick), name] as const),
              narrow,
            ).map(([where, name]) => [where, name, undefined] as const)
          : wordsAlong(x, place, hasEnds(drawn) ? narrow : narrowest)
        ).map(([where, name, kind]) => [
          !isAcross && line("axis", [where, bottom], [where, bottom + 4]),
          wordsAt(where, bottom + 16, name, isAcross ? 0 : 6, kind),
        ])}
        {x.name !== undefined && words("100%", under, x.name, "end")}
      </>
    ),
  }
}

/** Letters beside a plot for which the style sheet has room. */
const maxLetters = 12
/** Widths in pixels: of the narrowest plot with words at both sides, and of the narrowest one in a wide window. */
const [narrow, roomy] = [110, 260]

/** Pixels left of a plot for so many letters. */
export const marginOf = (size: number): number => (size === 0 ? 0 : size * 7 + 10)

const nameOf = (column: Column): string => (typeof column === "string" ? column : column.name)

/** A picture with its key, the crosshair's box, and the table of its numbers. */
export const plot = ({
  title,
  label = title,
  isTitled = false,
  isSquare = false,
  columns,
  rows,
  total,
  children,
  ...drawn
}: Picture): VNode => {
  const { height, size, body, placeOf } = draw(drawn, rows)
  const names = columns.map(nameOf)
  const named = drawn.marks.flatMap((mark) => (mark.name === undefined ? [] : [{ ...mark, name: mark.name }]))
  return (
    <figure
      class={`plot pad-${size}${isSquare ? " square" : drawn.isAcross === true ? " across" : hasEnds(drawn) ? " ended" : ""}`}
    >
      {!isTitled && <figcaption>{title}</figcaption>}
      <output aria-live="polite" />
      <p class="keys">
        {named
          .sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
          .map(({ name, kind, as }) => (
            <span key={name} class={`key of-${kind} ${as}`}>
              {name}
            </span>
          ))}
      </p>
      {drawn.x?.ends !== undefined && (
        <p class="ends">
          <span>{drawn.x.ends[0]}</span> <span>{drawn.x.ends[1]}</span>
        </p>
      )}
      <svg height={height} role="img" aria-label={label}>
        {body}
      </svg>
      {drawn.isAcross === true && (
        <div class="names" aria-hidden="true">
          {rows.map(({ at, cells: [name, value] }) => (
            <p key={at}>
              <span>{name}</span> <span>{value}</span>
            </p>
          ))}
        </div>
      )}
      <details>
        <summary>{isTitled ? `${title} in figures` : "The numbers"}</summary>
        <Table
          caption={title}
          columns={columns}
          rows={rows.map(({ cells: [first, ...rest], href }) => [
            href === undefined ? first : <a href={href}>{first}</a>,
            ...rest,
          ])}
          places={rows.map(({ at }) => placeOf(at))}
          {...(total === undefined ? {} : { total })}
          isLong={rows.length > 14}
        />
        {children}
      </details>
    </figure>
  )
}

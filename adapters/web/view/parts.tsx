/** @jsxRuntime automatic @jsxImportSource preact */
import { type ComponentChildren, Fragment } from "preact"
import { type Condition, marks } from "../condition/Condition.ts"
import { Highlighted, type Language } from "./highlight.tsx"
import { percent } from "./numbers.ts"

/** A state in words, with a shape, so that nothing depends on colour. */
export const State = ({
  is: { tone, label },
  live,
}: {
  readonly is: Pick<Condition, "tone" | "label">
  /** The name under which a page of the dashboard receives changes. */
  readonly live?: string
}) => (
  <span class={`badge ${tone}`} {...(live === undefined ? {} : { "data-live": live })}>
    <span aria-hidden="true">{marks[tone]}</span> {live === undefined ? label : <span>{label}</span>}
  </span>
)

/** A list of names and values; those whose value is false are left out. */
export const Facts = ({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="facts">
    {Object.entries(of).map(
      ([name, value]) =>
        value !== false && (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ),
    )}
  </dl>
)

/**
 * A column's name, of a column of numbers with `isNumber`: they are aligned to the right. One with `isWide` is left out on a
 * phone.
 */
export type Column = string | { readonly name: string; readonly isNumber?: boolean; readonly isWide?: boolean }

export const numeric = (name: string): Column => ({ name, isNumber: true })

/** A column of numbers that is left out on a phone. */
export const wide = (name: string): Column => ({ name, isNumber: true, isWide: true })

const ofColumn = (column: Column) => {
  const { name, isNumber, isWide }: Exclude<Column, string> = typeof column === "string" ? { name: column } : column
  const classes = [isNumber === true ? "number" : "", isWide === true ? "wide" : ""].join(" ").trim()
  return { name, own: classes === "" ? {} : { class: classes } }
}

const Cells = ({
  columns,
  cells,
  isCards,
}: Pick<TableProps, "columns" | "isCards"> & { readonly cells: ReadonlyArray<ComponentChildren> }) => (
  <>
    {cells.map((cell, at) => {
      const { name, own } = ofColumn(columns[at]!)
      return at === 0 ? (
        <th key={name} scope="row" {...own}>
          {cell}
        </th>
      ) : (
        <td key={name} {...own} {...(isCards === true ? { "data-label": name } : {})}>
          {cell}
        </td>
      )
    })}
  </>
)

interface TableProps {
  readonly caption: string
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChildren>>
  /** A last row for all others. */
  readonly total?: ReadonlyArray<ComponentChildren>
  /** Its height is limited. */
  readonly isLong?: boolean
  /** In a narrow window each row is a card, whose cells have the names of their columns: nothing is beyond the edge. */
  readonly isCards?: boolean
  /** Such a row is two lines instead, of four cells without names. */
  readonly isBrief?: boolean
  /** Where the picture above it has each row. */
  readonly places?: ReadonlyArray<string>
  /** The heading above a row, for it and those after it; undefined: none. */
  readonly headings?: ReadonlyArray<string | undefined>
}

/** A table that scrolls by itself. The first cell of a row names it. */
export const Table = ({
  caption,
  columns,
  rows,
  total,
  isLong = false,
  isCards = false,
  isBrief = false,
  places,
  headings = [],
}: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the keyboard's focus
  <section class={isLong ? "scroll long" : "scroll"} tabIndex={0} aria-label={caption}>
    <table {...(isCards ? { class: isBrief ? "rows brief" : "rows" } : {})}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(ofColumn).map(({ name, own }) => (
            <th key={name} scope="col" {...own}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <Fragment key={row}>
            {headings[row] !== undefined && (
              <tr class="heading">
                <th scope="rowgroup" colSpan={columns.length}>
                  {headings[row]}
                </th>
              </tr>
            )}
            <tr {...(places === undefined ? {} : { "data-at": places[row] })}>
              <Cells columns={columns} cells={cells} isCards={isCards} />
            </tr>
          </Fragment>
        ))}
      </tbody>
      {total !== undefined && (
        <tfoot>
          <tr>
            <Cells columns={columns} cells={total} isCards={isCards} />
          </tr>
        </tfoot>
      )}
    </table>
  </section>
)

/** The badge of generated figures. */
export const Sample = ({ isSample }: { readonly isSample: boolean }) =>
  isSample ? <span class="badge test">Sample data</span> : null

/** Which of model and market gave the outcome more probability; neither where both show the same. */
export const closerOf = (model: number, market: number, isYes = true): "model" | "market" | "neither" =>
  percent(model) === percent(market) ? "neither" : model > market === isYes ? "model" : "market"

const closerWords = { model: "we were closer", market: "the market was closer", neither: "equal" } as const

/** The same in words, with the mark of the one who was closer. */
export const Closer = ({ who }: { readonly who: ReturnType<typeof closerOf> }) => (
  <span class={`key of-dot ${who} ${who === "neither" ? "less hollow" : ""}`.trim()}>{closerWords[who]}</span>
)

/** A large figure under its name. */
export const Figure = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <p>
    <span>{name}</span> <strong>{children}</strong>
  </p>
)

/** A column of a list: its name, and the cell of a row. */
export type ListColumn<Row> = readonly [column: Column, cell: (row: Row, at: number) => ComponentChildren]

/** A table of things by columns, of cards in a narrow window; a column that is false is left out. Without things: `empty`. */
export const List = <Row,>({
  columns,
  rows,
  empty,
  heading,
  ...table
}: Omit<TableProps, "columns" | "rows" | "headings"> & {
  readonly columns: ReadonlyArray<ListColumn<Row> | false>
  readonly rows: ReadonlyArray<Row>
  readonly empty?: ComponentChildren
  /** The heading of a row's group, which stands above its first row; undefined: it belongs to the group before it. */
  readonly heading?: (row: Row) => string | undefined
}) => {
  if (rows.length === 0 && empty !== undefined) return <p>{empty}</p>
  const shown = columns.filter((column) => column !== false)
  let last: string | undefined
  const headings = rows.map((row) => {
    const name = heading?.(row)
    const isNew = name !== undefined && name !== last
    if (isNew) last = name
    return isNew ? name : undefined
  })
  return (
    <Table
      isCards
      {...table}
      headings={headings}
      columns={shown.map(([column]) => column)}
      rows={rows.map((row, at) => shown.map(([, cell]) => cell(row, at)))}
    />
  )
}

const inlineMarks = /`([^`]*)`|\*\*([^*]+)\*\*/g

/** A sentence in which backticks become code and double asterisks bold. */
export const Inline = ({ text }: { readonly text: string }) => {
  const marks = [...text.matchAll(inlineMarks)]
  const starts = [0, ...marks.map((match) => match.index + match[0].length)]
  return (
    <>
      {starts.map((start, at) => {
        const match = marks[at]
        return (
          <Fragment key={start}>
            {text.slice(start, match?.index)}
            {match?.[1] !== undefined && <code>{match[1]}</code>}
            {match?.[2] !== undefined && <strong>{match[2]}</strong>}
          </Fragment>
        )
      })}
    </>
  )
}

/** A block of code; one with a label scrolls by itself. */
export const Code = ({
  text,
  lang,
  label,
}: {
  readonly text: string
  /** Absent: without colours. */
  readonly lang?: Language
  /** Name of the box that scrolls, unique on the page. */
  readonly label?: string
}) => {
  const block = (
    <pre>
      <code>{lang === undefined ? text : <Highlighted text={text} lang={lang} />}</code>
    </pre>
  )
  return label === undefined ? (
    block
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the keyboard's focus
    <section class="long" tabIndex={0} aria-label={label}>
      {block}
    </section>
  )
}

/** One of several panels, chosen by its name, without script: the names are radio buttons. */
export const Tabs = ({
  id,
  label,
  panels,
}: {
  /** Unique on the page. */
  readonly id: string
  readonly label: string
  readonly panels: ReadonlyArray<readonly [name: string, panel: ComponentChildren]>
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own
  <div class="tabs" role="group" aria-label={label}>
    {panels.map(([name, panel], at) => (
      <Fragment key={name}>
        <label>
          <input type="radio" name={id} checked={at === 0} />
          {name}
        </label>
        <div class="panel">{panel}</div>
      </Fragment>
    ))}
  </div>
)

const languages: Readonly<Record<string, Language>> = { curl: "sh", TypeScript: "ts", Python: "py", MCP: "json" }

/** The forms of one call, by the program that makes it. */
export const Samples = ({
  id,
  samples,
}: {
  readonly id: string
  readonly samples: Readonly<Record<string, string>>
}) => (
  <Tabs
    id={`as-${id}`}
    label="The call in"
    panels={Object.entries(samples).map(([name, text]) => [
      name,
      <Code key={name} text={text} lang={languages[name]!} />,
    ])}
  />
)

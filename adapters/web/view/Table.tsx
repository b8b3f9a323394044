/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"

/** A column's name, of a column of numbers with `isNumber`: they are aligned to the right. */
export type Column = string | { readonly name: string; readonly isNumber?: boolean }

/** A column of numbers. */
export const numeric = (name: string): Column => ({ name, isNumber: true })

const ofColumn = (column: Column) => {
  const { name, isNumber } = typeof column === "string" ? { name: column, isNumber: false } : column
  return { name, own: isNumber === true ? { class: "number" } : {} }
}

const Cells = ({
  columns,
  cells,
}: {
  readonly columns: ReadonlyArray<Column>
  readonly cells: ReadonlyArray<ComponentChildren>
}) => (
  <>
    {cells.map((cell, at) => {
      const { name, own } = ofColumn(columns[at]!)
      return at === 0 ? (
        <th key={name} scope="row" {...own}>
          {cell}
        </th>
      ) : (
        <td key={name} {...own}>
          {cell}
        </td>
      )
    })}
  </>
)

/** A table that scrolls by itself. The first cell of a row names it. */
export const Table = ({
  caption,
  columns,
  rows,
  total,
  isLong = false,
}: {
  readonly caption: string
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChildren>>
  /** A last row for all others. */
  readonly total?: ReadonlyArray<ComponentChildren>
  /** Its height is limited. */
  readonly isLong?: boolean
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the keyboard's focus
  <section class={isLong ? "scroll long" : "scroll"} tabIndex={0} aria-label={caption}>
    <table>
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
          <tr key={row}>
            <Cells columns={columns} cells={cells} />
          </tr>
        ))}
      </tbody>
      {total !== undefined && (
        <tfoot>
          <tr>
            <Cells columns={columns} cells={total} />
          </tr>
        </tfoot>
      )}
    </table>
  </section>
)

/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"

export interface Column {
  readonly name: string
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean
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
      const { name, isNumber } = columns[at]!
      const own = isNumber === true ? { class: "number" } : {}
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
          {columns.map(({ name, isNumber }) => (
            <th key={name} scope="col" {...(isNumber === true ? { class: "number" } : {})}>
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

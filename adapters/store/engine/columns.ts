import { type NameOf, type Names, snake } from "../../../core/wire.ts"

/** How a field's value is stored: an absent one as NULL, a boolean as 1 or 0. */
type Stored<Value> = undefined extends Value
  ? Stored<Exclude<Value, undefined>> | null
  : [Value] extends [boolean]
    ? 0 | 1
    : Value

/** The columns of a kind of value. */
export interface ColumnsOf<Value, Row> {
  readonly list: string
  readonly names: ReadonlyArray<keyof Row & string>
  /** @param more further columns, in an object that is mutated and returned: a spread takes ten times as long */
  readonly toRow: <More extends object = object>(value: Value, more?: More) => Row & More
  /** The values of a row, in the order of `names`. */
  readonly toValues: (value: Value) => ReadonlyArray<string | number | null>
  /** @param more further fields, in an object that is mutated and returned */
  readonly fromRow: <More extends object = object>(row: Row, more?: More) => Value & More
}

export type RowOf<Of> = Of extends ColumnsOf<infer _Value, infer Row> ? Row : never

/**
 * The columns of some fields of a value: rows from values, and values from rows.
 *
 * @param own columns whose names are not the fields' names in snake case
 * @param flags the fields that are booleans
 */
export const columns =
  <A extends object>() =>
  <const Field extends keyof A & string, const Own extends Names<Field> = Record<never, never>>(
    fields: ReadonlyArray<Field>,
    { own, flags = [] }: { readonly own?: Own; readonly flags?: ReadonlyArray<Field> } = {},
  ): ColumnsOf<Pick<A, Field>, { readonly [K in Field as NameOf<K, Own>]: Stored<A[K]> }> => {
    const all = fields.map((field) => ({ field, column: own?.[field] ?? snake(field), isFlag: flags.includes(field) }))
    const toStored = (value: unknown) =>
      value === undefined ? null : typeof value === "boolean" ? Number(value) : (value as string | number | null)
    return {
      list: all.map(({ column }) => column).join(", "),
      names: all.map(({ column }) => column) as never,
      toRow: (value, more) => {
        const row = (more ?? {}) as Record<string, unknown>
        for (const { field, column } of all) {
          row[column] = toStored(value[field])
        }
        return row as never
      },
      toValues: (value) => all.map(({ field }) => toStored(value[field])),
      fromRow: (row, more) => {
        const value = (more ?? {}) as Record<string, unknown>
        for (const { field, column, isFlag } of all) {
          const stored = (row as Readonly<Record<string, unknown>>)[column]
          if (stored !== null) value[field] = isFlag ? stored === 1 : stored
        }
        return value as never
      },
    }
  }

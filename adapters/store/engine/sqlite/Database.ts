/**
 * A prepared statement, as far as the driver's is used. These declarations are our own, since importers of the package have
 * none of the driver.
 */
export interface Statement {
  /** Whether it returns rows. */
  readonly reader: boolean
  /** Whether it leaves the store as it is. */
  readonly readonly: boolean
  all(...params: ReadonlyArray<unknown>): Array<unknown>
  get(...params: ReadonlyArray<unknown>): unknown
  run(...params: ReadonlyArray<unknown>): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  iterate(...params: ReadonlyArray<unknown>): IterableIterator<unknown>
  /** Rows as the value of their first column. */
  pluck(): Statement
  /** Rows as the list of their values. */
  raw(): Statement
}

/** An open database file. Its methods are synchronous, and throw. */
export interface Database {
  readonly inTransaction: boolean
  prepare(sql: string): Statement
  /** Runs several statements. */
  exec(sql: string): void
  /** @param options `simple`: the first column of the first row instead of rows */
  pragma(source: string, options?: { readonly simple?: boolean }): unknown
  /** The whole database as the bytes of its file. */
  serialize(): Uint8Array
  close(): void
}

import { pathToFileURL } from "node:url"
import type { Database, OpenOptions, Statement } from "./client.ts"

/** The part of `node:sqlite` that is used; the types of the oldest supported Node have none of it. */
interface NodeStatement {
  all(...params: ReadonlyArray<unknown>): Array<unknown>
  get(...params: ReadonlyArray<unknown>): unknown
  run(...params: ReadonlyArray<unknown>): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  iterate(...params: ReadonlyArray<unknown>): IterableIterator<unknown>
  columns(): ReadonlyArray<{ readonly name: string }>
  setReturnArrays(enabled: boolean): void
  setAllowUnknownNamedParameters(enabled: boolean): void
}

interface NodeDatabase {
  readonly isTransaction: boolean
  prepare(sql: string): NodeStatement
  exec(sql: string): void
  close(): void
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string | URL, options: object) => NodeDatabase
  readonly StatementSync: { readonly prototype: object }
}

/** SQLite's names of its primary result codes, by number from 1 (sqlite.org/rescode.html). */
const codes =
  "ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB".split(
    " ",
  )

/** Gives an error of SQLite the name of its primary result code, in the form of better-sqlite3. */
const attempt = <A>(work: () => A): A => {
  try {
    return work()
  } catch (error) {
    const { errcode } = error as { readonly errcode?: number }
    const code = errcode === undefined ? undefined : codes[(errcode & 0xff) - 1]
    if (code !== undefined) Object.assign(error as object, { code: `SQLITE_${code}` })
    throw error
  }
}

/** Text and comments, in which a question mark is not a parameter. */
const textOrComment = /'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g

const toBuffer = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value

/** Rows are made here: those of `node:sqlite` have no prototype, and are slower to read. */
class PreparedStatement implements Statement {
  readonly reader: boolean
  readonly #statement: NodeStatement
  readonly #names: ReadonlyArray<string>
  readonly #parameters: number
  readonly #named: ReadonlyArray<string>
  readonly #explain: () => NodeStatement
  #rowOf: (values: ReadonlyArray<unknown>) => unknown

  constructor(db: NodeDatabase, sql: string) {
    this.#statement = attempt(() => db.prepare(sql))
    this.#names = this.#statement.columns().map(({ name }) => name)
    this.#statement.setReturnArrays(true)
    this.#statement.setAllowUnknownNamedParameters(true)
    const bare = sql.replace(textOrComment, "")
    this.#parameters = bare.split("?").length - 1
    this.#named = [...bare.matchAll(/[@:$](\w+)/g)].map(([, name]) => name!)
    this.#explain = () => db.prepare(`EXPLAIN ${sql}`)
    this.reader = this.#names.length > 0
    this.#rowOf = (values) => {
      const row: Record<string, unknown> = {}
      for (let at = 0; at < values.length; at++) row[this.#names[at]!] = toBuffer(values[at])
      return row
    }
  }

  /** False if the statement's program begins a write transaction. Rarely needed, so it is not computed in advance. */
  get readonly(): boolean {
    const steps = this.#explain().all() as ReadonlyArray<{ readonly opcode: string; readonly p2: number }>
    return !steps.some(({ opcode, p2 }) => opcode === "Transaction" && p2 !== 0)
  }

  /** Refuses what `node:sqlite` accepts: parameters without a value, booleans, and objects as named parameters. */
  #check(params: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
    if (this.#named.length > 0) {
      const values = params[0] as Readonly<Record<string, unknown>>
      const missing = this.#named.find((name) => values?.[name] === undefined)
      if (missing !== undefined) throw new RangeError(`The parameter ${missing} has no value.`)
      return params
    }
    if (params.length !== this.#parameters)
      throw new RangeError(`The statement has ${this.#parameters} parameters and was given ${params.length} values.`)
    let hasUndefined = false
    for (const value of params) {
      if (value === undefined) hasUndefined = true
      else if (
        typeof value === "boolean" ||
        (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
      )
        throw new TypeError("SQLite stores numbers, texts, bytes and null only.")
    }
    return hasUndefined ? params.map((value) => (value === undefined ? null : value)) : params
  }

  all(...params: ReadonlyArray<unknown>): Array<unknown> {
    const values = this.#check(params)
    const rows = attempt(() => this.#statement.all(...values)) as Array<unknown>
    for (let at = 0; at < rows.length; at++) rows[at] = this.#rowOf(rows[at] as ReadonlyArray<unknown>)
    return rows
  }

  get(...params: ReadonlyArray<unknown>): unknown {
    const values = this.#check(params)
    const row = attempt(() => this.#statement.get(...values))
    return row === undefined ? undefined : this.#rowOf(row as ReadonlyArray<unknown>)
  }

  run(...params: ReadonlyArray<unknown>): { readonly changes: number; readonly lastInsertRowid: number | bigint } {
    const values = this.#check(params)
    return attempt(() => this.#statement.run(...values))
  }

  *iterate(...params: ReadonlyArray<unknown>): IterableIterator<unknown> {
    const values = this.#check(params)
    const rows = attempt(() => this.#statement.iterate(...values))
    try {
      for (;;) {
        const next = attempt(() => rows.next())
        if (next.done === true) return
        yield this.#rowOf(next.value as ReadonlyArray<unknown>)
      }
    } finally {
      rows.return?.()
    }
  }

  pluck(): this {
    this.#rowOf = ([value]) => toBuffer(value)
    return this
  }

  raw(): this {
    this.#rowOf = (values) => values.map(toBuffer)
    return this
  }
}

/**
 * The driver of this Node's own SQLite, with the interface and the defaults of better-sqlite3.
 *
 * @returns undefined where Node's is incomplete
 */
export const findNodeDriver = (): ((file: string, options?: OpenOptions) => Database) | undefined => {
  // Earlier versions print a warning when their SQLite is loaded.
  const [major, minor] = process.versions.node.split(".").map(Number) as [number, number]
  if (major < 24 || (major === 24 && minor < 21)) return undefined
  const sqlite = process.getBuiltinModule?.("node:sqlite" as "node:fs") as unknown as NodeSqlite | undefined
  if (sqlite === undefined || !("setReturnArrays" in sqlite.StatementSync.prototype)) return undefined
  return (file, { readonly: readOnly = false, fileMustExist = false, timeout = 5_000 } = {}) => {
    const isFile = file !== ":memory:" && file !== ""
    const url = isFile && fileMustExist && !readOnly ? pathToFileURL(file) : undefined
    if (url !== undefined) url.search = "mode=rw"
    const db = attempt(() => new sqlite.DatabaseSync(url ?? file, { readOnly, timeout, defensive: false }))
    const prepare = (sql: string) => new PreparedStatement(db, sql)
    return {
      get inTransaction() {
        return db.isTransaction
      },
      prepare,
      exec: (sql) => attempt(() => db.exec(sql)),
      pragma: (source, { simple = false } = {}) => {
        const statement = prepare(`PRAGMA ${source}`)
        return simple ? statement.pluck().get() : statement.all()
      },
      close: () => db.close(),
    }
  }
}

import { closeSync, createReadStream, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { pipeline } from "node:stream"
import { createGunzip, gzipSync } from "node:zlib"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import * as Release from "../../../../core/release.ts"
import { iso } from "../../../../core/time.ts"
import { syncFolder } from "../../../runtime/node/folders.ts"
import { type AuditRow, toAudit } from "../../audit/auditReads.ts"
import { isMoved, markMoved } from "../../engine/movedStore.ts"
import { type Place, type StoreError, toStoreError } from "../../engine/opening.ts"
import { askEach, toColumns } from "../../engine/postgres/client.ts"
import { getCharges } from "../../money/charge.ts"
import { cancelAll } from "../../money/postgres/ending.ts"
import { writeNames } from "../../money/sqlite/replyLog.ts"
import { newest } from "../../schema/migrate.ts"
import * as AuditRows from "../../trail/rows.ts"
import { type Checked, check } from "./checks.ts"
import { attempt, inStore, type Opened, refuse } from "./Opened.ts"
import { type Digest, decode, type Put, readTables, type StoredRow } from "./rows.ts"
import { archivedTables, filledAtFirst, quoteNames, type Row, type Table, trail } from "./tables.ts"

/*
 * An archive is gzipped text: a header line with all tables and their columns, then for each table its rows, one a line, and its
 * digest. The digest of the last table ends it.
 */

const format = "market-signals store"

const tableShapes = (tables: ReadonlyArray<Table>) =>
  tables.map(({ name, columns, types }) => ({ name, columns, types }))

export const archiveHeader = (tables: ReadonlyArray<Table>, created: string) => ({
  ...{ format, schema: newest, program: Release.version, created },
  tables: tableShapes(tables),
})

/** Characters per gzip member that is written, and per chunk that is read. */
const partLength = 2 ** 18

type Write = (text: string) => Effect.Effect<void, StoreError>

/** Writes a file that only its owner can read. Its name ends in `.part` until all of it is on disk. */
export const writeFile = <A, E, R>(
  file: string,
  work: (write: Write) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StoreError, R> => {
  const part = `${file}.part`
  const writing = <B>(step: () => B) => Effect.try({ try: step, catch: toStoreError(`write ${file}`) })
  return Effect.acquireUseRelease(
    Effect.if(existsSync(file), {
      onTrue: () => refuse(`${file} exists. Name a new file.`),
      onFalse: () =>
        writing(() => {
          // Left by an export that was killed.
          rmSync(part, { force: true })
          return openSync(part, "wx", 0o600)
        }),
    }),
    (descriptor) =>
      Effect.gen(function* () {
        let waiting = ""
        const flush = writing(() => {
          const bytes = gzipSync(waiting)
          waiting = ""
          for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
        })
        const result = yield* work((text) => {
          waiting += text
          return waiting.length < partLength ? Effect.void : flush
        })
        yield* flush
        yield* writing(() => {
          fsyncSync(descriptor)
          renameSync(part, file)
          syncFolder(dirname(file))
        })
        return result
      }),
    (descriptor) =>
      Effect.sync(() => {
        closeSync(descriptor)
        rmSync(part, { force: true })
      }),
  )
}

/** Consecutive rows, or the value of a line that is not a row. */
interface Part {
  readonly rows?: ReadonlyArray<StoredRow>
  readonly value?: Readonly<Record<string, unknown>> | null
}

function* parseLines(lines: ReadonlyArray<string>): Generator<Part> {
  let rows: Array<StoredRow> = []
  for (const line of lines) {
    const value = JSON.parse(line)
    if (Array.isArray(value)) {
      rows.push(value)
      continue
    }
    if (rows.length > 0) yield { rows }
    yield { value }
    rows = []
  }
  if (rows.length > 0) yield { rows }
}

async function* readParts(file: string): AsyncGenerator<Part, undefined> {
  const gunzip = createGunzip({ chunkSize: partLength })
  let rest = ""
  for await (const chunk of pipeline(createReadStream(file), gunzip, () => undefined).setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop()!
    yield* parseLines(lines)
  }
  if (rest !== "") yield* parseLines([rest])
}

/**
 * Reads an archive of a store with these tables, and returns its digests. An archive of another schema, damaged or cut, is
 * refused, at its end at the latest. The caller must compare the rows with the digests.
 *
 * @param open begins to write a table
 */
export const readFile = (
  file: string,
  tables: ReadonlyArray<Table>,
  open: (table: Table) => Effect.Effect<Put, SqlError>,
): Effect.Effect<ReadonlyArray<Digest>, SqlError | StoreError> => {
  const broken = (why: string) => refuse(`${file} is no whole archive of a store: ${why}. Nothing was imported.`)
  const read = (parts: AsyncGenerator<Part, undefined>) =>
    Effect.gen(function* () {
      const next = Effect.tryPromise(() => parts.next()).pipe(
        Effect.map(({ value }) => value),
        Effect.catchAll(({ error }) => broken((error as Error).message)),
      )
      const header = (yield* next)?.value
      if (header?.["format"] !== format) return yield* broken("it begins with something else")
      if (JSON.stringify([header["schema"], header["tables"]]) !== JSON.stringify([newest, tableShapes(tables)])) {
        return yield* refuse(
          `${file} was written by version ${header["program"]}, whose schema is ${header["schema"]}; this is version ${Release.version}, whose schema is ${newest}. Import it with the version that wrote it.`,
        )
      }
      const digests: Array<Digest> = []
      for (const table of tables) {
        const put = yield* open(table)
        let part = yield* next
        for (; part?.rows !== undefined; part = yield* next) yield* put(part.rows.map((row) => decode(table, row)))
        if (part?.value?.["name"] !== table.name) return yield* broken(`the digest of ${table.name} is missing`)
        digests.push(part.value as unknown as Digest)
      }
      if ((yield* next) !== undefined) return yield* broken("it goes on after its end")
      return digests
    })
  return Effect.acquireUseRelease(
    Effect.sync(() => readParts(file)),
    read,
    (parts) => Effect.promise(() => parts.return(undefined)),
  )
}

/** The contents of an archive, as read from a store and checked. */
export interface Archived {
  readonly tables: ReadonlyArray<Digest>
  readonly checked: Checked
  /** When the store was marked as moved, epoch milliseconds. */
  readonly movedAt?: number
}

/** Locks the tables on PostgreSQL, for connections that were not noticed. SQLite's file has one owner. */
const lock = ({ db, sql }: Opened, tables: ReadonlyArray<Table>) =>
  db !== undefined
    ? Effect.void
    : sql.unsafe(`LOCK TABLE ${quoteNames(tables.map(({ name }) => name))} IN SHARE ROW EXCLUSIVE MODE`)

/** Gives charges of unanswered batches back, since no node is left to do it. */
const endBatches = (sql: SqlClient.SqlClient) => cancelAll(askEach((text, values) => sql.unsafe(text, values)))

/** Brings wallets, sums, usage and the journal up to the last call. */
const settleAll = ({ db, sql }: Opened): Effect.Effect<unknown, SqlError> =>
  db === undefined ? endBatches(sql) : attempt(() => getCharges(db).foldAll())

/**
 * Writes all rows of a store into a new file, for which the server and all nodes are stopped. An export that fails or is
 * killed leaves no file of that name.
 *
 * @param move marks the store as moved: it takes nothing more, and may be exported again
 */
export const exportStore = (place: Place, file: string, move: boolean): Effect.Effect<Archived, Failure | StoreError> =>
  inStore(place, "export", (store) =>
    Effect.gen(function* () {
      const tables = yield* archivedTables
      yield* lock(store, tables)
      yield* settleAll(store)
      const now = yield* Clock.currentTimeMillis
      const archived = yield* writeFile(file, (write) =>
        Effect.gen(function* () {
          yield* write(`${JSON.stringify(archiveHeader(tables, iso(now)))}\n`)
          const digests = yield* readTables(store, tables, write)
          return { tables: digests, checked: yield* check(store) }
        }),
      )
      if (!move) return archived
      if (!(yield* isMoved)) yield* markMoved(tables, file, now)
      return { ...archived, movedAt: now }
    }),
  )

const putIntoSqlite = (db: NonNullable<Opened["db"]>, { name, columns }: Table): Put => {
  if (name !== trail) {
    const places = columns.map(() => "?").join(", ")
    const insert = db.prepare(`INSERT INTO "${name}" (${quoteNames(columns)}) VALUES (${places})`)
    return (rows) => attempt(() => rows.forEach((row) => void insert.run(...row)))
  }
  const { writeTo } = AuditRows.make(db)
  const write = ([month, ...rest]: Row) => {
    const entries = rest.map((value, index) => [columns[index + 1], value])
    writeTo(String(month), toAudit(Object.fromEntries(entries) as AuditRow))
  }
  return (rows) => attempt(() => rows.forEach(write))
}

/** Inserts rows as an array per column. Rows keep their numbers. */
const putIntoPostgres = ({ sql }: Opened, { name, columns, types }: Table): Put => {
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")
  // A page of the trail reads few rows of one transaction: each part has a number of its own.
  const isTrail = name === trail
  const text = `INSERT INTO "${name}" (${quoteNames(isTrail ? [...columns, "tx"] : columns)}) OVERRIDING SYSTEM VALUE
    SELECT *${isTrail ? `, $${types.length + 1}::bigint` : ""} FROM unnest(${arrays})`
  let parts = 0
  return (rows) =>
    Effect.suspend(() =>
      Effect.asVoid(sql.unsafe(text, [...toColumns(rows, types.length), ...(isTrail ? [parts++] : [])])),
    )
}

/** Begins to write a table of an empty store. Call it in the order of tables. */
const openTable = (store: Opened, table: Table): Effect.Effect<Put, SqlError> =>
  Effect.gen(function* () {
    const { db, sql } = store
    if (db === undefined && table.name === trail) yield* sql`SELECT audit_month(month) FROM audit_months`
    const put = db === undefined ? putIntoPostgres(store, table) : putIntoSqlite(db, table)
    return (rows) =>
      Effect.mapError(put(rows), (error) =>
        error._tag === "SqlError" ? toStoreError(`write ${table.name}`)(error) : error,
      )
  })

/** Makes the index of SQLite, and marks all imported rows as folded and posted. */
const completeSqlite = `
  INSERT INTO audit_index SELECT account, at, seq FROM audit_rows ORDER BY 1, 2, 3;
  UPDATE places SET seq = (SELECT coalesce(max(seq), 0) FROM audit_rows) WHERE name IN ('folded', 'posted')`

/** Without it PostgreSQL would number new rows and transactions from 1, and plan the first queries as for empty tables. */
const completePostgres = (tables: ReadonlyArray<Table>): ReadonlyArray<string> => [
  ...tables
    .filter(({ columns }) => columns.includes("seq"))
    .map(({ name }) => `SELECT setval(pg_get_serial_sequence('"${name}"', 'seq'), max(seq)) FROM "${name}"`),
  "SELECT audit_follow()",
  "ANALYZE",
]

const complete = ({ db, sql }: Opened, tables: ReadonlyArray<Table>): Effect.Effect<void, SqlError> =>
  db === undefined
    ? Effect.forEach(completePostgres(tables), (statement) => sql.unsafe(statement), { discard: true })
    : attempt(() => {
        db.exec(completeSqlite)
        writeNames(db)
      })

const refuseFilled = ({ sql }: Opened, tables: ReadonlyArray<Table>) =>
  Effect.gen(function* () {
    for (const { name } of tables) {
      if (filledAtFirst.includes(name) || (yield* sql`SELECT 1 FROM ${sql(name)} LIMIT 1`).length === 0) continue
      return yield* refuse(`The store is not empty: ${name} has rows. Name a new file or database in DATABASE_URL.`)
    }
  })

const refuseDifferent = (archived: ReadonlyArray<Digest>, stored: ReadonlyArray<Digest>) => {
  const index = archived.findIndex(({ sha256 }, each) => sha256 !== stored[each]!.sha256)
  if (index === -1) return Effect.void
  const [one, other] = [archived[index]!, stored[index]!]
  return refuse(
    `${one.name} differs: the archive has ${one.rows} rows with SHA-256 ${one.sha256}, the store would have ${other.rows} with ${other.sha256}. Nothing was imported.`,
  )
}

/**
 * Writes an archive into an empty store, reads it back, compares the digests, and checks the store, all in one transaction: if
 * it fails, the store is as empty as before.
 */
export const importStore = (place: Place, file: string): Effect.Effect<Archived, Failure | StoreError> =>
  Effect.if(existsSync(file), {
    onFalse: () => refuse(`There is no file ${file}.`),
    onTrue: () =>
      inStore(place, "import", (store) =>
        Effect.gen(function* () {
          const tables = yield* archivedTables
          yield* lock(store, tables)
          yield* refuseFilled(store, tables)
          for (const name of filledAtFirst) yield* store.sql`DELETE FROM ${store.sql(name)}`
          const archived = yield* readFile(file, tables, (table) => openTable(store, table))
          yield* complete(store, tables)
          const stored = yield* readTables(store, yield* archivedTables)
          yield* refuseDifferent(archived, stored)
          return { tables: archived, checked: yield* check(store) }
        }),
      ),
  })

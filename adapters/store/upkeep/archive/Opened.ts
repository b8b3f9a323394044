import { existsSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Release from "../../../../core/release.ts"
import { MayOpenMoved } from "../../engine/movedStore.ts"
import { type Place, StoreError, toStoreError } from "../../engine/opening.ts"
import { application } from "../../engine/postgres/client.ts"
import * as postgres from "../../engine/postgres/open.ts"
import { type Database, Sqlite } from "../../engine/sqlite/client.ts"
import { memory } from "../../engine/sqlite/files.ts"
import * as sqlite from "../../engine/sqlite/open.ts"
import { takeAlone } from "../../engine/sqlite/owner.ts"
import { beginPatient, transaction } from "../../engine/storage.ts"
import type { Transactions } from "../../engine/Transactions.ts"
import type { Row } from "./tables.ts"

export const refuse = (message: string): Effect.Effect<never, StoreError> =>
  Effect.fail(new StoreError({ reason: "refused", message }))

/** What a store is opened for. `check` reads it beside its server; `copy` is a file that no other process uses. */
export type Use = "check" | "copy" | "export" | "import"

/** A store in one transaction. */
export interface Opened {
  /** The bare connection of SQLite. */
  readonly db: Database | undefined
  readonly sql: SqlClient.SqlClient
  /** Reads the rows of a query in pages, without holding more than one. */
  readonly pages: <E>(
    query: string,
    use: (rows: ReadonlyArray<Row>) => Effect.Effect<void, E>,
  ) => Effect.Effect<void, E | SqlError>
}

const pageRows = 500

export const attempt = <A>(work: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({ try: work, catch: (cause) => new SqlError({ cause, message: "Failed to execute" }) })

function* readPages(db: Database, query: string): Generator<ReadonlyArray<Row>, ReadonlyArray<Row>> {
  let page: Array<Row> = []
  for (const row of db.prepare(query).raw().iterate()) {
    page.push(row as Row)
    if (page.length < pageRows) continue
    yield page
    page = []
  }
  return page
}

/** A cursor over the rows of a query; `next` is empty at the end. */
const makeCursor = (db: Database | undefined, sql: SqlClient.SqlClient, query: string) => {
  if (db === undefined) {
    const next = Effect.map(sql.unsafe(`FETCH ${pageRows} FROM page`).values, (rows) => rows as ReadonlyArray<Row>)
    return Effect.as(sql.unsafe(`DECLARE page NO SCROLL CURSOR FOR ${query}`), {
      next,
      close: Effect.ignore(sql.unsafe("CLOSE page")),
    })
  }
  const pages = readPages(db, query)
  return Effect.succeed({
    next: attempt(() => pages.next().value ?? []),
    // The transaction could not end with an open query.
    close: Effect.sync(() => pages.return([])),
  })
}

/** Refuses a store in use: running nodes always have a connection. One that was just closed may be visible for a while. */
const refuseNodes = (sql: SqlClient.SqlClient): Effect.Effect<void, StoreError | SqlError> =>
  sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${application}`.pipe(
    Effect.flatMap(({ length }) =>
      length === 0 ? Effect.void : refuse(`Nodes or commands use this store (${length} connections). Stop them first.`),
    ),
    Effect.retry({ while: ({ _tag }) => _tag === "StoreError", times: 20, schedule: Schedule.spaced("100 millis") }),
  )

interface Connected {
  readonly context: Context.Context<SqlClient.SqlClient | Transactions>
  readonly db: Database | undefined
}

const open = (place: Place, use: Use): Effect.Effect<Connected, StoreError | SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const isAlone = use === "export" || use === "import"
    if (place._tag === "Postgres") {
      const options = { connections: 2, application: `${application} ${use}`, isPatient: true }
      const context = yield* Layer.build(postgres.layer(place.url, options))
      if (isAlone) yield* refuseNodes(Context.get(context, SqlClient.SqlClient))
      return { context, db: undefined }
    }
    const { file } = place
    if (file === memory || (use === "export" && !existsSync(file))) {
      return yield* refuse(`There is no store at ${file}.`)
    }
    if (isAlone) yield* takeAlone(file, { role: `store ${use}`, version: Release.version })
    const context = yield* Layer.build(use === "check" ? sqlite.layerReading(file) : sqlite.layer(file))
    const { db } = Context.get(context, Sqlite)
    // Large sorts would not fit into memory.
    yield* attempt(() => db.exec("PRAGMA temp_store = FILE"))
    return { context, db }
  })

/** Runs work in a transaction, with the write lock unless it reads beside the server. Repositories use the same connection. */
const transactionOfSqlite = <A, E, R>(db: Database, use: Use, work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    attempt(() => db.exec(use === "check" ? "BEGIN" : "BEGIN IMMEDIATE")),
    () =>
      Effect.zipLeft(
        work,
        attempt(() => db.exec("COMMIT")),
      ),
    () => Effect.sync(() => db.inTransaction && db.exec("ROLLBACK")),
  )

/** Opens a store and runs work in one transaction, which is rolled back unless all of the work succeeds. */
export const inStore = <A, E>(
  place: Place,
  use: Use,
  work: (store: Opened) => Effect.Effect<A, E | SqlError, SqlClient.SqlClient | Transactions>,
): Effect.Effect<A, Exclude<E, SqlError> | StoreError> =>
  Effect.gen(function* () {
    const { context, db } = yield* open(place, use)
    const sql = Context.get(context, SqlClient.SqlClient)
    const pages: Opened["pages"] = (query, use) =>
      Effect.acquireUseRelease(
        makeCursor(db, sql, query),
        ({ next }) =>
          Effect.gen(function* () {
            for (let rows = yield* next; rows.length > 0; rows = yield* next) yield* use(rows)
          }),
        ({ close }) => close,
      )
    const all = Effect.provide(work({ db, sql, pages }), context)
    return yield* db === undefined ? transaction(sql, all, beginPatient) : transactionOfSqlite(db, use, all)
  }).pipe(
    Effect.scoped,
    Effect.provideService(MayOpenMoved, use === "export"),
    Effect.mapError((error) =>
      error instanceof SqlError ? toStoreError(`${use} the store`)(error) : (error as Exclude<typeof error, SqlError>),
    ),
  )

import { existsSync, realpathSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Release from "../../../../core/release.ts"
import * as Step from "../../../../core/Step.ts"
import type { Place, StoreError } from "../../engine/opening.ts"
import { application } from "../../engine/postgres/client.ts"
import * as postgres from "../../engine/postgres/open.ts"
import { type Database, Sqlite } from "../../engine/sqlite/client.ts"
import * as sqlite from "../../engine/sqlite/open.ts"
import { takeAlone } from "../../engine/sqlite/owner.ts"
import { mapStorageErrors } from "../../engine/storage.ts"
import { Transactions } from "../../engine/Transactions.ts"
import type { Row } from "./canonical.ts"

/** A store cannot be copied. The message tells an operator why, with the option if one of the two stores is the cause. */
export class CopyError extends Data.TaggedError("CopyError")<{ readonly message: string; readonly cause?: unknown }> {}

export const refuse = (message: string): Effect.Effect<never, CopyError> => Effect.fail(new CopyError({ message }))

/** The command's option that names a store, the variable, or the copy that a backup has just made. */
export type Option = "--from" | "--to" | "DATABASE_URL" | "the copy"

/** One of the two stores of a copy, with the transaction in which all of it happens. */
export interface End {
  readonly option: Option
  /** For people: without user and password. */
  readonly name: string
  /** The bare connection of SQLite. */
  readonly db: Database | undefined
  readonly sql: SqlClient.SqlClient
  /** The store for steps; they run in the transaction too. */
  readonly transactions: Transactions["Type"]
  /** Runs statements in the transaction. The clients of both stores share Effect's tag, so each names its connection. */
  readonly within: <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.Effect<A, E>
  /** Reads the rows of a query in pages, without holding more than one. */
  readonly pages: <E>(
    query: string,
    use: (rows: ReadonlyArray<Row>) => Effect.Effect<void, E>,
  ) => Effect.Effect<void, E | SqlError>
  readonly commit: Effect.Effect<void, SqlError>
}

const pageSize = 500

const shownUrl = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** A store's name without user, password and options. */
export const nameOf = (place: Place): string =>
  place._tag === "Sqlite" ? `sqlite:${place.file}` : shownUrl(Redacted.value(place.url))

/** Equal for equal stores, judged by name. */
export const identityOf = (place: Place): string =>
  place._tag === "Sqlite" && existsSync(place.file) ? realpathSync(place.file) : nameOf(place)

const of = (option: Option) => (error: StoreError) =>
  new CopyError({
    message:
      error.reason === "in-use"
        ? `${option}: a server is running on this store. Stop it first.`
        : // Messages about the configured store name its variable.
          `${option}: ${error.message.replaceAll("DATABASE_URL", option)}`,
    cause: error,
  })

interface Opened {
  readonly context: Context.Context<SqlClient.SqlClient | Transactions>
  readonly db: Database | undefined
}

const opened = (option: Option, place: Place): Effect.Effect<Opened, CopyError | StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    if (place._tag === "Postgres") {
      const options = { connections: 2, application: `${application} copy`, isPatient: true }
      return { context: yield* Layer.build(postgres.layer(place.url, options)), db: undefined }
    }
    if (option === "--from" && !existsSync(place.file)) {
      return yield* Effect.fail(new CopyError({ message: `--from: there is no store at ${place.file}.` }))
    }
    const isCopied = option === "--from" || option === "--to"
    if (isCopied) yield* takeAlone(place.file, { role: "store copy", version: Release.version })
    const opened = option === "DATABASE_URL" ? sqlite.layerReading(place.file) : sqlite.layer(place.file)
    const context = yield* Layer.build(opened)
    return { context, db: Context.get(context, Sqlite).db }
  })

const begins = {
  // With the write lock, so that other programs' writes wait for the end of the copy. The whole journal may be long.
  sqlite: ["PRAGMA temp_store = FILE", "BEGIN IMMEDIATE"],
  // The source's transaction is idle while the target works.
  postgres: [
    "BEGIN",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL lock_timeout = '10s'",
  ],
}

const pagesOfSqlite =
  (db: Database): End["pages"] =>
  (query, use) =>
    Effect.acquireUseRelease(
      Effect.try({
        try: () => db.prepare(query).raw().iterate() as IterableIterator<Row>,
        catch: (cause) => new SqlError({ cause, message: "Failed to read" }),
      }),
      (rows) =>
        Effect.gen(function* () {
          for (let isOver = false; !isOver; ) {
            const page: Array<Row> = []
            while (page.length < pageSize) {
              const next = rows.next()
              if (next.done === true) {
                isOver = true
                break
              }
              page.push(next.value)
            }
            if (page.length > 0) yield* use(page)
          }
        }),
      (rows) => Effect.sync(() => rows.return?.()),
    )

const pagesOfPostgres =
  ({ sql, within }: Pick<End, "sql" | "within">): End["pages"] =>
  (query, use) =>
    Effect.gen(function* () {
      yield* within(sql.unsafe(`DECLARE page NO SCROLL CURSOR FOR ${query}`))
      for (;;) {
        const rows = yield* within(sql.unsafe(`FETCH ${pageSize} FROM page`).values)
        if (rows.length === 0) break
        yield* use(rows as ReadonlyArray<Row>)
      }
      yield* within(sql.unsafe("CLOSE page"))
    })

/** Opens a store and begins its transaction, which is rolled back with the scope unless it was committed. */
export const open = (option: Option, place: Place): Effect.Effect<End, CopyError | SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const { context, db } = yield* Effect.mapError(opened(option, place), (error) =>
      error._tag === "StoreError" ? of(option)(error) : error,
    )
    const sql = Context.get(context, SqlClient.SqlClient)
    const transactions = Context.get(context, Transactions)
    const connection = yield* sql.reserve
    const within: End["within"] = (work) =>
      work.pipe(
        Effect.provideService(SqlClient.TransactionConnection, [connection, 0] as const),
        Effect.provideService(SqlClient.SqlClient, sql),
      )
    yield* Effect.forEach(begins[transactions.dialect], (statement) =>
      // A store that is read alone is its owner's to write.
      connection.executeRaw(option === "DATABASE_URL" ? statement.replace(" IMMEDIATE", "") : statement, []),
    )
    let isOpen = true
    yield* Effect.addFinalizer(() =>
      // A lost connection has rolled back itself.
      isOpen ? Effect.ignore(connection.executeRaw("ROLLBACK", [])) : Effect.void,
    )
    return {
      option,
      name: nameOf(place),
      db,
      sql,
      transactions: {
        ...transactions,
        read: (work) => mapStorageErrors(within(Step.suspend(work))),
        write: (work) => mapStorageErrors(within(Step.suspend(work))),
      },
      within,
      pages: db === undefined ? pagesOfPostgres({ sql, within }) : pagesOfSqlite(db),
      commit: Effect.zipRight(
        connection.executeRaw("COMMIT", []),
        Effect.sync(() => {
          isOpen = false
        }),
      ),
    }
  })

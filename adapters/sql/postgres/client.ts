import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import pg from "pg"
import { inTransaction, mapStorageErrors } from "../storage.ts"
import { type Query, Transactions, type Value } from "../Transactions.ts"

/** A node's connections, for statements that the SQL client does not prepare: those of the money path. */
export class Postgres extends Context.Tag("adapters/sql/postgres/Postgres")<
  Postgres,
  { readonly query: <Row extends object>(statement: pg.QueryConfig) => Promise<pg.QueryResult<Row>> }
>() {}

export interface Options {
  /** Most connections of this process. */
  readonly connections?: number
}

const defaultConnections = 10

/** Longest wait for a connection, milliseconds. */
const connectTimeoutMs = 5_000

const { builtins } = pg.types

/** Whole numbers of 64 bits as numbers; amounts and times stay far below 2^53. */
const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a whole number.`)
  return value
}

/** Values arrive as text: the sum of whole numbers is a `numeric`, as is any average. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.INT8]: safeInteger,
  [builtins.NUMERIC]: Number,
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    (format === "binary" ? undefined : parsers[oid]) ?? pg.types.getTypeParser(oid, format as "text")) as never,
}

const makePool = (url: Redacted.Redacted, { connections = defaultConnections }: Options): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: Redacted.value(url),
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: "market-signals",
    types,
  })
  // An idle connection that the server closed: the pool replaces it.
  pool.on("error", () => {})
  return pool
}

/** The text with numbered parameters. Our statements have no question mark elsewhere. */
export const numbered = (text: string): string => {
  let count = 0
  return text.replace(/\?/g, () => `$${++count}`)
}

/** Queries on the connection of the transaction around them. */
const queriesOf =
  (sql: SqlClient.SqlClient) =>
  <Row>(given: string): Query<Row> => {
    const text = numbered(given)
    const rows = (params: ReadonlyArray<Value>) =>
      sql.unsafe<Row & object>(text, params) as Effect.Effect<ReadonlyArray<Row>, SqlError>
    return {
      all: (...params) => rows(params),
      get: (...params) => Effect.map(rows(params), ([row]) => row),
      run: (...params) =>
        Effect.map(sql.unsafe(text, params).raw, (result) => (result as pg.QueryResult).rowCount ?? 0),
    }
  }

/** The SQL client, the pool and the transactions of a PostgreSQL database. */
export const make = (
  url: Redacted.Redacted,
  options: Options = {},
): Effect.Effect<
  Context.Context<SqlClient.SqlClient | Postgres | Transactions>,
  SqlError,
  Scope | Reactivity.Reactivity
> =>
  Effect.gen(function* () {
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => makePool(url, options)),
      (open) => Effect.promise(() => open.end()),
    )
    yield* Effect.tryPromise({
      try: () => pool.query("SELECT 1"),
      catch: (cause) => new SqlError({ cause, message: "Failed to connect" }),
    })
    const sql = yield* PgClient.fromPool({ acquire: Effect.succeed(pool) })
    const transactions = Transactions.of({
      dialect: "postgres",
      prepare: queriesOf(sql),
      read: (work) => mapStorageErrors(Effect.suspend(work)),
      write: (work) => inTransaction(sql, Effect.suspend(work)),
    })
    return Context.make(SqlClient.SqlClient, sql as SqlClient.SqlClient).pipe(
      // Not the pool itself: its options have the password.
      Context.add(Postgres, { query: (statement) => pool.query(statement) }),
      Context.add(Transactions, transactions),
    )
  })

/** Provides what the client needs. */
export const layer = (
  url: Redacted.Redacted,
  options: Options = {},
): Layer.Layer<SqlClient.SqlClient | Postgres | Transactions, SqlError> =>
  Layer.scopedContext(make(url, options)).pipe(Layer.provide(Reactivity.layer))

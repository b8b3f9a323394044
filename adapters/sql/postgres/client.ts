import { Socket } from "node:net"
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
  {
    /** The rows of a named statement, which the server prepares once per connection. */
    readonly rows: <Row extends object>(
      name: string,
      text: string,
      values?: ReadonlyArray<unknown>,
    ) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  }
>() {}

export interface Options {
  /** Most connections of this process. */
  readonly connections?: number
  /** Name of the program in the server's list of connections. */
  readonly application?: string
  /** Waits for every statement as long as it takes, and may be idle in a transaction, such as a copy of the store. */
  readonly isPatient?: boolean
}

/** The name of nodes and of the command line there. */
export const application = "market-signals"

const defaultConnections = 10

/** Longest wait for a connection, and for the answer to a statement of the money path, milliseconds. */
const patienceMs = 5_000

/** A connection on which nothing came or went for this long is closed: its server may be gone without a word. */
const silenceMs = 60_000

/** A transaction that waits for its node this long is rolled back: the node may be stopped, and others need its locks. */
const idleInTransactionMs = 5_000

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

/** 0: a standby. Else the timeline, which grows when a standby takes over. */
const timelineText = `
  SELECT CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline`

const readOnly = (message: string): Error => Object.assign(new Error(message), { code: "25006" })

/**
 * Refuses connections to a server that is not the store: a standby, or the former primary of one that has taken over. Its
 * keys and balances are those of another time.
 */
const refuseOthers = (): NonNullable<pg.PoolConfig["verify"]> => {
  let newest = 1
  return (client, done) => {
    // The pool listens before and after; an error that nobody hears would end the process.
    client.on("error", () => {})
    client
      .query<{ readonly timeline: number }>({ text: timelineText, query_timeout: patienceMs } as pg.QueryConfig)
      .then(({ rows }) => {
        const { timeline } = rows[0]!
        if (timeline === 0) return done(readOnly("The server is read-only: DATABASE_URL must name the primary."))
        if (timeline < newest) return done(readOnly("Another server has taken over from this one."))
        newest = timeline
        return done()
      }, done)
  }
}

const poolOf = (
  url: Redacted.Redacted,
  connections: number,
  { application: name, isPatient = false }: Options,
): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: Redacted.value(url),
    max: connections,
    connectionTimeoutMillis: patienceMs,
    idle_in_transaction_session_timeout: isPatient ? 0 : idleInTransactionMs,
    application_name: name ?? application,
    types,
    verify: refuseOthers(),
    stream: () => {
      const socket = new Socket()
      return isPatient ? socket : socket.setTimeout(silenceMs, () => void socket.destroy())
    },
  })
  // An idle connection that the server closed: the pool replaces it.
  pool.on("error", () => {})
  return pool
}

/** What the SQL client asks its pool for when a query is interrupted. */
const cancelling = /^SELECT pg_cancel_backend\(\d+\)$/

/**
 * A pool whose cancels have a connection of their own, made when one is needed: on a pool whose connections all wait, such
 * as for a lock, the SQL client's cancel would wait for one of them.
 */
const makePool = (url: Redacted.Redacted, options: Options) => {
  const pool = poolOf(url, options.connections ?? defaultConnections, options)
  const cancels = poolOf(url, 1, options)
  const query = pool.query.bind(pool)
  pool.query = ((...args: Parameters<typeof query>) =>
    typeof args[0] === "string" && cancelling.test(args[0])
      ? cancels.query(...args)
      : query(...args)) as unknown as typeof pool.query
  return { pool, end: () => Promise.all([pool.end(), cancels.end()]) }
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
    const { pool } = yield* Effect.acquireRelease(
      Effect.sync(() => makePool(url, options)),
      ({ end }) => Effect.promise(end),
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
      Context.add(Postgres, {
        rows: (name, text, values = []) =>
          Effect.tryPromise({
            try: async () =>
              (await pool.query({ name, text, values: [...values], query_timeout: patienceMs } as pg.QueryConfig)).rows,
            catch: (cause) => new SqlError({ cause, message: "Failed to execute statement" }),
          }),
      }),
      Context.add(Transactions, transactions),
    )
  })

/** Provides what the client needs. */
export const layer = (
  url: Redacted.Redacted,
  options: Options = {},
): Layer.Layer<SqlClient.SqlClient | Postgres | Transactions, SqlError> =>
  Layer.scopedContext(make(url, options)).pipe(Layer.provide(Reactivity.layer))

import { Socket } from "node:net"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import pg from "pg"
import { getOrMake } from "../../../../core/getOrMake.ts"
import { overClient, Transactions } from "../Transactions.ts"
import { numberTypes } from "./numberTypes.ts"

/** A node's connections, for statements that the SQL client does not prepare: those of the money path. */
export class Postgres extends Context.Tag("market-signals/adapters/store/postgres/Postgres")<
  Postgres,
  {
    /** The rows of a named statement, which the server prepares once per connection. */
    readonly rows: <Row extends object>(...statement: Statement) => Effect.Effect<ReadonlyArray<Row>, SqlError>
    /**
     * Runs a transaction on a connection of the money path; statements of the SQL client are in it too.
     *
     * @param lockMs the longest wait for a lock
     * @param work returns the last statements, which are sent with the commit
     */
    readonly transaction: <A, E>(
      lockMs: number,
      work: (ask: Ask) => Effect.Effect<{ readonly value: A; readonly last: ReadonlyArray<Statement> }, E>,
    ) => Effect.Effect<A, E | SqlError>
  }
>() {}

export type Statement = readonly [name: string, text: string, values?: ReadonlyArray<unknown>]

/** The rows of a statement by its name; none if it was not asked. */
export type Answers = <Row = unknown>(name: string) => ReadonlyArray<Row>

/** Asks for statements of a transaction, which are sent together and run in their order. */
export type Ask = (...statements: ReadonlyArray<Statement>) => Effect.Effect<Answers, SqlError>

/** Asks for statements one by one, on any connection. */
export const askEach =
  (rows: (text: string, values: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<unknown>, SqlError>): Ask =>
  (...statements) =>
    Effect.map(
      Effect.forEach(statements, ([, text, values = []]) => rows(text, values)),
      (all) => toAnswers(statements, all),
    )

const toAnswers =
  (statements: ReadonlyArray<Statement>, rows: ReadonlyArray<ReadonlyArray<unknown>>): Answers =>
  <Row>(name: string) =>
    (rows[statements.findIndex(([each]) => each === name)] ?? []) as ReadonlyArray<Row>

export const toColumns = (
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  count: number,
): ReadonlyArray<ReadonlyArray<unknown>> => Array.from({ length: count }, (_, column) => rows.map((row) => row[column]))

export interface Options {
  /** Maximum connections of this process. */
  readonly connections?: number
  /** Name of the program in the server's list of connections. */
  readonly application?: string
  /** For work such as an export of the store: no time limits on statements and idle transactions. */
  readonly isPatient?: boolean
}

/** The default of `application`. */
export const application = "market-signals"

const defaultConnections = 10

/** The share of connections for the money path: two batches, one of locked accounts, and reads. */
const moneyShare = 0.5

/** Longest wait for a connection, and for the answer to a statement of the money path, milliseconds. */
const answerMs = 5_000

/** The server's limit for a statement of the money path, milliseconds: shorter than the node's, which waits for it. */
const statementMs = 4_000

/** The server's limit for all other statements, such as the slice of a job or a page over many rows, milliseconds. */
const longStatementMs = 300_000

/** Longest wait for a lock, milliseconds. Statements that must not wait so long have their own limit. */
const lockMs = 4_000

/**
 * The longest wait for a lock on the money path, and for one of its connections, milliseconds: even while readers of a locked
 * table have all of them, each call is answered within 5 s.
 */
export const moneyLockMs = 1_000
const moneyConnectMs = 3_500

/** Idle time after which a transaction of the money path is rolled back, milliseconds: its node may have stopped. */
const moneyIdleMs = 1_000

/** Makes the server check every second whether its client is still connected. */
const checkClientText = "SET client_connection_check_interval = 1000"

/** Silence after which a connection is closed, milliseconds: its server may have vanished. */
const silenceMs = 60_000

/** Idle time after which any other transaction is rolled back, milliseconds: others need its locks. */
const idleInTransactionMs = 5_000

/** 0: a standby. Else the timeline, which grows when a standby takes over. */
const timelineText = `
  SELECT CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline`

const readOnly = (message: string): Error => Object.assign(new Error(message), { code: "25006" })

/**
 * Refuses connections to a standby, and to a former primary after another server has taken over: their keys and balances are
 * out of date.
 */
const makeVerify = (): NonNullable<pg.PoolConfig["verify"]> => {
  let newest = 1
  return (client, done) => {
    // The pool listens before and after; meanwhile an unhandled error would end the process.
    client.on("error", () => {})
    client
      .query<{ readonly timeline: number }>({ text: timelineText, query_timeout: answerMs } as pg.QueryConfig)
      .then(async ({ rows }) => {
        const { timeline } = rows[0]!
        if (timeline === 0) return done(readOnly("The server is read-only: DATABASE_URL must name the primary."))
        if (timeline < newest) return done(readOnly("Another server has taken over from this one."))
        newest = timeline
        // Refused where the server's system does not support it; statements then end only by their time limit.
        await client.query({ text: checkClientText, query_timeout: answerMs } as pg.QueryConfig).catch(() => {})
        return done()
      })
      .catch(done)
  }
}

const makePool = (
  url: Redacted.Redacted,
  connections: number,
  { application: name, isPatient = false }: Options,
  poolOptions: Omit<pg.PoolConfig, "max">,
): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: Redacted.value(url),
    max: connections,
    connectionTimeoutMillis: answerMs,
    idle_in_transaction_session_timeout: isPatient ? 0 : idleInTransactionMs,
    ...(isPatient ? {} : { lock_timeout: lockMs }),
    ...poolOptions,
    application_name: name ?? application,
    types: numberTypes(pg.types),
    stream: () => {
      const socket = new Socket()
      return isPatient ? socket : socket.setTimeout(silenceMs, () => void socket.destroy())
    },
  })
  // The server closed an idle connection, which the pool replaces.
  pool.on("error", () => {})
  return pool
}

/** The statement with which the SQL client cancels an interrupted query. */
const cancelPattern = /^SELECT pg_cancel_backend\(\d+\)$/

/**
 * The pools of a process: one for the money path, whose statements have a time limit, and one for the SQL client. Cancels have
 * a connection of their own, made when needed: they would wait if all connections of the pool do, such as for a lock.
 */
const makePools = (url: Redacted.Redacted, options: Options) => {
  const connections = options.connections ?? defaultConnections
  const forMoney = Math.max(1, Math.floor(connections * moneyShare))
  const verify = makeVerify()
  const [long, lock] =
    options.isPatient === true
      ? [{}, {}]
      : [
          { statement_timeout: longStatementMs },
          {
            ...{ lock_timeout: moneyLockMs, connectionTimeoutMillis: moneyConnectMs },
            ...{ idle_in_transaction_session_timeout: moneyIdleMs, pipeline: true },
          },
        ]
  // Keeps the connections of two batches open while there are calls: a new one costs more than fifty statements.
  const lasting = { min: Math.min(2, forMoney) }
  const money = makePool(url, forMoney, options, { verify, statement_timeout: statementMs, ...lock, ...lasting })
  const pool = makePool(url, Math.max(1, connections - forMoney), options, { verify, ...long })
  const cancels = makePool(url, 1, options, { verify, ...long })
  const query = pool.query.bind(pool)
  pool.query = ((...args: Parameters<typeof query>) =>
    typeof args[0] === "string" && cancelPattern.test(args[0])
      ? cancels.query(...args)
      : query(...args)) as unknown as typeof pool.query
  return { money, pool, end: () => Promise.all([money, pool, cancels].map((each) => each.end())) }
}

const toSqlError = (cause: unknown): SqlError => new SqlError({ cause, message: "Failed to execute statement" })

/** Names by text: the server would confuse two statements with the same name. */
const statementNames = new Map<string, string>()

/** Sends statements together; one without a name is not prepared. Fails with the first error. */
const send = (
  client: pg.Pool | pg.PoolClient,
  ...statements: ReadonlyArray<Statement>
): Effect.Effect<ReadonlyArray<pg.QueryResult>, SqlError> =>
  Effect.async((resume) => {
    const results: Array<pg.QueryResult> = []
    let [error, left]: [unknown, number] = [undefined, statements.length]
    statements.forEach(([name, text, values], at) => {
      const done = (failure: unknown, result?: pg.QueryResult): void => {
        if (result !== undefined) results[at] = result
        error ??= failure
        left--
        if (left === 0) resume(error ? Effect.fail(toSqlError(error)) : Effect.succeed(results))
      }
      const config = {
        ...(name === "" ? {} : { name: getOrMake(statementNames, text, () => `${name}_${statementNames.size}`) }),
        text,
        values: values as Array<unknown>,
      }
      try {
        client.query({ ...config, query_timeout: answerMs } as pg.QueryConfig, done)
      } catch (cause) {
        // A new connection reads the files that the URL names.
        done(cause)
      }
    })
  })

/** Wraps a connection, so that the SQL client uses it for its transaction. */
const toConnection = (client: pg.PoolClient): Connection => {
  const executeRaw = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.map(send(client, ["", text, params]), ([result]) => result!)
  const execute = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.map(executeRaw(text, params), ({ rows }) => rows)
  const unused = "A charge asks for rows alone."
  return {
    ...{ executeRaw, execute, executeUnprepared: execute },
    executeValues: () => Effect.dieMessage(unused),
    executeStream: () => Stream.dieMessage(unused),
  }
}

/** Returns a connection to its pool. It is kept after success and after errors that the server itself reported. */
const releaseClient = (client: pg.PoolClient, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
  if (Exit.isSuccess(exit)) return Effect.sync(() => client.release())
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  const isAnswered = error instanceof SqlError && error.cause instanceof pg.DatabaseError
  return Effect.match(isAnswered ? send(client, ["", "ROLLBACK"]) : Effect.fail(undefined), {
    onFailure: () => client.release(true),
    onSuccess: () => client.release(),
  })
}

const makeTransaction =
  (pool: pg.Pool): Postgres["Type"]["transaction"] =>
  (lockMs, work) =>
    Effect.acquireUseRelease(
      Effect.tryPromise({ try: () => pool.connect(), catch: toSqlError }),
      (client) => {
        let first: ReadonlyArray<Statement> = [["", `BEGIN; SET LOCAL lock_timeout = ${lockMs}`]]
        const ask: Ask = (...statements) => {
          const all = [...first, ...statements]
          first = []
          return Effect.map(send(client, ...all), (results) =>
            toAnswers(
              all,
              results.map(({ rows }) => rows),
            ),
          )
        }
        return work(ask).pipe(
          Effect.provideService(SqlClient.TransactionConnection, [toConnection(client), 0]),
          Effect.flatMap(({ value, last }) => Effect.as(ask(...last, ["", "COMMIT"]), value)),
        )
      },
      releaseClient,
    )

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
    const { money, pool } = yield* Effect.acquireRelease(
      Effect.sync(() => makePools(url, options)),
      ({ end }) => Effect.promise(end),
    )
    yield* Effect.tryPromise({
      try: () => pool.query("SELECT 1"),
      catch: (cause) => new SqlError({ cause, message: "Failed to connect" }),
    })
    const sql = yield* PgClient.fromPool({ acquire: Effect.succeed(pool) })
    return Context.make(SqlClient.SqlClient, sql as SqlClient.SqlClient).pipe(
      // Not the pool itself, whose options contain the password.
      Context.add(Postgres, {
        rows: (...statement) => Effect.map(send(money, statement), ([result]) => result!.rows),
        transaction: makeTransaction(money),
      }),
      Context.add(Transactions, overClient(sql)),
    )
  })

export const layer = (
  url: Redacted.Redacted,
  options: Options = {},
): Layer.Layer<SqlClient.SqlClient | Postgres | Transactions, SqlError> =>
  Layer.scopedContext(make(url, options)).pipe(Layer.provide(Reactivity.layer))

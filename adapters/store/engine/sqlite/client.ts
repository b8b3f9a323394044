import type * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlConnection from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { makeCompilerSqlite } from "@effect/sql/Statement"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import * as Step from "../../../../core/Step.ts"
import { mapStorageErrors } from "../storage.ts"

/**
 * The part of the driver's prepared statement that is used. It is declared here, since importers of the package lack the
 * driver's types.
 */
export interface Statement {
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

export interface OpenOptions {
  readonly readonly?: boolean
  /** Whether a missing file is an error. */
  readonly fileMustExist?: boolean
  /** Longest wait of SQLite's own for a lock, milliseconds; the default is 5,000. */
  readonly timeout?: number
}

/** An open database file. Its methods are synchronous, and throw. */
export interface Database {
  readonly inTransaction: boolean
  prepare(sql: string): Statement
  exec(sql: string): void
  /** @param options `simple`: the first column of the first row instead of rows */
  pragma(source: string, options?: { readonly simple?: boolean }): unknown
  close(): void
}

/**
 * The bare connection of the SQL client, for work that must be one synchronous step, such as a batch of charges. A process
 * has one connection, so it never waits for its own lock.
 */
export class Sqlite extends Context.Tag("market-signals/adapters/store/Sqlite")<
  Sqlite,
  {
    readonly db: Database
    /** Runs synchronous work while no transaction of the SQL client is open. The work may open its own transaction. */
    readonly exclusive: <A>(work: () => A) => Effect.Effect<A, SqlError>
    /** Whether no transaction is open, so that such work may run at once. */
    readonly isFree: () => boolean
    /** Counts the SQL client's transactions that have written, such as verbs that change keys, agents and accounts. */
    readonly writes: () => number
  }
>() {}

const maxCachedStatements = 500

const attemptNow = <A>(work: () => A): Either.Either<A, SqlError> => {
  try {
    return Either.right(work())
  } catch (cause) {
    return Either.left(new SqlError({ cause, message: "Failed to execute statement" }))
  }
}

const attempt = <A>(work: () => A): Effect.Effect<A, SqlError> => Effect.suspend(() => attemptNow(work))

/** Refuses to write NaN, as PostgreSQL's columns of numbers do: the driver would bind it as null. */
export const refuseNaN = (statement: Statement, params: ReadonlyArray<unknown>): void => {
  if (params.includes(Number.NaN) && !statement.readonly) throw new RangeError("NaN cannot be stored.")
}

const makeConnection = (db: Database): SqlConnection.Connection => {
  const statements = new BoundedMap<string, Statement>(maxCachedStatements)
  const prepare = (sql: string): Statement => db.prepare(sql)
  const prepared = (sql: string): Statement => getOrMake(statements, sql, prepare)
  const run = (statement: Statement, params: ReadonlyArray<unknown>): ReadonlyArray<object> => {
    refuseNaN(statement, params)
    if (statement.reader) return statement.all(...params) as ReadonlyArray<object>
    statement.run(...params)
    return []
  }
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    attempt(() => {
      const rows = run(prepared(sql), params)
      return transform === undefined ? rows : transform(rows)
    })
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) =>
      attempt(() => {
        const statement = prepared(sql)
        refuseNaN(statement, params)
        return statement.reader ? statement.all(...params) : statement.run(...params)
      }),
    executeValues: (sql, params) =>
      attempt(() => run(prepared(sql), params).map((row) => Object.values(row) as ReadonlyArray<unknown>)),
    executeStream: (sql, params) => Stream.unwrap(Effect.map(execute(sql, params, undefined), Stream.fromIterable)),
  }
}

/**
 * Opens a database file as SQL client and bare connection; closed with the scope.
 *
 * @param open the driver's, which this module does not load: repositories need only the tag
 */
export const make = (
  open: (filename: string) => Database,
  filename: string,
): Effect.Effect<Context.Context<SqlClient.SqlClient | Sqlite>, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const db = yield* Effect.acquireRelease(
      attempt(() => open(filename)),
      (opened) => Effect.sync(() => opened.close()),
    )
    const connection = makeConnection(db)
    const semaphore = yield* Effect.makeSemaphore(1)
    const changes = yield* attempt(() => db.prepare("SELECT total_changes()").pluck())
    let [taken, before, writes] = [false, 0, 0]
    const setTaken = (held: boolean) =>
      Effect.sync(() => {
        taken = held
        const now = changes.get() as number
        if (!held && now !== before) writes++
        before = now
      })
    // Statements are synchronous: without an open transaction they need no permit.
    const acquire = semaphore.withPermits(1)(Effect.succeed(connection))
    const free = Effect.succeed(connection)
    const sql = yield* SqlClient.make({
      acquirer: Effect.suspend(() => (taken ? acquire : free)),
      transactionAcquirer: Effect.uninterruptibleMask((restore) =>
        Effect.as(
          Effect.zipRight(
            Effect.zipRight(restore(semaphore.take(1)), setTaken(true)),
            Effect.tap(Effect.scope, (scope) =>
              Scope.addFinalizer(scope, Effect.zipRight(setTaken(false), semaphore.release(1))),
            ),
          ),
          connection,
        ),
      ),
      // Takes the write lock at the start, so that a transaction cannot be refused between its reads and its writes.
      beginTransaction: "BEGIN IMMEDIATE",
      compiler: makeCompilerSqlite(),
      spanAttributes: [["db.system.name", "sqlite"]],
    })
    const exclusive = <A>(work: () => A): Step.Step<A, SqlError> =>
      taken ? semaphore.withPermits(1)(attempt(work)) : Step.ofEither(attemptNow(work))
    return Context.make(SqlClient.SqlClient, sql).pipe(
      Context.add(Sqlite, {
        db,
        exclusive: Step.methodFrom(exclusive) as Sqlite["Type"]["exclusive"],
        isFree: () => !taken,
        writes: () => writes,
      }),
    )
  })

/** Runs synchronous reads while no transaction is open: in the same turn, unless they have to wait. */
export const reader = (
  sqlite: Pick<Sqlite["Type"], "exclusive">,
): (<A>(work: () => A) => Effect.Effect<A, Failure>) => {
  const exclusive = Step.eager(sqlite.exclusive)
  return (work) => Step.suspend(() => mapStorageErrors(Step.run(exclusive(work))))
}

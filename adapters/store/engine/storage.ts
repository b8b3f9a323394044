import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Failure, fail } from "../../../core/Failure.ts"
import { damagePattern } from "./opening.ts"

/** Transient errors of SQLite, caused by another process or a full disk. Every other SQL error is a bug. */
const sqliteTransient = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL)/

/**
 * Transient errors of PostgreSQL by class: lost connections (08), a transaction that lost to another one (40), resources such
 * as a full disk (53), an operator's stop or cancel (57), system errors (58); a server that became a standby; a transaction
 * that was idle too long; a lock that was not free in time. Node's errors of sockets and of too many open files have names.
 */
const postgresTransient =
  /^(08|40|53|57|58)[0-9A-Z]{3}$|^(25006|25P03|55P03)$|^(ECONN|EPIPE|ETIMEDOUT|EMFILE|ENFILE|EHOST|ENET|ENOTFOUND|EAI_)/

/** The driver's errors of a lost or unobtainable connection, which have no code. */
const disconnectedPattern =
  /^(Connection terminated|Query read timeout|Client has encountered a connection error|timeout exceeded when trying to connect)/

const errorCode = (error: SqlError): string => {
  const cause = error.cause
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
}

/** The store gave up waiting for a lock of PostgreSQL: nothing of the statement, or of its transaction, was done. */
export const isLocked = (error: SqlError): boolean => errorCode(error) === "55P03"

const isDisconnected = ({ cause }: SqlError): boolean =>
  cause instanceof Error && disconnectedPattern.test(cause.message)

/** Whether the store is locked, full or away, so that the statement is not the cause. */
export const isTransient = (error: SqlError): boolean => {
  const code = errorCode(error)
  return sqliteTransient.test(code) || postgresTransient.test(code) || isDisconnected(error)
}

/** Error code → message; the first match wins. No message names a host or a path. */
const troubles: ReadonlyArray<readonly [codes: RegExp, detail: string]> = [
  [damagePattern, "The store is damaged: restore a backup."],
  [/^(SQLITE_FULL|53100)/, "The store's disk is full."],
  [/^(SQLITE_(BUSY|LOCKED|PROTOCOL)|40|55P03|25P03)/, "The store is locked by other work."],
  [/^(SQLITE_READONLY|25006)/, "The store cannot be written to."],
  [/^SQLITE_(IOERR|CANTOPEN)/, "The store's files cannot be read or written."],
  [/^53300/, "The store has no free connection."],
  [/^(53|58)/, "The store's server is short of memory, disk or another resource."],
  [/^57014/, "The store took too long."],
  [/^(08|57|ECONN|EPIPE|ETIMEDOUT|EMFILE|ENFILE|EHOST|ENET|ENOTFOUND|EAI_)/, "The store cannot be reached."],
]

const describeTrouble = (error: SqlError): { readonly detail?: string } => {
  const detail = isDisconnected(error)
    ? "The store cannot be reached."
    : troubles.find(([codes]) => codes.test(errorCode(error)))?.[1]
  return detail === undefined ? {} : { detail }
}

/** Maps a locked, full, absent or damaged store to `storage_unavailable`; every other SQL error is a defect. */
export const mapStorageErrors = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>,
): Effect.Effect<A, Exclude<E, SqlError> | Failure, R> =>
  Exit.isExit(effect) && Exit.isSuccess(effect)
    ? Exit.succeed(effect.value as A)
    : Effect.catchAll(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | Failure> => {
        if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError>)
        return isTransient(error) || damagePattern.test(errorCode(error))
          ? Effect.fail(fail("storage_unavailable", { ...describeTrouble(error), retryAfterMs: 1_000, cause: error }))
          : Effect.die(error)
      })

/** The rows of a query as values. */
export const readAll = <Row, A>(
  query: Effect.Effect<ReadonlyArray<Row>, SqlError>,
  toValue: (row: Row) => A,
): Effect.Effect<ReadonlyArray<A>, Failure> =>
  mapStorageErrors(Effect.map(query, (rows) => rows.map((row) => toValue(row))))

/** The first row of a query as a value; undefined: there is none. */
export const readFirst = <Row, A>(
  query: Effect.Effect<ReadonlyArray<Row>, SqlError>,
  toValue: (row: Row) => A,
): Effect.Effect<A | undefined, Failure> =>
  mapStorageErrors(Effect.map(query, ([row]) => (row === undefined ? undefined : toValue(row))))

/** Whether a statement with RETURNING wrote a row. */
export const hasWritten = <E, R>(
  statement: Effect.Effect<ReadonlyArray<unknown>, E, R>,
): Effect.Effect<boolean, E, R> => Effect.map(statement, (rows) => rows.length > 0)

const isSqlError = (error: unknown): error is SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

/** Begins a transaction on PostgreSQL without time limits, except for locks. */
export const beginPatient =
  "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '5s'; SET LOCAL idle_in_transaction_session_timeout = 0"

/** Begins reads that see one state of the store. */
export const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

/**
 * Like the client's `withTransaction`, with two differences: it takes the write lock at the start, and a commit that fails
 * (a full disk) is an ordinary error and leaves no transaction open on the connection.
 *
 * @param begin the statement that begins it on PostgreSQL
 */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>,
  begin = "BEGIN ISOLATION LEVEL READ COMMITTED",
): Effect.Effect<A, E | SqlError, R> => {
  const first = sql.onDialectOrElse({ sqlite: () => "BEGIN IMMEDIATE", orElse: () => begin })
  return Effect.uninterruptibleMask((restore) =>
    Effect.scopedWith((scope) =>
      Effect.flatMap(restore(Scope.extend(sql.reserve, scope)), (connection) =>
        Effect.zipRight(
          connection.executeRaw(first, []),
          Effect.onError(
            Effect.zipLeft(
              Effect.mapInputContext(restore(effect), (context: Context.Context<R>) =>
                Context.add(context, SqlClient.TransactionConnection, [connection, 0]),
              ),
              connection.executeRaw("COMMIT", []),
            ),
            // A rollback fails only if SQLite has rolled back itself, as it may when the disk is full.
            () => Effect.ignore(connection.executeRaw("ROLLBACK", [])),
          ),
        ),
      ),
    ),
  )
}

/** Runs a transaction. Inside only SQL is allowed: no fork, no wait, no second transaction. */
export const inTransaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, Exclude<E, SqlError> | Failure, R> =>
  mapStorageErrors(
    Effect.contextWithEffect((context: Context.Context<R>) =>
      Context.getOption(context as Context.Context<never>, SqlClient.TransactionConnection as never)._tag === "Some"
        ? Effect.dieMessage("A transaction must not be opened inside another one.")
        : transaction(sql, effect),
    ),
  )

/** A pattern of LIKE, with `\` as escape, that matches what contains a text; wildcards in the text are escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { type Failure, fail } from "../../core/Failure.ts"

/** What another process or a full disk can cause, and what passes: everything else in SQL is a bug. */
const passing = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL)/

const codeOf = (error: SqlError): string => {
  const cause = error.cause
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
}

/** Another connection holds the lock. */
export const isBusy = (error: SqlError): boolean => codeOf(error).startsWith("SQLITE_BUSY")

/** The store is locked or full: the fault is not the statement's. */
export const isPassing = (error: SqlError): boolean => passing.test(codeOf(error))

/** A store that is locked or full answers `storage_unavailable`; a statement that can never work is a defect. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>,
): Effect.Effect<A, Exclude<E, SqlError> | Failure, R> =>
  Effect.catchAll(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | Failure> => {
    if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError>)
    return isPassing(error)
      ? Effect.fail(fail("storage_unavailable", { retryAfterMs: 1_000, cause: error }))
      : Effect.die(error)
  })

const isSqlError = (error: unknown): error is SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

/**
 * As the client's own `withTransaction`, with two differences: it holds the write lock from the start, and a commit
 * that fails (a full disk) is an error like any other and leaves no transaction open on the connection.
 */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | SqlError, R> => {
  const begin = sql.onDialectOrElse({ sqlite: () => "BEGIN IMMEDIATE", orElse: () => "BEGIN" })
  return Effect.uninterruptibleMask((restore) =>
    Effect.scopedWith((scope) =>
      Effect.flatMap(restore(Scope.extend(sql.reserve, scope)), (connection) =>
        Effect.zipRight(
          connection.executeRaw(begin, []),
          Effect.onError(
            Effect.zipLeft(
              Effect.mapInputContext(restore(effect), (context: Context.Context<R>) =>
                Context.add(context, SqlClient.TransactionConnection, [connection, 0]),
              ),
              connection.executeRaw("COMMIT", []),
            ),
            // A rollback is refused only where the store has rolled back by itself, as it may when the disk is full.
            () => Effect.ignore(connection.executeRaw("ROLLBACK", [])),
          ),
        ),
      ),
    ),
  )
}

/** The one way to a transaction. Inside: SQL and nothing else — no fork, no wait, no second transaction. */
export const inTransaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, Exclude<E, SqlError> | Failure, R> =>
  orUnavailable(
    Effect.contextWithEffect((context: Context.Context<R>) =>
      Context.getOption(context as Context.Context<never>, SqlClient.TransactionConnection as never)._tag === "Some"
        ? Effect.dieMessage("A transaction must not be opened inside another one.")
        : transaction(sql, effect),
    ),
  )

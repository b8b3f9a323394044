import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { invalid } from "../../../core/Failure.ts"
import * as Step from "../../../core/Step.ts"
import type { Queries } from "./Transactions.ts"

/** In one order everywhere, so that no two transactions wait for each other. */
const inOrder = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].sort()

/** Runs what takes locks on PostgreSQL alone: SQLite has one writer, whose transaction has the write lock. */
export const onPostgres = <A, E>(sql: SqlClient.SqlClient, locks: () => Effect.Effect<A, E>): Effect.Effect<void, E> =>
  sql.onDialectOrElse({ sqlite: () => Effect.void, orElse: () => Effect.asVoid(locks()) })

/**
 * Lets the transactions of the same names run one after another on PostgreSQL, where no row stands for what they write.
 * Call it first in the transaction: what is read after it stays true.
 */
export const oneAtATime = (sql: SqlClient.SqlClient, ...names: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  onPostgres(sql, () =>
    Effect.forEach(inOrder(names), (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`),
  )

/** The same as a step. */
export const lockStep = ({
  prepare,
  dialect,
}: Queries): ((...names: ReadonlyArray<string>) => Step.Step<void, SqlError>) => {
  if (dialect === "sqlite") return () => Exit.void
  const lock = prepare("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")
  return Step.fn(function* (...names: ReadonlyArray<string>) {
    for (const name of inOrder(names)) yield* lock.get(name)
  })
}

/** Locks a row of PostgreSQL until the transaction ends. */
export const lockRow = (sql: SqlClient.SqlClient, table: "accounts" | "persons" | "wallets", id: string) =>
  onPostgres(sql, () => {
    const column = sql(table === "wallets" ? "account_id" : "id")
    return sql`SELECT 1 FROM ${sql(table)} WHERE ${column} = ${id} FOR NO KEY UPDATE`
  })

/** Whether an account has less than it may have of what `listed` selects, up to `most`. Its row is the lock. */
export const hasRoom = <A>(
  sql: SqlClient.SqlClient,
  accountId: string,
  most: number,
  listed: Effect.Effect<ReadonlyArray<A>, SqlError>,
) => Effect.map(Effect.zipRight(lockRow(sql, "accounts", accountId), listed), ({ length }) => length < most)

/** Fails if it has not. */
export const checkRoom = <A>(
  sql: SqlClient.SqlClient,
  accountId: string,
  most: number,
  what: string,
  listed: Effect.Effect<ReadonlyArray<A>, SqlError>,
) =>
  Effect.filterOrFail(
    hasRoom(sql, accountId, most, listed),
    (isRoom) => isRoom,
    () => invalid("account", `An account can have at most ${most} ${what}, or ask the operator for more.`),
  )

import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { invalid } from "../../../core/Failure.ts"
import * as Step from "../../../core/Step.ts"
import type { Queries } from "./Transactions.ts"

/** One order everywhere, so that no two transactions wait for each other. */
const toOrdered = (names: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(names)].sort()

/** Takes locks on PostgreSQL. SQLite needs none: it has one writer, whose transaction has the write lock. */
export const onPostgres = <A, E>(sql: SqlClient.SqlClient, locks: () => Effect.Effect<A, E>): Effect.Effect<void, E> =>
  sql.onDialectOrElse({ sqlite: () => Effect.void, orElse: () => Effect.asVoid(locks()) })

/**
 * On PostgreSQL, lets transactions with a common name run one after another, where there is no row to lock. Call it first in
 * the transaction: what is read afterwards stays true.
 */
export const serialise = (sql: SqlClient.SqlClient, ...names: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  onPostgres(sql, () =>
    Effect.forEach(toOrdered(names), (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`),
  )

/** The same as a step. */
export const makeSerialiseStep = ({
  prepare,
  dialect,
}: Queries): ((...names: ReadonlyArray<string>) => Step.Step<void, SqlError>) => {
  if (dialect === "sqlite") return () => Exit.void
  const lock = prepare("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")
  return Step.fn(function* (...names: ReadonlyArray<string>) {
    for (const name of toOrdered(names)) yield* lock.get(name)
  })
}

/** Locks a row of PostgreSQL until the transaction ends. */
export const lockRow = (sql: SqlClient.SqlClient, table: "accounts" | "persons" | "wallets", id: string) =>
  onPostgres(sql, () => {
    const column = sql(table === "wallets" ? "account_id" : "id")
    return sql`SELECT 1 FROM ${sql(table)} WHERE ${column} = ${id} FOR NO KEY UPDATE`
  })

/** Whether an account may have one more of what `listed` selects, up to `most`. Locks the account's row. */
export const hasRoom = <A>(
  sql: SqlClient.SqlClient,
  accountId: string,
  most: number,
  listed: Effect.Effect<ReadonlyArray<A>, SqlError>,
) => Effect.map(Effect.zipRight(lockRow(sql, "accounts", accountId), listed), ({ length }) => length < most)

/** Fails unless `hasRoom`. */
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

import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"

/**
 * A column of finite numbers, or null. PostgreSQL would store NaN, and compare it as the largest number; SQLite's client
 * refuses it (`engine/sqlite/client.ts`), since the driver would bind it as null.
 */
export const finiteOrNull = (sql: SqlClient.SqlClient, column: string): Fragment =>
  sql.literal(`${column} DOUBLE PRECISION CHECK (${column} BETWEEN -1e308 AND 1e308)`)

/** A column of finite numbers. */
export const finite = (sql: SqlClient.SqlClient, column: string): Fragment =>
  sql.literal(`${column} DOUBLE PRECISION NOT NULL CHECK (${column} BETWEEN -1e308 AND 1e308)`)

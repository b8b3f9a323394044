import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"

/** A column of finite numbers. PostgreSQL would store NaN and compare it as the largest number; SQLite takes it as NULL. */
export const finite = (sql: SqlClient.SqlClient, column: string): Fragment =>
  sql.literal(`${column} DOUBLE PRECISION NOT NULL CHECK (${column} BETWEEN -1e308 AND 1e308)`)

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Database } from "../engine/sqlite/client.ts"

/**
 * What SQLite's own check finds in the pages of a store; undefined: nothing. Its time grows with the file.
 *
 * @param check `quick_check` does not compare indexes with their rows
 */
export const inSqlite = (db: Database, check: "integrity_check" | "quick_check"): string | undefined => {
  try {
    const result = String(db.pragma(`${check}(1)`, { simple: true }))
    if (result !== "ok") return result.replace(/^\*{3} in database main \*{3}\s*/, "")
    if (check === "quick_check") return undefined
    const [row] = db.pragma("foreign_key_check") as ReadonlyArray<{ readonly table: string; readonly parent: string }>
    return row && `a row of ${row.table} names one of ${row.parent} that is not there`
  } catch (error) {
    return (error as Error).message
  }
}

/** What a read of every value of every table finds in a store of PostgreSQL, which has no check of its own. */
export const inPostgres = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY 1`
  for (const { name } of tables) {
    const read = yield* Effect.either(sql.unsafe(`SELECT count(t::text) FROM "${name}" t`))
    if (read._tag === "Left") return `${name}: ${(read.left.cause as Error).message}`
  }
  return undefined
})

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Comparison, ShadowLog } from "../../../core/shadow/ShadowLog.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { inTransaction, readAll } from "../engine/storage.ts"

const comparison = columns<Comparison>()(
  ["at", "port", "method", "args", "agreed", "difference", "liveMs", "failure", "dropped"],
  { flags: ["agreed"] },
)

interface Group {
  readonly port: string
  readonly method: string
  readonly compared: number
  readonly agreed: number
  readonly failed: number
  readonly dropped: number
  readonly mean_ms: number
  readonly max_ms: number
}

/** @param maxEntries approximate number of stored comparisons: those of one millisecond are deleted together */
export const layer = (maxEntries = 10_000): Layer.Layer<ShadowLog, never, SqlClient.SqlClient> =>
  Layer.effect(
    ShadowLog,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      record: (comparisons) =>
        comparisons.length === 0
          ? Effect.void
          : inTransaction(
              sql,
              Effect.gen(function* () {
                for (const one of comparisons) yield* sql`INSERT INTO shadow_log ${sql.insert(comparison.toRow(one))}`
                yield* sql`
                  DELETE FROM shadow_log
                  WHERE at < (SELECT at FROM shadow_log ORDER BY at DESC LIMIT 1 OFFSET ${maxEntries - 1})`
              }),
            ),
      agreement: readAll(
        sql<Group>`
          SELECT port, method, COUNT(*) AS compared, SUM(agreed) AS agreed, COUNT(failure) AS failed,
            SUM(dropped) AS dropped, AVG(live_ms) AS mean_ms, MAX(live_ms) AS max_ms
          FROM shadow_log GROUP BY port, method ORDER BY port, method`,
        ({ mean_ms, max_ms, ...group }) => ({ ...group, meanMs: Math.round(mean_ms), maxMs: max_ms }),
      ),
      differences: (limit) =>
        readAll(
          sql<RowOf<typeof comparison>>`SELECT * FROM shadow_log WHERE agreed = 0 ORDER BY at DESC LIMIT ${limit}`,
          comparison.fromRow,
        ),
    })),
  )

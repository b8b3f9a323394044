import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Comparison, ShadowLog } from "../../core/shadow/ShadowLog.ts"
import { inTransaction, mapStorageErrors } from "./storage.ts"

interface Row {
  readonly at: number
  readonly port: string
  readonly method: string
  readonly args: string
  readonly agreed: number
  readonly difference: string | null
  readonly live_ms: number
  readonly failure: string | null
  readonly dropped: number
}

const toRow = (comparison: Comparison): Row => ({
  at: comparison.at,
  port: comparison.port,
  method: comparison.method,
  args: comparison.args,
  agreed: comparison.agreed ? 1 : 0,
  difference: comparison.difference ?? null,
  live_ms: comparison.liveMs,
  failure: comparison.failure ?? null,
  dropped: comparison.dropped,
})

const toComparison = (row: Row): Comparison => ({
  at: row.at,
  port: row.port,
  method: row.method,
  args: row.args,
  agreed: row.agreed === 1,
  ...(row.difference === null ? {} : { difference: row.difference }),
  liveMs: row.live_ms,
  ...(row.failure === null ? {} : { failure: row.failure }),
  dropped: row.dropped,
})

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
                yield* Effect.forEach(
                  comparisons,
                  (one) => sql`INSERT INTO shadow_log ${sql.insert({ ...toRow(one) })}`,
                  {
                    discard: true,
                  },
                )
                yield* sql`
                  DELETE FROM shadow_log
                  WHERE at < (SELECT at FROM shadow_log ORDER BY at DESC LIMIT 1 OFFSET ${maxEntries - 1})`
              }),
            ),
      agreement: mapStorageErrors(
        Effect.map(
          sql<Group>`
            SELECT port, method, COUNT(*) AS compared, SUM(agreed) AS agreed, COUNT(failure) AS failed,
              SUM(dropped) AS dropped, AVG(live_ms) AS mean_ms, MAX(live_ms) AS max_ms
            FROM shadow_log GROUP BY port, method ORDER BY port, method`,
          (groups) =>
            groups.map(({ mean_ms, max_ms, ...group }) => ({ ...group, meanMs: Math.round(mean_ms), maxMs: max_ms })),
        ),
      ),
      differences: (limit) =>
        mapStorageErrors(
          Effect.map(sql<Row>`SELECT * FROM shadow_log WHERE agreed = 0 ORDER BY at DESC LIMIT ${limit}`, (rows) =>
            rows.map(toComparison),
          ),
        ),
    })),
  )

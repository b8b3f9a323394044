import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { monthOf } from "../../core/account/Agent.ts"
import { type AuditMonth, AuditTrail } from "../../core/account/AuditTrail.ts"
import { type Failure, invalid } from "../../core/Failure.ts"
import { monthsOf, rowsOf, toAudit } from "./auditReads.ts"
import { loosen, tableOf, viewOf } from "./schema/audit.ts"
import { deletedInSlices } from "./slices.ts"
import { inTransaction, orUnavailable } from "./storage.ts"

/** Rows that are deleted at once: a few milliseconds. */
const slice = 500

interface Row {
  readonly month: string
  readonly exported_at: number | null
  readonly exported_rows: number | null
}

/** The month `count` months before that of an instant. */
export const monthBefore = (now: number, count: number): string => {
  const date = new Date(now)
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count, 1))
}

export const layer: Layer.Layer<AuditTrail, never, SqlClient.SqlClient> = Layer.effect(
  AuditTrail,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Rows are numbered from 1 and none is ever missing. */
    const toMonth = ({ month, exported_at, exported_rows }: Row) =>
      Effect.map(
        sql<{ rows: number }>`SELECT coalesce(MAX(seq), 0) AS rows FROM ${sql(tableOf(month))}`,
        ([counted]): AuditMonth => ({
          month,
          rows: counted!.rows,
          ...(exported_at === null || exported_rows !== counted!.rows ? {} : { exportedAt: exported_at }),
        }),
      )

    const find = (month: string): Effect.Effect<AuditMonth, Failure> =>
      Effect.flatMap(
        orUnavailable(sql<Row>`SELECT * FROM audit_months WHERE month = ${month} AND dropping = 0`),
        ([row]) =>
          row === undefined ? invalid("month", `The audit trail has no month ${month}.`) : orUnavailable(toMonth(row)),
      )

    /** Its rows go slice by slice, then its table: dropping a full table at once would hold up every charge. */
    const clear = (month: string) =>
      Effect.zipRight(
        deletedInSlices(
          slice,
          orUnavailable(
            Effect.map(
              sql`
                DELETE FROM ${sql(tableOf(month))}
                WHERE seq IN (SELECT seq FROM ${sql(tableOf(month))} ORDER BY seq LIMIT ${slice}) RETURNING 1`,
              (rows) => rows.length,
            ),
          ),
        ),
        inTransaction(
          sql,
          Effect.gen(function* () {
            const [there] = yield* sql`SELECT 1 FROM audit_months WHERE month = ${month} AND dropping = 1`
            if (there === undefined) return
            yield* sql`DROP TABLE ${sql(tableOf(month))}`
            yield* sql`DELETE FROM audit_months WHERE month = ${month}`
          }),
        ),
      )

    /** From here on nobody reads it, and what is broken off is gone on with. */
    const begin = (month: string) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
          const [begun] = yield* sql`
            UPDATE audit_months SET dropping = 1 WHERE month = ${month} AND dropping = 0 RETURNING month`
          if (begun === undefined) return
          yield* sql.unsafe(loosen(month))
          for (const statement of viewOf(yield* monthsOf(sql))) yield* sql.unsafe(statement)
        }),
      )

    const remove = (found: AuditMonth) => Effect.as(Effect.zipRight(begin(found.month), clear(found.month)), found)

    const all = orUnavailable(
      Effect.flatMap(sql<Row>`SELECT * FROM audit_months WHERE dropping = 0 ORDER BY month`, (rows) =>
        Effect.forEach(rows, toMonth),
      ),
    )

    return {
      months: all,
      page: (month, after, limit) =>
        Effect.zipRight(
          find(month),
          Effect.map(orUnavailable(rowsOf(sql, month, after, limit)), (rows) => ({
            rows: rows.map(toAudit),
            ...(rows.length < limit ? {} : { next: rows.at(-1)!.seq }),
          })),
        ),
      exported: (month, rows) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          if (month >= monthOf(now))
            return yield* invalid("month", "The month is not over: export it again when it is.")
          const found = yield* find(month)
          if (found.rows !== rows) {
            return yield* invalid("rows", `The month has ${found.rows} rows: an export of ${rows} is not whole.`)
          }
          yield* orUnavailable(
            sql`UPDATE audit_months SET exported_at = ${now}, exported_rows = ${rows} WHERE month = ${month}`,
          )
          return { ...found, exportedAt: now }
        }),
      drop: (month, force) =>
        Effect.gen(function* () {
          if (month >= monthBefore(yield* Clock.currentTimeMillis, 1)) {
            return yield* invalid("month", "This month and the one before stay: drop an earlier one.")
          }
          const found = yield* find(month)
          if (found.exportedAt === undefined && !force) {
            return yield* invalid("month", "Not all of its rows were exported: export it first, or force it.")
          }
          return yield* remove(found)
        }),
      keep: (months) =>
        Effect.gen(function* () {
          const left = yield* orUnavailable(sql<{ month: string }>`SELECT month FROM audit_months WHERE dropping = 1`)
          yield* Effect.forEach(left, ({ month }) => clear(month), { discard: true })
          const first = monthBefore(yield* Clock.currentTimeMillis, Math.max(1, months - 1))
          return yield* Effect.forEach(
            (yield* all).filter(({ month }) => month < first),
            remove,
          )
        }),
    }
  }),
)

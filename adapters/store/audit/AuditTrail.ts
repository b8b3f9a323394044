import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { monthOf } from "../../../core/account/Agent.ts"
import { type AuditMonth, AuditTrail } from "../../../core/account/AuditTrail.ts"
import { type Failure, invalid } from "../../../core/Failure.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { runChange } from "../engine/changes.ts"
import { deleteRowsInSlices } from "../engine/slices.ts"
import { inTransaction, mapStorageErrors } from "../engine/storage.ts"
import { type Folds, folds } from "../money/folds.ts"
import { readPage, toAudit } from "./auditReads.ts"

/** Rows per slice, which takes a few milliseconds; more of the index, whose entries are short. */
const rowsPerSlice = 500
const indexRowsPerSlice = 2_000

interface MonthRow {
  readonly month: string
  readonly exported_at: number | null
  readonly exported_rows: number | null
}

const monthsAgo = (now: number, count: number): string => {
  const date = new Date(now)
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count, 1))
}

/** How an engine counts a month's rows and drops it. */
interface MonthOps {
  readonly count: (month: string) => Effect.Effect<ReadonlyArray<{ readonly rows: number }>, SqlError>
  /** Copies the charges of months up to this one to the journal, if they are only in the trail. */
  readonly postCharges: (month: string) => Effect.Effect<unknown, Failure>
  /** Makes a month unreadable; earlier ones already are, since months are dropped in order. Runs in a transaction. */
  readonly hide: (month: string) => Effect.Effect<unknown, SqlError>
  /** Deletes what is no longer readable. */
  readonly deleteHidden: Effect.Effect<void, Failure>
  /** Creates the next months' tables early: in a month's first call this would wait for readers of the trail, such as a dump. */
  readonly prepareMonths: Effect.Effect<unknown, Failure>
}

/** Bounds before and after all entries of SQLite's index by account: account, time and place. */
const firstEntry: ReadonlyArray<unknown> = [0, 0, 0]
const lastEntry: ReadonlyArray<unknown> = [Number.MAX_SAFE_INTEGER, 0, 0]

/** Deletes SQLite's rows before `kept` but for the last, in slices; calls settle in between. It can be interrupted anywhere. */
const deleteBeforeKept = (sql: SqlClient.SqlClient) => {
  /** Deletes in the index's own order, by account: in the order of places each deletion would touch another page. */
  const clearIndex = Effect.fnUntraced(function* (kept: number) {
    for (let after = firstEntry; after !== lastEntry; yield* yieldToEventLoop) {
      const [end = lastEntry] = yield* sql.unsafe(
        `SELECT account, at, seq FROM audit_index WHERE (account, at, seq) > (?, ?, ?)
        ORDER BY account, at, seq LIMIT 1 OFFSET ${indexRowsPerSlice - 1}`,
        after,
      ).values
      yield* sql.unsafe(
        "DELETE FROM audit_index WHERE (account, at, seq) > (?, ?, ?) AND (account, at, seq) <= (?, ?, ?) AND seq < ?",
        [...after, ...end, kept],
      )
      after = end
    }
  })
  return Effect.gen(function* () {
    const [row] = yield* mapStorageErrors(
      sql<{ kept: number; first: number | null }>`
        SELECT seq AS kept, (SELECT min(seq) FROM audit_rows) AS first FROM places WHERE name = 'kept'`,
    )
    const { kept, first } = row!
    // The row just before `kept` stays, so that later rows get higher places even if all others are deleted.
    if (first === null || first >= kept - 1) return
    yield* mapStorageErrors(clearIndex(kept))
    yield* deleteRowsInSlices(
      rowsPerSlice,
      sql`DELETE FROM audit_rows WHERE seq IN (
        SELECT seq FROM audit_rows WHERE seq < ${kept - 1} ORDER BY seq LIMIT ${rowsPerSlice}) RETURNING 1`,
    )
  })
}

const onSqlite = (sql: SqlClient.SqlClient, trailFolds: Folds): MonthOps => {
  const findLastPlace = (month: string) =>
    Effect.map(
      sql<{ last: number | null }>`SELECT max(last) AS last FROM audit_parts WHERE month <= ${month}`,
      ([row]) => row!.last ?? 0,
    )
  /** Copies the charges of the next rows to the journal. Returns whether there are more. */
  const copyCharges = (month: string) =>
    Effect.gen(function* () {
      const last = yield* findLastPlace(month)
      const [posted] = yield* sql<{ seq: number }>`SELECT seq FROM places WHERE name = 'posted'`
      const end = Math.min(last, posted!.seq + rowsPerSlice)
      if (end <= posted!.seq) return false
      yield* sql`INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint, reverses)
        SELECT id, at, kind, account_id, debit, credit, micros, key_id, endpoint, reverses FROM audit_charges
        WHERE seq <= ${end} ORDER BY account_id, id`
      yield* sql`UPDATE places SET seq = ${end} WHERE name = 'posted'`
      return end < last
    })
  return {
    // The places of rows have no gaps.
    count: (month) => sql<{ rows: number }>`
      SELECT coalesce((SELECT last - first + 1 FROM audit_parts WHERE month = ${month}), 0) AS rows`,
    postCharges: (month) => {
      const post = Effect.zipLeft(inTransaction(sql, copyCharges(month)), yieldToEventLoop)
      // Rows are folded before they are deleted.
      return Effect.zipRight(trailFolds.all, Effect.repeat(post, { while: (hasMore) => hasMore }))
    },
    hide: (month) =>
      Effect.gen(function* () {
        const kept = (yield* findLastPlace(month)) + 1
        yield* sql`UPDATE places SET seq = ${kept} WHERE name = 'kept' AND seq < ${kept}`
        yield* sql`DELETE FROM audit_begins WHERE seq < ${kept}`
        yield* sql`DELETE FROM audit_months WHERE month NOT IN (SELECT month FROM audit_begins)`
      }),
    deleteHidden: deleteBeforeKept(sql),
    prepareMonths: Effect.void,
  }
}

const onPostgres = (sql: SqlClient.SqlClient): MonthOps => ({
  count: (month) => sql<{ rows: number }>`SELECT count(*) AS rows FROM audit WHERE month = ${month}`,
  postCharges: () => Effect.void,
  // A marked month is not readable, and `deleteHidden` resumes an interrupted drop.
  hide: (month) => sql`UPDATE audit_months SET dropping = 1 WHERE month = ${month}`,
  // A node's role owns no table: the function runs with the owner's rights.
  deleteHidden: Effect.flatMap(
    mapStorageErrors(sql<{ month: string }>`SELECT month FROM audit_months WHERE dropping = 1`),
    (rows) =>
      Effect.forEach(rows, ({ month }) => mapStorageErrors(sql`SELECT audit_drop(${month})`), { discard: true }),
  ),
  prepareMonths: mapStorageErrors(sql`SELECT audit_ahead(2)`),
})

/** The months of the trail, and how one of them is dropped. */
const makeMonths = (sql: SqlClient.SqlClient, { count, postCharges, hide, deleteHidden }: MonthOps) => {
  const toMonth = ({ month, exported_at, exported_rows }: MonthRow) =>
    Effect.map(
      count(month),
      ([counted]): AuditMonth => ({
        month,
        rows: counted!.rows,
        ...(exported_at === null || exported_rows !== counted!.rows ? {} : { exportedAt: exported_at }),
      }),
    )
  /** A readable month, its rows not counted. */
  const findMonth = (month: string): Effect.Effect<MonthRow, Failure> =>
    Effect.flatMap(
      mapStorageErrors(sql<MonthRow>`SELECT * FROM audit_months WHERE month = ${month} AND dropping = 0`),
      ([row]) => (row === undefined ? invalid("month", `The audit trail has no month ${month}.`) : Effect.succeed(row)),
    )
  return {
    findMonth,
    count: (month: string) => Effect.flatMap(findMonth(month), (row) => mapStorageErrors(toMonth(row))),
    listBefore: (end: string) =>
      mapStorageErrors(
        Effect.flatMap(
          sql<MonthRow>`SELECT * FROM audit_months WHERE dropping = 0 AND month < ${end} ORDER BY month`,
          (rows) => Effect.forEach(rows, toMonth),
        ),
      ),
    remove: (dropped: AuditMonth) =>
      Effect.as(Effect.all([postCharges(dropped.month), runChange(sql, hide(dropped.month)), deleteHidden]), dropped),
  }
}

export const layer: Layer.Layer<AuditTrail, never, SqlClient.SqlClient> = Layer.effect(
  AuditTrail,
  Effect.map(Effect.all([SqlClient.SqlClient, folds]), ([sql, trailFolds]) => {
    const ops = sql.onDialectOrElse({ sqlite: () => onSqlite(sql, trailFolds), orElse: () => onPostgres(sql) })
    const { findMonth, count, listBefore, remove } = makeMonths(sql, ops)
    return {
      months: listBefore("9999"),
      page: (month, after, limit) =>
        Effect.zipRight(
          findMonth(month),
          Effect.map(mapStorageErrors(readPage(sql, month, after, limit)), ({ rows, ...end }) => ({
            rows: rows.map(toAudit),
            ...end,
          })),
        ),
      markExported: (month, rows) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          if (month >= monthOf(now))
            return yield* invalid("month", "The month is not over. Export it again after its end.")
          const counted = yield* count(month)
          if (counted.rows !== rows) {
            return yield* invalid("rows", `The month has ${counted.rows} rows, the export ${rows}.`)
          }
          yield* runChange(
            sql,
            sql`UPDATE audit_months SET exported_at = ${now}, exported_rows = ${rows} WHERE month = ${month}`,
          )
          return { ...counted, exportedAt: now }
        }),
      drop: (month, force) =>
        Effect.gen(function* () {
          if (month >= monthsAgo(yield* Clock.currentTimeMillis, 1)) {
            return yield* invalid("month", "The current and the previous month cannot be dropped.")
          }
          const counted = yield* count(month)
          const [oldest] = yield* listBefore(month)
          if (oldest) return yield* invalid("month", `Months are dropped in their order. Drop ${oldest.month} first.`)
          if (counted.exportedAt === undefined && !force) {
            return yield* invalid("month", "The month is not fully exported. Export it first, or force the drop.")
          }
          return yield* remove(counted)
        }),
      dropOlderThan: (months) =>
        Effect.gen(function* () {
          yield* ops.prepareMonths
          yield* ops.deleteHidden
          const oldestKept = monthsAgo(yield* Clock.currentTimeMillis, Math.max(1, months - 1))
          return yield* Effect.forEach(yield* listBefore(oldestKept), remove)
        }),
    }
  }),
)

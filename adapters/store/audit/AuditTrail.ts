import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { monthOf } from "../../../core/account/Agent.ts"
import { type AuditMonth, AuditTrail } from "../../../core/account/AuditTrail.ts"
import { type Failure, invalid } from "../../../core/Failure.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { changing } from "../engine/changes.ts"
import { slicesDeleted } from "../engine/slices.ts"
import { inTransaction, mapStorageErrors, wrote } from "../engine/storage.ts"
import { type Folded, folded } from "../money/sqlite/folded.ts"
import { accountsTable, createViewsSql, lastSeqSql, loosen, posted, tableOf } from "../trail/months.ts"
import { readMonths, readPage, toAudit } from "./auditReads.ts"

/** Rows of one deletion, which takes a few milliseconds. */
const slice = 500

interface Row {
  readonly month: string
  readonly exported_at: number | null
  readonly exported_rows: number | null
}

/** The month `count` months before that of an instant. */
const monthBefore = (now: number, count: number): string => {
  const date = new Date(now)
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - count, 1))
}

/** The number of a month's rows, and the steps of its drop, which differ between the stores. */
interface Dialect {
  readonly count: (month: string) => Effect.Effect<ReadonlyArray<{ readonly rows: number }>, SqlError>
  /** Charges have to stay. */
  readonly keep: (month: string) => Effect.Effect<void, Failure>
  /** In the transaction that marks a month as dropping. */
  readonly marked: (month: string) => Effect.Effect<void, SqlError>
  readonly clear: (month: string) => Effect.Effect<void, Failure>
  /** Readers of the trail, such as a dump, must not delay the first call of a month. */
  readonly ahead: Effect.Effect<unknown, Failure>
}

/** Deletes a month's rows in slices: dropping a full table of SQLite at once would block charges. */
const emptied = (sql: SqlClient.SqlClient, month: string) =>
  Effect.gen(function* () {
    const accounts = accountsTable(month)
    if ((yield* mapStorageErrors(sql`SELECT 1 FROM sqlite_master WHERE name = ${accounts}`)).length > 0) {
      yield* slicesDeleted(
        slice,
        sql`
          DELETE FROM ${sql(accounts)} WHERE (account, at, seq) IN (
            SELECT account, at, seq FROM ${sql(accounts)} LIMIT ${slice}) RETURNING 1`,
      )
    }
    yield* slicesDeleted(
      slice,
      sql`
        DELETE FROM ${sql(tableOf(month))}
        WHERE seq IN (SELECT seq FROM ${sql(tableOf(month))} ORDER BY seq LIMIT ${slice}) RETURNING 1`,
    )
    // Last: until then they say that the rows are folded.
    yield* slicesDeleted(
      slice,
      sql`DELETE FROM audit_folds WHERE (month, account) IN (
        SELECT month, account FROM audit_folds WHERE month = ${month} AND account > 0 LIMIT ${slice}) RETURNING 1`,
    )
  })

const onSqlite = (sql: SqlClient.SqlClient, tail: Folded): Dialect => {
  /** Makes charges up to the next row, of a slice or of all that are left, rows of the journal. Returns whether it had any. */
  const postSome = (month: string, most: number) =>
    Effect.gen(function* () {
      const [place] = yield* sql<{ seq: number }>`SELECT seq FROM journal_places WHERE month = ${month}`
      const [end] = yield* sql.unsafe<{ last: number }>(lastSeqSql(month))
      const from = place?.seq ?? 0
      if (end!.last <= from) return false
      for (const text of posted(month)) yield* sql.unsafe(text, [Math.min(end!.last, from + most)])
      return true
    })
  const post = (month: string): Effect.Effect<void, Failure> =>
    Effect.flatMap(inTransaction(sql, postSome(month, slice)), (isSome) =>
      isSome ? Effect.zipRight(yieldToEventLoop, post(month)) : Effect.void,
    )
  const removed = (month: string) =>
    Effect.gen(function* () {
      const [marked] = yield* sql`SELECT 1 FROM audit_months WHERE month = ${month} AND dropping = 1`
      if (marked === undefined) return
      yield* sql`DROP TABLE ${sql(tableOf(month))}`
      yield* sql`DROP TABLE IF EXISTS ${sql(accountsTable(month))}`
      yield* sql`DELETE FROM audit_folds WHERE month = ${month}`
      yield* sql`DELETE FROM journal_places WHERE month = ${month}`
      // Other processes read their tails anew too.
      yield* sql`UPDATE audit_folds SET seq = seq + 1 WHERE month = '' AND account = 0`
      yield* sql`DELETE FROM audit_months WHERE month = ${month}`
      // A month that begins anew is counted anew; its sums stay.
      yield* sql`DELETE FROM usage_months WHERE month = ${month}`
    })
  return {
    // Rows are numbered from 1 without gaps, so the highest number is their count.
    count: (month) => sql<{ rows: number }>`SELECT coalesce(MAX(seq), 0) AS rows FROM ${sql(tableOf(month))}`,
    keep: post,
    marked: (month) =>
      Effect.gen(function* () {
        // With those of rows that came late.
        yield* postSome(month, Number.MAX_SAFE_INTEGER)
        yield* sql.unsafe(loosen(month))
        for (const statement of createViewsSql(yield* readMonths(sql))) yield* sql.unsafe(statement)
      }),
    // The month gets no more rows.
    clear: (month) =>
      Effect.all([tail.all, emptied(sql, month), inTransaction(sql, removed(month)), tail.dropped], { discard: true }),
    ahead: Effect.void,
  }
}

const onPostgres = (sql: SqlClient.SqlClient): Dialect => ({
  count: (month) => sql<{ rows: number }>`SELECT count(*) AS rows FROM ${sql(tableOf(month))}`,
  keep: () => Effect.void,
  marked: () => Effect.void,
  // A node's role owns no table.
  clear: (month) => Effect.asVoid(mapStorageErrors(sql`SELECT audit_drop(${month})`)),
  // Tables of the next two months stand ready.
  ahead: mapStorageErrors(sql`SELECT audit_ahead(2)`),
})

/** The months of the trail, and how one of them is dropped. */
const makeMonths = (sql: SqlClient.SqlClient, { count, keep, marked, clear }: Dialect) => {
  const toMonth = ({ month, exported_at, exported_rows }: Row) =>
    Effect.map(
      count(month),
      ([counted]): AuditMonth => ({
        month,
        rows: counted!.rows,
        ...(exported_at === null || exported_rows !== counted!.rows ? {} : { exportedAt: exported_at }),
      }),
    )
  /** Marks a month as dropping: from then on it is not read, and an interrupted drop is resumed. */
  const mark = (month: string) =>
    changing(
      sql,
      Effect.flatMap(
        wrote(sql`UPDATE audit_months SET dropping = 1 WHERE month = ${month} AND dropping = 0 RETURNING month`),
        (isNew) => (isNew ? marked(month) : Effect.void),
      ),
    )
  return {
    find: (month: string): Effect.Effect<AuditMonth, Failure> =>
      Effect.flatMap(
        mapStorageErrors(sql<Row>`SELECT * FROM audit_months WHERE month = ${month} AND dropping = 0`),
        ([row]) =>
          row === undefined
            ? invalid("month", `The audit trail has no month ${month}.`)
            : mapStorageErrors(toMonth(row)),
      ),
    all: mapStorageErrors(
      Effect.flatMap(sql<Row>`SELECT * FROM audit_months WHERE dropping = 0 ORDER BY month`, (rows) =>
        Effect.forEach(rows, toMonth),
      ),
    ),
    remove: (given: AuditMonth) =>
      Effect.as(Effect.all([keep(given.month), mark(given.month), clear(given.month)], { discard: true }), given),
  }
}

export const layer: Layer.Layer<AuditTrail, never, SqlClient.SqlClient> = Layer.effect(
  AuditTrail,
  Effect.map(Effect.all([SqlClient.SqlClient, folded]), ([sql, tail]) => {
    const dialect = sql.onDialectOrElse({ sqlite: () => onSqlite(sql, tail), orElse: () => onPostgres(sql) })
    const { find, all, remove } = makeMonths(sql, dialect)
    return {
      months: all,
      page: (month, after, limit) =>
        Effect.zipRight(
          find(month),
          Effect.map(mapStorageErrors(readPage(sql, month, after, limit)), ({ rows, ...end }) => ({
            rows: rows.map(toAudit),
            ...end,
          })),
        ),
      exported: (month, rows) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          if (month >= monthOf(now))
            return yield* invalid("month", "The month is not over. Export it again after its end.")
          const counted = yield* find(month)
          if (counted.rows !== rows) {
            return yield* invalid("rows", `The month has ${counted.rows} rows, the export ${rows}.`)
          }
          yield* changing(
            sql,
            sql`UPDATE audit_months SET exported_at = ${now}, exported_rows = ${rows} WHERE month = ${month}`,
          )
          return { ...counted, exportedAt: now }
        }),
      drop: (month, force) =>
        Effect.gen(function* () {
          if (month >= monthBefore(yield* Clock.currentTimeMillis, 1)) {
            return yield* invalid("month", "The current and the previous month cannot be dropped.")
          }
          const counted = yield* find(month)
          if (counted.exportedAt === undefined && !force) {
            return yield* invalid("month", "The month is not fully exported. Export it first, or force the drop.")
          }
          return yield* remove(counted)
        }),
      keep: (months) =>
        Effect.gen(function* () {
          yield* dialect.ahead
          const left = yield* mapStorageErrors(
            sql<{ month: string }>`SELECT month FROM audit_months WHERE dropping = 1`,
          )
          yield* Effect.forEach(left, ({ month }) => dialect.clear(month), { discard: true })
          const first = monthBefore(yield* Clock.currentTimeMillis, Math.max(1, months - 1))
          return yield* Effect.forEach(
            (yield* all).filter(({ month }) => month < first),
            remove,
          )
        }),
    }
  }),
)

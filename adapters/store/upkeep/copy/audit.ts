import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { type AuditRow, readMonths, toAudit } from "../../audit/auditReads.ts"
import { accountsTable, columns, lastSeqSql, posted, selectSql, tableOf } from "../../trail/months.ts"
import * as AuditRows from "../../trail/rows.ts"
import type { Row } from "./canonical.ts"
import type { Table } from "./catalogue.ts"
import type { End } from "./End.ts"
import { attempt, columnsSql, inserter } from "./put.ts"

/**
 * The audit trail as one table of both stores: whole rows, month by month in the order of writing. The number of a row is
 * not copied: SQLite counts in each month, PostgreSQL over all.
 */
export const trail: Table = {
  name: "audit",
  columns: ["month", ...columns.split(", ")].map((name) => ({ name, kind: "whole or text" })),
  key: ["month", "request_id"],
}

const readMonthSql = ({ db }: End, month: string): string =>
  db === undefined
    ? `SELECT ${columnsSql(trail)} FROM ${tableOf(month)} ORDER BY tx, seq`
    : `SELECT ${columnsSql(trail)} FROM (${selectSql(month)}) ORDER BY seq`

/** Reads the rows of every month that is not being dropped. */
export const readTrail = <E>(
  source: End,
  use: (month: string, rows: ReadonlyArray<Row>) => Effect.Effect<void, E>,
  begin: (month: string) => Effect.Effect<void, E> = () => Effect.void,
  end: (month: string) => Effect.Effect<void, E> = () => Effect.void,
): Effect.Effect<void, E | SqlError> =>
  Effect.flatMap(source.within(readMonths(source.sql)), (months) =>
    Effect.forEach(
      months,
      (month) =>
        Effect.all([begin(month), source.pages(readMonthSql(source, month), (rows) => use(month, rows)), end(month)], {
          discard: true,
        }),
      { discard: true },
    ),
  )

/** Writes rows into the months of the target, whose tables PostgreSQL's column types are taken from. */
export const trailWriter = (target: End, tables: ReadonlyArray<Table>) => {
  const { db, sql, within } = target
  if (db !== undefined) {
    const { begin, writeTo } = AuditRows.make(db)
    const lineOf = (row: Row) =>
      toAudit(Object.fromEntries(trail.columns.map(({ name }, at) => [name, row[at]])) as unknown as AuditRow)
    return {
      begin: (month: string) => attempt(() => begin(month)),
      put: (month: string, rows: ReadonlyArray<Row>) =>
        attempt(() => {
          for (const row of rows) writeTo(month, lineOf(row))
        }),
      // The other tables come with all charges.
      end: (month: string) =>
        attempt(() => {
          db.exec(`INSERT INTO ${accountsTable(month)} SELECT account, at, seq FROM ${tableOf(month)} ORDER BY 1, 2, 3`)
          db.prepare(`INSERT INTO audit_folds (month, account, seq) SELECT ?, 0, (${lastSeqSql(month)})`).run(month)
          // The journal comes with all charges.
          db.prepare(posted(month)[1]).run(db.prepare(lastSeqSql(month)).pluck().get())
        }),
    }
  }
  const kinds = tables.find(({ name }) => name === trail.name)!.columns
  const typed = ["seq", ...trail.columns.map(({ name }) => name)].map(
    (name) => kinds.find((column) => column.name === name)!,
  )
  const insert = inserter(target, { ...trail, columns: typed })
  let seq = 0
  return {
    begin: (month: string) => Effect.asVoid(within(sql`SELECT audit_month(${month})`)),
    put: (_: string, rows: ReadonlyArray<Row>) => insert(rows.map((row) => [++seq, ...row])),
    end: () => Effect.void,
  }
}

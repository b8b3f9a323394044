import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { type AuditRow, readMonths, toAudit } from "../../audit/auditReads.ts"
import * as AuditRows from "../../trail/rows.ts"
import type { Row } from "./canonical.ts"
import type { Table } from "./catalogue.ts"
import type { End } from "./End.ts"
import { attempt, columnsSql, inserter } from "./put.ts"

const columns =
  "month, request_id, at, account_id, agent_id, key_id, endpoint, params_hash, status, code, charged_micros, latency_ms, calls"

/**
 * The audit trail as one table of both stores: whole rows, month by month in the order of writing. The number of a row is
 * not copied.
 */
export const trail: Table = {
  name: "audit",
  columns: columns.split(", ").map((name) => ({ name, kind: "whole or text" })),
  key: ["month", "request_id"],
}

const readMonthSql = ({ db }: End, month: string): string =>
  db === undefined
    ? `SELECT ${columnsSql(trail)} FROM audit WHERE month = '${month}' ORDER BY tx, seq`
    : `SELECT ${columns} FROM audit WHERE seq >= (SELECT first FROM audit_parts WHERE month = '${month}')
        AND seq <= (SELECT last FROM audit_parts WHERE month = '${month}') ORDER BY seq`

/** Reads the rows of every month that is not being dropped. */
export const readTrail = <E>(
  source: End,
  use: (month: string, rows: ReadonlyArray<Row>) => Effect.Effect<void, E>,
  begin: (month: string) => Effect.Effect<void, E> = () => Effect.void,
): Effect.Effect<void, E | SqlError> =>
  Effect.flatMap(source.within(readMonths(source.sql)), (months) =>
    Effect.forEach(
      months,
      (month) =>
        Effect.zipRight(
          begin(month),
          source.pages(readMonthSql(source, month), (rows) => use(month, rows)),
        ),
      { discard: true },
    ),
  )

/** All is folded in a copy, and its journal has all charges. */
const ended = `
  INSERT INTO audit_index SELECT account, at, seq FROM audit_rows ORDER BY 1, 2, 3;
  UPDATE places SET seq = (SELECT coalesce(max(seq), 0) FROM audit_rows) WHERE name IN ('folded', 'posted')`

/** Writes rows into the months of the target, whose table PostgreSQL's column types are taken from. */
export const trailWriter = (target: End, tables: ReadonlyArray<Table>) => {
  const { db, sql, within } = target
  if (db !== undefined) {
    const { writeTo } = AuditRows.make(db)
    const lineOf = (row: Row) =>
      toAudit(Object.fromEntries(trail.columns.map(({ name }, at) => [name, row[at]])) as unknown as AuditRow)
    return {
      begin: () => Effect.void,
      put: (month: string, rows: ReadonlyArray<Row>) =>
        attempt(() => {
          for (const row of rows) writeTo(month, lineOf(row))
        }),
      end: attempt(() => db.exec(ended)),
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
    end: Effect.asVoid(
      within(sql`INSERT INTO usage_months (month, folded) SELECT month, count(*) FROM audit GROUP BY month`),
    ),
  }
}

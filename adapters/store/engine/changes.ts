import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../../core/Failure.ts"
import { alreadySent, type Change, ChangeLog, CurrentChange, type LoggedChange } from "../../../core/people/Change.ts"
import { columns, type RowOf } from "./columns.ts"
import { hasWritten, inTransaction, readAll, readFirst } from "./storage.ts"

/** Changes whose line has been written: a verb with several transactions has only one line. */
const written = new WeakSet<Change>()

const fields = ["at", "who", "sessionId", "address", "accountId", "verb", "subject", "formId"] as const
const line = columns<Change>()(fields)

/** Writes a line of the log in the current transaction. */
export const appendLine = (sql: SqlClient.SqlClient, change: Change): Effect.Effect<void, Failure | SqlError> =>
  Effect.flatMap(
    hasWritten(
      sql`INSERT INTO changes ${sql.insert(line.toRow(change))} ON CONFLICT (form_id) DO NOTHING RETURNING seq`,
    ),
    (isNew) => (isNew ? Effect.void : alreadySent),
  )

/**
 * Runs a transaction and writes the current change's line in it. A job has no current change, and gets no line.
 *
 * @param isChange whether a result means that something changed; by default, any but false
 * @param made the id of something new, which is the subject of the line
 */
export const runChange = <A, E, R>(
  sql: SqlClient.SqlClient,
  work: Effect.Effect<A, E | SqlError, R>,
  isChange: (result: A) => boolean = (result) => result !== false,
  made?: string,
): Effect.Effect<A, Exclude<E, SqlError> | Failure, R> =>
  Effect.flatMap(CurrentChange, (change) => {
    if (change === undefined || written.has(change)) return inTransaction(sql, work)
    return Effect.tap(
      inTransaction(
        sql,
        Effect.tap(work, (result) =>
          isChange(result) ? appendLine(sql, made === undefined ? change : { ...change, subject: made }) : Effect.void,
        ),
      ),
      (result) => {
        if (isChange(result)) written.add(change)
      },
    ) as Effect.Effect<A, Exclude<E, SqlError> | Failure, R>
  })

const changed = columns<LoggedChange>()([...fields, "seq", "name"])
type Row = RowOf<typeof changed>

export const layer: Layer.Layer<ChangeLog, never, SqlClient.SqlClient> = Layer.effect(
  ChangeLog,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = sql`SELECT c.*, p.name FROM changes c LEFT JOIN persons p ON p.id = c.who`
    return {
      page: ({ accountId, cursor = Number.MAX_SAFE_INTEGER, limit }) =>
        readAll(
          accountId === undefined
            ? sql<Row>`${select} WHERE c.seq < ${cursor} ORDER BY c.seq DESC LIMIT ${limit}`
            : sql<Row>`
                ${select} WHERE c.account_id = ${accountId} AND c.seq < ${cursor} ORDER BY c.seq DESC LIMIT ${limit}`,
          changed.fromRow,
        ),
      appendCurrent: runChange(sql, Effect.void),
      findByForm: (formId) => readFirst(sql<Row>`${select} WHERE c.form_id = ${formId}`, changed.fromRow),
    }
  }),
)

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../../core/Failure.ts"
import { alreadySent, type Change, ChangeLog, CurrentChange, type LoggedChange } from "../../../core/people/Change.ts"
import { columns, type RowOf } from "./columns.ts"
import { allAs, firstAs, inTransaction, wrote } from "./storage.ts"

/** Changes whose line is written: a verb with several transactions has one line. */
const written = new WeakSet<Change>()

const fields = ["at", "who", "sessionId", "address", "accountId", "verb", "subject", "formId"] as const
const line = columns<Change>()(fields)

/** Writes a line of the log in the current transaction. */
export const append = (sql: SqlClient.SqlClient, change: Change): Effect.Effect<void, Failure | SqlError> =>
  Effect.flatMap(
    wrote(sql`INSERT INTO changes ${sql.insert(line.toRow(change))} ON CONFLICT (form_id) DO NOTHING RETURNING seq`),
    (isNew) => (isNew ? Effect.void : alreadySent),
  )

/**
 * Runs the transaction of a change, with the change's line in the log if somebody makes it: a job's changes have none.
 *
 * @param isChange whether the result says that something was changed; by default, all but false
 * @param made the id of something new, which the one who asked for it could not name
 */
export const changing = <A, E, R>(
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
          isChange(result) ? append(sql, made === undefined ? change : { ...change, subject: made }) : Effect.void,
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
        allAs(
          accountId === undefined
            ? sql<Row>`${select} WHERE c.seq < ${cursor} ORDER BY c.seq DESC LIMIT ${limit}`
            : sql<Row>`
                ${select} WHERE c.account_id = ${accountId} AND c.seq < ${cursor} ORDER BY c.seq DESC LIMIT ${limit}`,
          changed.fromRow,
        ),
      appendCurrent: changing(sql, Effect.void),
      findByForm: (formId) => firstAs(sql<Row>`${select} WHERE c.form_id = ${formId}`, changed.fromRow),
    }
  }),
)

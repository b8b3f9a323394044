import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../core/Failure.ts"
import { type Change, type Changed, ChangeLog, CurrentChange, sentBefore } from "../../core/people/Change.ts"
import { inTransaction, mapStorageErrors } from "./storage.ts"

/** Changes whose line is written: a verb with several transactions has one line. */
const written = new WeakSet<Change>()

/** Writes a line of the log in the current transaction. */
export const append = (sql: SqlClient.SqlClient, change: Change): Effect.Effect<void, Failure | SqlError> =>
  Effect.flatMap(
    sql`INSERT INTO changes ${sql.insert({
      at: change.at,
      who: change.who,
      session_id: change.sessionId ?? null,
      address: change.address ?? null,
      account_id: change.accountId ?? null,
      verb: change.verb,
      subject: change.subject,
      form_id: change.formId ?? null,
    })} ON CONFLICT (form_id) DO NOTHING RETURNING seq`,
    (rows) => (rows.length === 1 ? Effect.void : sentBefore),
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

interface Row {
  readonly seq: number
  readonly at: number
  readonly who: string
  readonly session_id: string | null
  readonly address: string | null
  readonly account_id: string | null
  readonly verb: string
  readonly subject: string
  readonly form_id: string | null
  readonly name: string | null
}

const changedOf = (row: Row): Changed => ({
  seq: row.seq,
  at: row.at,
  who: row.who,
  verb: row.verb,
  subject: row.subject,
  ...(row.session_id === null ? {} : { sessionId: row.session_id }),
  ...(row.address === null ? {} : { address: row.address }),
  ...(row.account_id === null ? {} : { accountId: row.account_id }),
  ...(row.form_id === null ? {} : { formId: row.form_id }),
  ...(row.name === null ? {} : { name: row.name }),
})

export const layer: Layer.Layer<ChangeLog, never, SqlClient.SqlClient> = Layer.effect(
  ChangeLog,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = sql`SELECT c.*, p.name FROM changes c LEFT JOIN persons p ON p.id = c.who`
    return {
      page: ({ accountId, before = Number.MAX_SAFE_INTEGER, limit }) =>
        mapStorageErrors(
          Effect.map(
            accountId === undefined
              ? sql<Row>`${select} WHERE c.seq < ${before} ORDER BY c.seq DESC LIMIT ${limit}`
              : sql<Row>`
                  ${select} WHERE c.account_id = ${accountId} AND c.seq < ${before} ORDER BY c.seq DESC LIMIT ${limit}`,
            (rows) => rows.map(changedOf),
          ),
        ),
      note: changing(sql, Effect.void),
      ofForm: (formId) =>
        mapStorageErrors(
          Effect.map(sql<Row>`${select} WHERE c.form_id = ${formId}`, ([row]) =>
            row === undefined ? undefined : changedOf(row),
          ),
        ),
    }
  }),
)

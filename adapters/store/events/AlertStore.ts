import * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Alert } from "../../../core/alerts/Alert.ts"
import { AlertStore, type Watched } from "../../../core/alerts/AlertStore.ts"
import type { Event } from "../../../core/events/Event.ts"
import { runChange } from "../engine/changes.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { hasRoom } from "../engine/locks.ts"
import { hasWritten, inTransaction, readAll, readFirst } from "../engine/storage.ts"

const alert = columns<Alert>()([
  ...(["id", "accountId", "agentId", "keyId", "name", "call", "threshold", "hysteresis", "status"] as const),
  ...(["reason", "crossings", "firedAt", "createdAt"] as const),
])
type Row = RowOf<typeof alert>

interface WatchedRow extends Row {
  readonly key_hash: string
  readonly memory: string | null
  readonly pending: string | null
  readonly version: number
}

const watchedFromRow = (row: WatchedRow): Watched => ({
  ...alert.fromRow(row),
  keyHash: row.key_hash,
  version: row.version,
  ...(row.memory === null ? {} : { memory: JSON.parse(row.memory) }),
  ...(row.pending === null ? {} : { pending: JSON.parse(row.pending) }),
})

interface EventRow {
  readonly id: string
  readonly at: number
  readonly livemode: number
  readonly data: string
}

const eventFromRow = ({ id, at, livemode, data }: EventRow): Event<"alert.fired"> => ({
  id,
  type: "alert.fired",
  at,
  livemode: livemode === 1,
  data: JSON.parse(data),
})

const eventToRow = ({ id, at, type, livemode, data }: Event): EventRow & { readonly type: string } => ({
  ...{ id, at, type, livemode: Number(livemode) },
  data: JSON.stringify(data),
})

export const layer: Layer.Layer<AlertStore, never, SqlClient.SqlClient> = Layer.effect(
  AlertStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const select = (condition: Statement.Fragment) => sql<WatchedRow>`SELECT * FROM alerts WHERE ${condition}`
    return {
      insert: (value, keyHash, most) =>
        runChange(
          sql,
          Effect.gen(function* () {
            const others = sql`
              SELECT id FROM alerts WHERE account_id = ${value.accountId} AND status <> 'deleted' LIMIT ${most}`
            if (!(yield* hasRoom(sql, value.accountId, most, others))) return false
            yield* sql`INSERT INTO alerts ${sql.insert(alert.toRow(value, { key_hash: keyHash }))}`
            return true
          }),
          undefined,
          value.id,
        ),
      find: (id) => readFirst(select(sql`id = ${id} AND status <> 'deleted'`), alert.fromRow),
      ofAccount: (accountId) =>
        readAll(select(sql`account_id = ${accountId} AND status <> 'deleted' ORDER BY id DESC`), alert.fromRow),
      active: readAll(select(sql`status = 'active' ORDER BY id`), watchedFromRow),
      remember: ({ id, version }, memory, pending) =>
        inTransaction(
          sql,
          hasWritten(sql`
            UPDATE alerts SET memory = ${JSON.stringify(memory)}, version = version + 1,
              pending = ${pending === undefined ? null : JSON.stringify(pending)}
            WHERE id = ${id} AND version = ${version} AND status = 'active' AND pending IS NULL RETURNING id`),
        ),
      fire: ({ id, version, accountId }, event) =>
        inTransaction(
          sql,
          Effect.gen(function* () {
            const isFirst = yield* hasWritten(sql`
              UPDATE alerts SET pending = NULL, version = version + 1, crossings = crossings + 1, fired_at = ${event.at}
              WHERE id = ${id} AND version = ${version} AND pending IS NOT NULL RETURNING id`)
            if (!isFirst) return false
            yield* sql`INSERT INTO outbox ${sql.insert({ account_id: accountId, ...eventToRow(event) })}`
            return true
          }),
        ),
      setStatus: (id, status, reason) =>
        runChange(
          sql,
          Effect.asVoid(sql`
            UPDATE alerts SET status = ${status}, reason = ${reason ?? null}, memory = NULL, pending = NULL,
              version = version + 1
            WHERE id = ${id} AND status <> 'deleted'`),
        ),
      remove: (id) =>
        runChange(
          sql,
          Effect.asVoid(sql`
            UPDATE alerts SET status = 'deleted', memory = NULL, pending = NULL, version = version + 1 WHERE id = ${id}`),
        ),
      fired: (accountId, since, limit) =>
        readAll(
          sql<EventRow>`
            SELECT id, at, livemode, data FROM outbox
            WHERE account_id = ${accountId} AND at >= ${since} AND type = 'alert.fired' ORDER BY at, id LIMIT ${limit}`,
          eventFromRow,
        ),
    }
  }),
)

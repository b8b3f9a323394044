import * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { SecretBox } from "../../../core/account/SecretBox.ts"
import { type EventType, types } from "../../../core/events/Event.ts"
import type { Attempt, Delivery, Reason, Webhook } from "../../../core/events/Webhook.ts"
import { WebhookStore } from "../../../core/events/WebhookStore.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { lockWithDeliveries, remove } from "../account/webhooks.ts"
import { runChange } from "../engine/changes.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { dialects, findEngine } from "../engine/Dialect.ts"
import { hasRoom, serialise } from "../engine/locks.ts"
import { mapStorageErrors } from "../engine/storage.ts"
import { webhookPlace } from "./sealSecrets.ts"

const webhook = columns<Webhook>()(["id", "accountId", "url", "status", "createdAt", "previousUntil"])
/** One row for each subscribed type. */
type Row = RowOf<typeof webhook> & { readonly type: EventType }

const delivery = columns<Delivery>()(["seq", "webhookId", "eventId", "type", "cause", "createdAt"])

export interface DeliveryRow extends RowOf<typeof delivery> {
  readonly due_at: number
  readonly lease_owner: string | null
  readonly ended_at: number | null
  readonly outcome: "delivered" | "dead" | null
  readonly reason: Reason | null
  readonly paused: number
  /** Whether a later delivery sends the event to the webhook again, 1 or 0. */
  readonly repeated: number
}

const attempt = columns<Attempt>()(["number", "at", "durationMs", "status", "error", "detail", "response"])
type AttemptRow = RowOf<typeof attempt> & { readonly delivery: number }

const toWebhooks = (rows: ReadonlyArray<Row>): ReadonlyArray<Webhook> =>
  [...new Map(rows.map((row) => [row.id, row])).values()].map((row) => ({
    ...webhook.fromRow(row),
    events: types.filter((type) => rows.some((each) => each.id === row.id && each.type === type)),
  }))

const deliveryState = ({ ended_at, outcome, reason, lease_owner, due_at, paused }: DeliveryRow): Delivery["state"] => {
  if (ended_at === null) {
    if (lease_owner !== null) return { _tag: "UnderWay" }
    return paused === 1 ? { _tag: "Waiting" } : { _tag: "Pending", dueAt: due_at }
  }
  return outcome === "delivered" ? { _tag: "Delivered", at: ended_at } : { _tag: "Dead", at: ended_at, reason: reason! }
}

const toDelivery = (row: DeliveryRow, attempts: ReadonlyArray<AttemptRow>): Delivery =>
  delivery.fromRow(row, {
    isRepeated: row.repeated === 1,
    state: deliveryState(row),
    attempts: attempts.filter(({ delivery: of }) => of === row.seq).map((each) => attempt.fromRow(each)),
  })

/** Deliveries of rows, in the same order, with their attempts. */
export const withAttempts = (sql: SqlClient.SqlClient, rows: ReadonlyArray<DeliveryRow>) =>
  rows.length === 0
    ? Effect.succeed([])
    : Effect.map(
        sql<AttemptRow>`
          SELECT * FROM webhook_attempts WHERE delivery IN ${sql.in(rows.map(({ seq }) => seq))} ORDER BY delivery, number`,
        (attempts) => rows.map((row) => toDelivery(row, attempts)),
      )

/** The columns of a delivery's row, without those of its webhook. */
export const deliveryColumns = (sql: SqlClient.SqlClient) =>
  sql.literal(`${delivery.list}, due_at, lease_owner, ended_at, outcome, reason`)

/** SQL: whether the delivery `d` is followed by another one of the same event to the same webhook. */
export const isRepeated = (sql: SqlClient.SqlClient) =>
  sql.literal(`EXISTS (
  SELECT 1 FROM webhook_deliveries later
  WHERE later.event_id = d.event_id AND later.webhook_id = d.webhook_id AND later.seq > d.seq)`)

/** The webhooks of these that are not deleted; none can be deleted until the transaction ends. */
const listPresent = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sorted = [...new Set(ids)].sort()
    // Without it, two transactions that queue the same events in different orders would deadlock.
    yield* serialise(sql, ...sorted.map((id) => `webhook queue ${id}`))
    const share = sql.literal(dialects[findEngine(sql)].lockClause("SHARE"))
    const rows = yield* sql<{ id: string }>`
          SELECT id FROM webhooks WHERE id IN ${sql.in(sorted)} AND status <> 'deleted' ORDER BY id ${share}`
    return new Set(rows.map(({ id }) => id))
  })

const makeDeliveries =
  (sql: SqlClient.SqlClient): WebhookStore["Type"]["deliveries"] =>
  ({ webhookId, accountId, eventId, type, dead, cursor, limit }) =>
    mapStorageErrors(
      Effect.gen(function* () {
        const conditions = [
          ...(eventId === undefined ? [] : [sql`event_id = ${eventId}`]),
          ...(type === undefined ? [] : [sql`type = ${type}`]),
          ...(cursor === undefined ? [] : [sql`seq < ${cursor}`]),
          ...(dead === true ? [sql`outcome = 'dead'`, sql`NOT ${isRepeated(sql)}`] : []),
        ]
        const readNewest = (id: string) => sql<DeliveryRow>`
              SELECT d.*, (SELECT COUNT(*) FROM webhooks w WHERE w.id = d.webhook_id AND w.status = 'paused') AS paused,
                CASE WHEN ${isRepeated(sql)} THEN 1 ELSE 0 END AS repeated
              FROM (
                SELECT ${deliveryColumns(sql)}
                FROM webhook_deliveries d WHERE ${sql.and([sql`webhook_id = ${id}`, ...conditions])}
                ORDER BY seq DESC LIMIT ${limit}
              ) d ORDER BY d.seq DESC`
        const ids =
          webhookId === undefined
            ? yield* sql<{ id: string }>`
                    SELECT id FROM webhooks w WHERE account_id = ${accountId ?? ""} AND EXISTS (
                      SELECT 1 FROM webhook_deliveries d WHERE ${sql.and([sql`webhook_id = w.id`, ...conditions])})`
            : [{ id: webhookId }]
        const pages = yield* Effect.forEach(ids, ({ id }) => readNewest(id))
        const rows = pages
          .flat()
          .toSorted((one, other) => other.seq - one.seq)
          .slice(0, limit)
        return yield* withAttempts(sql, rows)
      }),
    )

const makeQueue =
  (sql: SqlClient.SqlClient): WebhookStore["Type"]["queue"] =>
  (all) =>
    runChange(
      sql,
      Effect.gen(function* () {
        const queued: Array<string> = []
        if (all.length === 0) return queued
        const webhooks = yield* listPresent(
          sql,
          all.map(({ webhookId }) => webhookId),
        )
        for (const { webhookId, eventId, type, cause, at, body } of all) {
          if (!webhooks.has(webhookId)) continue
          const rows = yield* sql`
                INSERT INTO webhook_deliveries ${sql.insert({
                  webhook_id: webhookId,
                  event_id: eventId,
                  type,
                  cause,
                  created_at: at,
                  due_at: at,
                  body: body ?? null,
                })} ON CONFLICT DO NOTHING RETURNING seq`
          if (rows.length === 1) queued.push(eventId)
        }
        return queued
      }),
      (queued) => queued.length > 0,
    )

const makeChanges = (sql: SqlClient.SqlClient): Pick<WebhookStore["Type"], "setStatus" | "remove"> => ({
  setStatus: (id, status, at) =>
    runChange(
      sql,
      Effect.gen(function* () {
        yield* lockWithDeliveries(sql, id)
        if (status === "active") {
          yield* sql`
                UPDATE webhook_deliveries
                SET expires_at = expires_at + (${at} - (SELECT paused_at FROM webhooks WHERE id = ${id}))
                WHERE webhook_id = ${id} AND ended_at IS NULL AND expires_at IS NOT NULL
                  AND EXISTS (SELECT 1 FROM webhooks WHERE id = ${id} AND paused_at < ${at})`
        }
        const pausedAt = status === "paused" ? sql`coalesce(paused_at, ${at})` : sql`NULL`
        yield* sql`
              UPDATE webhooks SET status = ${status}, paused_at = ${pausedAt}
              WHERE id = ${id} AND status <> 'deleted'`
      }),
    ),
  remove: (id, at) => runChange(sql, remove(sql, id, at)),
})

export const layer: Layer.Layer<WebhookStore, never, SecretBox | SqlClient.SqlClient> = Layer.effect(
  WebhookStore,
  Effect.zipWith(SqlClient.SqlClient, SecretBox, (sql, box) => {
    /** Seals a secret. If it cannot be sealed, the webhook is not created. */
    const seal = (id: string, secret: Redacted.Redacted): Effect.Effect<string, Failure> =>
      Effect.mapError(box.seal(webhookPlace(id), secret), (error) =>
        fail("storage_unavailable", { detail: error.message, cause: error }),
      )

    const selectWebhooks = (condition: Statement.Fragment) =>
      mapStorageErrors(
        Effect.map(
          sql<Row>`
            SELECT w.id, w.account_id, w.url, w.status, w.previous_until, w.created_at, t.type
            FROM webhooks w JOIN webhook_types t ON t.webhook_id = w.id
            WHERE w.status <> 'deleted' AND ${condition} ORDER BY w.id`,
          toWebhooks,
        ),
      )

    return {
      ...makeChanges(sql),
      queue: makeQueue(sql),
      deliveries: makeDeliveries(sql),
      insert: (made, secret, most) =>
        Effect.flatMap(seal(made.id, secret), (text) =>
          runChange(
            sql,
            Effect.gen(function* () {
              const { id, accountId, events } = made
              const others = sql`
                SELECT id FROM webhooks WHERE account_id = ${accountId} AND status <> 'deleted' LIMIT ${most}`
              if (!(yield* hasRoom(sql, accountId, most, others))) return false
              yield* sql`INSERT INTO webhooks ${sql.insert(webhook.toRow(made, { secret: text }))}`
              yield* sql`INSERT INTO webhook_types ${sql.insert(events.map((type) => ({ webhook_id: id, type })))}`
              return true
            }),
            undefined,
            made.id,
          ),
        ),
      find: (id) => Effect.map(selectWebhooks(sql`w.id = ${id}`), ([one]) => one),
      ofAccount: (accountId) => selectWebhooks(sql`w.account_id = ${accountId}`),
      replaceSecret: (id, secret, previousUntil) =>
        Effect.flatMap(seal(id, secret), (text) =>
          runChange(
            sql,
            Effect.asVoid(sql`
              UPDATE webhooks SET previous_secret = secret, previous_until = ${previousUntil}, secret = ${text}
              WHERE id = ${id} AND status <> 'deleted'`),
          ),
        ),
      events: (accountId, limit) =>
        mapStorageErrors(
          sql<{ id: string; type: EventType }>`
            SELECT id, type FROM outbox WHERE account_id = ${accountId} ORDER BY at DESC, id DESC LIMIT ${limit}`,
        ),
      undelivered: (webhookId) =>
        mapStorageErrors(
          Effect.map(
            sql<{ event_id: string }>`
              SELECT d.event_id FROM webhook_deliveries d
              WHERE d.webhook_id = ${webhookId} AND d.outcome = 'dead' AND NOT ${isRepeated(sql)}`,
            (rows) => new Set(rows.map(({ event_id }) => event_id)),
          ),
        ),
    }
  }),
)

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { SecretBox, type SecretBoxError } from "../../../core/account/SecretBox.ts"
import {
  type AttemptEnd,
  DeliveryQueue,
  type LeasedDelivery,
  type LeaseRequest,
  type QueueStatus,
} from "../../../core/events/DeliveryQueue.ts"
import { type EventType, toBody } from "../../../core/events/Event.ts"
import { webhookHost } from "../../../core/events/Webhook.ts"
import * as Step from "../../../core/Step.ts"
import { day } from "../../../core/time.ts"
import { dialects } from "../engine/Dialect.ts"
import { type Queries, Transactions } from "../engine/Transactions.ts"
import { webhookPlace } from "./sealSecrets.ts"

interface LeasedRow {
  readonly seq: number
  readonly event_id: string
  readonly attempts: number
  readonly failures: number
  readonly expires_at: number
  readonly body: string | null
}

interface Address {
  readonly url: string
  readonly secret: string
  readonly previous_secret: string | null
  readonly previous_until: number | null
}

interface EventRow {
  readonly id: string
  readonly at: number
  readonly type: EventType
  readonly livemode: number
  readonly data: string
}

/**
 * SQL: deliveries whose window has ended. Not during a lease, when an attempt may be in flight, nor while the webhook is
 * paused, which suspends the window. Both parameters are the time.
 */
const isExpired = `
  ended_at IS NULL AND expires_at <= ? AND (lease_owner IS NULL OR due_at <= ?)
  AND webhook_id NOT IN (SELECT id FROM webhooks WHERE status = 'paused')`

/** Statements that end attempts, deliveries and webhooks. */
const prepareEnds = (query: Queries["prepare"]) => ({
  end: query(`
    UPDATE webhook_attempts SET duration_ms = ?, status = ?, error = ?, detail = ?, response = ?
    WHERE delivery = ? AND number = ?`),
  // A success counts even if the lease has passed to another worker.
  delivered: query(`
    UPDATE webhook_deliveries SET ended_at = ?, outcome = 'delivered', lease_owner = NULL
    WHERE seq = ? AND ended_at IS NULL`),
  retry: query(`
    UPDATE webhook_deliveries SET failures = failures + 1, due_at = ?, lease_owner = NULL
    WHERE seq = ? AND lease_owner = ? AND attempts = ?`),
  release: query(`
    UPDATE webhook_deliveries SET due_at = ?, lease_owner = NULL
    WHERE seq = ? AND lease_owner = ? AND attempts = ?`),
  dead: query(`
    UPDATE webhook_deliveries
    SET failures = failures + 1, ended_at = ?, outcome = 'dead', reason = ?, lease_owner = NULL
    WHERE seq = ? AND lease_owner = ? AND attempts = ?`),
  // A failed message about a failing webhook causes no further message.
  failing: query<{ readonly id: string; readonly account_id: string; readonly url: string }>(`
    SELECT w.id, w.account_id, w.url FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
    WHERE d.seq = ? AND d.type <> 'webhook.failing' AND w.status <> 'deleted'`),
  // At most once a day for each webhook, whose id begins the data.
  tell: query(`
    INSERT INTO outbox (id, at, account_id, type, livemode, data)
    SELECT ?, CAST(? AS BIGINT), ?, 'webhook.failing', 1, ? WHERE NOT EXISTS (
      SELECT 1 FROM outbox WHERE account_id = ? AND at > ? AND type = 'webhook.failing' AND data LIKE ?
    )`),
  disable: query(`
    UPDATE webhooks SET status = 'disabled'
    WHERE status IN ('active', 'paused') AND id = (SELECT webhook_id FROM webhook_deliveries WHERE seq = ?)`),
  abandon: query(`
    UPDATE webhook_deliveries SET ended_at = ?, outcome = 'dead', reason = 'disabled', lease_owner = NULL
    WHERE ended_at IS NULL AND webhook_id = (SELECT webhook_id FROM webhook_deliveries WHERE seq = ?)`),
})

const prepare = ({ prepare: query, dialect }: Transactions["Type"]) => {
  /** On PostgreSQL several workers lease at the same time: each skips the rows that another one is changing. */
  const free = dialects[dialect].lockClause("UPDATE SKIP LOCKED")
  const locks =
    dialect === "sqlite"
      ? undefined
      : {
          webhooks: query(`
            SELECT 1 FROM webhooks WHERE id IN (
              SELECT webhook_id FROM webhook_deliveries WHERE seq IN (SELECT value::bigint FROM json_array_elements_text(?))
            ) ORDER BY id FOR NO KEY UPDATE`),
          deliveries: query(`
            SELECT 1 FROM webhook_deliveries
            WHERE seq IN (SELECT value::bigint FROM json_array_elements_text(?)) OR ended_at IS NULL AND webhook_id IN (
              SELECT webhook_id FROM webhook_deliveries WHERE seq IN (SELECT value::bigint FROM json_array_elements_text(?))
            ) ORDER BY seq FOR UPDATE`),
        }
  return {
    locks,
    // Jumps from one webhook with pending deliveries to the next, so the cost does not grow with the backlog.
    dueWebhooks: query<Address & { readonly id: string }>(`
      WITH RECURSIVE waiting (id) AS (
        SELECT MIN(webhook_id) FROM webhook_deliveries WHERE ended_at IS NULL
        UNION ALL
        SELECT (SELECT MIN(webhook_id) FROM webhook_deliveries WHERE ended_at IS NULL AND webhook_id > waiting.id)
        FROM waiting WHERE waiting.id IS NOT NULL
      )
      SELECT w.id, w.url, w.secret, w.previous_secret, w.previous_until FROM waiting JOIN webhooks w ON w.id = waiting.id
      WHERE w.status = 'active' AND EXISTS (
        SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.ended_at IS NULL AND d.due_at <= ?
      ) ORDER BY w.id`),
    // One statement, since an idle worker runs it twice a second. All four parameters are the time.
    status: query<{ readonly at: number | null; readonly due: boolean | number; readonly expired: boolean | number }>(`
      SELECT (SELECT MIN(due_at) FROM webhook_deliveries WHERE ended_at IS NULL AND due_at > ?) AS at,
        EXISTS (SELECT 1 FROM webhook_deliveries WHERE ended_at IS NULL AND due_at <= ?) AS due,
        EXISTS (SELECT 1 FROM webhook_deliveries WHERE ${isExpired}) AS expired`),
    expire: query(`
      UPDATE webhook_deliveries SET ended_at = ?, outcome = 'dead', reason = 'expired', lease_owner = NULL
      WHERE seq IN (SELECT seq FROM webhook_deliveries WHERE ${isExpired} ${free})`),
    address: query<Address>(`
      SELECT url, secret, previous_secret, previous_until FROM webhooks WHERE id = ? AND status = 'active'`),
    // If one charge causes two events for an agent, the second waits until the first has been tried. Materialized, so that
    // the rows are chosen once, whatever the plan.
    hold: query<LeasedRow>(`
      WITH chosen AS MATERIALIZED (
        SELECT d.seq FROM webhook_deliveries d
        WHERE d.webhook_id = ? AND d.ended_at IS NULL AND d.due_at <= ? AND NOT EXISTS (
          SELECT 1 FROM webhook_deliveries first
          WHERE first.webhook_id = d.webhook_id AND first.subject = d.subject AND first.created_at = d.created_at
            AND first.ended_at IS NULL AND first.failures = 0 AND first.seq < d.seq
        )
        ORDER BY d.due_at, d.seq LIMIT ? ${free}
      )
      UPDATE webhook_deliveries
      SET lease_owner = ?, due_at = ?, attempts = attempts + 1, expires_at = coalesce(expires_at, ?)
      WHERE seq IN (SELECT seq FROM chosen)
      RETURNING seq, event_id, attempts, failures, expires_at, body`),
    event: query<EventRow>("SELECT id, at, type, livemode, data FROM outbox WHERE id = ?"),
    write: query("UPDATE webhook_deliveries SET body = ? WHERE seq = ?"),
    begin: query("INSERT INTO webhook_attempts (delivery, number, at) VALUES (?, ?, ?)"),
    ...prepareEnds(query),
  }
}

const isGone = ({ next }: AttemptEnd): boolean => next._tag === "Dead" && next.reason === "gone"

/** Opens the secrets of webhooks, and keeps those that do not open. */
const makeOpener = (box: SecretBox["Type"]) => {
  /** Webhooks whose secret does not open, and why; their deliveries wait until it does. */
  const unopened = new Map<string, SecretBoxError>()

  /** The secrets of a webhook, newest first, without an older one that does not open. */
  const unsealSecrets = (webhook: string, { secret, previous_secret, previous_until }: Address, now: number) => {
    const context = webhookPlace(webhook)
    const newest = box.open(context, secret)
    if (Either.isLeft(newest)) unopened.set(webhook, newest.left)
    else unopened.delete(webhook)
    return Either.map(newest, (one): readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>] => {
      const older = previous_secret === null || previous_until! <= now ? undefined : box.open(context, previous_secret)
      return older === undefined || Either.isLeft(older) ? [one] : [one, older.right]
    })
  }

  return { closed: unopened, unsealSecrets }
}

/** Records ends of attempts, with the locks that they need. */
const makeEnds = (sql: ReturnType<typeof prepare>) => {
  const end = Step.fn(function* (
    { seq, attempt, at, durationMs, status, error, detail, response, next }: AttemptEnd,
    leaseOwner: string,
  ) {
    if (next._tag !== "Released") {
      yield* sql.end.run(durationMs, status ?? null, error ?? null, detail ?? null, response ?? null, seq, attempt)
    }
    if (next._tag === "Delivered") yield* sql.delivered.run(at, seq)
    else if (next._tag === "Retry") yield* sql.retry.run(next.dueAt, seq, leaseOwner, attempt)
    else if (next._tag === "Released") yield* sql.release.run(at, seq, leaseOwner, attempt)
    else yield* sql.dead.run(at, next.reason, seq, leaseOwner, attempt)
    if (next._tag !== "Dead") return
    if (next.reason === "gone") {
      yield* sql.disable.run(seq)
      yield* sql.abandon.run(at, seq)
    }
    const failing = yield* sql.failing.get(seq)
    if (failing === undefined) return
    const { id, account_id: account } = failing
    const data = JSON.stringify({ webhook_id: id, host: webhookHost(failing), reason: next.reason })
    yield* sql.tell.run(next.eventId, at, account, data, account, at - day, `{"webhook_id":"${id}"%`)
  })

  /**
   * Takes the locks on PostgreSQL in the order of everything that changes webhooks: webhooks first, then deliveries by number,
   * so that two transactions never deadlock.
   */
  const lock = Step.fn(function* (ended: ReadonlyArray<AttemptEnd>) {
    if (sql.locks === undefined || ended.length === 0) return
    const list = (some: ReadonlyArray<AttemptEnd>) => JSON.stringify(some.map(({ seq }) => seq))
    yield* sql.locks.webhooks.all(list(ended.filter(({ next }) => next._tag === "Dead")))
    yield* sql.locks.deliveries.all(list(ended), list(ended.filter(isGone)))
  })

  return { end, lock }
}

/** The queue's operations, which run in the caller's transaction. */
const makeSteps = (transactions: Transactions["Type"], box: SecretBox["Type"]) => {
  const sql = prepare(transactions)
  const { closed, unsealSecrets } = makeOpener(box)
  const { end, lock } = makeEnds(sql)

  const due = Step.fn(function* (now: number) {
    const status = (yield* sql.status.get(now, now, now, now))!
    const webhooks = status.due ? yield* sql.dueWebhooks.all(now) : []
    return {
      webhooks: webhooks
        .filter((webhook) => Either.isRight(unsealSecrets(webhook.id, webhook, now)))
        .map(({ id }) => id),
      hasExpired: Boolean(status.expired),
      ...(status.at === null ? {} : { nextAt: status.at }),
    } satisfies QueueStatus
  })

  const readStoredBytes = Step.fn(function* (id: string) {
    const { livemode, data, ...event } = (yield* sql.event.get(id))!
    return toBody({ ...event, livemode: livemode === 1, data: JSON.parse(data) })
  })

  const take = Step.fn(function* (
    webhook: string,
    count: number,
    { leaseOwner, now, leaseMs, windowMs }: LeaseRequest,
  ) {
    const address = yield* sql.address.get(webhook)
    const secrets = address === undefined ? undefined : unsealSecrets(webhook, address, now)
    if (address === undefined || secrets === undefined || Either.isLeft(secrets)) return []
    const held = yield* sql.hold.all(webhook, now, count, leaseOwner, now + leaseMs, now + windowMs)
    const leased: Array<LeasedDelivery> = []
    for (const row of [...held].sort((a, b) => a.seq - b.seq)) {
      yield* sql.begin.run(row.seq, row.attempts, now)
      const bytes = row.body ?? (yield* readStoredBytes(row.event_id))
      if (row.body === null) yield* sql.write.run(bytes, row.seq)
      leased.push({
        seq: row.seq,
        attempt: row.attempts,
        webhookId: webhook,
        eventId: row.event_id,
        url: address.url,
        secrets: secrets.right,
        body: bytes,
        failures: row.failures,
        expiresAt: row.expires_at,
      })
    }
    return leased
  })

  const recordAndLease = Step.fn(function* (given: LeaseRequest) {
    yield* lock(given.endedAttempts)
    for (const each of given.endedAttempts) yield* end(each, given.leaseOwner)
    yield* sql.expire.run(given.now, given.now, given.now)
    const leased: Array<LeasedDelivery> = []
    for (const [webhook, count] of given.leases) leased.push(...(yield* take(webhook, count, given)))
    return leased
  })

  return { due, recordAndLease, closed }
}

/** The queue on either store: each call of `recordAndLease` is one transaction. */
export const layer: Layer.Layer<DeliveryQueue, never, SecretBox | Transactions> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const transactions = yield* Transactions
    const step = makeSteps(transactions, yield* SecretBox)
    const logged = new Set<string>()
    /** Logs each webhook once, since `status` is polled. */
    const announce = Effect.suspend(() => {
      for (const webhook of logged) if (!step.closed.has(webhook)) logged.delete(webhook)
      const fresh = [...step.closed].filter(([webhook]) => !logged.has(webhook))
      for (const [webhook] of fresh) logged.add(webhook)
      return Effect.forEach(
        fresh,
        ([webhook, { message }]) =>
          Effect.annotateLogs(Effect.logError(`Webhook deliveries are waiting: ${message}`), { webhook }),
        { discard: true },
      )
    })
    return {
      status: (now) =>
        Effect.zipLeft(
          transactions.read(() => step.due(now)),
          announce,
        ),
      recordAndLease: (request) => transactions.write(() => step.recordAndLease(request)),
    }
  }),
)

import type { Database, Statement } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { SecretBox, type SecretBoxError } from "../../core/account/SecretBox.ts"
import {
  type AttemptEnd,
  DeliveryQueue,
  type LeasedDelivery,
  type LeaseRequest,
  type QueueStatus,
} from "../../core/events/DeliveryQueue.ts"
import { body, type EventType } from "../../core/events/Event.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import { openSecret, placeOfWebhook } from "./sealSecrets.ts"
import { mapStorageErrors } from "./storage.ts"

interface Held {
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
 * Deliveries whose window has ended. Not during a lease, when an attempt may be in flight, nor while the webhook is
 * paused, which suspends the window.
 */
const expired = `
  ended_at IS NULL AND expires_at <= :now AND (lease_owner IS NULL OR due_at <= :now)
  AND webhook_id NOT IN (SELECT id FROM webhooks WHERE status = 'paused')`

const prepare = (db: Database) => {
  const statement = (sql: string): Statement => db.prepare(sql)
  return {
    // Jumps from one webhook with pending deliveries to the next, so the cost does not grow with the backlog.
    dueWebhooks: statement(`
      WITH RECURSIVE waiting (id) AS (
        SELECT MIN(webhook_id) FROM webhook_deliveries WHERE ended_at IS NULL
        UNION ALL
        SELECT (SELECT MIN(webhook_id) FROM webhook_deliveries WHERE ended_at IS NULL AND webhook_id > waiting.id)
        FROM waiting WHERE waiting.id IS NOT NULL
      )
      SELECT w.id FROM waiting JOIN webhooks w ON w.id = waiting.id
      WHERE w.status = 'active' AND EXISTS (
        SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.ended_at IS NULL AND d.due_at <= :now
      )`),
    anyDue: statement("SELECT 1 FROM webhook_deliveries WHERE ended_at IS NULL AND due_at <= :now LIMIT 1"),
    nextAt: statement("SELECT MIN(due_at) AS at FROM webhook_deliveries WHERE ended_at IS NULL AND due_at > :now"),
    anyExpired: statement(`SELECT 1 FROM webhook_deliveries WHERE ${expired} LIMIT 1`),
    expire: statement(`
      UPDATE webhook_deliveries SET ended_at = :now, outcome = 'dead', reason = 'expired', lease_owner = NULL
      WHERE ${expired}`),
    address: statement(`
      SELECT url, secret, previous_secret, previous_until FROM webhooks WHERE id = :webhook AND status = 'active'`),
    // If one charge causes two events for an agent, the second waits for the first one's first attempt.
    hold: statement(`
      UPDATE webhook_deliveries
      SET lease_owner = :leaseOwner, due_at = :now + :leaseMs, attempts = attempts + 1,
          expires_at = coalesce(expires_at, :now + :windowMs)
      WHERE seq IN (
        SELECT d.seq FROM webhook_deliveries d
        WHERE d.webhook_id = :webhook AND d.ended_at IS NULL AND d.due_at <= :now AND NOT EXISTS (
          SELECT 1 FROM webhook_deliveries first
          WHERE first.webhook_id = d.webhook_id AND first.subject = d.subject AND first.created_at = d.created_at
            AND first.ended_at IS NULL AND first.failures = 0 AND first.seq < d.seq
        )
        ORDER BY d.due_at, d.seq LIMIT :count
      )
      RETURNING seq, event_id, attempts, failures, expires_at, body`),
    event: statement("SELECT id, at, type, livemode, data FROM outbox WHERE id = :id"),
    write: statement("UPDATE webhook_deliveries SET body = :body WHERE seq = :seq"),
    begin: statement("INSERT INTO webhook_attempts (delivery, number, at) VALUES (:seq, :attempt, :now)"),
    end: statement(`
      UPDATE webhook_attempts
      SET duration_ms = :durationMs, status = :status, error = :error, detail = :detail, response = :response
      WHERE delivery = :seq AND number = :attempt`),
    // A success counts even if the lease has passed to another worker.
    delivered: statement(`
      UPDATE webhook_deliveries SET ended_at = :at, outcome = 'delivered', lease_owner = NULL
      WHERE seq = :seq AND ended_at IS NULL`),
    retry: statement(`
      UPDATE webhook_deliveries SET failures = failures + 1, due_at = :dueAt, lease_owner = NULL
      WHERE seq = :seq AND lease_owner = :leaseOwner AND attempts = :attempt`),
    release: statement(`
      UPDATE webhook_deliveries SET due_at = :at, lease_owner = NULL
      WHERE seq = :seq AND lease_owner = :leaseOwner AND attempts = :attempt`),
    dead: statement(`
      UPDATE webhook_deliveries
      SET failures = failures + 1, ended_at = :at, outcome = 'dead', reason = :reason, lease_owner = NULL
      WHERE seq = :seq AND lease_owner = :leaseOwner AND attempts = :attempt`),
    disable: statement(`
      UPDATE webhooks SET status = 'disabled'
      WHERE status IN ('active', 'paused') AND id = (SELECT webhook_id FROM webhook_deliveries WHERE seq = :seq)`),
    abandon: statement(`
      UPDATE webhook_deliveries SET ended_at = :at, outcome = 'dead', reason = 'disabled', lease_owner = NULL
      WHERE ended_at IS NULL AND webhook_id = (SELECT webhook_id FROM webhook_deliveries WHERE seq = :seq)`),
  }
}

/** The queue's operations on the bare connection, each inside a transaction of the group commit. */
const steps = (db: Database, box: SecretBox["Type"]) => {
  const sql = prepare(db)
  /** Webhooks whose secret does not open, and why; their deliveries wait until it does. */
  const closed = new Map<string, SecretBoxError>()

  /** The secrets of a webhook, newest first. An older one that does not open is omitted. */
  const secretsOf = (webhook: string, { secret, previous_secret, previous_until }: Address, now: number) => {
    const place = placeOfWebhook(webhook)
    const newest = openSecret(box, place, secret)
    if (Either.isLeft(newest)) closed.set(webhook, newest.left)
    else closed.delete(webhook)
    return Either.map(newest, (one): readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>] => {
      const older =
        previous_secret === null || previous_until! <= now ? undefined : openSecret(box, place, previous_secret)
      return older === undefined || Either.isLeft(older) ? [one] : [one, older.right]
    })
  }

  const opens = (webhook: string, now: number): boolean => {
    const address = sql.address.get({ webhook }) as Address | undefined
    return address !== undefined && Either.isRight(secretsOf(webhook, address, now))
  }

  const due = (now: number): QueueStatus => {
    const { at } = sql.nextAt.get({ now }) as { readonly at: number | null }
    return {
      webhooks:
        sql.anyDue.get({ now }) === undefined
          ? []
          : (sql.dueWebhooks.all({ now }) as ReadonlyArray<{ readonly id: string }>)
              .map(({ id }) => id)
              .filter((id) => opens(id, now)),
      expired: sql.anyExpired.get({ now }) !== undefined,
      ...(at === null ? {} : { nextAt: at }),
    }
  }

  const end = (
    { seq, attempt, at, durationMs, status, error, detail, response, next }: AttemptEnd,
    leaseOwner: string,
  ): void => {
    if (next._tag !== "Released") {
      sql.end.run({
        seq,
        attempt,
        durationMs,
        status: status ?? null,
        error: error ?? null,
        detail: detail ?? null,
        response: response ?? null,
      })
    }
    const own = { seq, leaseOwner, attempt }
    if (next._tag === "Delivered") sql.delivered.run({ seq, at })
    else if (next._tag === "Retry") sql.retry.run({ ...own, dueAt: next.dueAt })
    else if (next._tag === "Released") sql.release.run({ ...own, at })
    else sql.dead.run({ ...own, at, reason: next.reason })
    if (next._tag === "Dead" && next.reason === "gone") {
      sql.disable.run({ seq })
      sql.abandon.run({ seq, at })
    }
  }

  const bytesOf = (id: string): string => {
    const { livemode, data, ...event } = sql.event.get({ id }) as EventRow
    return body({ ...event, livemode: livemode === 1, data: JSON.parse(data) })
  }

  const take = (
    webhook: string,
    count: number,
    { leaseOwner, now, leaseMs, windowMs }: LeaseRequest,
  ): ReadonlyArray<LeasedDelivery> => {
    const address = sql.address.get({ webhook }) as Address | undefined
    if (address === undefined) return []
    const secrets = secretsOf(webhook, address, now)
    if (Either.isLeft(secrets)) return []
    const { url } = address
    const held = sql.hold.all({ webhook, count, leaseOwner, now, leaseMs, windowMs }) as ReadonlyArray<Held>
    return [...held]
      .sort((a, b) => a.seq - b.seq)
      .map((row) => {
        sql.begin.run({ seq: row.seq, attempt: row.attempts, now })
        const bytes = row.body ?? bytesOf(row.event_id)
        if (row.body === null) sql.write.run({ seq: row.seq, body: bytes })
        return {
          seq: row.seq,
          attempt: row.attempts,
          webhookId: webhook,
          eventId: row.event_id,
          url,
          secrets: secrets.right,
          body: bytes,
          failures: row.failures,
          expiresAt: row.expires_at,
        }
      })
  }

  const recordAndLease = (given: LeaseRequest): ReadonlyArray<LeasedDelivery> => {
    for (const each of given.ended) end(each, given.leaseOwner)
    sql.expire.run({ now: given.now })
    return [...given.leases].flatMap(([webhook, count]) => take(webhook, count, given))
  }

  return { due, recordAndLease, closed }
}

/** The queue on SQLite: each call of `turn` is one transaction. */
export const layer: Layer.Layer<DeliveryQueue, never, SecretBox | Sqlite> = Layer.scoped(
  DeliveryQueue,
  Effect.gen(function* () {
    const { db, exclusive } = yield* Sqlite
    const step = steps(db, yield* SecretBox)
    const commits = yield* GroupCommit.make
    const logged = new Set<string>()
    /** Logs each webhook once, since `due` is polled. */
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
      due: (now) => Effect.zipLeft(mapStorageErrors(exclusive(() => step.due(now))), announce),
      recordAndLease: (request) => commits.submit(() => step.recordAndLease(request)),
    }
  }),
)

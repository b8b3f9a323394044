import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as secretBox from "../../../../../adapters/runtime/node/secretBox.ts"
import * as worker from "../../../../../adapters/server/webhooks/worker.ts"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import { type AttemptEnd, DeliveryQueue } from "../../../../../core/events/DeliveryQueue.ts"
import { WebhookStore } from "../../../../../core/events/WebhookStore.ts"
import { endOf, start as now, retry, turn } from "../../../../support/deliveryQueue.ts"
import { database } from "../../../../support/postgres.ts"
import { cross, eventIds, owner, webhooksOn } from "../../../../support/webhookRows.ts"
import { says, scripted } from "../../../../support/webhooks.ts"

const [one] = [["https://one.example/"]]

type Node = Context.Context<Layer.Layer.Success<ReturnType<typeof webhooksOn>>>

/** So many nodes, each with connections of its own, over one new database and one key of secrets. */
const nodes = (count: number) =>
  Effect.gen(function* () {
    const [url, box] = [yield* database, Layer.succeedContext(yield* Layer.build(secretBox.layerMemory))]
    return yield* Effect.forEach(Array.from({ length: count }), () => Layer.build(webhooksOn(Postgres.layer(url), box)))
  })

const on = <A, E, R>(node: Node, work: Effect.Effect<A, E, R>) => Effect.provide(work, node)

/** Every node does the work at once. */
const together = <A, E, R>(all: ReadonlyArray<Node>, work: (node: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(all, (node, index) => on(node, work(index)), { concurrency: "unbounded" })

const rows = <Row extends object>(text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(text))

/** Until a statement of the database waits for a lock. */
const aWait: Effect.Effect<void, unknown, SqlClient.SqlClient> = Effect.flatMap(
  rows("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
  (found) => (found.length > 0 ? Effect.void : aWait),
)

/** Deliveries that nobody will end: those of a deleted webhook. */
const lost = rows(`
  SELECT d.seq FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
  WHERE w.status = 'deleted' AND d.ended_at IS NULL`)

describe("webhooks of several nodes", () => {
  it.scopedLive("send every event once with a worker on each", () =>
    Effect.gen(function* () {
      const all = yield* nodes(3)
      const who = yield* on(all[0]!, owner([...one!, "https://two.example/"], ["agent.budget_warning"]))
      yield* on(all[0]!, cross(who, 100))
      const client = scripted(() => Effect.delay(says(200), "5 millis"))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.forEach(all, (node) =>
            Layer.build(worker.layer({ pollMs: 50 }).pipe(Layer.provide([client.layer, Layer.succeedContext(node)]))),
          )
          yield* Effect.repeat(on(all[0]!, rows("SELECT 1 FROM webhook_deliveries WHERE ended_at IS NULL LIMIT 1")), {
            until: (pending) => pending.length === 0,
            schedule: Schedule.spaced("50 millis"),
          })
        }),
      )
      const sent = client.attempts.map(({ id, url }) => `${id} ${url}`)
      assert.lengthOf(sent, 200)
      assert.strictEqual(new Set(sent).size, 200)
      assert.deepStrictEqual(
        yield* on(all[0]!, rows("SELECT outcome, attempts, COUNT(*) AS n FROM webhook_deliveries GROUP BY 1, 2")),
        [{ outcome: "delivered", attempts: 1, n: 200 }],
      )
    }),
  )

  it.scoped("leave nothing under way of one that is deleted while its event is written", () =>
    Effect.gen(function* () {
      const [writer, remover] = (yield* nodes(2)) as [Node, Node]
      const who = yield* on(writer, owner([...one!, "https://two.example/"], ["agent.budget_warning"]))
      const [first, second] = who.webhooks.map(({ id }) => id) as [string, string]
      const event = (id: string) => (sql: SqlClient.SqlClient) =>
        sql`INSERT INTO outbox ${sql.insert({ id, at: now, account_id: who.accountId, type: "agent.budget_warning", livemode: 1, data: "{}" })}`
      const remove = (id: string) => Effect.flatMap(WebhookStore, (store) => store.remove(id, now))

      /** Runs `other` on another node while a transaction has written and is not committed. */
      const during = <A, E, R>(
        [node, written]: readonly [Node, (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>],
        [elsewhere, other]: readonly [Node, Effect.Effect<A, E, R>],
      ) =>
        Effect.gen(function* () {
          const [begun, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const held = Effect.flatMap(SqlClient.SqlClient, (sql) =>
            sql.withTransaction(Effect.all([written(sql), Deferred.succeed(begun, undefined), Deferred.await(commit)])),
          )
          const first = yield* Effect.fork(on(node, held))
          yield* Deferred.await(begun)
          const second = yield* Effect.fork(on(elsewhere, other))
          yield* on(elsewhere, aWait)
          yield* Deferred.succeed(commit, undefined)
          yield* Fiber.join(first)
          yield* Fiber.join(second)
        })
      // The event first: the deletion waits for it and ends its delivery.
      yield* during([writer, event("event-1")], [remover, remove(first)])
      // The deletion first: the event waits for it and makes no delivery.
      yield* during(
        [remover, (sql) => sql`UPDATE webhooks SET status = 'deleted', secret = NULL WHERE id = ${second}`],
        [writer, Effect.flatMap(SqlClient.SqlClient, event("event-2"))],
      )
      assert.deepStrictEqual(
        yield* on(
          writer,
          rows("SELECT event_id, webhook_id, reason FROM webhook_deliveries ORDER BY event_id, reason"),
        ),
        [
          { event_id: "event-1", webhook_id: first, reason: "deleted" },
          // Written before the second deletion, which this test made by hand.
          { event_id: "event-1", webhook_id: second, reason: null },
        ],
      )
    }),
  )

  it.scoped("give a paused delivery its time back once", () =>
    Effect.gen(function* () {
      const all = yield* nodes(4)
      const who = yield* on(all[0]!, owner(one!, ["agent.budget_warning"]))
      const { id } = who.webhooks[0]!
      yield* on(all[0]!, cross(who, 1))
      const [taken] = yield* on(all[0]!, turn("a", now, { [id]: 1 }))
      yield* on(all[0]!, turn("a", now, {}, [endOf(taken!, retry(now + 5_000))]))
      for (let round = 1; round <= 20; round++) {
        const at = now + round * 100_000
        yield* on(
          all[0]!,
          Effect.flatMap(WebhookStore, (store) => store.setStatus(id, "paused", at)),
        )
        yield* together(all, () => Effect.flatMap(WebhookStore, (store) => store.setStatus(id, "active", at + 1_000)))
        assert.deepStrictEqual(yield* on(all[0]!, rows("SELECT expires_at FROM webhook_deliveries")), [
          { expires_at: taken!.expiresAt + round * 1_000 },
        ])
      }
    }),
  )

  it.scoped("queue an event once, in whatever order they are asked", () =>
    Effect.gen(function* () {
      const all = yield* nodes(4)
      const who = yield* on(all[0]!, owner(one!, ["agent.budget_exceeded"]))
      const { id } = who.webhooks[0]!
      for (let round = 0; round < 10; round++) {
        const asked = Array.from({ length: 40 }, (_, n) => ({
          webhookId: id,
          eventId: `event ${round} ${n}`,
          type: "agent.budget_warning" as const,
          cause: "replay" as const,
          at: now,
        }))
        const queued = yield* together(all, (node) =>
          Effect.flatMap(WebhookStore, (store) => store.queue(node % 2 === 0 ? asked : [...asked].reverse())),
        )
        assert.lengthOf(queued.flat(), 40)
      }
    }),
  )

  it.scoped("never wait for each other in a ring", () =>
    Effect.gen(function* () {
      const all = yield* nodes(4)
      const urls = Array.from({ length: 4 }, (_, n) => `https://h${n}.example/`)
      const who = yield* on(all[0]!, owner(urls))
      const ids = who.webhooks.map(({ id }) => id)
      const work = (node: number) =>
        Effect.gen(function* () {
          const store = yield* WebhookStore
          const queue = yield* DeliveryQueue
          let ended: ReadonlyArray<AttemptEnd> = []
          for (let round = 0; round < 30; round++) {
            const id = ids[(node + round) % ids.length]!
            yield* cross(who, 1, node * 1_000 + round)
            // Leases that end at once, so that others take the same deliveries.
            const taken = yield* queue.recordAndLease({
              leaseOwner: `worker ${node}`,
              now: now + round,
              endedAttempts: ended,
              leases: new Map([...ids].reverse().map((each) => [each, 3])),
              leaseMs: 0,
              windowMs: 86_400_000,
            })
            ended = taken.map((each, n) =>
              endOf(
                each,
                n % 5 === 4
                  ? { _tag: "Dead", reason: "gone", eventId: crypto.randomUUID() }
                  : n % 2 === 0
                    ? { _tag: "Delivered" }
                    : retry(now),
              ),
            )
            yield* store.setStatus(id, round % 2 === 0 ? "paused" : "active", now + round)
            for (const each of ids) yield* store.setStatus(each, "active", now + round)
            const newest = yield* store.events(who.accountId, 5)
            yield* store.queue(
              newest.map(({ id: eventId, type }) => ({ webhookId: id, eventId, type, cause: "replay", at: now })),
            )
          }
        })
      yield* together(all, work)
      yield* together(all, (node) => Effect.flatMap(WebhookStore, (store) => store.remove(ids[node]!, now)))
      assert.lengthOf(yield* on(all[0]!, lost), 0)
      // And one that tells of each webhook that was gone.
      const events = yield* on(all[0]!, eventIds)
      assert.isAtLeast(events.length, 4 * 30 * 2 + 1)
      assert.isAtMost(events.length, 4 * 30 * 2 + 4)
    }),
  )
})

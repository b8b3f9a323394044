// Proof: takes five seconds or more.
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { deleteDeliveries } from "../../../../adapters/store/upkeep/sweeps.ts"
import { DeliveryQueue } from "../../../../core/events/DeliveryQueue.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import {
  delivered,
  deliveriesOf,
  endOf,
  inStore,
  leaseMs,
  one,
  retry,
  start,
  states,
  turn,
} from "../../../support/deliveryQueue.ts"
import { count } from "../../../support/spender.ts"
import { cross, eventIds, owner } from "../../../support/webhooks.ts"

describe("the outbox", () => {
  it.effect("queues each event for the subscribed webhooks, in the transaction that writes it", () =>
    inStore(
      Effect.gen(function* () {
        const service = yield* Webhooks
        const who = yield* owner([...one, "https://two.example/"], ["agent.budget_warning"])
        const { webhook: all } = yield* service.create(who.accountId, "https://all.example/", [
          "agent.budget_warning",
          "agent.budget_exceeded",
        ])
        yield* service.pause(who.webhooks[0]!.id)
        yield* service.remove(who.webhooks[1]!.id)
        yield* cross(who, 1)
        assert.lengthOf(yield* deliveriesOf(who.webhooks[0]!.id), 1)
        assert.lengthOf(yield* deliveriesOf(all.id), 2)
        assert.strictEqual(yield* count("webhook_deliveries"), 3)
      }),
    ),
  )

  it.effect("lists each webhook with the events of its own", () =>
    inStore(
      Effect.gen(function* () {
        const service = yield* Webhooks
        const who = yield* owner(one, ["agent.budget_warning"])
        const both = ["agent.budget_warning", "agent.budget_exceeded"] as const
        yield* service.create(who.accountId, "https://both.example/", both)
        yield* service.create(who.accountId, "https://last.example/", [both[1]])
        const events = new Map((yield* service.list(who.accountId)).map((each) => [each.url, [...each.events].sort()]))
        assert.deepStrictEqual(
          [who.webhooks[0]!.url, "https://both.example/", "https://last.example/"].map((url) => events.get(url)),
          [[both[0]], [...both].sort(), [both[1]]],
        )
      }),
    ),
  )
})

describe("the queue", () => {
  it.effect("leases a delivery to one worker, and to another after the lease has expired", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id, secret } = who.webhooks[0]!
        yield* cross(who, 1)
        const [first] = yield* turn("a", start, { [id]: 5 })
        assert.deepInclude(first!, {
          webhookId: id,
          url: one[0]!,
          attempt: 1,
          failures: 0,
          expiresAt: start + 86_400_000,
        })
        assert.deepStrictEqual(first!.secrets.map(Redacted.value), [secret])
        assert.strictEqual(JSON.parse(first!.body).id, (yield* eventIds)[0])
        assert.lengthOf(yield* turn("b", start + leaseMs - 1, { [id]: 5 }), 0)
        const [second] = yield* turn("b", start + leaseMs, { [id]: 5 })
        assert.deepInclude(second!, {
          seq: first!.seq,
          attempt: 2,
          failures: 0,
          body: first!.body,
          expiresAt: first!.expiresAt,
        })
        // The first worker comes back: its failure is none any more, its attempt stays on record.
        yield* turn("a", start + leaseMs, {}, [endOf(first!, retry(start), { error: "timeout", detail: "late" })])
        const [waiting] = yield* deliveriesOf(id)
        assert.strictEqual(waiting!.state._tag, "UnderWay")
        assert.deepStrictEqual(
          waiting!.attempts.map(({ number, error }) => [number, error]),
          [
            [1, "timeout"],
            [2, undefined],
          ],
        )
        // But what it has delivered is delivered.
        yield* turn("a", start + leaseMs, {}, [endOf(first!, delivered, { status: 200 })])
        assert.deepStrictEqual(states(yield* deliveriesOf(id)), ["Delivered"])
        yield* turn("b", start + leaseMs, {}, [endOf(second!, retry(start), { status: 500, error: "status" })])
        assert.deepStrictEqual(states(yield* deliveriesOf(id)), ["Delivered"])
        assert.lengthOf(yield* turn("c", start + 86_400_000, { [id]: 5 }), 0)
      }),
    ),
  )

  it.effect("leases only due deliveries, oldest first, and states the next due time", () =>
    inStore(
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id } = who.webhooks[0]!
        assert.deepStrictEqual(yield* queue.status(start), { webhooks: [], hasExpired: false })
        yield* cross(who, 3)
        assert.deepStrictEqual(yield* queue.status(start), { webhooks: [id], hasExpired: false })
        // Every other event is one that the webhook is not sent.
        const ids = yield* eventIds
        const [first, second, ...rest] = yield* turn("a", start, { [id]: 2 })
        assert.lengthOf(rest, 0)
        assert.deepStrictEqual([first!.eventId, second!.eventId], [ids[0], ids[2]])
        yield* turn("a", start, {}, [endOf(first!, retry(start + 7_000), { status: 500, error: "status" })])
        yield* turn("a", start, { [id]: 9 })
        assert.deepStrictEqual(yield* queue.status(start), { webhooks: [], hasExpired: false, nextAt: start + 7_000 })
        const [again] = yield* turn("a", start + 7_000, { [id]: 9 })
        assert.deepInclude(again!, { seq: first!.seq, failures: 1, attempt: 2 })
      }),
    ),
  )

  it.effect("ends expired deliveries, but not while they are leased", () =>
    inStore(
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id } = who.webhooks[0]!
        yield* cross(who, 1)
        const [first] = yield* turn("a", start, { [id]: 1 })
        const end = first!.expiresAt
        yield* turn("a", start, {}, [endOf(first!, retry(end - 1_000), { status: 500, error: "status" })])
        yield* turn("a", end - 1_000, { [id]: 1 })
        assert.isFalse((yield* queue.status(end)).hasExpired)
        assert.isTrue((yield* queue.status(end - 1_000 + leaseMs)).hasExpired)
        assert.lengthOf(yield* turn("b", end - 1_000 + leaseMs, { [id]: 1 }), 0)
        assert.deepInclude((yield* deliveriesOf(id))[0]!.state, { _tag: "Dead", reason: "expired" })
      }),
    ),
  )

  it.effect("stops a delivery's time while its webhook is paused, and resumes with the time left", () =>
    inStore(
      Effect.gen(function* () {
        const [queue, service] = [yield* DeliveryQueue, yield* Webhooks]
        const who = yield* owner([...one, "https://two.example/"], ["agent.budget_warning"])
        const [id, other] = who.webhooks.map((each) => each.id) as [string, string]
        yield* cross(who, 1)
        const [first] = yield* turn("a", start, { [id]: 1 })
        const end = first!.expiresAt
        yield* turn("a", start, {}, [endOf(first!, retry(start + 5_000), { status: 500, error: "status" })])
        yield* TestClock.setTime(end - 10_000)
        yield* service.pause(id)
        assert.deepStrictEqual(states(yield* deliveriesOf(id)), ["Waiting"])
        assert.deepStrictEqual(states(yield* deliveriesOf(other)), ["Pending"])
        // Never tried, it has no end yet.
        yield* service.pause(other)
        assert.deepStrictEqual(yield* queue.status(end + 70_000), { webhooks: [], hasExpired: false })
        assert.lengthOf(yield* turn("a", end + 70_000, { [id]: 1, [other]: 1 }), 0)
        assert.deepStrictEqual(states(yield* deliveriesOf(id)), ["Waiting"])
        yield* TestClock.setTime(end + 70_000)
        for (const each of [id, other]) yield* service.resume(each)
        assert.deepStrictEqual(states(yield* deliveriesOf(id)), ["Pending"])
        // Ten seconds were left at the pause, and are left after it; resuming again adds none.
        yield* service.resume(id)
        assert.isFalse((yield* queue.status(end + 79_999)).hasExpired)
        assert.isTrue((yield* queue.status(end + 80_000)).hasExpired)
        const [again] = yield* turn("a", end + 79_999, { [id]: 1 })
        assert.deepInclude(again!, { attempt: 2, expiresAt: end + 80_000 })
      }),
    ),
  )

  it.effect("deletes old ended deliveries with their attempts, and nothing else", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id } = who.webhooks[0]!
        yield* cross(who, 303)
        const taken = yield* turn("a", start, { [id]: 302 })
        yield* turn(
          "a",
          start,
          {},
          taken.slice(0, 301).map((each) => endOf(each, delivered, { status: 200 })),
        )
        assert.strictEqual(yield* deleteDeliveries(start + 100), 0)
        assert.strictEqual(yield* deleteDeliveries(start + 101), 301)
        assert.deepStrictEqual([yield* count("webhook_deliveries"), yield* count("webhook_attempts")], [2, 1])
        assert.strictEqual(yield* count("outbox"), 606)
      }),
    ),
  )
})

describe("webhooks of an account", () => {
  it.effect("are limited to sixteen, even when created concurrently; deleting one makes room", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one)
        const service = yield* Webhooks
        const made = yield* Effect.forEach(
          Array.from({ length: 30 }),
          (_, n) => Effect.either(service.create(who.accountId, `https://h${n}.example/`, ["agent.budget_warning"])),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(
          made.filter(({ _tag }) => _tag === "Right"),
          15,
        )
        assert.lengthOf(yield* service.list(who.accountId), 16)
        yield* service.remove(who.webhooks[0]!.id)
        yield* service.create(who.accountId, "https://last.example/", ["agent.budget_warning"])
      }),
    ),
  )

  it.effect("when deleted leave no secret and no pending delivery", () =>
    inStore(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const who = yield* owner(one)
        const { id } = who.webhooks[0]!
        const service = yield* Webhooks
        yield* service.rotate(id)
        yield* cross(who, 1)
        yield* service.remove(id)
        assert.deepStrictEqual(yield* sql`SELECT status, secret, previous_secret FROM webhooks`, [
          { status: "deleted", secret: null, previous_secret: null },
        ])
        assert.deepStrictEqual(yield* sql`SELECT DISTINCT outcome, reason FROM webhook_deliveries`, [
          { outcome: "dead", reason: "deleted" },
        ])
        for (const verb of [service.pause, service.resume, service.remove, service.rotate, service.test]) {
          assert.strictEqual(
            (yield* Effect.flip(verb(id) as Effect.Effect<unknown, { code: string }>)).code,
            "not_found",
          )
        }
        assert.lengthOf(yield* service.list(who.accountId), 0)
      }),
    ),
  )
})

import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { forgetDeliveries } from "../../../adapters/sql/forgetDeliveries.ts"
import { type AttemptEnd, DeliveryQueue, type LeasedDelivery } from "../../../core/events/DeliveryQueue.ts"
import type { Delivery } from "../../../core/events/Webhook.ts"
import { WebhookStore } from "../../../core/events/WebhookStore.ts"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import type { Failure } from "../../../core/Failure.ts"
import { anyStore } from "../../support/anyStore.ts"
import { count } from "../../support/spender.ts"
import { account, cross, eventIds, owner, webhooksOn } from "../../support/webhookRows.ts"

const store = webhooksOn(anyStore)

const start = Date.UTC(2026, 6, 9, 12)
const one = ["https://one.example/"]
const leaseMs = 30_000

const inStore = <A, E>(test: Effect.Effect<A, E, Layer.Layer.Success<typeof store>>) =>
  Effect.provide(Effect.zipRight(TestClock.setTime(start), test), store)

/** One turn of a worker. */
const turn = (
  leaseOwner: string,
  now: number,
  take: Readonly<Record<string, number>>,
  ended: ReadonlyArray<AttemptEnd> = [],
) =>
  Effect.flatMap(DeliveryQueue, (queue) =>
    queue.recordAndLease({
      leaseOwner,
      now,
      ended,
      leases: new Map(Object.entries(take)),
      leaseMs,
      windowMs: 86_400_000,
    }),
  )

const endOf = (
  { seq, attempt }: LeasedDelivery,
  next: AttemptEnd["next"],
  rest: Partial<AttemptEnd> = {},
): AttemptEnd => ({
  seq,
  attempt,
  at: start + 100,
  durationMs: 100,
  next,
  ...rest,
})

const delivered = { _tag: "Delivered" } as const
const retry = (dueAt: number) => ({ _tag: "Retry", dueAt }) as const

const deliveriesOf = (id: string) => Effect.flatMap(Webhooks, (webhooks) => webhooks.deliveries(id, { limit: 100 }))
const states = (all: ReadonlyArray<Delivery>) => all.map(({ state }) => state._tag)

describe("the outbox", () => {
  it.effect("gives each event to the webhooks that are subscribed, in the transaction that writes it", () =>
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

  it.effect("gives nothing when the transaction that wrote the event fails", () =>
    inStore(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const who = yield* owner(one)
        const written = sql`
          INSERT INTO outbox ${sql.insert({ id: "e", at: 0, account_id: who.accountId, type: "agent.budget_warning", livemode: 1, data: "{}" })}`
        yield* Effect.ignore(sql.withTransaction(Effect.zipRight(written, Effect.fail("no"))))
        assert.deepStrictEqual([yield* count("outbox"), yield* count("webhook_deliveries")], [0, 0])
        yield* written
        assert.deepStrictEqual([yield* count("outbox"), yield* count("webhook_deliveries")], [1, 1])
      }),
    ),
  )
})

describe("the queue", () => {
  it.effect("hands a delivery to one worker, and to another one when its lease is over", () =>
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

  it.effect("gives what is due and no more, the oldest first, and says when to look again", () =>
    inStore(
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id } = who.webhooks[0]!
        assert.deepStrictEqual(yield* queue.due(start), { webhooks: [], expired: false })
        yield* cross(who, 3)
        assert.deepStrictEqual(yield* queue.due(start), { webhooks: [id], expired: false })
        // Every other event is one that the webhook is not sent.
        const ids = yield* eventIds
        const [first, second, ...rest] = yield* turn("a", start, { [id]: 2 })
        assert.lengthOf(rest, 0)
        assert.deepStrictEqual([first!.eventId, second!.eventId], [ids[0], ids[2]])
        yield* turn("a", start, {}, [endOf(first!, retry(start + 7_000), { status: 500, error: "status" })])
        yield* turn("a", start, { [id]: 9 })
        assert.deepStrictEqual(yield* queue.due(start), { webhooks: [], expired: false, nextAt: start + 7_000 })
        const [again] = yield* turn("a", start + 7_000, { [id]: 9 })
        assert.deepInclude(again!, { seq: first!.seq, failures: 1, attempt: 2 })
      }),
    ),
  )

  it.effect("ends what has run out of time, but not under the hands of a worker", () =>
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
        assert.isFalse((yield* queue.due(end)).expired)
        assert.isTrue((yield* queue.due(end - 1_000 + leaseMs)).expired)
        assert.lengthOf(yield* turn("b", end - 1_000 + leaseMs, { [id]: 1 }), 0)
        assert.deepInclude((yield* deliveriesOf(id))[0]!.state, { _tag: "Dead", reason: "expired" })
      }),
    ),
  )

  it.effect("lets nothing run out of time while its webhook is paused, and gives no more time than was left", () =>
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
        assert.deepStrictEqual(yield* queue.due(end + 70_000), { webhooks: [], expired: false })
        assert.lengthOf(yield* turn("a", end + 70_000, { [id]: 1, [other]: 1 }), 0)
        assert.deepStrictEqual(states(yield* deliveriesOf(id)), ["Waiting"])
        yield* TestClock.setTime(end + 70_000)
        for (const each of [id, other]) yield* service.resume(each)
        assert.deepStrictEqual(states(yield* deliveriesOf(id)), ["Pending"])
        // Ten seconds were left at the pause, and are left after it; resuming again adds none.
        yield* service.resume(id)
        assert.isFalse((yield* queue.due(end + 79_999)).expired)
        assert.isTrue((yield* queue.due(end + 80_000)).expired)
        const [again] = yield* turn("a", end + 79_999, { [id]: 1 })
        assert.deepInclude(again!, { attempt: 2, expiresAt: end + 80_000 })
      }),
    ),
  )

  it.effect("forgets what ended long ago, attempts and all, and nothing else", () =>
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
        assert.strictEqual(yield* forgetDeliveries(start + 100), 0)
        assert.strictEqual(yield* forgetDeliveries(start + 101), 301)
        assert.deepStrictEqual([yield* count("webhook_deliveries"), yield* count("webhook_attempts")], [2, 1])
        assert.strictEqual(yield* count("outbox"), 606)
      }),
    ),
  )
})

describe("replay", () => {
  /** Delivers everything that waits; in the order in which it was taken. */
  const drain = (id: string): Effect.Effect<ReadonlyArray<LeasedDelivery>, Failure, DeliveryQueue> =>
    Effect.gen(function* () {
      const taken = yield* turn("a", start, { [id]: 1_000 })
      if (taken.length === 0) return []
      const ended = taken.map((each) => endOf(each, delivered, { status: 200 }))
      yield* turn("a", start, {}, ended)
      return [...taken, ...(yield* drain(id))]
    })

  it.effect("sends an event again under its id, with the same bytes", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id } = who.webhooks[0]!
        yield* cross(who, 1)
        const [sent] = yield* drain(id)
        const service = yield* Webhooks
        assert.deepStrictEqual(yield* service.replay(id, { _tag: "Event", id: sent!.eventId }), [sent!.eventId])
        const [again] = yield* drain(id)
        assert.deepInclude(again!, { eventId: sent!.eventId, body: sent!.body, attempt: 1, failures: 0 })
        assert.notStrictEqual(again!.seq, sent!.seq)
        assert.deepStrictEqual(
          (yield* deliveriesOf(id)).map(({ cause }) => cause),
          ["replay", "event"],
        )
      }),
    ),
  )

  it.effect("reaches back a hundred events and no further", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one)
        const { id } = who.webhooks[0]!
        yield* cross(who, 50)
        yield* drain(id)
        const service = yield* Webhooks
        const oldest = (yield* eventIds).slice(0, 2)
        assert.lengthOf(yield* service.replay(id, { _tag: "Last", count: 100 }), 100)
        yield* drain(id)
        for (const event of oldest) yield* service.replay(id, { _tag: "Event", id: event })
        yield* drain(id)
        // The hundred and first: the first month's two events fall out together with it.
        yield* cross(who, 1, 50)
        yield* drain(id)
        for (const event of oldest) {
          const { code, hints } = yield* Effect.flip(service.replay(id, { _tag: "Event", id: event }))
          assert.deepStrictEqual([code, hints![0]!.field], ["not_found", "event"])
        }
        const all = yield* service.replay(id, { _tag: "Last", count: 100 })
        assert.sameMembers([...all], (yield* eventIds).slice(2))
        yield* drain(id)
        assert.lengthOf(yield* service.replay(id, { _tag: "Last", count: 3 }), 3)
      }),
    ),
  )

  it.effect("asked for many times at once queues an event once", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one)
        const { id } = who.webhooks[0]!
        yield* cross(who, 5)
        yield* drain(id)
        const service = yield* Webhooks
        const queued = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => service.replay(id, { _tag: "Last", count: 10 }),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(queued.flat(), 10)
        assert.lengthOf(yield* drain(id), 10)
        assert.lengthOf(yield* service.replay(id, { _tag: "Last", count: 10 }), 10)
      }),
    ),
  )

  it.effect("queues nothing for a webhook that was deleted meanwhile", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one)
        const { id } = who.webhooks[0]!
        const store = yield* WebhookStore
        const asked = { webhookId: id, type: "agent.budget_warning", cause: "replay", at: start } as const
        assert.deepStrictEqual(yield* store.queue([{ ...asked, eventId: "before" }]), ["before"])
        yield* store.remove(id, start)
        assert.deepStrictEqual(yield* store.queue([{ ...asked, eventId: "after" }]), [])
        assert.strictEqual(yield* count("webhook_deliveries"), 1)
      }),
    ),
  )

  it.effect("of dead letters is what never arrived, until it does", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id } = who.webhooks[0]!
        yield* cross(who, 3)
        const [good, ...bad] = yield* turn("a", start, { [id]: 3 })
        const dead = { _tag: "Dead", reason: "exhausted" } as const
        yield* turn("a", start, {}, [
          endOf(good!, delivered, { status: 200 }),
          ...bad.map((each) => endOf(each, dead, { status: 500, error: "status" })),
        ])
        const service = yield* Webhooks
        assert.lengthOf(yield* service.deadLetters(who.accountId, 10), 2)
        const again = yield* service.replay(id, { _tag: "Dead" })
        assert.deepStrictEqual(
          again,
          bad.map(({ eventId }) => eventId),
        )
        assert.lengthOf(yield* service.replay(id, { _tag: "Dead" }), 0)
        yield* drain(id)
        assert.lengthOf(yield* service.replay(id, { _tag: "Dead" }), 0)
        assert.lengthOf(yield* service.deadLetters(who.accountId, 10), 2)
      }),
    ),
  )

  it.effect("gives one account nothing of another one's", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one)
        const service = yield* Webhooks
        yield* cross(who, 1)
        yield* account("stranger")
        const { webhook: stranger } = yield* service.create("stranger", "https://stranger.example/", [
          "agent.budget_warning",
        ])
        const [event] = yield* eventIds
        assert.strictEqual(
          (yield* Effect.flip(service.replay(stranger.id, { _tag: "Event", id: event! }))).code,
          "not_found",
        )
        assert.lengthOf(yield* service.replay(stranger.id, { _tag: "Last", count: 100 }), 0)
        assert.lengthOf(yield* deliveriesOf(stranger.id), 0)
      }),
    ),
  )
})

describe("webhooks of an account", () => {
  it.effect("are sixteen at most, however many are made at once, and a deleted one makes room", () =>
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

  it.effect("that are deleted leave no secret and nothing under way", () =>
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

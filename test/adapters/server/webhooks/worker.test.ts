// Proof: takes about ten seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { DeliveryError, WebhookClient } from "../../../../adapters/server/webhooks/client.ts"
import * as worker from "../../../../adapters/server/webhooks/worker.ts"
import { allocate } from "../../../../adapters/server/webhooks/worker.ts"
import { DeliveryQueue, type LeasedDelivery } from "../../../../core/events/DeliveryQueue.ts"
import { standard } from "../../../../core/events/retry.ts"
import type { Delivery } from "../../../../core/events/Webhook.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { fail } from "../../../../core/Failure.ts"
import { type Attempted, cross, eventIds, owner, says, scripted, webhooksOver } from "../../../support/webhooks.ts"

const start = Date.UTC(2026, 6, 9, 12)
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
/** Tests queue deliveries before the worker starts, so it need not poll, and its end has no grace period. */
const patient = { pollMs: hour, graceMs: 0 }

const one = ["https://one.example/"]

const inStore = <A, E>(test: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof webhooksOver>>>) =>
  Effect.zipRight(TestClock.setTime(start), test).pipe(Effect.provide(webhooksOver(":memory:")))

/** Runs a test with a running worker. */
const working = <A, E, R>(
  client: ReturnType<typeof scripted>,
  test: Effect.Effect<A, E, R>,
  options: worker.Options = patient,
) => Effect.scoped(Effect.zipRight(Layer.build(worker.layer(options).pipe(Layer.provide(client.layer))), test))

/** Queues deliveries and runs the worker for a duration. */
const delivering = <E, R>(
  cause: Effect.Effect<unknown, E, R>,
  client: ReturnType<typeof scripted>,
  duration: DurationInput,
  options?: worker.Options,
) => Effect.zipRight(cause, working(client, TestClock.adjust(duration), options))

const last = ({ attempts }: Delivery) => attempts.at(-1)!

describe("a delivery", () => {
  it.effect("that always fails is tried on schedule for a day, with the same bytes, and is then a dead letter", () =>
    inStore(
      Effect.gen(function* () {
        const { accountId, webhooks, ...who } = yield* owner(one, ["agent.budget_warning"])
        const client = scripted(() => says(500, { phrase: "Oops", response: "no" }))
        yield* delivering(cross({ accountId, ...who }, 1), client, "1 day")
        const at = client.attempts.map((each) => each.at - client.attempts[0]!.at)
        assert.lengthOf(at, 11)
        for (const [index, offset] of standard.offsetsMs.entries()) {
          assert.closeTo(at[index]!, offset, offset / 10, `attempt ${index + 1}`)
        }
        assert.isBelow(at.at(-1)!, day)
        assert.isTrue(new Set(at.map((each, index) => each - standard.offsetsMs[index]!)).size > 5, "there is jitter")
        assert.strictEqual(new Set(client.attempts.map(({ body, id }) => id + body)).size, 1)
        const stamps = client.attempts.map(({ headers }) => Number(headers["webhook-timestamp"]))
        assert.deepStrictEqual(
          stamps,
          client.attempts.map((each) => Math.floor(each.at / second)),
        )
        const service = yield* Webhooks
        const [dead] = yield* service.deadLetters(accountId, { limit: 10 })
        assert.deepInclude(dead!.state, { _tag: "Dead", reason: "exhausted" })
        assert.lengthOf(dead!.attempts, 11)
        for (const attempt of dead!.attempts) {
          assert.deepInclude(attempt, { status: 500, error: "status", detail: "500 Oops", response: "no" })
        }
        yield* working(client, TestClock.adjust("3 days"))
        assert.lengthOf(client.attempts, 11)
        assert.strictEqual((yield* service.list(accountId))[0]!.id, webhooks[0]!.id)
      }),
    ),
  )

  it.effect("that fails a while arrives in the end, and no more is sent", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        let tries = 0
        const client = scripted(() =>
          ++tries < 4 ? new DeliveryError({ error: "connect", detail: "ECONNREFUSED" }) : says(204),
        )
        yield* delivering(cross(who, 1), client, "2 days")
        assert.lengthOf(client.attempts, 4)
        const [delivery] = yield* (yield* Webhooks).deliveries(who.webhooks[0]!.id, { limit: 1 })
        assert.strictEqual(delivery!.state._tag, "Delivered")
        assert.deepStrictEqual(
          delivery!.attempts.map(({ status, error, detail }) => [status, error, detail]),
          [...Array(3).fill([undefined, "connect", "ECONNREFUSED"]), [204, undefined, undefined]],
        )
      }),
    ),
  )

  it.effect.each([
    ["seconds", "7200", 2 * hour, 11],
    ["a date", new Date(start + 3 * hour).toUTCString(), 3 * hour, 11],
    ["less than we would wait", "1", 5 * second, 11],
    ["more than the window holds", "999999", day - 60 * second, 2],
    ["nonsense", "soon", 5 * second, 11],
  ] as const)("waits as long as Retry-After says: %s", ([, retryAfter, pause, attempts]) =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const client = scripted(({ at }) => says(503, at === start ? { retryAfter } : {}))
        yield* delivering(cross(who, 1), client, "26 hours")
        assert.lengthOf(client.attempts, attempts)
        const waited = client.attempts[1]!.at - client.attempts[0]!.at
        assert.closeTo(waited, pause, pause === 5 * second ? 500 : second)
        assert.isBelow(client.attempts.at(-1)!.at - start, day)
      }),
    ),
  )

  it.effect.each([301, 302, 307, 308, 400, 404, 429, 500, 100, 199, 600])("fails with status %i", (status) =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const client = scripted(() => says(status))
        yield* delivering(cross(who, 1), client, "10 seconds")
        assert.lengthOf(client.attempts, 2)
        const [delivery] = yield* (yield* Webhooks).deliveries(who.webhooks[0]!.id, { limit: 1 })
        const error = status >= 300 && status < 400 ? "redirect" : "status"
        assert.deepInclude(last(delivery!), { status, error })
      }),
    ),
  )

  it.effect("to a receiver that is gone disables the webhook; what waits for it is dead, and nothing new is sent", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner([...one, "https://two.example/"])
        const [gone, other] = who.webhooks
        const client = scripted(({ url }) => says(url === gone!.url ? 410 : 200))
        const service = yield* Webhooks
        yield* delivering(cross(who, 1), client, "1 minute")
        const statuses = new Map((yield* service.list(who.accountId)).map(({ id, status }) => [id, status]))
        assert.deepStrictEqual([statuses.get(gone!.id), statuses.get(other!.id)], ["disabled", "active"])
        const reasons = (yield* service.deadLetters(who.accountId, { limit: 10 })).map(({ state }) =>
          state._tag === "Dead" ? state.reason : "",
        )
        assert.deepStrictEqual(reasons, ["disabled", "gone"])
        yield* delivering(cross(who, 2, 1), client, "2 days")
        assert.lengthOf(
          client.attempts.filter(({ url }) => url === gone!.url),
          1,
        )
        assert.lengthOf(
          client.attempts.filter(({ url }) => url === other!.url),
          7,
        )
        const refused = yield* Effect.flip(service.replay(gone!.id, { _tag: "Dead" }))
        assert.match(refused.hints![0]!.suggestion, /410 Gone\. Resume it first/)
        yield* service.resume(gone!.id)
        assert.lengthOf(yield* service.replay(gone!.id, { _tag: "Dead" }), 2)
      }),
    ),
  )

  it.effect.each([
    ["gone", 410],
    ["exhausted", 500],
  ] as const)(
    "that is %s is told to the account's other webhooks, once a day, and never about itself",
    ([reason, status]) =>
      inStore(
        Effect.gen(function* () {
          const who = yield* owner(one)
          yield* (yield* Webhooks).create(who.accountId, "https://told.example/", ["webhook.failing"])
          const client = scripted(({ url }) => says(url === one[0] ? status : 500))
          yield* delivering(cross(who, 2), client, "25 hours")
          const told = () => client.attempts.filter(({ url }) => url === "https://told.example/")
          assert.deepInclude(JSON.parse(told()[0]!.body), {
            type: "webhook.failing",
            livemode: true,
            data: { webhook_id: who.webhooks[0]!.id, host: "one.example", reason },
          })
          assert.strictEqual(new Set(told().map(({ id }) => id)).size, 1)
          yield* working(client, TestClock.adjust("3 days"))
          assert.strictEqual(new Set(told().map(({ id }) => id)).size, 1)
          assert.lengthOf(told(), 11)
          const itself = client.attempts.filter(({ url }) => url === one[0])
          assert.notInclude(
            itself.map(({ body }) => JSON.parse(body).type as string),
            "webhook.failing",
          )
        }),
      ),
  )

  it.effect("goes to each webhook that is subscribed to its type, the warning before the cap", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner([...one, "https://two.example/"])
        yield* (yield* Webhooks).create(who.accountId, "https://cap.example/", ["agent.budget_exceeded"])
        // The first response is slow: the second event waits for it.
        const client = scripted(() => Effect.delay(says(200), "1 second"))
        yield* delivering(cross(who, 1), client, "1 minute")
        const typesOf = (host: string) =>
          client.attempts
            .filter(({ url }) => url === `https://${host}.example/`)
            .map(({ body }) => JSON.parse(body).type)
        const both = ["agent.budget_warning", "agent.budget_exceeded"]
        assert.deepStrictEqual([typesOf("one"), typesOf("two"), typesOf("cap")], [both, both, both.slice(1)])
        const [warning, exceeded] = client.attempts.filter(({ url }) => url === who.webhooks[0]!.url)
        assert.isAtLeast(exceeded!.at - warning!.at, second)
        assert.deepStrictEqual(new Set(client.attempts.map(({ id }) => id)), new Set(yield* eventIds))
      }),
    ),
  )

  it.effect("waits while its webhook is paused, and is sent when it is resumed", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one)
        const service = yield* Webhooks
        const client = scripted(() => says(200))
        const { id } = who.webhooks[0]!
        yield* service.pause(id)
        yield* delivering(cross(who, 1), client, "3 days")
        assert.lengthOf(client.attempts, 0)
        yield* service.resume(id)
        yield* working(client, TestClock.adjust("1 minute"))
        assert.lengthOf(client.attempts, 2)
      }),
    ),
  )

  it.effect("that was tried before its webhook was paused has the rest of its day when that is resumed", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const service = yield* Webhooks
        const client = scripted(() => says(500))
        const { id } = who.webhooks[0]!
        const newest = Effect.map(service.deliveries(id, { limit: 1 }), ([delivery]) => delivery!)
        yield* cross(who, 1)
        yield* working(
          client,
          Effect.gen(function* () {
            yield* TestClock.adjust("1 minute")
            yield* service.pause(id)
            yield* TestClock.adjust("20 hours")
            // A second pause does not change the time of the first.
            yield* service.pause(id)
            yield* TestClock.adjust("30 hours")
            assert.lengthOf(client.attempts, 3)
            assert.deepStrictEqual((yield* newest).state, { _tag: "Waiting" })
            yield* service.resume(id)
            yield* TestClock.adjust("25 hours")
          }),
        )
        assert.lengthOf(client.attempts, standard.offsetsMs.length)
        const [first, , , resumed] = client.attempts
        const ended = client.attempts.at(-1)!.at - first!.at
        assert.isAtLeast(resumed!.at - first!.at, 50 * hour)
        assert.isTrue(ended > 2 * day && ended < 50 * hour + day + minute, `${ended / hour} hours`)
        assert.deepInclude((yield* newest).state, { _tag: "Dead", reason: "exhausted" })
      }),
    ),
  )
})

describe("a worker", () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, n) => `https://h${n}.example/`)
  const isSlow = ({ url }: Attempted) => url !== "https://h0.example/"

  it.effect("is not held up by a receiver that never answers, however much waits for it", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(hosts(2))
        const client = scripted((each) => (isSlow(each) ? Effect.never : says(200)))
        yield* cross(who, 100)
        yield* working(client, TestClock.adjust("2 seconds"))
        assert.lengthOf(client.attempts.filter(isSlow), 8)
        assert.lengthOf(
          client.attempts.filter((each) => !isSlow(each)),
          200,
        )
      }),
    ),
  )

  it.effect("nor by more of them than it has slots", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(hosts(16))
        const timeout = new DeliveryError({ error: "timeout", detail: "" })
        const client = scripted((each) => (isSlow(each) ? Effect.delay(timeout, "15 seconds") : says(200)))
        const options = { inFlight: 12, perWebhook: 4, graceMs: 0 }
        yield* cross(who, 20)
        const busy = Effect.gen(function* () {
          yield* TestClock.adjust("1 minute")
          const before = client.attempts.filter((each) => !isSlow(each)).length
          yield* cross(who, 20, 20)
          yield* (yield* Webhooks).test(who.webhooks[0]!.id)
          const at = client.attempts.length
          yield* TestClock.adjust("1 second")
          return { before, fast: client.attempts.slice(at).filter((each) => !isSlow(each)).length }
        })
        const { before, fast } = yield* working(client, busy, options)
        assert.strictEqual(before, 40)
        assert.strictEqual(fast, 41)
      }),
    ),
  )

  it.effect("shares a store with another one: each delivery is made once", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(hosts(3))
        const client = scripted(() => Effect.delay(says(200), "50 millis"))
        yield* cross(who, 50)
        yield* working(client, working(client, TestClock.adjust("1 minute")))
        const sent = client.attempts.map(({ url, id }) => url + id)
        assert.lengthOf(sent, 300)
        assert.strictEqual(new Set(sent).size, 300)
      }),
    ),
  )

  it.effect("that is stopped lets attempts end, gives back those that do not, and the next one goes on at once", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(hosts(2), ["agent.budget_warning"])
        const hanging = scripted((each) => (isSlow(each) ? Effect.never : Effect.delay(says(200), "2 seconds")))
        yield* cross(who, 1)
        const stopped = working(hanging, TestClock.adjust("1 second"), { pollMs: hour, graceMs: 5_000 })
        yield* Effect.all([stopped, Effect.forEach(Array.from({ length: 8 }), () => TestClock.adjust("1 second"))], {
          concurrency: 2,
        })
        const service = yield* Webhooks
        const state = (index: number) =>
          Effect.map(service.deliveries(who.webhooks[index]!.id, { limit: 1 }), ([found]) => found!)
        assert.strictEqual((yield* state(0)).state._tag, "Delivered")
        const given = yield* state(1)
        assert.strictEqual(given.state._tag, "Pending")
        assert.deepStrictEqual(Object.keys(given.attempts[0]!), ["number", "at"])
        const client = scripted(() => says(200))
        yield* working(client, TestClock.adjust("1 second"))
        assert.deepStrictEqual([client.attempts.length, (yield* state(1)).state._tag], [1, "Delivered"])
      }),
    ),
  )

  it.effect("says once that the store is away, whatever it costs, and once that it is back", () => {
    const lines: Array<string> = []
    const log = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message, logLevel }) => void lines.push(`${logLevel.label} ${message}`)),
    )
    return inStore(
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue
        let trouble: string | undefined
        const away = {
          ...queue,
          status: (now: number) =>
            trouble === undefined ? queue.status(now) : Effect.fail(fail("storage_unavailable", { detail: trouble })),
        }
        const client = scripted(() => says(204))
        const test = Effect.gen(function* () {
          yield* TestClock.adjust("10 seconds")
          for (const next of ["The store cannot be reached.", "The store's disk is full.", undefined]) {
            trouble = next
            yield* TestClock.adjust("10 seconds")
          }
        })
        yield* working(client, test, { pollMs: second, graceMs: 0 }).pipe(Effect.provideService(DeliveryQueue, away))
      }),
    ).pipe(
      Effect.provide(log),
      Effect.tap(() =>
        Effect.sync(() =>
          assert.deepStrictEqual(lines, [
            "ERROR Webhook worker: deliveries wait. The store cannot be reached.",
            "ERROR Webhook worker: deliveries wait. The store's disk is full.",
            "INFO Webhook worker: deliveries go on",
          ]),
        ),
      ),
    )
  })

  it.effect("sends no secret, and signs with both during a rotation", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const client = scripted(() => says(200))
        const service = yield* Webhooks
        const { id, secret } = who.webhooks[0]!
        const sent = (n: number) =>
          Effect.map(
            delivering(cross(who, 1, n), client, "1 second"),
            () => client.attempts.at(-1)!.headers["webhook-signature"]!.split(" ").length,
          )
        assert.strictEqual(yield* sent(0), 1)
        yield* service.rotate(id)
        assert.strictEqual(yield* sent(1), 2)
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* sent(2), 1)
        yield* service.rotate(id, 0)
        assert.strictEqual(yield* sent(3), 1)
        assert.notInclude(JSON.stringify(client.attempts), secret.slice(6))
      }),
    ),
  )
})

describe("the slots", () => {
  const limits = { inFlight: 8, perWebhook: 4, perTurn: 8 }
  const given = (
    due: ReadonlyArray<string>,
    busy: Readonly<Record<string, number>> = {},
    failing: ReadonlyArray<string> = [],
  ) => Object.fromEntries(allocate(due, { busy: new Map(Object.entries(busy)), failing: new Set(failing) }, limits))

  it.each([
    ["one takes no more than its share", given(["a"]), { a: 4 }],
    ["two share all", given(["a", "b"]), { a: 4, b: 4 }],
    ["more take turns", given(["a", "b", "c"]), { a: 3, b: 3, c: 2 }],
    ["those with little under way come first", given(["a", "b"], { a: 3, c: 3 }), { a: 1, b: 1 }],
    ["what is under way counts", given(["a"], { a: 4 }), {}],
    ["nothing is free", given(["a"], { b: 4, c: 4 }), {}],
    ["one that fails gets one", given(["a"], {}, ["a"]), { a: 1 }],
    [
      "those that fail get half",
      given(["a", "b", "c", "d", "e", "f"], {}, ["a", "b", "c", "d", "e"]),
      { a: 1, b: 1, c: 1, d: 1, f: 4 },
    ],
    ["also what they have under way", given(["a", "b"], { c: 1, d: 1, e: 1 }, ["a", "b", "c", "d", "e"]), { a: 1 }],
    ["nobody is due", given([]), {}],
    [
      "a few at a time",
      Object.fromEntries(allocate(["a", "b"], { busy: new Map(), failing: new Set() }, { ...limits, perTurn: 3 })),
      { a: 2, b: 1 },
    ],
  ])("%s", (_, found, expected) => assert.deepStrictEqual(found, expected))
})

describe("an attempt that ends while others are recorded", () => {
  const delivery = (seq: number): LeasedDelivery => ({
    ...{ seq, attempt: 1, webhookId: "wh_1", eventId: `evt_${seq}`, url: `https://one.example/${seq}` },
    ...{ secrets: [Redacted.make("whsec_MDEyMzQ1Njc4OWFiY2RlZg==")], body: "{}", failures: 0, expiresAt: start + day },
  })

  it.effect("is recorded in the next turn", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const isRecording = yield* Deferred.make<void>()
      const recorded: Array<ReadonlyArray<number>> = []
      const queue = Layer.succeed(DeliveryQueue, {
        status: () => Effect.succeed({ webhooks: ["wh_1"], hasExpired: false }),
        recordAndLease: ({ endedAttempts }) =>
          Effect.gen(function* () {
            recorded.push(endedAttempts.map(({ seq }) => seq))
            if (recorded.length === 1) return [delivery(1), delivery(2)]
            yield* Deferred.succeed(isRecording, undefined)
            // The second attempt ends in this time.
            yield* Effect.sleep(1)
            return []
          }),
      })
      const client = Layer.succeed(WebhookClient, {
        post: (url) =>
          Effect.as(url.endsWith("/2") ? Deferred.await(isRecording) : Effect.void, {
            ...{ status: 200, phrase: "OK", response: "" },
          }),
      })
      const running = worker.layer(patient).pipe(Layer.provide([queue, client, secrets.layer]))
      yield* Effect.scoped(Effect.zipRight(Layer.build(running), TestClock.adjust("1 second")))
      assert.deepStrictEqual(
        recorded.filter((seqs) => seqs.length > 0),
        [[1], [2]],
      )
    }),
  )
})

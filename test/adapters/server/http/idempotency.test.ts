import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { fail } from "../../../../core/Failure.ts"
import { type Running, start } from "../../../support/running.ts"
import * as Controlled from "./controlled.ts"

const settlement = "/v1/weather/settlement?station=KNYC"
const free = "/v1/weather/stations"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

type Init = RequestInit & { readonly token?: string }

const keyed = (path: string, key: string, { token, ...init }: Init = {}) =>
  service.get(path, token, { ...init, headers: { "idempotency-key": key } })

/** Charges of the calls in `run`, and their number. */
const spent = async <A>(run: () => Promise<A>): Promise<readonly [A, micros: number, charges: number]> => {
  const before = [await service.balance(), await service.charges()] as const
  const result = await run()
  return [result, before[0] - (await service.balance()), (await service.charges()) - before[1]]
}

/** A body up to `_meta`, byte for byte. */
const upToMeta = (text: string): string => text.slice(0, text.indexOf('"_meta":'))

describe("a call with an Idempotency-Key", () => {
  it("that comes again is answered from the first and charged once", async () => {
    const key = crypto.randomUUID()
    const path = `${settlement}&include=_suggestions&verbose=true`
    const [answers, micros, charges] = await spent(async () => {
      const first = await keyed(path, key)
      // Neither the order of parameters nor the key's case makes a different request.
      const second = await keyed("/v1/weather/settlement?verbose=true&station=KNYC&include=_suggestions", key)
      return [first, second, await keyed(path, key.toUpperCase())] as const
    })
    assert.deepStrictEqual([micros, charges], [1_000, 1])
    const [first, ...again] = answers
    assert.deepStrictEqual([first.status, first.headers.get("x-idempotent-replay")], [200, null])
    assert.strictEqual(first.json._meta.price.charged_micros, 1_000)
    for (const each of again) {
      assert.deepStrictEqual([each.status, each.headers.get("x-idempotent-replay")], [200, "true"])
      assert.strictEqual(upToMeta(each.text), upToMeta(first.text))
      const { request_id, latency_ms, price, ...same } = each.json._meta
      const { request_id: firstId, latency_ms: _, price: firstPrice, ...expected } = first.json._meta
      assert.deepStrictEqual(same, expected)
      assert.notStrictEqual(request_id, firstId)
      assert.strictEqual(each.headers.get("x-request-id"), request_id)
      assert.isAtLeast(latency_ms, 0)
      assert.deepStrictEqual(price, { display: firstPrice.display, charged_micros: 0 })
      // A replay counts against the rate limit like any call.
      assert.isNotNull(each.headers.get("x-ratelimit-remaining"))
    }
  })

  it("100 at once: one charge, and every answer is the stored body or a 409", async () => {
    for (const [path, price] of [
      [settlement, 1_000],
      ["/v1/crypto/signal", 10_000],
    ] as const) {
      const key = crypto.randomUUID()
      const [answers, micros, charges] = await spent(() =>
        Promise.all(Array.from({ length: 100 }, () => keyed(path, key))),
      )
      assert.deepStrictEqual([micros, charges], [price, 1])
      const paid = answers.filter(({ json }) => json._meta?.price.charged_micros === price)
      assert.lengthOf(paid, 1)
      for (const { status, text, json, headers } of answers) {
        if (status === 200) assert.strictEqual(upToMeta(text), upToMeta(paid[0]!.text))
        else {
          assert.deepStrictEqual([status, json.error.code], [409, "idempotency_in_progress"])
          assert.deepStrictEqual([json.error.retry_after_ms, headers.get("retry-after")], [1_000, "1"])
        }
      }
    }
  })

  it("of another request is a 422, for as long as the first is known", async () => {
    const key = crypto.randomUUID()
    const [, micros] = await spent(async () => {
      assert.strictEqual((await keyed(settlement, key)).status, 200)
      for (const path of ["/v1/weather/settlement?station=KMIA", `${settlement}&verbose=true`, free]) {
        const { status, json } = await keyed(path, key)
        assert.deepStrictEqual([status, json.error.code, json.error.recoverable], [422, "idempotency_key_reused", true])
        assert.strictEqual(json.error.hints[0].field, "Idempotency-Key")
      }
    })
    assert.strictEqual(micros, 1_000)
  })

  it("belongs to its API key: another one's is another", async () => {
    const key = crypto.randomUUID()
    const [answers, micros] = await spent(async () => [
      await keyed(settlement, key),
      await keyed(settlement, key, { token: service.account.test.token }),
    ])
    assert.strictEqual(micros, 1_000)
    for (const { headers } of answers) assert.isNull(headers.get("x-idempotent-replay"))
  })

  it("of a free endpoint and of a test key is remembered as well", async () => {
    const { token } = service.account.test
    for (const [path, init] of [
      [free, {}],
      [free, { token }],
      [settlement, { token }],
    ] as const) {
      const key = crypto.randomUUID()
      const [[first, second], micros] = await spent(
        async () => [await keyed(path, key, init), await keyed(path, key, init)] as const,
      )
      assert.strictEqual(micros, 0)
      assert.deepStrictEqual(
        [first, second].map(({ headers }) => headers.get("x-idempotent-replay")),
        [null, "true"],
      )
      assert.strictEqual(upToMeta(second.text), upToMeta(first.text))
    }
  })

  it("HEAD takes no notice of it", async () => {
    const key = crypto.randomUUID()
    const [answers, micros] = await spent(async () => [
      await keyed(settlement, key, { method: "HEAD" }),
      await keyed(settlement, key, { method: "HEAD" }),
      await keyed(settlement, key),
      await keyed(settlement, key, { method: "HEAD" }),
    ])
    assert.strictEqual(micros, 1_000)
    for (const { status, headers } of answers) {
      assert.deepStrictEqual([status, headers.get("x-idempotent-replay")], [200, null])
    }
  })

  it.each([
    "",
    "x",
    "1",
    "00000000-0000-0000-0000-000000000000",
    "c232ab00-9414-11ec-b3c8-9f6bdeced846",
    "018e3f5a-7c2b-7def-8abc-0123456789ab",
    "3f0f7a3e-8a3c-4b7e-1d53-0b1c6f1f2a34",
    "{3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a34}",
    "3f0f7a3e8a3c4b7e9d530b1c6f1f2a34",
    "3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a34, 3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a34",
  ])("that is no UUIDv4 (%j) is named beside the parameters that are bad", async (key) => {
    const [, micros] = await spent(async () => {
      for (const [path, fields] of [
        [settlement, ["Idempotency-Key"]],
        [free, ["Idempotency-Key"]],
        ["/v1/weather/settlement?station=XXXX&day=x", ["Idempotency-Key", "day", "station"]],
      ] as const) {
        const { status, json } = await keyed(path, key)
        assert.deepStrictEqual([status, json.error.code], [400, "invalid_parameter"])
        const named = json.error.hints.map(({ field }: { readonly field: string }) => field)
        assert.deepStrictEqual(named.sort(), [...fields])
      }
    })
    assert.strictEqual(micros, 0)
  })

  it("that fails frees the key: only successful answers are stored", async () => {
    const outcomes = ["upstream_unavailable", "not_found", "internal", "answer"] as const
    const running = await Controlled.start({
      paid: () => {
        const outcome = outcomes[Math.min(calls++, outcomes.length - 1)]!
        if (outcome === "answer") return Effect.succeed(Controlled.word)
        return outcome === "internal" ? Effect.die(new Error("a bug")) : Effect.fail(fail(outcome))
      },
    })
    let calls = 0
    const init = { headers: { "idempotency-key": crypto.randomUUID() } }
    const statuses: Array<number> = []
    for (let n = 0; n < 6; n++) statuses.push((await running.get("/v1/controlled/paid", init)).status)
    assert.deepStrictEqual(statuses, [503, 404, 500, 200, 200, 200])
    assert.deepStrictEqual([calls, await running.balance()], [4, 9_000])
    await running.stop()
  })

  it("while the first is running: 409 for the same request, 422 for another; a cut call frees it", async () => {
    let entered = Effect.runSync(Deferred.make<void>())
    const release = Effect.runSync(Deferred.make<void>())
    const running = await Controlled.start({
      paid: () =>
        Effect.suspend(() => Deferred.succeed(entered, undefined)).pipe(
          Effect.zipRight(Deferred.await(release)),
          Effect.as(Controlled.word),
        ),
    })
    const headers = { "idempotency-key": crypto.randomUUID() }
    const ask = (n: number, init: RequestInit = {}) => running.get(`/v1/controlled/paid?n=${n}`, { headers, ...init })
    const controller = new AbortController()
    const cut = ask(1, { signal: controller.signal }).catch(() => "cut")
    await Effect.runPromise(Deferred.await(entered))
    assert.strictEqual((await ask(1)).status, 409)
    assert.strictEqual((await ask(2)).status, 422)
    controller.abort()
    assert.strictEqual(await cut, "cut")

    entered = Effect.runSync(Deferred.make<void>())
    const second = (async () => {
      for (;;) {
        const response = await ask(1)
        // The server detects the disconnect a moment later.
        if (response.status !== 409) return response
      }
    })()
    await Effect.runPromise(Deferred.await(entered))
    await Effect.runPromise(Deferred.succeed(release, undefined))
    assert.strictEqual((await second).status, 200)
    assert.strictEqual((await ask(1)).headers.get("x-idempotent-replay"), "true")
    assert.strictEqual((await ask(2)).status, 422)
    assert.strictEqual(await running.balance(), 9_000)
    await running.stop()
  })

  it("is looked up before cap and wallet: a paid answer is repeated with an empty wallet", async () => {
    const poor = await start({}, { balance: 1_000 })
    const init = { headers: { "idempotency-key": crypto.randomUUID() } }
    const statuses = []
    for (const each of [init, init, {}, init]) statuses.push((await poor.get(settlement, undefined, each)).status)
    assert.deepStrictEqual(statuses, [200, 200, 402, 200])
    // A replay is in the audit trail too.
    const rows = await poor.run(
      Effect.gen(function* () {
        // Audit rows are written in the order of the answers, the newest with the next batch.
        yield* Effect.promise(() => poor.get(free))
        const sql = yield* SqlClient.SqlClient
        return yield* sql`
          SELECT status, charged_micros AS charged, COUNT(*) AS n FROM audit
          WHERE endpoint = 'weather_settlement' GROUP BY 1, 2 ORDER BY 1, 2`
      }),
    )
    assert.deepStrictEqual(rows, [
      { status: 200, charged: 0, n: 2 },
      { status: 200, charged: 1_000, n: 1 },
      { status: 402, charged: 0, n: 1 },
    ])
    await poor.stop()
  })
})

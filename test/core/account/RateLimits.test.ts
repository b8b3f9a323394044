import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import {
  callsPerAddress,
  requestsPerAddress,
  takeKeylessCall,
  takeKeylessRequest,
} from "../../../core/gateway/access.ts"
import {
  accounts,
  agentKey,
  agents,
  bad,
  free,
  issue,
  limits,
  none,
  noon,
  paid,
} from "../../adapters/server/http/agentKeys.ts"
import * as Controlled from "../../adapters/server/http/controlled.ts"
import { clockAt } from "../../support/clock.ts"
import { type Running, start } from "../../support/running.ts"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

describe("the rate limit of a key", () => {
  const told = (limit: number, remaining: number, reset: number) => [
    String(limit),
    String(remaining),
    String(reset),
    `"default";r=${remaining};t=${reset}`,
    `"default";q=${limit};w=60`,
  ]

  it("is in every answer to a key, errors included, and never below zero", async () => {
    // The clock is fixed, so the bucket does not refill.
    const still = await start({}, { clock: clockAt(noon) })
    const token = await issue(still, { tier: "enterprise", rpm: 6 })
    const asked: ReadonlyArray<readonly [path: string, status: number, init?: RequestInit]> = [
      [free, 200],
      [paid, 200],
      [bad, 400],
      [free, 200, { method: "HEAD" }],
      ["/v1/weather/settlement?station=KNYC&day=2000-01-01", 404],
      [paid, 400, { headers: { "idempotency-key": "x" } }],
      [paid, 429],
      [bad, 429],
    ]
    for (const [index, [path, status, init]] of asked.entries()) {
      const answer = await still.get(path, token, init)
      assert.strictEqual(answer.status, status, path)
      const used = Math.min(6, index + 1)
      assert.deepStrictEqual(limits(answer), told(6, 6 - used, used * 10), path)
      if (status !== 429) continue
      const { retry_after_ms, recoverable, message } = answer.json.error
      assert.strictEqual(message, "Rate limit exceeded: 6 calls per minute for this key.")
      assert.isTrue(recoverable && retry_after_ms > 0 && retry_after_ms <= 10_000)
      assert.strictEqual(answer.headers.get("retry-after"), String(Math.ceil(retry_after_ms / 1_000)))
    }
    await still.stop()
  })

  it("is shown but not consumed for a paused agent and for a suspended account", async () => {
    const stops = [
      () => agents(service, (all) => all.pause("0")),
      () => accounts(service, (all) => all.suspend("owner of 1")),
    ]
    for (const [name, stop] of stops.entries()) {
      const token = await agentKey(service, String(name), {}, 0, { tier: "enterprise", rpm: 10 })
      await stop()
      for (let n = 0; n < 3; n++) {
        const answer = await service.get(free, token)
        assert.strictEqual(answer.status, 403)
        assert.deepStrictEqual(limits(answer), told(10, 10, 0))
      }
    }
  })

  it("has no headers before the key check and outside the catalogue", async () => {
    for (const [path, token] of [
      [free, ""],
      ["/healthz", service.account.live.token],
      ["/v1/nowhere", service.account.live.token],
    ] as const) {
      assert.deepStrictEqual(limits(await fetch(service.url + path, { headers: { authorization: token } })), none, path)
    }
  })

  it("is per key: another key of the account has its own", async () => {
    const [one, two] = [
      await issue(service, { tier: "enterprise", rpm: 1 }),
      await issue(service, { tier: "enterprise", rpm: 1 }),
    ]
    for (const token of [one, two]) assert.strictEqual((await service.get(free, token)).status, 200)
    for (const token of [one, two]) assert.strictEqual((await service.get(free, token)).status, 429)
  })

  it("leaves each bucket what it had when a clock is set back", () => {
    const clock = clockAt(noon)
    const buckets = Effect.runSync(Effect.provide(RateLimits, RateLimits.layerMemory).pipe(Effect.withClock(clock)))
    const take = () => Effect.runSync(buckets.take("key", 60))
    for (let n = 0; n < 10; n++) take()
    for (const [turn, back] of [2, 30, 59, 90, 3_600, 40 * 86_400].entries()) {
      clock.set(noon - back * 1_000)
      assert.deepInclude(take(), { ok: true, remaining: 49 - turn, resetSeconds: 11 + turn }, `${back} s`)
      clock.set(noon)
      clock.set(noon - back * 1_000)
    }
    // It fills as fast as before.
    clock.set(noon - 40 * 86_400_000 + 5_000)
    assert.deepInclude(Effect.runSync(buckets.peek("key", 60)), { remaining: 49, resetSeconds: 11 })
  })

  it("is per address without a key: 60 a minute", async () => {
    const open = await Controlled.start({ clock: clockAt(noon) })
    for (let n = 1; n <= 62; n++) {
      const response = await fetch(`${open.url}/v1/controlled/open`)
      const { status } = response
      assert.strictEqual(status, n <= 60 ? 200 : 429, `${n}`)
      assert.strictEqual(Number(response.headers.get("x-ratelimit-limit")), 60)
      assert.strictEqual(Number(response.headers.get("x-ratelimit-remaining")), Math.max(0, 60 - n))
      const { error } = (await response.json()) as {
        readonly error?: { readonly retry_after_ms: number; readonly message: string }
      }
      if (status !== 429) continue
      assert.isAbove(error!.retry_after_ms, 0)
      assert.strictEqual(error!.message, "Rate limit exceeded: 60 calls per minute for this address.")
    }
    // The key's own limit is untouched.
    assert.strictEqual((await open.get("/v1/controlled/paid")).status, 200)
    await open.stop()
  })

  it("is for a /48 of IPv6 four times that of a /64, of calls and of requests", async () => {
    const buckets = Effect.runSync(
      Effect.provide(RateLimits, RateLimits.layerMemory).pipe(Effect.withClock(clockAt(noon))),
    )
    for (const [take, limit] of [
      [(address: string) => Effect.runSync(takeKeylessCall(buckets, address)).ok, callsPerAddress],
      [
        (address: string) => Effect.runSyncExit(takeKeylessRequest(buckets, address))._tag === "Success",
        requestsPerAddress,
      ],
    ] as const) {
      const passed = (addresses: ReadonlyArray<string>, each: number) =>
        addresses.flatMap((address) => Array.from({ length: each }, () => take(address))).filter(Boolean).length
      const lines = Array.from({ length: 256 }, (_, n) => `2001:db8:1:${(0x200 + n).toString(16)}::/64`)
      assert.strictEqual(passed([lines[0]!], 2 * limit), limit)
      // What was refused to one counts for nobody else.
      assert.strictEqual(passed(lines.slice(1), limit), 3 * limit)
      assert.strictEqual(passed(["2001:db8:2::/64", "198.51.100.1"], 2 * limit), 2 * limit)
      // The first /64 of a /48, and short ones, are of theirs too.
      assert.strictEqual(passed(["2001:db8:1::/64"], 1), 0)
      assert.strictEqual(passed(["fe80::/64", "fe80:0:0:1::/64", "::/64"], 3 * limit), 3 * limit)
    }
  })

  it("lets a call through exactly after the stated wait", () => {
    const clock = clockAt(noon)
    let now = noon
    const wait = (millis: number) => {
      now += millis
      clock.set(now)
    }
    const buckets = Effect.runSync(Effect.provide(RateLimits, RateLimits.layerMemory).pipe(Effect.withClock(clock)))
    const take = (name: string, rpm: number) => Effect.runSync(buckets.take(name, rpm))
    const cases = fc.sample(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(70_000)), { numRuns: 300, seed: 1 })
    for (const [index, [rpm, pause]] of cases.entries()) {
      const name = `key ${index}`
      // Spend all calls, refill some, spend them again.
      for (const idle of [0, pause]) {
        wait(idle)
        let taken = take(name, rpm)
        while (taken.ok) {
          assert.isTrue(taken.remaining >= 0 && taken.resetSeconds <= 60 && taken.retryAfterMs === 0)
          taken = take(name, rpm)
        }
        assert.isTrue(taken.remaining === 0 && taken.retryAfterMs > 0 && taken.retryAfterMs <= 60_000)
        wait(taken.retryAfterMs - 1)
        assert.isFalse(take(name, rpm).ok)
        wait(1)
        assert.isTrue(take(name, rpm).ok)
      }
    }
  })
})

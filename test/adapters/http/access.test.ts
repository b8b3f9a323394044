import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { busyTimeoutMs, Sqlite } from "../../../adapters/sql/client.sqlite.ts"
import { cacheTtlMs } from "../../../adapters/sql/Keyring.ts"
import { Accounts, type KeyRequest } from "../../../core/account/Accounts.ts"
import type { Caps } from "../../../core/account/AgentStore.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { type Code, codes, fail } from "../../../core/Failure.ts"
import { clockAt } from "../../support/clock.ts"
import * as processes from "../../support/processes.ts"
import { type Running, start } from "../../support/running.ts"
import { accountsOver, makeFolder, removeFolder } from "../../support/store.ts"
import * as Controlled from "./controlled.ts"

const paid = "/v1/weather/settlement?station=KNYC&fields=station.id"
const noon = Date.parse("2026-07-09T12:00:00Z")
const bad = "/v1/weather/settlement?station=XXXX"
const free = "/v1/weather/stations?fields=count"

const folder = makeFolder()
const file = join(folder, "store.db")
let service: Running
beforeAll(async () => {
  service = await start({ sqliteFile: file })
})
afterAll(async () => {
  await service.stop()
  removeFolder(folder)
})

const issue = (request: Partial<KeyRequest>, at: Running = service): Promise<string> =>
  at.run(
    Effect.flatMap(Accounts, (accounts) =>
      Effect.map(
        accounts.issueKey({ account: at.account.id, environment: "live", tier: "pro", ...request }),
        ({ plaintext }) => Redacted.value(plaintext),
      ),
    ),
  )

const agents = <A, E>(use: (agents: Context.Tag.Service<Agents>) => Effect.Effect<A, E>): Promise<A> =>
  service.run(Effect.flatMap(Agents, use))

/** A key of an agent in an account with `balance`. */
const agentKey = async (name: string, caps: Caps, balance: number, request: Partial<KeyRequest> = {}) => {
  const account = await service.run(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { id } = yield* accounts.create(`owner of ${name}`)
      if (balance > 0) yield* accounts.credit(id, balance as never)
      return id
    }),
  )
  await agents((all) => all.create(account, name, caps))
  return issue({ account, agent: name, ...request })
}

const limits = ({ headers }: { readonly headers: Headers }) =>
  ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "ratelimit-policy"].map((name) =>
    headers.get(name),
  )

const none = [null, null, null, null, null]

describe("the order of checks", () => {
  const one = { tier: "enterprise", rpm: 1 } as const
  const zero = { monthlyCap: 0 } as Caps

  it("key, agent, rate limit, scope, parameters, budget, wallet, answer", async () => {
    const unknown = service.account.live.token.slice(0, -1)
    const paused = await agentKey("paused", zero, 0, { ...one, scopes: ["crypto"] })
    const limited = await agentKey("limited", zero, 0, { ...one, scopes: ["crypto"] })
    const scoped = await agentKey("scoped", zero, 0, { scopes: ["crypto"] })
    const poor = await agentKey("poor", zero, 0)
    const empty = await agentKey("empty", { monthlyCap: 1_000 } as Caps, 0)
    const good = await agentKey("good", { monthlyCap: 1_000 } as Caps, 1_000)
    // The only call of this minute.
    for (const token of [paused, limited]) assert.strictEqual((await service.get(bad, token)).status, 403)
    await agents((all) => all.pause("paused"))
    await service.get("/v1/crypto/spot", await issue({}))
    const rows: ReadonlyArray<readonly [token: string, path: string, status: number, code: string]> = [
      ["", bad, 401, "missing_authorization"],
      [unknown, bad, 401, "invalid_api_key_format"],
      [limited, bad, 429, "rate_limit_exceeded"],
      [scoped, bad, 403, "insufficient_scope"],
      [poor, bad, 400, "invalid_parameter"],
      [poor, paid, 429, "agent_budget_exceeded"],
      [empty, bad, 400, "invalid_parameter"],
      [empty, paid, 402, "insufficient_funds"],
      [good, bad, 400, "invalid_parameter"],
    ]
    for (const [token, path, status, code] of rows) {
      const { status: found, json } = await service.get(path, token)
      assert.deepStrictEqual([found, json.error.code], [status, code], `${code} ${path}`)
    }
    await until(async () => (await service.get(bad, paused)).status === 403)
    assert.strictEqual((await service.get(bad, paused)).json.error.code, "agent_paused")
    const answer = await service.get(paid, good)
    assert.deepStrictEqual([answer.status, answer.json._meta.price.charged_micros], [200, 1_000])
    const over = await service.get(paid, good)
    assert.strictEqual(over.json.error.code, "agent_budget_exceeded")
    // Free calls work at the cap and with an empty wallet.
    for (const token of [good, poor]) assert.strictEqual((await service.get(free, token)).status, 200)
  })

  it("a cap's error has its reset time: the next month, or none", async () => {
    const month = await agentKey("month", { monthlyCap: 0 } as Caps, 1_000)
    const life = await agentKey("life", { budgetCap: 0 } as Caps, 1_000)
    const monthly = await service.get(paid, month)
    const now = new Date()
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    const { retry_after_ms, recoverable } = monthly.json.error
    assert.closeTo(retry_after_ms, next - now.getTime(), 60_000)
    assert.strictEqual(monthly.headers.get("retry-after"), String(Math.ceil(retry_after_ms / 1_000)))
    assert.isFalse(recoverable)
    const lifetime = await service.get(paid, life)
    assert.deepStrictEqual([lifetime.status, lifetime.json.error.retry_after_ms], [429, null])
    assert.isNull(lifetime.headers.get("retry-after"))
    // An agent's key does not see the account's balance.
    const poor = await agentKey("broke", {}, 10)
    const { quote } = (await service.get(paid, poor)).json.error
    assert.deepStrictEqual([quote.shortfall_micros, "balance_micros" in quote], [990, false])
  })

  it("a test key has a cap of its own and never sees a 402", async () => {
    const live = await agentKey("both", { monthlyCap: 2_000 } as Caps, 5_000)
    const test = await issue({ account: "owner of both", agent: "both", environment: "test" })
    for (const token of [test, live]) {
      const statuses = []
      for (let n = 0; n < 3; n++) statuses.push((await service.get(paid, token)).status)
      assert.deepStrictEqual(statuses, [200, 200, 429])
    }
    const { spend } = await agents((all) => all.get("both"))
    assert.deepStrictEqual(
      spend.map(({ monthSpent }): number => monthSpent),
      [2_000, 2_000],
    )
  })
})

/** Milliseconds until something is done; the duration itself is not under test. */
const until = async (done: () => Promise<boolean>): Promise<number> => {
  const began = performance.now()
  while (!(await done())) {
    assert.isBelow(performance.now() - began, 10_000, "it does not come")
    await setImmediate()
  }
  return performance.now() - began
}

describe("a key", () => {
  it("that has expired is unknown", async () => {
    const clock = clockAt(noon)
    const timed = await start({}, { clock })
    const token = await issue({ expiresAt: noon + 300 }, timed)
    for (const now of [noon, noon + 299]) {
      clock.set(now)
      assert.strictEqual((await timed.get(free, token)).status, 200)
    }
    clock.set(noon + 300)
    const { status, json, headers } = await timed.get(bad, token)
    assert.deepStrictEqual([status, json.error.code], [401, "invalid_api_key"])
    assert.deepStrictEqual(limits({ headers }), none)
    await timed.stop()
  })

  it("of scopes answers only in its lanes, and names the refused lane", async () => {
    const token = await issue({ scopes: ["crypto", "football"] })
    const refused = await service.get(free, token)
    assert.deepStrictEqual([refused.status, refused.json.error.code], [403, "insufficient_scope"])
    assert.include(refused.json.error.hints[0].suggestion, "weather")
    assert.strictEqual((await service.get("/v1/crypto/spot", token)).status, 200)
    assert.strictEqual((await service.get("/v1/nfl/games?limit=1", token)).status, 200)
  })

  it("of an agent that another process pauses, resumes or revokes knows it within a second", {
    timeout: 120_000,
  }, async () => {
    // Only this is cached per key; a test with a settable clock proves that it expires.
    assert.isBelow(cacheTtlMs, 1_000)
    const token = await agentKey("switched", {}, 1_000_000)
    const operator = processes.start("test/support/storeProcess.ts", ["agents", file])
    try {
      await operator.linesUntil(1)
      const measured: Array<number> = []
      const turn = async (verb: string, status: number) => {
        const lines = operator.lines.length
        operator.process.stdin.write(`${verb} switched\n`)
        await operator.linesUntil(lines + 1)
        measured.push(await until(async () => (await service.get(free, token)).status === status))
      }
      for (let round = 0; round < 4; round++) {
        await turn("pause", 403)
        await turn("resume", 200)
      }
      await turn("revoke", 401)
      assert.strictEqual((await service.get(free, token)).json.error.code, "invalid_api_key")
      const longest = Math.max(...measured)
      process.stdout.write(`pause and revoke act after at most ${longest.toFixed(0)} ms\n`)
    } finally {
      operator.process.kill()
      await operator.ended
    }
  })
})

describe("the rate limit of a key", () => {
  const told = (limit: number, remaining: number, reset: number) => [
    String(limit),
    String(remaining),
    String(reset),
    `"default";r=${remaining};t=${reset}`,
    `"default";q=${limit};w=60`,
  ]

  it("is in every answer with a key, failures too, and never below zero", async () => {
    // The clock is fixed, so the bucket does not refill.
    const still = await start({}, { clock: clockAt(noon) })
    const token = await issue({ tier: "enterprise", rpm: 6 }, still)
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

  it("is shown but not used by a paused agent's", async () => {
    const token = await agentKey("resting", {}, 0, { tier: "enterprise", rpm: 10 })
    await agents((all) => all.pause("resting"))
    for (let n = 0; n < 3; n++) {
      const answer = await service.get(free, token)
      assert.strictEqual(answer.status, 403)
      assert.deepStrictEqual(limits(answer), told(10, 10, 0))
    }
  })

  it("is absent where there is none: before the key check and outside the catalogue", async () => {
    for (const [path, token] of [
      [free, ""],
      ["/healthz", service.account.live.token],
      ["/v1/nowhere", service.account.live.token],
    ] as const) {
      assert.deepStrictEqual(limits(await fetch(service.url + path, { headers: { authorization: token } })), none, path)
    }
  })

  it("belongs to the key: another one of the account has its own", async () => {
    const [one, two] = [await issue({ tier: "enterprise", rpm: 1 }), await issue({ tier: "enterprise", rpm: 1 })]
    for (const token of [one, two]) assert.strictEqual((await service.get(free, token)).status, 200)
    for (const token of [one, two]) assert.strictEqual((await service.get(free, token)).status, 429)
  })

  it("without a key belongs to the address: 60 a minute", async () => {
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

  it("lets a call through after the wait that the answer named", () => {
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

/** A server with a test-defined lane over a real ledger. */
const controlled = async (behaviour: Controlled.Behaviour, options: Parameters<typeof Controlled.start>[1] = {}) => {
  let context: Context.Context<SqlClient.SqlClient | Sqlite> | undefined
  const ledger = accountsOver(":memory:").pipe(
    Layer.tap((built) =>
      Effect.gen(function* () {
        context = built
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO accounts (id, name, created_at) VALUES ('acct', 'one', 0)`
        yield* sql`INSERT INTO wallets (account_id, balance_micros) VALUES ('acct', 10000)`
        yield* sql`INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
          VALUES ('key', 'acct', 'h', 'four', 'live', 'pro', 6000, 0)`
      }).pipe(Effect.provide(built)),
    ),
    Layer.orDie,
  )
  const running = await Controlled.start({ ...behaviour, ledger }, options)
  const rows = () =>
    Effect.runPromise(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) =>
          sql<{ status: number; code: string | null; charged: number }>`
          SELECT status, code, charged_micros AS charged FROM audit ORDER BY request_id`,
      ).pipe(Effect.provide(context!)),
    )
  return {
    ...running,
    rows,
    db: () => Effect.runSync(Effect.map(Sqlite, ({ db }) => db).pipe(Effect.provide(context!))),
  }
}

describe("a call that fails", () => {
  it("is never billed and leaves one audit row, whatever it fails with", { timeout: 20_000 }, async () => {
    const all = Object.keys(codes) as ReadonlyArray<Code>
    const running = await controlled({ paid: (n) => Effect.fail(fail(all[n!]!)) })
    for (const [n, code] of all.entries()) {
      const keyed = { headers: { "idempotency-key": crypto.randomUUID() } }
      for (const init of [{}, keyed, { method: "HEAD" }]) {
        const { status } = await running.get(`/v1/controlled/paid?n=${n}`, init)
        assert.strictEqual(status, codes[code].status)
      }
      await until(async () => (await running.rows()).length === (n + 1) * 3)
    }
    const expected = all.flatMap((code) => Array(3).fill({ status: codes[code].status, code, charged: 0 }))
    const byCode = (a: { code: string | null }, b: { code: string | null }) =>
      String(a.code) < String(b.code) ? -1 : 1
    assert.deepStrictEqual([...(await running.rows())].sort(byCode), [...expected].sort(byCode))
    assert.strictEqual(await running.balance(), 10_000)
    await running.stop()
  })

  it("with a defect, a time-out or a client that went away too", async () => {
    const running = await controlled(
      { paid: (n) => (n === 0 ? Effect.die(new Error("a bug")) : Effect.never) },
      { limits: { answerMs: 500 } },
    )
    assert.strictEqual((await running.get("/v1/controlled/paid?n=0")).status, 500)
    assert.strictEqual((await running.get("/v1/controlled/paid?n=1")).status, 408)
    await until(async () => (await running.rows()).length === 2)
    assert.deepStrictEqual(await running.rows(), [
      { status: 500, code: "internal_error", charged: 0 },
      { status: 408, code: "request_timeout", charged: 0 },
    ])
    await running.stop()

    const entered = Effect.runSync(Deferred.make<void>())
    const patient = await controlled({
      paid: () => Effect.zipRight(Deferred.succeed(entered, undefined), Effect.never),
    })
    const controller = new AbortController()
    const gone = patient.get("/v1/controlled/paid", { signal: controller.signal }).catch(() => "gone")
    await Effect.runPromise(Deferred.await(entered))
    controller.abort()
    assert.strictEqual(await gone, "gone")
    await until(async () => (await patient.rows()).length === 1)
    assert.deepStrictEqual(await patient.rows(), [{ status: 408, code: "request_timeout", charged: 0 }])
    assert.strictEqual(await patient.balance(), 10_000)
    await patient.stop()
  })

  it("that is good again is billed once and audited as such", async () => {
    const running = await controlled({})
    assert.strictEqual((await running.get("/v1/controlled/paid")).status, 200)
    assert.deepStrictEqual(await running.rows(), [{ status: 200, code: null, charged: 1_000 }])
    await running.stop()
  })
})

describe("a store that does not take a charge", () => {
  it("because it is full: 503 in the envelope, nothing charged, and it recovers when there is room", async () => {
    const running = await controlled({})
    const db = running.db()
    const ask = () => running.get(`/v1/controlled/paid`, { headers: { "idempotency-key": crypto.randomUUID() } })
    // Fill the disk: free space is left only in pages already begun.
    const opening = 1_000_000
    db.exec(`UPDATE wallets SET balance_micros = ${opening}`)
    db.exec("VACUUM")
    db.pragma(`max_page_count = ${db.pragma("page_count", { simple: true })}`)
    let refused: Response | undefined
    for (let n = 0; n < 200 && refused === undefined; n++) {
      const response = await ask()
      if (response.status !== 200) refused = response
    }
    const paidFor = opening - (await running.balance())
    const { error } = (await refused!.json()) as { error: Record<string, unknown> }
    assert.deepStrictEqual(
      [refused!.status, error["code"], error["recoverable"], error["retry_after_ms"]],
      [503, "storage_unavailable", true, 1_000],
    )
    assert.strictEqual(refused!.headers.get("retry-after"), "1")
    assert.strictEqual(await running.balance(), opening - paidFor)
    db.pragma("max_page_count = 1000000")
    assert.strictEqual((await ask()).status, 200)
    assert.strictEqual(await running.balance(), opening - 1_000 - paidFor)
    await running.stop()
  })

  it("because another process has the lock: 503 after the busy timeout, and it recovers by itself", {
    timeout: 60_000,
  }, async () => {
    const before = [await service.balance(), await service.charges()] as const
    const other = processes.start("test/support/storeProcess.ts", ["hold", file])
    await other.linesUntil(1)
    const timed = async () => {
      const began = performance.now()
      const { status, json } = await service.get(paid)
      return [status, json.error?.code, performance.now() - began] as const
    }
    // Some arrive at once, the others while those wait.
    const first = Array.from({ length: 20 }, timed)
    const more: Array<ReturnType<typeof timed>> = []
    for (let n = 0; n < 200; n++) {
      if (n % 10 === 0) more.push(timed())
      // Reads take no lock.
      assert.strictEqual((await service.get(free)).status, 200)
    }
    for (const [status, code, ms] of await Promise.all([...first, ...more])) {
      assert.deepStrictEqual([status, code], [503, "storage_unavailable"])
      // Later calls do not wait for the earlier ones in addition.
      assert.isBelow(ms, 2 * busyTimeoutMs - 1_000)
    }
    assert.deepStrictEqual([await service.balance(), await service.charges()], before)
    const answered = 20 + more.length + 200
    const audited = () =>
      service.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          // Refusals of other tests are counted by the minute and written after their minute.
          Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM audit WHERE status IN (200, 503)`, ([row]) => row!.n),
        ),
      )
    const rows = await audited()
    other.process.stdin.write("go\n")
    await other.ended
    assert.deepStrictEqual((await timed()).slice(0, 2), [200, undefined])
    // The audit rows of that time are queued for the store's next successful batch.
    assert.strictEqual(await audited(), rows + answered + 1)
    assert.deepStrictEqual([await service.balance(), await service.charges()], [before[0] - 1_000, before[1] + 1])
  })
})

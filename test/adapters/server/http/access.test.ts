import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Caps } from "../../../../core/account/AgentStore.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"
import { accounts, agentKey, agents, bad, free, issue, limits, none, noon, paid } from "./agentKeys.ts"

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

describe("the order of checks", () => {
  const one = { tier: "enterprise", rpm: 1 } as const
  const zero = { monthlyCap: 0 } as Caps

  it("key, account, agent, rate limit, scope, parameters, budget, wallet, answer", async () => {
    const unknown = service.account.live.token.slice(0, -1)
    const paused = await agentKey(service, "paused", zero, 0, { ...one, scopes: ["crypto"] })
    const suspended = await agentKey(service, "suspended", zero, 0, { ...one, scopes: ["crypto"] })
    const limited = await agentKey(service, "limited", zero, 0, { ...one, scopes: ["crypto"] })
    const scoped = await agentKey(service, "scoped", zero, 0, { scopes: ["crypto"] })
    const poor = await agentKey(service, "poor", zero, 0)
    const empty = await agentKey(service, "empty", { monthlyCap: 1_000 } as Caps, 0)
    const good = await agentKey(service, "good", { monthlyCap: 1_000 } as Caps, 1_000)
    // The only call of this minute.
    for (const token of [paused, suspended, limited]) assert.strictEqual((await service.get(bad, token)).status, 403)
    for (const name of ["paused", "suspended"]) await agents(service, (all) => all.pause(name))
    await accounts(service, (all) => all.suspend("owner of suspended"))
    await service.get("/v1/crypto/spot", await issue(service, {}))
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
    const stopped = [
      [paused, "agent_paused"],
      [suspended, "account_suspended"],
    ] as const
    for (const [token, code] of stopped) {
      const { status, json } = await service.get(paid, token)
      assert.deepStrictEqual([status, json.error.code, json.error.recoverable], [403, code, true])
    }
    const answer = await service.get(paid, good)
    assert.deepStrictEqual([answer.status, answer.json._meta.price.charged_micros], [200, 1_000])
    const over = await service.get(paid, good)
    assert.strictEqual(over.json.error.code, "agent_budget_exceeded")
    // Free calls work at the cap and with an empty wallet.
    for (const token of [good, poor]) assert.strictEqual((await service.get(free, token)).status, 200)
  })

  it("a cap error states when the cap resets: next month, or never", async () => {
    const month = await agentKey(service, "month", { monthlyCap: 0 } as Caps, 1_000)
    const life = await agentKey(service, "life", { budgetCap: 0 } as Caps, 1_000)
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
    const poor = await agentKey(service, "broke", {}, 10)
    const { quote } = (await service.get(paid, poor)).json.error
    assert.deepStrictEqual([quote.shortfall_micros, "balance_micros" in quote], [990, false])
  })

  it("a test key has a cap of its own and never sees a 402", async () => {
    const live = await agentKey(service, "both", { monthlyCap: 2_000 } as Caps, 5_000)
    const test = await issue(service, { account: "owner of both", agent: "both", environment: "test" })
    for (const token of [test, live]) {
      const statuses = []
      for (let n = 0; n < 3; n++) statuses.push((await service.get(paid, token)).status)
      assert.deepStrictEqual(statuses, [200, 200, 429])
    }
    const { spend } = await agents(service, (all) => all.get("both"))
    assert.deepStrictEqual(
      spend.map(({ monthSpent }): number => monthSpent),
      [2_000, 2_000],
    )
  })
})

describe("a suspended account", () => {
  it("has every key of every kind refused before anything is charged, and goes on when it is resumed", async () => {
    const live = await agentKey(service, "member", {}, 1_000_000)
    const account = "owner of member"
    const test = await issue(service, { account, environment: "test" })
    const bystander = await agentKey(service, "bystander", {}, 1_000)
    const key = crypto.randomUUID()
    const ask = (token: string) =>
      fetch(service.url + paid, { headers: { authorization: `Bearer ${token}`, "idempotency-key": key } })
    assert.strictEqual((await ask(live)).status, 200)
    const balance = () => accounts(service, (all) => Effect.map(all.balance(account), ({ balance }) => balance))
    const before = await balance()
    await accounts(service, (all) => all.suspend(account))
    // The reply of a charged call is not given again either, and free calls have no exception.
    const asks: ReadonlyArray<() => Promise<{ readonly status: number }>> = [live, test].flatMap((token) => [
      () => ask(token),
      () => service.get(paid, token),
      () => service.get(free, token),
    ])
    const statuses = async () => [
      ...new Set((await Promise.all(asks.map((each) => each()))).map(({ status }) => status)),
    ]
    assert.deepStrictEqual(await statuses(), [403])
    assert.strictEqual(await balance(), before)
    assert.strictEqual((await service.get(free, bystander)).status, 200)
    await accounts(service, (all) => all.resume(account))
    assert.deepStrictEqual(await statuses(), [200])
    assert.strictEqual(await balance(), before - 1_000)
  })
})

describe("a key", () => {
  it("is unknown once it has expired", async () => {
    const clock = clockAt(noon)
    const timed = await start({}, { clock })
    const token = await issue(timed, { expiresAt: noon + 300 })
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

  it("with scopes works only in their lanes; the error names the missing scope", async () => {
    const token = await issue(service, { scopes: ["crypto", "football"] })
    const refused = await service.get(free, token)
    assert.deepStrictEqual([refused.status, refused.json.error.code], [403, "insufficient_scope"])
    assert.include(refused.json.error.hints[0].suggestion, "weather")
    assert.strictEqual((await service.get("/v1/crypto/spot", token)).status, 200)
    assert.strictEqual((await service.get("/v1/nfl/games?limit=1", token)).status, 200)
  })
})

import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll } from "vitest"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { Caps } from "../../../../core/account/AgentStore.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { type Running, start } from "../../../support/running.ts"

let service: Running
beforeAll(async () => {
  service = await start({}, { balance: 25_000 })
})
afterAll(() => service.stop())

const post = (body: unknown, token = service.account.live.token) =>
  service.get("/v1/plan/estimate", token, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json" },
  })

/** A key of an agent with these caps. */
const agentKey = (name: string, caps: Caps) =>
  service.run(
    Effect.gen(function* () {
      const agents = yield* Agents
      const { id } = yield* agents.create(service.account.id, name, caps)
      const { plaintext } = yield* (yield* Accounts).issueKey({
        account: service.account.id,
        environment: "live",
        tier: "pro",
        agent: id,
        scopes: ["crypto", "weather"],
      })
      return Redacted.value(plaintext)
    }),
  )

describe("dry_run", () => {
  it("quotes a priced call and leaves no charge", async () => {
    const before = await service.balance()
    const { status, json } = await service.get("/v1/crypto/signal?dry_run=true")
    assert.strictEqual(status, 200)
    const { tokens_estimated, ...quote } = json.results.quote
    assert.deepStrictEqual(quote, {
      endpoint: "/v1/crypto/signal",
      price: { display: "0.01 USD", micros: 10_000 },
      charged_micros: 10_000,
      affordable: true,
      balance_micros: before,
    })
    const paid = await service.get("/v1/crypto/signal")
    // The example may have been counted a minute earlier: ages and prices have other digits then.
    assert.approximately(tokens_estimated, paid.json._meta.tokens_estimated, 5)
    assert.deepStrictEqual(json._meta.price, { display: "0.01 USD", charged_micros: 0 })
    assert.strictEqual(await service.balance(), before - 10_000)
  })

  it("checks parameters like the call itself, and takes no Idempotency-Key", async () => {
    const { status, json } = await service.get("/v1/weather/settlement?station=KXXX&dry_run=true")
    assert.deepStrictEqual([status, json.error.hints[0].field], [400, "station"])
    const idempotent = { headers: { "idempotency-key": "9b2f8a54-7c1d-4e0a-8f3b-0a1b2c3d4e5f" } }
    await service.get("/v1/weather/stations?dry_run=true", undefined, idempotent)
    const { headers } = await service.get("/v1/weather/stations", undefined, idempotent)
    assert.isNull(headers.get("x-idempotent-replay"))
  })

  it("quotes the calls about the account, at price 0", async () => {
    const free = { price: { display: "free", micros: 0 }, charged_micros: 0, affordable: true }
    for (const call of ["/v1/key?", "/v1/wallet?", "/v1/find?q=Chicago&"]) {
      const { status, json } = await service.get(`${call}dry_run=true`)
      assert.strictEqual(status, 200, call)
      const quote = { endpoint: call.split("?")[0], ...free, balance_micros: await service.balance() }
      assert.deepStrictEqual(json.results, { quote })
    }
    const { json } = await post({ calls: [{ endpoint: "crypto_signal" }], dry_run: true })
    assert.deepInclude(json.results.quote, { endpoint: "/v1/plan/estimate", ...free })
    const { status, json: refused } = await service.get("/v1/find?dry_run=true")
    assert.deepStrictEqual([status, refused.error.hints[0].field], [400, "q"])
  })

  it("is free for a test key, and the quote shows it", async () => {
    const { json } = await service.get("/v1/crypto/signal?dry_run=true", service.account.test.token)
    assert.strictEqual(json.results.quote.charged_micros, 0)
    assert.isTrue(json.results.quote.affordable)
  })

  it("names the cap of an agent, hides the wallet from its key, and announces nothing", async () => {
    const token = await agentKey("frugal", { monthlyCap: MicroUsd(9_000) })
    const { json } = await service.get("/v1/crypto/signal?dry_run=true", token)
    const { affordable, blocked_by, balance_micros } = json.results.quote
    assert.deepStrictEqual([affordable, blocked_by, balance_micros], [false, "agent_budget_exceeded", undefined])
    const { json: own } = await service.get("/v1/key", token)
    assert.strictEqual(own.results.agent.month_spent_micros, 0)
    const events = await service.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT type FROM outbox`))
    assert.deepStrictEqual(events, [])
  })
})

describe("POST /v1/plan/estimate", () => {
  it("prices every call in order and names the first that would fail", async () => {
    const balance = await service.balance()
    const affordable = Math.floor(balance / 10_000)
    const { status, json } = await post({
      calls: [
        ...Array.from({ length: affordable + 1 }, () => ({ endpoint: "crypto_signal" })),
        { endpoint: "/v1/weather/stations" },
        { endpoint: "weather_settlement", params: { station: "nope" } },
        { endpoint: "no_such" },
      ],
    })
    assert.strictEqual(status, 200)
    const { calls, ...rest } = json.results
    assert.deepStrictEqual(
      calls.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok),
      [...Array(affordable).fill(true), "insufficient_funds", true, "invalid_parameter", "not_found"],
    )
    assert.deepStrictEqual(
      [rest.count, rest.total_micros, rest.first_failure, rest.affordable],
      [affordable + 4, affordable * 10_000, affordable, false],
    )
    assert.strictEqual(rest.total_list_micros, (affordable + 1) * 10_000 + 1_000)
    assert.isAbove(rest.tokens_estimated, 0)
    assert.deepStrictEqual(json._meta.price, { display: "free", charged_micros: 0 })
    assert.strictEqual(await service.balance(), balance)
  })

  it("holds a plan against an agent's cap and a key's scopes", async () => {
    const token = await agentKey("planner", { monthlyCap: MicroUsd(15_000) })
    const { json } = await post(
      { calls: [{ endpoint: "crypto_signal" }, { endpoint: "crypto_signal" }, { endpoint: "nfl_games" }] },
      token,
    )
    assert.deepStrictEqual(
      json.results.calls.map(({ code }: { code?: string }) => code),
      [undefined, "agent_budget_exceeded", "insufficient_scope"],
    )
    assert.isFalse("balance_micros" in json.results)
  })

  const list = "a JSON array of 1 to 100 objects {endpoint, params?}"
  for (const [name, body, field, suggestion] of [
    ["no JSON", "{", "body"],
    ["a list", [], "body"],
    ["no calls", {}, "calls", `Add calls: ${list}.`],
    ["a text", { calls: "crypto_spot, crypto_signal" }, "calls", `calls must be ${list}.`],
    ["an empty plan", { calls: [] }, "calls", `calls must be ${list}.`],
    ["a plan of 101", { calls: Array(101).fill({ endpoint: "crypto_spot" }) }, "calls", `calls must be ${list}.`],
    ["a plan of ids", { calls: ["crypto_spot"] }, "calls", "Item 1 of calls must be an object {endpoint, params?}."],
    ["a call without an endpoint", { calls: [{}] }, "calls", "Add endpoint of item 1 of calls: text."],
    [
      "parameters that are a list",
      { calls: [{ endpoint: "crypto_spot" }, { endpoint: "crypto_spot", params: [] }] },
      "calls",
      "params of item 2 of calls must be an object.",
    ],
  ] as const) {
    it(`refuses ${name}`, async () => {
      const { status, json } = await post(body)
      const [hint] = json.error.hints
      assert.deepStrictEqual([status, json.error.code, hint.field], [400, "invalid_request_body", field])
      if (suggestion !== undefined) assert.strictEqual(hint.suggestion, suggestion)
    })
  }

  it("wants a key and POST", async () => {
    assert.strictEqual((await post({ calls: [{ endpoint: "crypto_spot" }] }, "")).status, 401)
    const { status, headers } = await service.get("/v1/plan/estimate")
    assert.deepStrictEqual([status, headers.get("allow")], [405, "POST, OPTIONS"])
    const long = await post(`{"calls": "${"x".repeat(70_000)}"}`)
    assert.strictEqual(long.status, 413)
  })
})

describe("GET /v1/key", () => {
  it("shows the key's spend, its limits and the wallet's balance", async () => {
    const before = (await service.get("/v1/key")).json.results
    await service.get("/v1/weather/settlement?station=KNYC")
    const { json } = await service.get("/v1/key")
    const { results } = json
    assert.deepStrictEqual([results.key_id, results.environment], [service.account.live.id, "live"])
    assert.strictEqual(results.month_spent_micros, before.month_spent_micros + 1_000)
    assert.strictEqual(results.wallet.balance_micros, await service.balance())
    assert.strictEqual(results.month, new Date().toISOString().slice(0, 7))
    assert.strictEqual(results.rate_limit.per_minute, 6_000)
    assert.isBelow(results.rate_limit.remaining, 6_000)
    assert.strictEqual(json._meta.price.charged_micros, 0)
  })

  it("answers a key whatever its scopes, with its agent's caps", async () => {
    const { json } = await service.get("/v1/key", await agentKey("scoped", { monthlyCap: MicroUsd(5_000) }))
    const { agent, scopes, wallet } = json.results
    assert.deepStrictEqual([agent.name, agent.monthly_cap_micros, agent.month_spent_micros], ["scoped", 5_000, 0])
    assert.deepStrictEqual([scopes, wallet], [["crypto", "weather"], undefined])
    assert.isAbove(Date.parse(agent.resets_at), Date.now())
  })

  it("sums an agent's lifetime spend, whichever caps it has", async () => {
    for (const caps of [{}, { monthlyCap: MicroUsd(50_000) }, { budgetCap: MicroUsd(50_000) }]) {
      const token = await agentKey(`spender ${Object.keys(caps)}`, caps)
      assert.strictEqual((await service.get("/v1/weather/settlement?station=KNYC", token)).status, 200)
      const { agent } = (await service.get("/v1/key", token)).json.results
      assert.deepStrictEqual([agent.month_spent_micros, agent.total_spent_micros], [1_000, 1_000])
    }
  })
})

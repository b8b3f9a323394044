import { createHash } from "node:crypto"

import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { watched } from "../../../../core/alerts/fields.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { watches } from "../../../../core/lanes/all.ts"
import { ChangeLog } from "../../../../core/people/Change.ts"
import { type Running, start } from "../../../support/running.ts"

const url = "https://93.184.215.14/hook"
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex")
const call = "/v1/weather/settlement?station=KNYC"
const once = "9f1c2d34-5b6a-4c7d-8e9f-0a1b2c3d4e5f"

describe("alerts and webhooks of a key with the scope manage", { timeout: 120_000 }, () => {
  let service: Running
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.stop())

  const keyOf = (account: string, of: { readonly scopes?: ReadonlyArray<string>; readonly agent?: string } = {}) =>
    service.run(
      Effect.flatMap(Accounts, (accounts) =>
        Effect.map(
          accounts.issueKey({ account, environment: "live", scopes: ["manage", "weather"], ...of }),
          ({ plaintext }) => Redacted.value(plaintext),
        ),
      ),
    )
  const own = (of?: Parameters<typeof keyOf>[1]) => keyOf(service.account.id, of)
  const post = (path: string, token: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    service.get(path, token, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    })
  const remove = (path: string, token: string) => service.get(path, token, { method: "DELETE" })
  const tool = async (token: string, name: string, args: object) => {
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    })
    return JSON.parse((await response.text()).replace(/^[\s\S]*?data: /, "")).result
  }

  it("are made, listed and deleted, free, with lines in the log of changes", async () => {
    const token = await own()
    const made = await post("/v1/alerts", token, { call, name: "report" })
    assert.strictEqual(made.status, 200, made.text)
    const { id, key, status } = made.json.results
    assert.strictEqual(status, "active")
    assert.strictEqual(made.json._meta.price.charged_micros, 0)
    const { alerts } = (await service.get("/v1/alerts", token)).json.results
    assert.deepStrictEqual(alerts, [made.json.results])
    assert.deepStrictEqual((await remove(`/v1/alerts/${id}`, token)).json.results, { id, deleted: true })
    assert.deepStrictEqual((await service.get("/v1/alerts", token)).json.results, { alerts: [] })
    const revoked = await service.run(Effect.flatMap(Accounts, (accounts) => accounts.key(key)))
    assert.isDefined(revoked.revokedAt)
    const changes = await service.run(
      Effect.flatMap(ChangeLog, (log) => log.page({ accountId: service.account.id, limit: 2 })),
    )
    assert.deepStrictEqual(
      changes.map(({ verb, who }) => [verb, who.startsWith("key key_")]),
      [
        ["alerts_delete", true],
        ["alerts_create", true],
      ],
    )
  })

  it("show a webhook's secret in the answer that made it, under a repeated key too, and keep it sealed", async () => {
    const token = await own()
    const body = { url, events: ["alert.fired"] }
    const first = await post("/v1/webhooks", token, body, { "idempotency-key": once })
    assert.match(first.json.results.secret, /^whsec_/)
    const again = await post("/v1/webhooks", token, body, { "idempotency-key": once })
    assert.deepStrictEqual(again.json.results, first.json.results)
    assert.strictEqual(again.headers.get("x-idempotent-replay"), "true")
    const stored = await service.run(
      Effect.flatMap(Effect.all([Ledger, SqlClient.SqlClient]), ([ledger, sql]) =>
        Effect.flatMap(sql<{ id: string }>`SELECT id FROM api_keys WHERE hash = ${hashOf(token)}`, ([row]) =>
          ledger.recall(row!.id, once, Date.now()),
        ),
      ),
    )
    assert.match(stored!.stored!, /^sealed1\./)
    const other = await post("/v1/webhooks", token, { ...body, events: ["wallet.low"] }, { "idempotency-key": once })
    assert.strictEqual(other.json.error.code, "idempotency_key_reused")
    const listed = (await service.get("/v1/webhooks", token)).json.results.webhooks
    assert.lengthOf(listed, 1)
    assert.notProperty(listed[0], "secret")
    const { id, secret } = first.json.results
    assert.strictEqual((await remove(`/v1/webhooks/${id}`, token)).status, 200)
    assert.strictEqual((await remove(`/v1/webhooks/${id}`, token)).status, 404)
    assert.notInclude((await service.get("/v1/webhooks", token)).text, secret)
  })

  it("are the same after an answer that was lost before it was stored", async () => {
    const token = await own()
    const headers = { "idempotency-key": once }
    const alert = await post("/v1/alerts", token, { call }, headers)
    const webhook = await post(
      "/v1/webhooks",
      token,
      { url, events: ["alert.fired"] },
      { "idempotency-key": once.replace("9f", "8f") },
    )
    await service.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM idempotency`))
    const again = await post("/v1/alerts", token, { call }, headers)
    assert.deepStrictEqual(again.json.results, alert.json.results)
    const secret = await post(
      "/v1/webhooks",
      token,
      { url, events: ["alert.fired"] },
      { "idempotency-key": once.replace("9f", "8f") },
    )
    assert.strictEqual(secret.json.results.id, webhook.json.results.id)
    assert.notStrictEqual(secret.json.results.secret, webhook.json.results.secret)
    for (const one of (await service.get("/v1/webhooks", token)).json.results.webhooks)
      await remove(`/v1/webhooks/${one.id}`, token)
  })

  it("need the scope, a live key, the lane's scope, and an account of one's own", async () => {
    const refused = async (token: string, body: object = { call }) => {
      const { status, json } = await post("/v1/alerts", token, body)
      return [status, json.error?.code, json.error?.hints[0]?.field]
    }
    assert.deepStrictEqual(await refused(service.account.live.token), [403, "insufficient_scope", "Authorization"])
    assert.deepStrictEqual(await refused(service.account.test.token), [403, "insufficient_scope", "Authorization"])
    assert.deepStrictEqual(await refused(await own({ scopes: ["weather"] })), [
      403,
      "insufficient_scope",
      "Authorization",
    ])
    assert.deepStrictEqual(await refused(await own({ scopes: ["manage"] })), [
      403,
      "insufficient_scope",
      "Authorization",
    ])
    const token = await own()
    const { id } = (await post("/v1/alerts", token, { call })).json.results
    await service.run(Effect.flatMap(Accounts, (accounts) => accounts.create("stranger")))
    const stranger = await keyOf("stranger")
    assert.deepStrictEqual((await service.get("/v1/alerts", stranger)).json.results.alerts, [])
    assert.strictEqual((await remove(`/v1/alerts/${id}`, stranger)).json.error.hints[0].field, "alert")
    assert.strictEqual((await remove(`/v1/alerts/${id}`, token)).status, 200)
  })

  it("name the field that is wrong, and guard the addresses", async () => {
    const token = await own()
    const field = async (path: string, body: object) =>
      (await post(path, token, body)).json.error?.hints?.map((hint: { field: string }) => hint.field)
    assert.deepStrictEqual(await field("/v1/alerts", { call: "/v1/crypto/spot" }), ["call"])
    assert.deepStrictEqual(await field("/v1/alerts", { call: "/v1/weather/signal?station=KNYC" }), ["threshold"])
    assert.deepStrictEqual(await field("/v1/alerts", { call, account: "other" }), ["account"])
    assert.deepStrictEqual(await field("/v1/webhooks", { url: "https://127.0.0.1/", events: ["wallet.low"] }), ["url"])
    assert.deepStrictEqual(await field("/v1/webhooks", { url: "mailto:a@example.com", events: ["wallet.low"] }), [
      "url",
    ])
    assert.deepStrictEqual(await field("/v1/webhooks", { url, events: ["job.failed"] }), ["events"])
    assert.deepStrictEqual((await service.get("/v1/webhooks", token)).json.results.webhooks, [])
  })

  it("of an agent's key are that agent's, and webhooks are not", async () => {
    const [mine, other] = await service.run(
      Effect.flatMap(Agents, (agents) =>
        Effect.all([agents.create(service.account.id, "mine", {}), agents.create(service.account.id, "other", {})]),
      ),
    )
    const token = await own({ agent: mine.id })
    const made = await post("/v1/alerts", token, { call })
    assert.strictEqual(made.json.results.agent, mine.id)
    assert.strictEqual((await post("/v1/alerts", token, { call, agent: other.id })).json.error.hints[0].field, "agent")
    const whole = await post("/v1/alerts", await own(), { call })
    const { alerts } = (await service.get("/v1/alerts", token)).json.results
    assert.deepStrictEqual(alerts, [made.json.results])
    assert.strictEqual((await remove(`/v1/alerts/${whole.json.results.id}`, token)).status, 404)
    for (const path of ["/v1/webhooks"]) {
      assert.strictEqual((await service.get(path, token)).json.error.code, "insufficient_scope")
      assert.strictEqual(
        (await post(path, token, { url, events: ["wallet.low"] })).json.error.code,
        "insufficient_scope",
      )
    }
  })

  it("are tools, which watch calls by the names of tools", async () => {
    const token = await own()
    const made = await tool(token, "alerts_create", {
      call: "weather_settlement?station=KNYC",
      idempotency_key: once.replace("9f", "7f"),
    })
    const { id, call: path } = made.structuredContent.results
    assert.strictEqual(path, call)
    const listed = await tool(token, "alerts_list", {})
    assert.include(JSON.stringify(listed.structuredContent.results.alerts), id)
    const wrong = await tool(token, "alerts_create", { call: "/v1/crypto/spot" })
    assert.match(wrong.content[0].text, /weather_settlement, weather_signal/)
    assert.deepStrictEqual((await tool(token, "alerts_delete", { alert: id })).structuredContent.results, {
      id,
      deleted: true,
    })
  })

  it("quote a dry run without a write", async () => {
    const token = await own()
    const before = (await service.get("/v1/webhooks", token)).text.length
    const { results } = (await post("/v1/webhooks", token, { url, events: ["wallet.low"], dry_run: true })).json
    assert.strictEqual(results.quote.charged_micros, 0)
    for (const path of ["/v1/alerts", "/v1/webhooks"]) {
      const { quote } = (await service.get(`${path}?dry_run=true`, token)).json.results
      assert.deepInclude(quote, { endpoint: path, charged_micros: 0, affordable: true })
    }
    const all = await service.run(Effect.flatMap(Webhooks, (webhooks) => webhooks.list(service.account.id)))
    assert.lengthOf(all, 0)
    assert.isAbove(before, 0)
  })

  it("are in the OpenAPI document with the stream, and tell the calls that the lanes watch", async () => {
    const { paths } = (await service.get("/openapi.json", "")).json
    const found = Object.entries(paths).flatMap(([path, item]) =>
      /^\/v1\/(alerts|webhooks)/.test(path) ? Object.keys(item as object).map((method) => `${method} ${path}`) : [],
    )
    assert.sameMembers(found, [
      "post /v1/alerts",
      "get /v1/alerts",
      "delete /v1/alerts/{alert}",
      "post /v1/webhooks",
      "get /v1/webhooks",
      "delete /v1/webhooks/{webhook}",
      "get /v1/alerts/events",
    ])
    assert.include(paths["/v1/alerts/events"].get.responses[200].content["text/event-stream"].example, "alert.fired")
    assert.deepStrictEqual(watched, Object.fromEntries(watches.map(({ endpoint, unit }) => [endpoint.path, unit])))
  })
})

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Running, start } from "../../../support/running.ts"
import * as adminClient from "./adminClient.ts"
import { admin, token } from "./adminClient.ts"

let service: Running
beforeAll(async () => {
  service = await start({ admin })
})
afterAll(() => service.stop())

/** Asks the admin API of this file's server. */
const send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  url: string | undefined = service.adminUrl,
) => adminClient.send(url, method, path, body, headers)

const fieldsOf = (json: { readonly error: { readonly hints: ReadonlyArray<{ readonly field: string }> } }) =>
  json.error.hints.map(({ field }) => field).sort()

describe("the admin API", () => {
  it("covers the whole life of an account, from creation to audit trail", async () => {
    const account = await send("POST", "accounts", { name: "acme inc" })
    assert.strictEqual(account.status, 201)
    assert.deepStrictEqual(Object.keys(account.json), ["id", "name", "tier", "per_minute", "created_at"])
    assert.deepInclude((await send("GET", "accounts")).json.accounts, account.json)
    const path = `accounts/${encodeURIComponent("acme inc")}`
    const credited = await send("POST", `${path}/credits`, { micros: 5_000 })
    assert.deepStrictEqual([credited.status, credited.json.balance_micros], [201, 5_000])

    const agent = await send("POST", `${path}/agents`, { name: "bot", monthly_cap_micros: 2_000 })
    assert.deepStrictEqual([agent.status, agent.json.status, agent.json.monthly_cap_micros], [201, "active", 2_000])
    assert.deepStrictEqual((await send("GET", `${path}/agents`)).json.agents, [agent.json])
    const made = await send("POST", `${path}/keys`, {
      environment: "live",
      tier: "pro",
      agent: "bot",
      scopes: ["weather"],
      expires_at: "2099-01-01T00:00:00Z",
    })
    assert.strictEqual(made.status, 201)
    const { key, ...shown } = made.json
    assert.match(key, /^svk_live_[0-9A-Za-z]{49}$/)
    assert.deepInclude(shown, { agent: agent.json.id, scopes: ["weather"], expires_at: "2099-01-01T00:00:00.000Z" })
    const listed = await send("GET", `${path}/keys`)
    assert.deepStrictEqual(listed.json.keys, [shown])

    const ask = () => service.get("/v1/weather/settlement?station=KNYC", key)
    for (const status of [200, 200, 429]) assert.strictEqual((await ask()).status, status)
    const capped = await send("PATCH", "agents/bot/caps", { monthly_cap_micros: null, budget_cap_micros: 3_000 })
    assert.deepStrictEqual(
      [capped.status, capped.json.monthly_cap_micros, capped.json.budget_cap_micros],
      [200, undefined, 3_000],
    )
    for (const status of [200, 429]) assert.strictEqual((await ask()).status, status)
    const { spend } = (await send("GET", "agents/bot")).json
    const month = new Date().toISOString().slice(0, 7)
    assert.deepStrictEqual(spend, {
      live: { month, month_micros: 3_000, total_micros: 3_000 },
      test: { month, month_micros: 0, total_micros: 0 },
    })

    const rotated = await send("POST", `keys/${shown.id}/rotate`, { overlap_seconds: 3_600 })
    assert.strictEqual(rotated.status, 201)
    assert.deepInclude(rotated.json, { agent: agent.json.id, scopes: ["weather"], tier: "pro" })
    assert.closeTo(Date.parse(rotated.json.previous.expires_at), Date.now() + 3_600_000, 400_000)
    for (const each of [key, rotated.json.key]) {
      assert.strictEqual((await service.get("/v1/weather/stations", each)).status, 200)
    }
    assert.deepStrictEqual((await send("POST", `keys/${shown.id}/revoke`)).json, { id: shown.id, revoked: true })
    assert.strictEqual((await send("POST", `keys/${shown.id}/revoke`)).status, 404)

    for (const [verb, isSuspended] of [
      ["suspend", true],
      ["resume", false],
    ] as const) {
      const turned = await send("POST", `accounts/tester/${verb}`)
      assert.deepStrictEqual([turned.status, "suspended_at" in turned.json], [200, isSuspended])
      assert.deepInclude((await send("GET", "accounts")).json.accounts, turned.json)
    }

    for (const [verb, status] of [
      ["pause", "paused"],
      ["resume", "active"],
      ["revoke", "revoked"],
    ] as const) {
      const turned = await send("POST", `agents/bot/${verb}`)
      assert.deepStrictEqual([turned.status, turned.json.status], [200, status])
    }
    assert.deepStrictEqual(fieldsOf((await send("POST", "agents/bot/resume")).json), ["agent"])

    const { rows, next_since } = (await send("GET", "agents/bot/audit?limit=4")).json
    const codes = rows.map(({ code, charged_micros }: Record<string, unknown>) => [code, charged_micros])
    assert.sameDeepMembers(codes, [
      [null, 1_000],
      [null, 1_000],
      [null, 1_000],
      ["agent_budget_exceeded", 0],
    ])
    assert.strictEqual(next_since, rows[3].request_id)
    const rest = (await send("GET", `agents/bot/audit?since=${next_since}`)).json
    assert.lengthOf(rest.rows, 3)
    assert.isFalse("next_since" in rest)
    const lost = await send("GET", "agents/bot/audit?since=req_0")
    assert.deepStrictEqual([lost.status, fieldsOf(lost.json)], [400, ["since"]])

    const wallet = (await send("GET", `${path}/wallet?limit=2`)).json
    assert.deepStrictEqual([wallet.balance_micros, wallet.postings.length], [2_000, 2])
  })

  it("sets, shows and removes the threshold of a wallet", async () => {
    const { json: account } = await send("POST", "accounts", { name: "careful" })
    const path = "accounts/careful/wallet"
    assert.isFalse("threshold_micros" in (await send("GET", path)).json)
    for (const micros of [1, Number.MAX_SAFE_INTEGER, 2_000_000]) {
      const { status, json } = await send("PATCH", path, { threshold_micros: micros })
      assert.deepStrictEqual(
        [status, json],
        [200, { account: account.id, balance_micros: 0, threshold_micros: micros }],
      )
      assert.strictEqual((await send("GET", path)).json.threshold_micros, micros)
    }
    const none = await send("PATCH", path, { threshold_micros: null })
    assert.deepStrictEqual([none.status, none.json], [200, { account: account.id, balance_micros: 0 }])
    assert.isFalse("threshold_micros" in (await send("GET", path)).json)
  })

  it("pages a wallet's postings and takes credits back", async () => {
    const account = await send("POST", "accounts", { name: "payer" })
    const path = "accounts/payer"
    await send("POST", `${path}/credits`, { micros: 5_000 })
    await send("POST", `${path}/credits`, { micros: 700 })
    const wallet = (await send("GET", `${path}/wallet?limit=1`)).json
    const [{ id: credit }] = wallet.postings
    assert.isString(wallet.next)
    const back = await send("POST", `${path}/reversals`, { credit, micros: 200 })
    assert.deepStrictEqual(
      [back.status, back.json],
      [201, { account: account.json.id, credit, reversed_micros: 200, left_micros: 500, balance_micros: 5_500 }],
    )
    const rest = await send("POST", `${path}/reversals`, { credit })
    assert.deepStrictEqual([rest.json.reversed_micros, rest.json.balance_micros], [500, 5_000])
    const older = (await send("GET", `${path}/wallet?cursor=${wallet.next}`)).json
    assert.deepStrictEqual([older.postings.length, older.postings[0].micros, older.next], [1, 5_000, undefined])
    assert.strictEqual((await send("GET", `${path}/wallet?cursor=x`)).status, 400)
    assert.strictEqual((await send("POST", `${path}/reversals`, { credit: older.account })).status, 404)
  })

  const many = "x".repeat(65)
  const refused: ReadonlyArray<readonly [string, string, unknown, number, string, ReadonlyArray<string>]> = [
    ["POST", "accounts", {}, 400, "invalid_request_body", ["name"]],
    ["POST", "accounts", undefined, 400, "invalid_request_body", ["name"]],
    ["POST", "accounts", { name: 5 }, 400, "invalid_request_body", ["name"]],
    [
      "POST",
      "accounts",
      { name: many, other: 1, __proto__x: 2 },
      400,
      "invalid_request_body",
      ["__proto__x", "name", "other"],
    ],
    ["POST", "accounts", { name: "-" }, 400, "invalid_request_body", ["name"]],
    ["POST", "accounts", { name: "tester" }, 400, "invalid_request_body", ["name"]],
    ["POST", "accounts", "{", 400, "invalid_request_body", ["body"]],
    ["POST", "accounts", "[]", 400, "invalid_request_body", ["body"]],
    ["POST", "accounts", "null", 400, "invalid_request_body", ["body"]],
    ["POST", "accounts", '"name"', 400, "invalid_request_body", ["body"]],
    ["POST", "accounts", "[".repeat(50_000), 400, "invalid_request_body", ["body"]],
    ["POST", "accounts", '{"__proto__":{"name":"x"}}', 400, "invalid_request_body", ["__proto__", "name"]],
    ["POST", "accounts", "x".repeat(65_537), 413, "payload_too_large", ["body"]],
    ["POST", "accounts/tester/credits", { micros: 0 }, 400, "invalid_request_body", ["micros"]],
    ["POST", "accounts/tester/credits", { micros: 1.5 }, 400, "invalid_request_body", ["micros"]],
    ["POST", "accounts/tester/credits", { micros: "5" }, 400, "invalid_request_body", ["micros"]],
    ["POST", "accounts/tester/credits", { micros: 2 ** 53 - 1 }, 400, "invalid_request_body", ["micros"]],
    ["POST", "accounts/tester/credits", { micros: 1, account: "x" }, 400, "invalid_request_body", ["account"]],
    ["POST", "accounts/nobody/credits", { micros: 1 }, 404, "not_found", ["account"]],
    ...[0, -1, 1.5, "5", 2 ** 53, true, {}].map((micros) => {
      const given = { threshold_micros: micros }
      return ["PATCH", "accounts/tester/wallet", given, 400, "invalid_request_body", ["threshold_micros"]] as const
    }),
    ["PATCH", "accounts/tester/wallet", {}, 400, "invalid_request_body", ["threshold_micros"]],
    ["PATCH", "accounts/nobody/wallet", { threshold_micros: 1 }, 404, "not_found", ["account"]],
    ["GET", "accounts/nobody/wallet", undefined, 404, "not_found", ["account"]],
    ["GET", "accounts/tester/wallet?limit=-1", undefined, 400, "invalid_parameter", ["limit"]],
    ["GET", "accounts/tester/wallet?limit=1&limit=2", undefined, 400, "invalid_parameter", ["limit"]],
    ["GET", "accounts/tester/wallet?other=1", undefined, 400, "invalid_parameter", ["other"]],
    ["POST", "accounts/tester/keys", {}, 400, "invalid_request_body", ["environment"]],
    [
      "POST",
      "accounts/tester/keys",
      { environment: "live", tier: "pro", rpm: 5 },
      400,
      "invalid_request_body",
      ["rpm"],
    ],
    ["POST", "accounts/tester/keys", { environment: "live", tier: "enterprise" }, 400, "invalid_request_body", ["rpm"]],
    [
      "POST",
      "accounts/tester/keys",
      { environment: "live", tier: "pro", agent: "no" },
      400,
      "invalid_request_body",
      ["agent"],
    ],
    [
      "POST",
      "accounts/tester/keys",
      { environment: "live", tier: "pro", scopes: [] },
      400,
      "invalid_request_body",
      ["scopes"],
    ],
    [
      "POST",
      "accounts/tester/keys",
      { environment: "live", tier: "pro", scopes: ["weather", "tea"] },
      400,
      "invalid_request_body",
      ["scopes"],
    ],
    [
      "POST",
      "accounts/tester/keys",
      { environment: "live", tier: "pro", expires_at: "2020-01-01T00:00:00Z" },
      400,
      "invalid_request_body",
      ["expires_at"],
    ],
    [
      "POST",
      "accounts/tester/keys",
      { environment: "live", tier: "pro", expires_at: "2099-02-30T00:00:00Z" },
      400,
      "invalid_request_body",
      ["expires_at"],
    ],
    [
      "POST",
      "accounts/tester/keys",
      { environment: "live", tier: "pro", expires_at: 5 },
      400,
      "invalid_request_body",
      ["expires_at"],
    ],
    ["POST", "keys/key_0/rotate", { overlap_seconds: 2_592_001 }, 400, "invalid_request_body", ["overlap_seconds"]],
    ["POST", "keys/key_0/rotate", {}, 404, "not_found", ["key"]],
    ["POST", "keys/key_0/revoke", undefined, 404, "not_found", ["key"]],
    [
      "POST",
      "accounts/tester/agents",
      { name: "a", monthly_cap_micros: -1 },
      400,
      "invalid_request_body",
      ["monthly_cap_micros"],
    ],
    ["PATCH", "agents/nobody/caps", {}, 404, "not_found", ["agent"]],
    [
      "PATCH",
      "agents/nobody/caps",
      { monthly_cap_micros: "none" },
      400,
      "invalid_request_body",
      ["monthly_cap_micros"],
    ],
    ["GET", "agents/nobody", undefined, 404, "not_found", ["agent"]],
    ["POST", "agents/nobody/pause", undefined, 404, "not_found", ["agent"]],
    ["POST", "accounts/nobody/suspend", undefined, 404, "not_found", ["account"]],
    ["GET", "agents/nobody/audit?limit=0", undefined, 400, "invalid_parameter", ["limit"]],
    ["GET", "nowhere", undefined, 404, "not_found", ["path"]],
    ["GET", "", undefined, 404, "not_found", ["path"]],
    ["GET", "accounts/%ff/wallet", undefined, 404, "not_found", ["path"]],
    ["DELETE", "accounts", undefined, 405, "method_not_allowed", ["method"]],
    ["GET", "agents/x/pause", undefined, 405, "method_not_allowed", ["method"]],
    ["OPTIONS", "accounts", undefined, 405, "method_not_allowed", ["method"]],
  ]
  for (const [method, path, body, status, code, fields] of refused) {
    const shown = (typeof body === "string" ? body : JSON.stringify(body))?.slice(0, 60) ?? "nothing"
    it(`${method} ${path} with ${shown}: ${status} ${code} ${fields.join(", ")}`, async () => {
      const { status: found, json, headers, text } = await send(method, path, body)
      assert.deepStrictEqual([found, json.error.code, fieldsOf(json)], [status, code, [...fields]])
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(headers.get("x-request-id"), json.error.request_id)
      assert.strictEqual(headers.get("allow") !== null, status === 405)
      // The size is checked before the path.
      assert.strictEqual(headers.get("access-control-allow-origin"), status === 413 ? "*" : null)
      for (const { suggestion } of json.error.hints) assert.isTrue(typeof suggestion === "string" && suggestion !== "")
      assert.notInclude(text, token)
    })
  }

  it("limits a body without Content-Length to 64 KiB too", async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(16_384))),
    })
    const init: RequestInit & { readonly duplex: "half" } = {
      method: "POST",
      body,
      duplex: "half",
      headers: { authorization: `Bearer ${token}` },
    }
    // The connection may close before a client that still writes reads the answer.
    const status = await fetch(`${service.adminUrl}/admin/v1/accounts`, init).then(
      (response) => response.status,
      () => 413,
    )
    assert.strictEqual(status, 413)
  })

  it("serves HEAD as GET, and no answer may be stored", async () => {
    const { status, headers, text } = await send("HEAD", "accounts")
    assert.deepStrictEqual([status, text, headers.get("cache-control")], [200, "", "no-store"])
    assert.match(headers.get("x-request-id")!, /^req_/)
    assert.isNull(headers.get("access-control-allow-origin"))
  })
})

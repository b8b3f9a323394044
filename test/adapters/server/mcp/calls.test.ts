import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as mcp from "../../../../adapters/server/mcp/mod.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import type { KeyRequest } from "../../../../core/account/KeyRequest.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import type { Code } from "../../../../core/Failure.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { type Running, start } from "../../../support/running.ts"
import { connect, overHttp, type Way } from "./clients.ts"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

const accounts = <A, E>(use: (accounts: typeof Accounts.Service) => Effect.Effect<A, E>): Promise<A> =>
  service.run(Effect.flatMap(Accounts, use))

const issue = (account: string, request: Partial<KeyRequest> = {}): Promise<string> =>
  accounts((all) => all.issueKey({ account, environment: "live", tier: "pro", ...request })).then(({ plaintext }) =>
    Redacted.value(plaintext),
  )

/** A key of a new account. */
const keyWith = async (micros: number, request: Partial<KeyRequest> = {}): Promise<string> => {
  const { id } = await accounts((all) => all.create(`with ${micros} ${crypto.randomUUID()}`))
  if (micros > 0) await accounts((all) => all.credit(id, MicroUsd(micros)))
  return issue(id, request)
}

/** A key of an agent with a cap. */
const cappedKey = async (cap: number): Promise<string> => {
  const agent = await service.run(
    Effect.flatMap(Agents, (agents) =>
      agents.create(service.account.id, `capped ${crypto.randomUUID()}`, { monthlyCap: MicroUsd(cap) }),
    ),
  )
  return issue(service.account.id, { agent: agent.id })
}

type Given = Readonly<Record<string, unknown>>
const paid: Given = { station: "KNYC", day: "2026-07-08" }

const ask = async (client: Client, args: Given = paid, name = "weather_settlement") => {
  const result = await client.callTool({ name, arguments: { ...args } })
  const [{ text }] = result.content as unknown as readonly [{ text: string }]
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
  return { ...result, text, body: JSON.parse(text) as any }
}

/** Connects, sends one request and disconnects. */
const once = async (way: Way, token: string | undefined, args?: Given, name?: string) => {
  const client = await connect(service.url, way, token, fetch, live())
  try {
    return await ask(client, args, name)
  } finally {
    await client.close()
  }
}

const live = () => service.account.live.token

/** An event stream is not opened without a valid key. */
const withoutKey: ReadonlyArray<[string, () => Promise<string | undefined>, Given, Code, number]> = [
  ["without a key", async () => undefined, paid, "missing_authorization", 401],
  ["with a key of another form", async () => "sk-1234", paid, "invalid_api_key_format", 401],
  ["with a key that was never issued", async () => issueElsewhere(), paid, "invalid_api_key", 401],
]

describe.each(Object.entries(overHttp))("%s", (_, way) => {
  it("lists the catalogue's tools with their metadata, without a key", async () => {
    const client = await connect(service.url, way, undefined, fetch, live())
    const { tools } = await client.listTools()
    assert.deepStrictEqual(tools as unknown, JSON.parse(JSON.stringify(mcp.listTools(catalogue))))
    assert.strictEqual(client.getInstructions(), mcp.Protocol.instructions)
    assert.deepInclude(client.getServerVersion(), { ...mcp.Protocol.identity })
    assert.deepStrictEqual(client.getServerCapabilities(), mcp.Protocol.capabilities)
    assert.include(mcp.Protocol.protocolVersions, client.getNegotiatedProtocolVersion())
    await client.close()
  })

  it("answers with the envelope as text and data, and the facts of HTTP headers", async () => {
    const before = await service.balance()
    const { body, text, structuredContent, isError, _meta } = await once(way, live())
    assert.isUndefined(isError)
    assert.approximately(body._meta.tokens_estimated, Buffer.byteLength(text) / 4, 2)
    assert.deepStrictEqual(structuredContent, body)
    assert.deepStrictEqual(body._meta.price, { display: "0.001 USD", charged_micros: 1_000 })
    assert.deepInclude(_meta, { status: 200 })
    assert.strictEqual((_meta as { rate_limit: { limit: number } }).rate_limit.limit, 6_000)
    assert.strictEqual(before - (await service.balance()), 1_000)
  })

  it.each<[string, () => Promise<string | undefined>, Given, Code, number]>([
    ...withoutKey.filter(() => way !== "sse"),
    ["outside its scopes", async () => keyWith(5_000, { scopes: ["crypto"] }), paid, "insufficient_scope", 403],
    ["with an empty wallet", async () => keyWith(999), paid, "insufficient_funds", 402],
    ["over the cap of its agent", async () => cappedKey(999), paid, "agent_budget_exceeded", 429],
    ["with bad arguments", async () => live(), { ...paid, station: "KXXX" }, "invalid_parameter", 400],
    ["with text for a number", async () => live(), { ...paid, verbose: "yes" }, "invalid_parameter", 400],
    ["with null for an argument", async () => live(), { ...paid, day: null }, "invalid_parameter", 400],
    ["for what is not recorded", async () => live(), { ...paid, day: "1899-01-01" }, "not_found", 404],
  ])("%s: the error envelope, and no charge", async (_, key, args, code, status) => {
    const token = await key()
    const before = await service.charges()
    const { body, isError, structuredContent, _meta } = await once(way, token, args)
    assert.deepStrictEqual([isError, body.error.code, structuredContent], [true, code, undefined])
    assert.deepInclude(_meta, { status })
    assert.strictEqual(await service.charges(), before)
    if (code === "invalid_parameter") assert.lengthOf(body.error.hints, 1)
    if (code === "insufficient_funds") assert.strictEqual(body.error.quote.shortfall_micros, 1)
  })

  it("a test key is answered and never charged", async () => {
    const before = await service.charges()
    const { body } = await once(way, service.account.test.token)
    assert.strictEqual(body._meta.price.charged_micros, 0)
    assert.strictEqual(await service.charges(), before)
  })

  it("a proof needs no key", async () => {
    const { isError, body } = await once(way, undefined, {}, "markets_performance")
    if (isError === true) assert.strictEqual(body.error.code, "data_provider_unavailable")
    else assert.isObject(body.overall)
  })

  it("the same idempotency_key is charged once, also over HTTP", async () => {
    const key = crypto.randomUUID()
    const client = await connect(service.url, way, live())
    const before = await service.charges()
    const first = await ask(client, { ...paid, idempotency_key: key })
    const again = await ask(client, { ...paid, idempotency_key: key })
    const overHttp = await service.get("/v1/weather/settlement?station=KNYC&day=2026-07-08", live(), {
      headers: { "idempotency-key": key },
    })
    assert.deepStrictEqual(again.body.results, first.body.results)
    assert.deepStrictEqual([again._meta?.["idempotent_replay"], first._meta?.["idempotent_replay"]], [true, undefined])
    assert.strictEqual(overHttp.headers.get("x-idempotent-replay"), "true")
    assert.strictEqual(await service.charges(), before + 1)

    const other = await ask(client, { station: "KMIA", idempotency_key: key })
    assert.deepStrictEqual(
      [other.body.error.code, other.body.error.hints[0].field],
      ["idempotency_key_reused", "idempotency_key"],
    )
    for (const bad of ["not a uuid", 7, null, ["x"]]) {
      const { body } = await ask(client, { ...paid, idempotency_key: bad })
      assert.deepStrictEqual(
        [body.error.code, body.error.hints.map(({ field }: { field: string }) => field)],
        ["invalid_parameter", ["idempotency_key"]],
      )
    }
    assert.strictEqual(await service.charges(), before + 1)
    await client.close()
  })

  it("has a retry time once the rate limit is exceeded", async () => {
    const client = await connect(service.url, way, await keyWith(5_000, { tier: "enterprise", rpm: 1 }))
    assert.isUndefined((await ask(client)).isError)
    const { body, _meta } = await ask(client)
    assert.strictEqual(body.error.code, "rate_limit_exceeded")
    assert.isAbove(body.error.retry_after_ms, 0)
    assert.strictEqual(_meta?.["retry_after_ms"], body.error.retry_after_ms)
    await client.close()
  })

  it("answers calls side by side, each under its own id", async () => {
    const client = await connect(service.url, way, live())
    const stations = ["KNYC", "KMDW", "KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"]
    const answers = await Promise.all(stations.map((station) => ask(client, { ...paid, station })))
    assert.deepStrictEqual(
      answers.map(({ body }) => body.results.station.id),
      stations,
    )
    await client.close()
  })
})

/** A key of another store. */
const issueElsewhere = async (): Promise<string> => {
  const other = await start()
  await other.stop()
  return other.account.live.token
}

describe.each(Object.entries(overHttp))("%s: messages with several keys", (_, way) => {
  it(`are ${way === "sse" ? "refused but those of the key that opened the stream" : "calls of the key that came with each"}`, async () => {
    const keys = [await keyWith(5_000), await keyWith(5_000)] as const
    let sent: string = keys[0]
    const client = await connect(service.url, way, undefined, (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set("authorization", `Bearer ${sent}`)
      return fetch(url, { ...init, headers })
    })
    for (const key of [keys[0], keys[1], keys[0]]) {
      sent = key
      if (way !== "sse" || key === keys[0]) assert.isUndefined((await ask(client)).isError)
      else assert.match(String(await ask(client).catch((error) => error)), /404/)
    }
    await client.close()
    const left = await Promise.all(keys.map((key) => service.get("/v1/key", key)))
    assert.deepStrictEqual(
      left.map(({ json }) => json.results.wallet.balance_micros),
      [3_000, way === "sse" ? 5_000 : 4_000],
    )
  })
})

describe("the deprecated transport", () => {
  it("does not exist where it is switched off", async () => {
    const other = await start({ mcp: { legacySse: false, allowedHosts: [], toolsets: [] } })
    for (const path of ["/mcp/sse", "/mcp/messages?sessionId=x"]) {
      const { status, json } = await other.get(path)
      assert.deepStrictEqual([status, json.error.code], [404, "not_found"])
    }
    const client = await connect(other.url, "2025-11-25", other.account.live.token)
    assert.isUndefined((await ask(client)).isError)
    await client.close()
    await other.stop()
  })
})

describe("a host that is allowed", () => {
  it("may reach the server, also from its pages", async () => {
    const other = await start({ mcp: { legacySse: true, allowedHosts: ["agents.example"], toolsets: [] } })
    for (const [origin, status] of [
      ["https://agents.example", 406],
      ["https://others.example", 403],
    ] as const) {
      const answer = await fetch(`${other.url}/mcp`, {
        method: "POST",
        headers: { origin, "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      })
      assert.strictEqual(answer.status, status)
    }
    await other.stop()
  })
})

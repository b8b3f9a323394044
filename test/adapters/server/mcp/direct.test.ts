import type { IncomingHttpHeaders } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as ToolList from "../../../../adapters/describe/tools/tools.ts"
import * as Direct from "../../../../adapters/server/mcp/direct.ts"
import * as Plain from "../../../../adapters/server/mcp/plain.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"

type Json = Readonly<Record<string, unknown>>

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

const common = { "content-type": "application/json", accept: "application/json, text/event-stream" }
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
}

/** A request as clients of a form send it. */
const plain = (form: Plain.Form, method: string, params: Json = {}, id: unknown = 1): Sent =>
  form === "2025"
    ? { headers: common, body: { jsonrpc: "2.0", id, method, params } }
    : {
        headers: {
          ...common,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
        },
        body: { jsonrpc: "2.0", id, method, params: { ...params, _meta: envelope } },
      }

/** The same request with something that the library ignores, so that the library answers it. */
const odd = (form: Plain.Form, { headers, body }: Sent): Sent => {
  const { name, ...params } = body["params"] as Json
  if (form === "2025") return { headers, body: { ...body, params: { ...(body["params"] as Json), _meta: { odd: 1 } } } }
  const encoded = `=?base64?${Buffer.from(String(name)).toString("base64")}?=`
  return {
    headers: { ...headers, "mcp-name": name === undefined ? "odd" : encoded },
    body: { ...body, params: { name, ...params } },
  }
}

const isPlain = ({ headers, body }: Sent): boolean =>
  Plain.parse(headers as IncomingHttpHeaders, JSON.parse(JSON.stringify(body))) !== undefined

let service: Running
beforeAll(async () => {
  service = await start({}, { clock: clockAt(Date.parse("2026-08-20T15:04:05Z")) })
})
afterAll(() => service.stop())

const post = async ({ headers, body }: Sent, token?: string, query = "") => {
  const response = await fetch(`${service.url}/mcp${query}`, {
    method: "POST",
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const { date: _, "content-length": length, ...fields } = Object.fromEntries(response.headers)
  // A length is announced by both or by none, and is right.
  if (length !== undefined) assert.strictEqual(Number(length), Buffer.byteLength(text))
  return { status: response.status, hasLength: length !== undefined, fields, text }
}

/** Removes what differs between two equal calls: ids, and the state of the rate limit. */
const steady = (text: string): string =>
  text
    .replaceAll(/req_\w{26}/g, "req")
    .replaceAll(/"remaining":\d+,"reset_seconds":\d+/g, "")
    .replaceAll(/latency_ms(\\?)":\d+/g, "latency")

const scoped = (scopes: ReadonlyArray<string>): Promise<string> =>
  service.run(
    Effect.flatMap(Accounts, (accounts) =>
      accounts.issueKey({ account: service.account.id, environment: "live", tier: "pro", scopes }),
    ).pipe(Effect.map(({ plaintext }) => Redacted.value(plaintext))),
  )

const live = () => service.account.live.token
const settlement = { station: "KNYC", day: "2026-07-08" }
const call = (name: string, args?: Json): Json => (args === undefined ? { name } : { name, arguments: args })
const uuid = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"

interface Case {
  readonly method?: string
  readonly params?: Json
  readonly id?: unknown
  readonly token?: () => string | undefined | Promise<string>
  readonly query?: string
}

const cases: Readonly<Record<string, Case>> = {
  "the list": { method: "tools/list" },
  "the list, without a key": { method: "tools/list", token: () => undefined },
  "the list, with an unknown key": { method: "tools/list", token: () => "svk_live_unknown" },
  "the list of some toolsets": { method: "tools/list", query: "?toolsets=crypto,weather" },
  "the list of a key with scopes": { method: "tools/list", token: () => scoped(["crypto"]) },
  "a list under an id that is text": { method: "tools/list", id: 'se"ven' },
  "a paid call": { params: call("weather_settlement", settlement) },
  "a call under the id 0": { params: call("weather_settlement", settlement), id: 0 },
  "a call under an empty id": { params: call("weather_settlement", settlement), id: "" },
  "a call with a test key": { params: call("weather_settlement", settlement), token: () => service.account.test.token },
  "a quote": { params: call("weather_settlement", { ...settlement, dry_run: true }) },
  "a verbose call": { params: call("crypto_signal", { asset: "BTC", verbose: true }) },
  "a call with fields": { params: call("crypto_signal", { asset: "ETH", fields: ["spot"] }) },
  "a replayed call": { params: call("weather_settlement", { ...settlement, idempotency_key: uuid }) },
  "a keyless call": { params: call("markets_performance", { burn: 1 }), token: () => undefined },
  prices: { params: call("pricing") },
  "prices, with empty arguments": { params: call("pricing", {}) },
  "a plan": { params: call("pricing", { calls: [{ endpoint: "crypto_signal", params: { asset: "ETH" } }] }) },
  "a call without arguments": { params: call("weather_settlement") },
  "bad arguments": { params: call("weather_settlement", { station: 'K\u00e4\ud83d\ude00"\\\u2028' }) },
  "an unknown argument": { params: call("weather_settlement", { ...settlement, dya: 1 }) },
  "a call without a key": { params: call("weather_settlement", settlement), token: () => undefined },
  "a call with an unknown key": { params: call("weather_settlement", settlement), token: () => "sk-1234" },
  "a call outside the key's scopes": {
    params: call("weather_settlement", settlement),
    token: () => scoped(["crypto"]),
  },
  "an unknown tool": { params: call("burn", {}) },
  "a tool of a toolset that is not selected": {
    params: call("weather_settlement", settlement),
    query: "?toolsets=crypto",
  },
  "an unknown toolset": { params: call("weather_settlement", settlement), query: "?toolsets=burn" },
}

describe.each(["2025", "2026"] as const)("a plain request of %s", (form) => {
  it.each(Object.entries(cases))("%s: the library's bytes, at the library's price", async (_, given) => {
    const { method = "tools/call", params = {}, id = 1, token = live, query = "" } = given
    const sent = plain(form, method, params, id)
    assert.deepStrictEqual([isPlain(sent), isPlain(odd(form, sent))], [true, false])
    const key = await token()
    // Both kinds of a replay are replays.
    if (params["arguments"] !== undefined && "idempotency_key" in (params["arguments"] as Json)) await post(sent, key)
    const before = await service.balance()
    const direct = await post(sent, key, query)
    const between = await service.balance()
    const library = await post(odd(form, sent), key, query)
    assert.strictEqual(before - between, between - (await service.balance()))
    assert.deepStrictEqual({ ...direct, text: steady(direct.text) }, { ...library, text: steady(library.text) })
  })
})

it("ping of 2025", async () => {
  const sent = plain("2025", "ping", {}, "p")
  assert.isTrue(isPlain(sent))
  assert.deepStrictEqual(await post(sent), await post(odd("2025", sent)))
})

it("a request above the limit of its key is refused alike", async () => {
  const token = await service.run(
    Effect.flatMap(Accounts, (accounts) =>
      accounts.issueKey({ account: service.account.id, environment: "live", tier: "enterprise", rpm: 1 }),
    ).pipe(Effect.map(({ plaintext }) => Redacted.value(plaintext))),
  )
  const sent = plain("2026", "tools/list")
  // A key's messages per minute are its calls and 600 more.
  let answer = await post(sent, token)
  for (let n = 0; n < 601 && answer.status === 200; n++) answer = await post(sent, token)
  assert.strictEqual(answer.status, 429)
  assert.deepStrictEqual(await post(odd("2026", sent), token), answer)
})

it("a list of tools is written once per selection and form", () => {
  const { beginning } = Direct.makeLists(ToolList.entries(catalogue))
  const crypto = { toolsets: new Set(["crypto"]) }
  for (const form of ["2025", "2026"] as const) {
    assert.strictEqual(beginning({}, form), beginning({ toolsets: undefined, scopes: undefined }, form))
    assert.strictEqual(beginning(crypto, form), beginning({ toolsets: new Set(["crypto"]) }, form))
    assert.isAbove(beginning({}, form).length, 2 * beginning(crypto, form).length)
  }
  assert.notStrictEqual(beginning({}, "2025"), beginning({}, "2026"))
})

describe("the library answers", () => {
  const list = plain("2026", "tools/list")
  const called = plain("2025", "tools/call", call("weather_settlement", settlement))
  const withBody = (change: Json, sent = called): Sent => ({ ...sent, body: { ...sent.body, ...change } })
  const withParams = (change: Json, sent = called): Sent =>
    withBody({ params: { ...(sent.body["params"] as Json), ...change } }, sent)
  const withHeaders = (change: Readonly<Record<string, string>>, sent = called): Sent => ({
    ...sent,
    headers: { ...sent.headers, ...change },
  })
  it.each<[string, Sent]>([
    ["another method", plain("2025", "resources/list")],
    ["a ping of 2026", plain("2026", "ping")],
    ["a notification", { ...called, body: { jsonrpc: "2.0", method: "tools/call", params: {} } }],
    ["another version of JSON-RPC", withBody({ jsonrpc: "1.0" })],
    ["an id that is null", withBody({ id: null })],
    ["an id that is no integer", withBody({ id: 1.5 })],
    ["an unknown member", withBody({ odd: 1 })],
    ["parameters that are null", withBody({ params: null })],
    ["parameters that are a list", withBody({ params: [] })],
    ["an unknown parameter", withParams({ task: {} })],
    ["a cursor", withParams({ cursor: "x" }, list)],
    ["a name that is no text", withParams({ name: 1 })],
    ["arguments that are null", withParams({ arguments: null })],
    ["arguments that are a list", withParams({ arguments: [1] })],
    ["arguments with a prototype", withParams({ arguments: JSON.parse('{"__proto__":1}') as Json })],
    ["a progress token that is an object", withParams({ _meta: { progressToken: {} } })],
    ["a client that accepts no event stream", withHeaders({ accept: "application/json" })],
    ["an unknown protocol version", withHeaders({ "mcp-protocol-version": "2024-01-01" })],
    ["a version of 2026 without its envelope", withHeaders({ "mcp-protocol-version": "2026-07-28" })],
    ["an envelope without its headers", { ...list, headers: common }],
    ["an envelope of another version", withHeaders({ "mcp-protocol-version": "2025-11-25" }, list)],
    ["another method in the header", withHeaders({ "mcp-method": "tools/call" }, list)],
    ["another name in the header", withHeaders({ "mcp-name": "pricing" }, plain("2026", "tools/call", call("burn")))],
    [
      "an envelope without capabilities",
      withParams({ _meta: { ...envelope, "io.modelcontextprotocol/clientCapabilities": 1 } }, list),
    ],
    [
      "an envelope that names an unknown version",
      withParams({ _meta: { ...envelope, "io.modelcontextprotocol/protocolVersion": "2027-01-01" } }, list),
    ],
  ])("%s", (_, sent) => {
    assert.isFalse(isPlain(sent))
  })

  it("where progress is asked for", () => {
    assert.isFalse(isPlain(withParams({ _meta: { progressToken: 7 } })))
    assert.isFalse(isPlain(withParams({ _meta: { ...envelope, progressToken: "p" } }, list)))
  })
})

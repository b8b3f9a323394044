import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../../core/account/Accounts.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { Manage } from "../../../../core/lanes/account/Manage.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { type Running, start } from "../../../support/running.ts"
import { connect, overHttp } from "./clients.ts"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

const live = () => service.account.live.token

/** A key with these scopes. */
const keyOf = (scopes: ReadonlyArray<string>): Promise<string> =>
  service.run(
    Effect.flatMap(Accounts, (accounts) =>
      Effect.map(
        accounts.issueKey({ account: service.account.id, environment: "test", tier: "pro", scopes }),
        ({ plaintext }) => Redacted.value(plaintext),
      ),
    ),
  )

const toolsOf = (...lanes: ReadonlyArray<string>) => [
  ...Catalogue.live(catalogue).flatMap(({ endpoint, lane }) => (lanes.includes(lane.name) ? [endpoint.id] : [])),
  "find",
  "pricing",
  "wallet",
]

/** The tools of the scope `manage`. */
const managing = Object.values(Manage.lane.endpoints).map(({ id }) => id)

/** The tools of other lanes that need no key. */
const keyless = Catalogue.live(catalogue).flatMap(({ endpoint }) => (endpoint.auth === "none" ? [endpoint.id] : []))

/** The client's URL with a selection. */
const at = (selection: string) => {
  const query = `?toolsets=${encodeURIComponent(selection)}`
  const through = (url: string | URL | Request, init?: RequestInit) => {
    const target = new URL(url instanceof Request ? url.url : url)
    if (target.pathname === "/mcp" || target.pathname === "/mcp/sse") target.search = query
    return fetch(target, init)
  }
  return through as typeof fetch
}

describe.each(Object.entries(overHttp))("%s", (_, way) => {
  const listed = async (token: string | undefined, selection?: string) => {
    const client = await connect(
      service.url,
      way,
      token,
      selection === undefined ? fetch : at(selection),
      token ?? live(),
    )
    const { tools } = await client.listTools()
    await client.close()
    return tools.map(({ name }) => name)
  }

  it("lists the tools of the selected toolsets, pricing and wallet", async () => {
    assert.sameMembers(await listed(live(), "weather,crypto"), toolsOf("weather", "crypto"))
    assert.sameMembers(await listed(undefined, " markets ,"), toolsOf("markets"))
    assert.sameMembers(await listed(live(), ""), toolsOf("weather", "football", "baseball", "crypto", "markets"))
  })

  it("calls no tool outside the selection, and names its toolset", async () => {
    const client = await connect(service.url, way, live(), at("weather"), live())
    assert.isUndefined((await client.callTool({ name: "weather_stations", arguments: {} })).isError)
    assert.isUndefined((await client.callTool({ name: "pricing", arguments: {} })).isError)
    const refused = await client.callTool({ name: "crypto_spot", arguments: {} }).then(
      () => assert.fail("answered"),
      (error: Error) => error.message,
    )
    assert.include(refused, "crypto_spot is in the toolset crypto, which this connection did not select.")
    await client.close()
  })

  it("hides what the key's scopes exclude, and a call of it says so", async () => {
    const token = await keyOf(["crypto"])
    assert.sameMembers(await listed(token), [...new Set([...toolsOf("crypto"), ...keyless])])
    // Proofs are everybody's.
    assert.sameMembers(await listed(token, "weather,crypto"), ["weather_performance", ...toolsOf("crypto")])
    const client = await connect(service.url, way, token)
    const { isError, content } = await client.callTool({
      name: "weather_settlement",
      arguments: { station: "KNYC", day: "2026-07-08" },
    })
    await client.close()
    assert.isTrue(isError)
    const [{ text }] = content as unknown as readonly [{ text: string }]
    assert.strictEqual(JSON.parse(text).error.code, "insufficient_scope")
  })

  it("lists all without a valid key, and with a key of all scopes", async () => {
    const all = toolsOf("weather", "football", "baseball", "crypto", "markets")
    assert.sameMembers(await listed(undefined), all)
    assert.sameMembers(await listed(service.account.test.token), all)
  })

  it("lists what manages alerts and webhooks for keys of that scope, and where it is selected", async () => {
    assert.sameMembers(await listed(await keyOf(["crypto", "manage"]), "crypto,manage"), [
      ...toolsOf("crypto"),
      ...managing,
    ])
    assert.sameMembers(await listed(undefined, "manage"), ["find", "pricing", "wallet", ...managing])
    assert.notInclude(await listed(await keyOf(["crypto", "manage"]), "crypto"), "alerts_create")
  })
})

describe("an unknown toolset", () => {
  const message = (token: string) => ({
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" }),
  })
  const known = "Toolsets: weather, football, baseball, crypto, markets, manage."

  it.each([
    ["wether", 'Unknown toolset "wether".'],
    ["weather,filings,x", 'Unknown toolset "filings", "x".'],
    ["Weather", 'Unknown toolset "Weather".'],
    ["__proto__", 'Unknown toolset "__proto__".'],
    ["x".repeat(5_000), `Unknown toolset "${"x".repeat(32)}".`],
  ])("%s is refused with the list of all", async (selection, expected) => {
    const query = `?toolsets=${encodeURIComponent(selection)}`
    const answer = await fetch(`${service.url}/mcp${query}`, message(live()))
    assert.strictEqual(answer.status, 400)
    assert.deepStrictEqual(await answer.json(), {
      jsonrpc: "2.0",
      error: { code: -32_602, message: `${expected} ${known}` },
      id: 7,
    })
    const stream = await fetch(`${service.url}/mcp/sse${query}`, { headers: { authorization: `Bearer ${live()}` } })
    const { error } = (await stream.json()) as { readonly error: { readonly message: string } }
    assert.deepStrictEqual([stream.status, error.message], [400, `${expected} ${known}`])
  })

  it("is one that the server does not serve, and its tools are unknown there", async () => {
    const other = await start({ mcp: { legacySse: true, allowedHosts: [], toolsets: ["crypto", "markets"] } })
    const { token } = other.account.live
    const client = await connect(other.url, "2026-07-28", token)
    assert.sameMembers(
      (await client.listTools()).tools.map(({ name }) => name),
      toolsOf("crypto", "markets"),
    )
    const refused = await client.callTool({ name: "weather_stations", arguments: {} }).catch(String)
    assert.include(String(refused), "Unknown tool")
    await client.close()
    const answer = await fetch(`${other.url}/mcp?toolsets=weather`, message(token))
    assert.include(await answer.text(), "Toolsets: crypto, markets.")
    await other.stop()
  })
})

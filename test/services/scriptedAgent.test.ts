import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client as McpClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Client from "../../adapters/client/mod.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { freePort } from "../support/freePort.ts"
import { type Running, start } from "../support/running.ts"

/*
 * An agent that knows only a base URL and a key: it finds every path below in the service's own documents.
 */

interface Tool {
  readonly name: string
  readonly path: string
  readonly auth: "key" | "none"
  readonly price: { readonly micros: number }
  readonly input: string
  readonly example: string
}

interface Manifest {
  readonly base_url: string
  readonly documents: Readonly<Record<"mcp" | "openapi", string>>
  readonly pricing: { readonly quote_plan: string }
  readonly tools: ReadonlyArray<Tool>
}

const json = async <A>(url: string, init?: RequestInit): Promise<A> => {
  const response = await fetch(url, init)
  assert.isTrue(response.ok, `${url} answered ${response.status}`)
  return (await response.json()) as A
}

let running: Running
let baseUrl: string
beforeAll(async () => {
  const port = await freePort()
  baseUrl = `http://127.0.0.1:${port}`
  running = await start(
    { http: { host: "127.0.0.1", port, baseUrl: Option.some(baseUrl) } },
    { port, balance: 1_000_000 },
  )
})
afterAll(() => running.stop())

/** A key of a new account, and of a capped agent if there is a cap. */
const keyOf = (name: string, balance: number, monthlyCap?: number): Promise<string> =>
  running.run(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { id } = yield* accounts.create(name)
      yield* accounts.credit(id, MicroUsd(balance))
      const agent =
        monthlyCap === undefined
          ? undefined
          : yield* (yield* Agents).create(id, name, { monthlyCap: MicroUsd(monthlyCap) })
      const { plaintext } = yield* accounts.issueKey({
        account: id,
        environment: "live",
        tier: "pro",
        ...(agent === undefined ? {} : { agent: agent.id }),
      })
      return Redacted.value(plaintext)
    }),
  )

/** Reads the manifests and connects to their tools. */
const arrive = async (key: string) => {
  const manifest = await json<Manifest>(`${baseUrl}/.well-known/agent-capabilities`)
  const { url } = await json<{ readonly url: string }>(manifest.base_url + manifest.documents.mcp)
  const mcp = new McpClient({ name: "scripted-agent", version: "1" })
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  )
  return { manifest, mcp }
}

/** Three paid calls from the manifest's own examples. */
const shopping = ({ tools }: Manifest): ReadonlyArray<Tool & { readonly params: Record<string, string> }> =>
  ["weather_settlement", "weather_settlement_history", "mlb_games"].map((name) => {
    const tool = tools.find((each) => each.name === name) ?? assert.fail(name)
    return { ...tool, params: Object.fromEntries(new URL(tool.example, baseUrl).searchParams) }
  })

/** The `results` of a tool's answer, or the error that it reports. */
const told = (result: { readonly isError?: boolean | undefined; readonly content: unknown }) => {
  const [{ text }] = result.content as [{ readonly text: string }]
  return { failed: result.isError === true, body: JSON.parse(text) }
}

describe("an agent that knows the address alone", () => {
  it("finds the tools, prices a plan, and pays the same over MCP as over HTTP for the same answers", async () => {
    const key = await keyOf("shopper", 1_000_000)
    const { manifest, mcp } = await arrive(key)

    const { tools } = await mcp.listTools()
    assert.sameMembers(
      tools.map(({ name }) => name),
      [...manifest.tools.map(({ name }) => name), "find", "pricing", "wallet"],
    )
    assert.strictEqual(tools.length, Catalogue.live(catalogue).length + 3)

    const calls = shopping(manifest).map(({ name, params }) => ({ endpoint: name, params }))
    const client = Client.makeClient({ baseUrl: manifest.base_url, key })
    const { results: plan } = await client.plan_estimate({ calls })
    const prices = shopping(manifest).reduce((sum, { price }) => sum + price.micros, 0)
    assert.deepStrictEqual([plan.affordable, plan.total_micros], [true, prices])
    const { structuredContent } = await mcp.callTool({ name: "pricing", arguments: { calls } })
    assert.strictEqual((structuredContent as { results: typeof plan }).results.total_micros, prices)

    const before = (await client.key()).results.wallet!.balance_micros
    for (const { name, path, params, price } of shopping(manifest)) {
      const tool = told(await mcp.callTool({ name, arguments: params }))
      assert.isFalse(tool.failed)
      const query = new URLSearchParams(params)
      const http = await json<typeof tool.body>(`${manifest.base_url}${path}?${query}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      assert.deepStrictEqual(tool.body.results, http.results)
      const charged = [tool.body, http].map((body) => body._meta.price.charged_micros)
      assert.deepStrictEqual(charged, [price.micros, price.micros])
    }
    const after = (await client.key()).results.wallet!.balance_micros
    assert.strictEqual(before - after, 2 * prices)
    await mcp.close()
  })

  it("stops when the wallet is empty, with a quote over both, and has spent its balance", async () => {
    const key = await keyOf("poor", 2_500)
    const { manifest, mcp } = await arrive(key)
    const { name, params, price, path } = shopping(manifest)[0]!
    const client = Client.makeClient({ baseUrl: manifest.base_url, key })

    const { results: plan } = await client.plan_estimate({
      calls: Array.from({ length: 3 }, () => ({ endpoint: path, params })),
    })
    assert.deepStrictEqual([plan.affordable, plan.first_failure], [false, 2])

    let paid = 0
    let stopped:
      | { readonly error: { readonly code: string; readonly quote: { readonly shortfall_micros: number } } }
      | undefined
    while (stopped === undefined) {
      const { failed, body } = told(await mcp.callTool({ name, arguments: params }))
      if (failed) stopped = body
      else paid += body._meta.price.charged_micros
    }
    assert.strictEqual(paid, 2 * price.micros)
    assert.deepStrictEqual([stopped.error.code, stopped.error.quote.shortfall_micros], ["insufficient_funds", 500])

    const refused = await client.weather_settlement({ station: "KNYC" }).catch((error: unknown) => error)
    assert.isTrue(refused instanceof Client.InsufficientFunds && refused.quote.shortfall_micros === 500)
    assert.strictEqual((await client.key()).results.wallet!.balance_micros, 500)
    await mcp.close()
  })

  it("stops at its cap, whatever the balance, and still reads free endpoints", async () => {
    const key = await keyOf("capped", 1_000_000, 3_000)
    const { manifest, mcp } = await arrive(key)
    const { name, params } = shopping(manifest)[0]!
    const client = Client.makeClient({ baseUrl: manifest.base_url, key })

    const codes: Array<string> = []
    for (let call = 0; call < 5; call++) {
      const { failed, body } = told(await mcp.callTool({ name, arguments: params }))
      codes.push(failed ? body.error.code : "paid")
    }
    assert.deepStrictEqual(codes, ["paid", "paid", "paid", "agent_budget_exceeded", "agent_budget_exceeded"])
    const refused = await client.weather_settlement({ station: "KNYC" }).catch((error: unknown) => error)
    assert.isTrue(refused instanceof Client.BudgetExceeded && refused.retryAfterMs! > 0)

    const { results } = await client.key()
    assert.deepStrictEqual([results.agent!.month_spent_micros, results.agent!.monthly_cap_micros], [3_000, 3_000])
    assert.isAbove((await client.weather_stations()).results.count, 0)
    await mcp.close()
  })
})

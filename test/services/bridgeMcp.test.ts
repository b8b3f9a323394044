import { mkdirSync, readdirSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import { listTools } from "../../adapters/server/mcp/mod.ts"
import * as ApiKey from "../../core/account/ApiKey.ts"
import { catalogue } from "../../core/lanes/all.ts"
import * as Controlled from "../adapters/server/http/controlled.ts"
import { reached, slow } from "../adapters/server/http/moments.ts"
import { connect, connectStdio } from "../adapters/server/mcp/clients.ts"
import { freePort } from "../support/freePort.ts"
import * as processes from "../support/processes.ts"
import { type Running, start } from "../support/running.ts"
import { folder as scopedFolder, serverProcess } from "../support/serverProcess.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const eras = ["2026-07-28", "2025-11-25"] as const
const day = { station: "KNYC", day: "2026-07-08" }
const settlement = { name: "weather_settlement", arguments: day }
const folder = makeFolder()

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(async () => {
  await service.stop()
  removeFolder(folder)
})

/** An empty folder, as the working directory and home of a program. */
const empty = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

const bridge = (
  url: string,
  token: string | undefined,
  era: (typeof eras)[number] = "2026-07-28",
  more: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
) =>
  connectStdio({ ...(token === undefined ? {} : { MARKET_SIGNALS_KEY: token }), ...more.env }, era, {
    args: ["--url", url],
    ...(more.cwd === undefined ? {} : { cwd: more.cwd }),
  })

const textOf = ({ content }: Awaited<ReturnType<Client["callTool"]>>): string =>
  (content as unknown as readonly [{ readonly text: string }])[0].text

/** The message of the error that a promise is rejected with. */
const failed = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail("It succeeded."),
    (error: Error) => error.message,
  )

describe("mcp --url", { timeout: 400_000 }, () => {
  it.each(eras)("serves a client of %s with the tools, resources and prices of a remote server", async (era) => {
    const cwd = empty(era)
    const { client, errors } = await bridge(service.url, service.account.live.token, era, { cwd, env: { HOME: cwd } })
    const direct = await connect(service.url, era, service.account.live.token)
    assert.deepStrictEqual(
      (await client.listTools()).tools as unknown,
      JSON.parse(JSON.stringify(listTools(catalogue))),
    )
    assert.deepStrictEqual(client.getServerVersion(), direct.getServerVersion())
    assert.deepStrictEqual((await client.listResources()).resources, (await direct.listResources()).resources)
    const uri = "market-signals://errors"
    assert.deepStrictEqual((await client.readResource({ uri })).contents, (await direct.readResource({ uri })).contents)
    const before = await service.balance()
    const free = await client.callTool({ name: "nfl_performance", arguments: {} })
    assert.isUndefined(free.isError)
    assert.strictEqual(await service.balance(), before)
    const { structuredContent } = await client.callTool(settlement)
    assert.strictEqual(before - (await service.balance()), 1_000)
    const { json } = await service.get("/v1/weather/settlement?station=KNYC&day=2026-07-08")
    assert.deepStrictEqual((structuredContent as { results: unknown }).results, json.results)
    assert.isTrue((await client.callTool({ name: "weather_settlement", arguments: { station: "KXXX" } })).isError)
    // The server's own refusal, not the bridge's.
    assert.match(await failed(client.callTool({ name: "no_such_tool", arguments: {} })), /Unknown tool/)
    await client.close()
    await direct.close()
    assert.strictEqual(errors(), "")
    assert.deepStrictEqual(readdirSync(cwd), [])
  })

  it("takes the server from MARKET_SIGNALS_URL, and its toolsets from MCP_TOOLSETS", async () => {
    const env = { MARKET_SIGNALS_URL: `${service.url}/mcp/`, MCP_TOOLSETS: "crypto" }
    const { client } = await connectStdio({ ...env, MARKET_SIGNALS_KEY: service.account.test.token })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.sameMembers(names, ["crypto_spot", "crypto_signal", "crypto_performance", "pricing", "wallet", "find"])
    await client.close()
  })

  it.each([
    ["no key", undefined, "missing_authorization", "MARKET_SIGNALS_KEY is not set"],
    ["a truncated key", "svk_live_abc", "invalid_api_key_format", "MARKET_SIGNALS_KEY is not an API key"],
    ["an unknown key", ApiKey.fromBytes("test", new Uint8Array(32)), "invalid_api_key", undefined],
  ])("with %s says where to set it, at the start and in the error", async (_, token, code, said) => {
    const { client, errors } = await bridge(service.url, token)
    const { isError, ...rest } = await client.callTool(settlement)
    assert.isTrue(isError)
    const { error } = JSON.parse(textOf({ content: rest.content } as never))
    assert.strictEqual(error.code, code)
    assert.include(error.hints[0].suggestion, "Set the API key in the client's configuration: MARKET_SIGNALS_KEY")
    await client.close()
    if (said === undefined) assert.strictEqual(errors(), "")
    else assert.match(errors(), new RegExp(`^${said}.* Set MARKET_SIGNALS_KEY in the client's configuration\\.\n$`))
    if (token !== undefined) assert.notInclude(errors(), token)
  })

  it.each(eras)("passes a cancellation of %s on: the call is interrupted and costs nothing", async (era) => {
    const call = slow()
    const controlled = await Controlled.start({ paid: call.paid })
    const { client } = await bridge(controlled.url, controlled.authorization.slice("Bearer ".length), era)
    const abort = new AbortController()
    const given = client.callTool({ name: "controlled_paid", arguments: {} }, { signal: abort.signal }).catch(String)
    await reached(call.began)
    abort.abort()
    await given
    await reached(call.interrupted)
    assert.strictEqual(await controlled.balance(), 10_000)
    assert.isDefined((await client.listTools()).tools)
    await client.close()
    await controlled.stop()
  })

  it("interrupts its calls when its client leaves", async () => {
    const call = slow()
    const controlled = await Controlled.start({ paid: call.paid })
    const { client } = await bridge(controlled.url, controlled.authorization.slice("Bearer ".length))
    const given = client.callTool({ name: "controlled_paid", arguments: {} }).catch(String)
    await reached(call.began)
    await client.close()
    await reached(call.interrupted)
    await given
    await controlled.stop()
  })

  it("answers what a pipe has asked before it ended", async () => {
    const child = processes.start("services/cli.ts", ["mcp", "--url", service.url], {
      MARKET_SIGNALS_KEY: service.account.test.token,
    })
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pipe", version: "1" } }
    const asked = [
      { id: 1, method: "initialize", params },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: settlement },
    ]
    child.process.stdin.end(asked.map((each) => `${JSON.stringify({ jsonrpc: "2.0", ...each })}\n`).join(""))
    assert.strictEqual(await child.ended, 0)
    const answers = child.lines.map((line) => JSON.parse(line))
    assert.sameMembers(
      answers.map(({ id }) => id),
      [1, 2],
    )
    assert.isUndefined(answers.find(({ id }) => id === 2).result.isError)
    assert.strictEqual(child.stderr(), "")
  })

  it.scopedLive("fails a call whose server is killed, and goes on when the server is back", () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      const file = join(yield* scopedFolder, "store.db")
      // The archive hangs at an old day, for which a call waits; at nothing else, or it would not be asked any more.
      const archive = createServer(({ url = "" }, response) => {
        if (!url.includes("2020")) response.writeHead(404).end()
      })
      yield* Effect.promise(() => new Promise<void>((done) => archive.listen(0, "127.0.0.1", () => done())))
      const iem = `http://127.0.0.1:${(archive.address() as AddressInfo).port}`
      const environment = { DATABASE_URL: `sqlite:${file}`, DATA_FRESHNESS_WEATHER: "live", IEM_URL: iem, NWS_URL: iem }
      const key = yield* Effect.promise(async () => {
        const cli = async (...args: ReadonlyArray<string>) => {
          const child = processes.start("services/cli.ts", args, { DATABASE_URL: `sqlite:${file}` })
          await child.ended
          return child.lines.join("\n")
        }
        await cli("account", "create", "--name", "me")
        await cli("wallet", "credit", "--account", "me", "--usd", "1")
        return JSON.parse(await cli("keys", "create", "--account", "me", "--env", "live", "--json")).key as string
      })
      const arrived = new Promise<void>((done) =>
        archive.on("request", ({ url = "" }) => url.includes("2020") && done()),
      )
      const first = yield* serverProcess({ ...environment, PORT: String(port) })
      const { client } = yield* Effect.promise(() => bridge(first.url, key))
      const broken = failed(client.callTool({ name: "weather_settlement", arguments: { ...day, day: "2020-07-08" } }))
      yield* Effect.promise(() => arrived)
      first.child.process.kill("SIGKILL")
      assert.match(yield* Effect.promise(() => broken), /The connection to .* broke before the answer.*idempotency_key/)
      assert.match(yield* Effect.promise(() => failed(client.listTools())), /Cannot reach .*: ECONNREFUSED\./)
      yield* serverProcess({ ...environment, PORT: new URL(first.url).port })
      const again = yield* Effect.promise(() => client.callTool({ name: "nfl_performance", arguments: {} }))
      assert.isUndefined(again.isError)
      yield* Effect.promise(() => client.close())
      archive.closeAllConnections()
      archive.close()
    }),
  )
})

describe("mcp --url to what is not such a server", { timeout: 400_000 }, () => {
  const initialize = `${JSON.stringify({
    jsonrpc: "2.0",
    id: "first",
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  })}\n`

  /** The error that answers the first message of a client; the program then ends with its client. */
  const refusedBy = async (url: string) => {
    const child = processes.start("services/cli.ts", ["mcp", "--url", url], {
      MARKET_SIGNALS_KEY: service.account.test.token,
    })
    child.process.stdin.write(initialize)
    await child.linesUntil(1)
    child.process.stdin.end()
    assert.strictEqual(await child.ended, 0)
    assert.notInclude(child.stderr(), service.account.test.token)
    assert.strictEqual(child.lines.length, 1)
    const { id, error } = JSON.parse(child.lines[0]!)
    assert.deepStrictEqual([id, error.code], ["first", -32_000])
    return error.message as string
  }

  const against = async (listener: RequestListener) => {
    const server = createServer(listener)
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      return (await refusedBy(url)).replaceAll(url, "URL")
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  const isAddress = "Is it the address of a market-signals server?"
  it.each<[string, RequestListener, string]>([
    [
      "a page",
      (_, response) => void response.setHeader("content-type", "text/html").end("<p>Hello"),
      `URL/mcp answered without JSON. ${isAddress}`,
    ],
    [
      "other JSON",
      (_, response) => void response.setHeader("content-type", "application/json").end('{"hello":1}'),
      `URL/mcp answered with JSON that is not a message of MCP. ${isAddress}`,
    ],
    ["a missing page", (_, response) => void response.writeHead(404).end("no"), `URL/mcp answered 404. ${isAddress}`],
    [
      "a request for a key",
      (_, response) => void response.writeHead(401).end(),
      "URL/mcp answered 401. Set MARKET_SIGNALS_KEY in the client's configuration.",
    ],
    ["a failing proxy", (_, response) => void response.writeHead(502).end(), "URL/mcp answered 502. Try again later."],
    [
      "a redirect to another host, which must not get the key",
      (_, response) => void response.writeHead(307, { location: "http://localhost:9/mcp" }).end(),
      "URL/mcp answered 307. Redirect to http://localhost:9/mcp not followed; use that URL as the endpoint if it is the intended server.",
    ],
    [
      "a stream that ends",
      (_, response) => void response.setHeader("content-type", "text/event-stream").end(": nothing\n\n"),
      "The connection to URL/mcp broke before the answer: the stream ended.",
    ],
  ])("says so: %s", async (_, listener, message) => {
    assert.strictEqual(await against(listener), message)
  })

  it("says that nothing listens there", async () => {
    const port = await freePort()
    const message = await refusedBy(`http://127.0.0.1:${port}`)
    assert.strictEqual(message, `Cannot reach http://127.0.0.1:${port}/mcp: ECONNREFUSED.`)
  })

  it("refuses another text than a URL", async () => {
    const child = processes.start("services/cli.ts", ["mcp", "--url", "example.com"])
    assert.notStrictEqual(await child.ended, 0)
    assert.include(child.stderr(), "--url: Expected a URL that begins with http: or https:")
    assert.deepStrictEqual(child.lines, [])
  })
})

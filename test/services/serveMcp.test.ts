import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { listTools } from "../../adapters/server/mcp/mod.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { connectStdio } from "../adapters/server/mcp/clients.ts"
import * as processes from "../support/processes.ts"
import { type Running, start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

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

const environment = (token?: string) => ({
  DATABASE_URL: `sqlite:${file}`,
  ...(token === undefined ? {} : { MARKET_SIGNALS_KEY: token }),
})
/** The files below a folder with their contents. */
const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => {
    const file = join(path, name)
    return [name, statSync(file).isFile() ? readFileSync(file, "utf8") : undefined]
  })

const day = { station: "KNYC", day: "2026-07-08" }
const spawned = (token?: string) => processes.start("services/cli.ts", ["mcp"], environment(token))
const message = (id: unknown, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`
const initialize = message(0, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
})

describe("npm run mcp", { timeout: 400_000 }, () => {
  it.each(["2026-07-28", "2025-11-25"] as const)(
    "serves a client of %s on the store of a running server: the same answer, one charge",
    async (way) => {
      const { client, errors } = await connectStdio(environment(service.account.live.token), way)
      assert.deepStrictEqual(
        (await client.listTools()).tools as unknown,
        JSON.parse(JSON.stringify(listTools(catalogue))),
      )
      const before = await service.balance()
      const { structuredContent } = await client.callTool({ name: "weather_settlement", arguments: day })
      assert.strictEqual(before - (await service.balance()), 1_000)
      const { json } = await service.get("/v1/weather/settlement?station=KNYC&day=2026-07-08")
      assert.deepStrictEqual((structuredContent as { results: unknown }).results, json.results)
      const failed = await client.callTool({ name: "weather_settlement", arguments: { station: "KXXX" } })
      assert.isTrue(failed.isError)
      await client.close()
      assert.strictEqual(errors(), "")
    },
  )

  it("lists tools in at most 33 kB, of the toolsets in MCP_TOOLSETS alone if it names some", async () => {
    const size = async (environment: Readonly<Record<string, string>>) => {
      const child = processes.start("services/cli.ts", ["mcp"], environment)
      child.process.stdin.write(initialize + message(1, "tools/list"))
      const [, listed] = await child.linesUntil(2)
      child.process.stdin.end()
      await child.ended
      return { bytes: Buffer.byteLength(listed!), names: JSON.parse(listed!).result.tools.map(nameOf) }
    }
    const nameOf = ({ name }: { readonly name: string }) => name
    const all = await size(environment())
    assert.isAtMost(all.bytes, 33_000)
    assert.sameMembers(all.names, listTools(catalogue).map(nameOf))
    const some = await size({ ...environment(), MCP_TOOLSETS: "crypto" })
    assert.sameMembers(some.names, ["crypto_spot", "crypto_signal", "crypto_performance", "pricing", "wallet", "find"])
    assert.isBelow(some.bytes, all.bytes / 4)
  })

  it("lists no tool outside the scopes of its key, and a call of one says so", async () => {
    const token = await service.run(
      Effect.flatMap(Accounts, (accounts) =>
        Effect.map(
          accounts.issueKey({ account: service.account.id, environment: "test", tier: "pro", scopes: ["baseball"] }),
          ({ plaintext }) => Redacted.value(plaintext),
        ),
      ),
    )
    const { client } = await connectStdio(environment(token))
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.includeMembers(names, ["mlb_games", "mlb_fair_odds", "nfl_performance", "pricing"])
    for (const hidden of ["weather_settlement", "crypto_spot", "nfl_games"]) assert.notInclude(names, hidden)
    const { isError, content } = await client.callTool({ name: "weather_settlement", arguments: day })
    assert.isTrue(isError)
    assert.include(JSON.stringify(content), "insufficient_scope")
    await client.close()
  })

  it("refuses an unknown toolset at the start, with the list of all", async () => {
    const child = processes.start("services/cli.ts", ["mcp"], { ...environment(), MCP_TOOLSETS: "wether" })
    assert.strictEqual(await child.ended, 1)
    assert.include(child.stderr(), "Toolsets: weather, football, baseball, crypto, markets, manage.")
  })

  it("without a key lists prices, and asks for a key for other tools", async () => {
    const { client, errors } = await connectStdio(environment())
    assert.isUndefined((await client.callTool({ name: "pricing", arguments: {} })).isError)
    const { isError, content } = await client.callTool({ name: "weather_settlement", arguments: day })
    assert.isTrue(isError)
    const { error } = JSON.parse((content as unknown as readonly [{ readonly text: string }])[0].text)
    const suggestion = "Set MARKET_SIGNALS_KEY in the client's configuration."
    assert.deepStrictEqual(
      [error.code, error.message, error.hints],
      ["missing_authorization", "No API key is set.", [{ action: "add", field: "MARKET_SIGNALS_KEY", suggestion }]],
    )
    // Nothing need listen at the server's address; the resource is on this connection.
    assert.include((await client.readResource({ uri: error.docs_url })).contents[0], { uri: error.docs_url })
    await client.close()
    assert.strictEqual(errors(), `MARKET_SIGNALS_KEY is not set: only what needs no key can be called. ${suggestion}\n`)
  })

  it("answers an invalid message with a protocol error, and continues", async () => {
    const child = spawned()
    const bad = [
      "{not json",
      "[]",
      `[${message(1, "ping").trim()}]`,
      '"ping"',
      '{"jsonrpc":"2.0","id":"x"}',
      `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"${"y".repeat(70_000)}"}}`,
    ]
    child.process.stdin.write(`${initialize}\r\n\n${bad.join("\n")}\n${message("last", "ping")}`)
    const lines = await child.linesUntil(2 + bad.length)
    child.process.stdin.end()
    assert.strictEqual(await child.ended, 0)
    const answers = lines.map((line) => JSON.parse(line))
    assert.isTrue(answers.every(({ jsonrpc }) => jsonrpc === "2.0"))
    // An invalid message is answered as it is read, so its answer may overtake a valid one's.
    assert.sameDeepMembers(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [0, undefined],
        [null, -32_700],
        [null, -32_600],
        [null, -32_600],
        [null, -32_600],
        ["x", -32_600],
        [null, -32_000],
        ["last", undefined],
      ],
    )
  })

  it("reads a message that comes in pieces, and two that come in one", async () => {
    const child = spawned()
    const bytes = Buffer.from(initialize + message("ä", "ping") + message(2, "ping"))
    const cut = bytes.indexOf(0xc3) + 1
    child.process.stdin.write(bytes.subarray(0, 20))
    child.process.stdin.write(bytes.subarray(20, cut))
    child.process.stdin.write(bytes.subarray(cut))
    const ids = (await child.linesUntil(3)).map((line) => JSON.parse(line).id)
    assert.deepStrictEqual(ids, [0, "ä", 2])
    child.process.stdin.end()
    assert.strictEqual(await child.ended, 0)
  })

  it.each<[string, (child: processes.Child) => void]>([
    ["its client closes the pipe", (child) => void child.process.stdin.end()],
    ["it is asked to", (child) => void child.process.kill("SIGTERM")],
  ])("ends when %s", async (_, end) => {
    const child = spawned(service.account.test.token)
    child.process.stdin.write(initialize)
    await child.linesUntil(1)
    end(child)
    const code = await child.ended
    assert.include([0, 130, 143], code)
    assert.strictEqual(child.stderr(), "")
  })

  it("opens a store by a path from the working directory, if one is there", async () => {
    const { client } = await connectStdio(
      { ...environment(service.account.test.token), DATABASE_URL: "sqlite:store.db" },
      "2026-07-28",
      { cwd: folder },
    )
    assert.isUndefined((await client.callTool({ name: "weather_settlement", arguments: day })).isError)
    await client.close()
  })

  it.each<[string, string, (path: string) => void, RegExp]>([
    [
      "no store",
      "absent/store.db",
      () => {},
      /^There is no store at (.*)\. Set DATABASE_URL to sqlite: and the absolute path of one, or MARKET_SIGNALS_URL to the base URL of a server\.\n$/,
    ],
    ["an empty file", "empty.db", (path) => writeFileSync(path, "", { mode: 0o600 }), /^There is no store at /],
    ["a folder", "folder.db", (path) => mkdirSync(path), /^Cannot open .*folder\.db: /],
    [
      "a file of text",
      "text.db",
      (path) => writeFileSync(path, "text ".repeat(999), { mode: 0o600 }),
      /^Cannot open .*text\.db: the store is damaged: restore a backup\. file is not a database\./,
    ],
  ])("refuses %s, and makes nothing", async (_, name, make, message) => {
    const cwd = mkdtempSync(join(folder, "cwd-"))
    const path = join(cwd, name)
    make(path)
    const before = filesOf(cwd)
    for (const url of [path, name]) {
      const child = processes.start(
        "services/cli.ts",
        ["mcp"],
        { ...environment(service.account.test.token), HOME: cwd, DATABASE_URL: `sqlite:${url}` },
        ["env", `--chdir=${cwd}`],
      )
      assert.strictEqual(await child.ended, 1)
      assert.match(child.stderr(), message)
      assert.include(child.stderr(), path)
      assert.deepStrictEqual([child.lines, filesOf(cwd)], [[], before])
    }
  })

  it("prints a start failure on standard error, and nothing on standard output", async () => {
    const child = processes.start("services/cli.ts", ["mcp"], { DATABASE_URL: "mysql://x" })
    assert.strictEqual(await child.ended, 1)
    assert.deepStrictEqual(child.lines, [])
    assert.include(child.stderr(), "Expected sqlite:<path>")
  })
})

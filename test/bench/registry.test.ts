import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { unpackExtension } from "@anthropic-ai/mcpb"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { list } from "../../adapters/describe/tools/tools.ts"
import { buildExtension, entryText, registryEntry } from "../../bench/tools/registry.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { isPublished } from "../../core/release.ts"
import { type Running, start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const root = process.cwd()
const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

describe("the entry in the MCP registry", () => {
  it("is the one that `npm run docs` writes, and keeps the rules of its schema, 2025-12-11", () => {
    assert.strictEqual(readFileSync(join(root, "server.json"), "utf8"), entryText())
    const { name, description, version, packages, remotes } = registryEntry()
    assert.strictEqual(name, about.mcpName)
    assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    assert.isAtMost(name.length, 200)
    assert.isAtMost(description.length, 100)
    assert.strictEqual(version, about.version)
    // The registry asks npm for the package, so that it is named once it is there.
    assert.strictEqual(packages !== undefined, isPublished)
    for (const { registryType, identifier, transport, environmentVariables, ...one } of packages ?? []) {
      assert.deepStrictEqual([registryType, identifier, transport.type], ["npm", about.name, "stdio"])
      // An exact version: no range, no tag.
      assert.match(one.version, /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/)
      for (const variable of environmentVariables) assert.match(variable.name, /^MARKET_SIGNALS_[A-Z]+$/)
      assert.isTrue(environmentVariables.find((variable) => variable.name.endsWith("KEY"))!.isSecret)
    }
    for (const { type, url, variables } of remotes) {
      assert.strictEqual(type, "streamable-http")
      assert.match(url, /^https?:\/\/[^\s]+$/)
      for (const [, variable] of url.matchAll(/\{(\w+)\}/g)) assert.property(variables, variable!)
    }
  })
})

describe("the extension for desktop clients", { timeout: 120_000 }, () => {
  const folder = makeFolder()
  let service: Running
  let program: string
  beforeAll(async () => {
    service = await start()
    const mcpbPath = await buildExtension(folder)
    const outputDir = join(folder, "unpacked")
    assert.isTrue(await unpackExtension({ mcpbPath, outputDir, silent: true }))
    program = join(outputDir, "server/mcpBundle.js")
  }, 120_000)
  afterAll(async () => {
    await service.stop()
    removeFolder(folder)
  })

  const unfilled = { MARKET_SIGNALS_STORE: ["$", "{user_config.store}"].join("") }

  it("answers a paid call in the official client, from an empty folder", async () => {
    const before = await service.balance()
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program],
      cwd: folder,
      env: {
        HOME: folder,
        MARKET_SIGNALS_URL: service.url,
        MARKET_SIGNALS_KEY: service.account.live.token,
        ...unfilled,
      },
    })
    const client = new Client({ name: "test", version: "1" })
    await client.connect(transport)
    assert.lengthOf((await client.listTools()).tools, list(catalogue).length)
    const { isError } = await client.callTool({ name: "weather_settlement", arguments: { station: "KNYC" } })
    assert.isUndefined(isError)
    assert.strictEqual(before - (await service.balance()), 1_000)
    await client.close()
  })

  it("says in one sentence what to fill in", async () => {
    const { stderr } = await promisify(execFile)(process.execPath, [program], {
      env: { HOME: folder, MARKET_SIGNALS_URL: unfilled.MARKET_SIGNALS_STORE },
    }).then(
      () => assert.fail("It ended well."),
      (error: { readonly stderr: string }) => error,
    )
    assert.strictEqual(
      stderr,
      "Fill in the address of a server, or the file of a store, in the extension's settings.\n",
    )
  })
})

import { execFile, spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { clients, filePath, files, keyPlace, overStdio } from "../../adapters/describe/clients.ts"
import { list } from "../../adapters/describe/tools/tools.ts"
import { demoKey } from "../../core/account/ApiKey.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { isPublished, version } from "../../core/release.ts"
import { freePort } from "../support/freePort.ts"
import * as processes from "../support/processes.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const run = promisify(execFile)
const python = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).status === 0

describe("what a server from a checkout hands out", { timeout: 240_000 }, () => {
  const folder = makeFolder()
  let server: processes.Child
  let url = ""
  const handed = ["bridge", "extension", "wheel", "notebook", "bill"] as const

  const fetched = async (path: string) => {
    const answer = await fetch(url + path)
    assert.strictEqual(answer.status, 200, path)
    return Buffer.from(await answer.arrayBuffer())
  }

  beforeAll(async () => {
    const port = String(await freePort())
    url = `http://127.0.0.1:${port}`
    const place = { PORT: port, DATABASE_URL: `sqlite:${join(folder, "store.db")}`, WARM_UP: "no" }
    server = processes.start("services/start.mjs", ["server"], place)
    await server.linesUntil(1)
    for (const name of handed) writeFileSync(join(folder, files[name]), await fetched(filePath(name)))
  }, 240_000)
  afterAll(async () => {
    server.process.kill("SIGTERM")
    await server.ended
    removeFolder(folder)
  })

  it("has the checksums and sizes that its page states", async () => {
    const page = String(await fetched("/install"))
    const sums = String(await fetched(filePath("sums")))
    for (const name of handed) {
      const bytes = readFileSync(join(folder, files[name]))
      const sha256 = createHash("sha256").update(bytes).digest("hex")
      assert.include(sums, `${sha256}  ${files[name]}\n`)
      for (const text of [sha256, `href="${filePath(name)}"`, bytes.length.toLocaleString("en-US")])
        assert.include(page, text)
    }
    assert.strictEqual(sums.trim().split("\n").length, handed.length)
    const part = await fetch(url + filePath("bill"), { headers: { range: "bytes=2-5" } })
    assert.deepStrictEqual([part.status, await part.text()], [206, String(await fetched(filePath("bill"))).slice(2, 6)])
    const notebook = readFileSync(join(folder, files.notebook), "utf8")
    assert.include(notebook, url)
    assert.notInclude(notebook, "market-signals-bench")
    // The package is made by a build.
    assert.strictEqual((await fetch(url + filePath("package"))).status, 404)
    assert.include(page, "npm run build")
  })

  it("is named by every document that names a client's line", async () => {
    const all = clients({ baseUrl: url, key: demoKey, call: undefined, served: (path) => path !== filePath("package") })
    const whole = String(await fetched("/llms-full.txt"))
    for (const { name, text } of all) {
      assert.include(whole, `### ${name}\n`)
      assert.include(whole, text)
    }
    // For those who start a command, the files come before npx.
    const desktop = all.filter(({ text }) => text.includes('"command"'))
    assert.deepStrictEqual(
      desktop.map(({ name, link }) => [name, link?.href]),
      [
        ["Claude Desktop", filePath("extension")],
        ["npx", undefined],
      ],
    )
    const { stdio, install_url } = JSON.parse(String(await fetched("/.well-known/mcp")))
    const { command, args } = overStdio(url, keyPlace)["market-signals"]
    assert.deepStrictEqual([stdio.command, stdio.args, install_url], [command, args, `${url}/install`])
    assert.include(String(await fetched("/llms.txt")), `${url}/install`)
    for (const path of ["/docs", "/"]) assert.include(String(await fetched(path)), 'href="/install"')
  })

  it("is an extension whose program answers a call of the server that is filled in, and says what to fill in", async () => {
    const unpacked = join(folder, "extension")
    await run("python3", ["-m", "zipfile", "-e", join(folder, files.extension), unpacked])
    const manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8"))
    assert.strictEqual(manifest.user_config.url.default, url)
    assert.strictEqual(manifest.tools.length, list(catalogue).length)
    for (const file of [manifest.icon, manifest.server.entry_point, "server/LICENSES.txt"])
      assert.isTrue(existsSync(join(unpacked, file)), file)
    const unfilled = ["$", "{user_config.store}"].join("")
    const program = join(unpacked, manifest.server.entry_point)
    const given = { MARKET_SIGNALS_KEY: demoKey, MARKET_SIGNALS_STORE: unfilled }
    await answers(process.execPath, [program], { ...given, MARKET_SIGNALS_URL: url })
    const { stderr } = await run(process.execPath, [program], {
      env: { HOME: folder, MARKET_SIGNALS_URL: unfilled },
    }).then(
      () => assert.fail("It ended well."),
      (error: { readonly stderr: string }) => error,
    )
    const said = async (option: string) => (await run(process.execPath, [program, option])).stdout
    assert.strictEqual(await said("--version"), `${version}\n`)
    assert.include(await said("--help"), "MARKET_SIGNALS_KEY")
    assert.match(stderr, /^Fill in the address of a server \(--url\), or the file of a store, in the settings/)
  })

  /** A client of MCP, from an empty folder. */
  const answers = async (command: string, args: Array<string>, env: Readonly<Record<string, string>>) => {
    const client = new Client({ name: "test", version: "1" })
    const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, ...env }
    await client.connect(new StdioClientTransport({ command, args, cwd: folder, env: environment }))
    assert.lengthOf((await client.listTools()).tools, list(catalogue).length)
    const call = { name: "weather_settlement", arguments: { station: "KNYC" } }
    assert.isUndefined((await client.callTool(call)).isError)
    await client.close()
  }

  it("is a bridge of one package that npx starts from the server alone", async () => {
    const { command, args, env } = overStdio(url, demoKey)["market-signals"]
    assert.include(args.join(" "), version)
    // A registry that nobody answers for: nothing else is asked.
    await answers(command, args, { ...env, npm_config_registry: "http://127.0.0.1:9" })
    const cache = join(folder, ".npm/_npx")
    const modules = join(cache, readdirSync(cache)[0]!, "node_modules")
    assert.deepStrictEqual(
      readdirSync(modules).filter((name) => !name.startsWith(".")),
      ["market-signals-mcp"],
    )
    const bytes = readdirSync(modules, { recursive: true, encoding: "utf8" })
      .map((name) => statSync(join(modules, name)))
      .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
    assert.isAtMost(bytes, 2_000_000)
  })

  it.skipIf(!python)("is a wheel of the same files that build.py makes, which runs", async () => {
    const made = join(folder, "made")
    mkdirSync(made)
    await run("python3", ["adapters/client/python/build.py", made])
    const program = `
import json, sys, zipfile
read = lambda path: {entry: zipfile.ZipFile(path).read(entry).decode() for entry in zipfile.ZipFile(path).namelist()}
one, other = map(read, sys.argv[1:3])
assert one == other, [entry for entry in one if one[entry] != other.get(entry)]
sys.path.insert(0, sys.argv[1])
from market_signals import Client
print(Client(sys.argv[3], key=sys.argv[4]).weather_settlement(station="KNYC").results["settlement"]["high_f"])`
    const wheels = [join(folder, files.wheel), join(made, files.wheel)]
    const { stdout } = await run("python3", ["-c", program, ...wheels, url, demoKey])
    assert.match(stdout, /^-?\d+\n$/)
  })

  it("is a bill of the packages that are in the programs, and names no registry of ours before it is published", async () => {
    const bill = JSON.parse(readFileSync(join(folder, files.bill), "utf8"))
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"))
    assert.strictEqual(bill.bomFormat, "CycloneDX")
    for (const { name, version, hashes } of bill.components) {
      const locked = Object.entries<{ version: string; integrity?: string }>(packages).find(
        ([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version,
      )
      assert.isDefined(locked, name)
      const sha512 = Buffer.from(hashes[0].content, "hex").toString("base64")
      assert.strictEqual(`sha512-${sha512}`, locked![1].integrity)
    }
    assert.isTrue(bill.components.some(({ name }: { readonly name: string }) => name === "effect"))
    if (!isPublished)
      for (const { install = "" } of clients({ baseUrl: url, key: demoKey, call: undefined, served: () => true }))
        assert.notMatch(install, / market-signals(@|==|$)/)
  })

  it("answers a client while the server is away, by npx too, and npx that has nothing yet ends", async () => {
    server.process.kill("SIGTERM")
    await server.ended
    const { command, args, env } = overStdio(url, demoKey)["market-signals"]
    const asked = async (home: string) => {
      const child = spawn(command, args, { env: { PATH: process.env["PATH"], HOME: home, ...env }, cwd: folder })
      child.stdin.on("error", () => undefined).end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
      const started = performance.now()
      const answer = await text(child.stdout)
      // Retries of npm would take seventy seconds.
      assert.isBelow(performance.now() - started, 60_000)
      return answer
    }
    assert.match(
      await asked(folder),
      /^\{"jsonrpc":"2.0","error":\{"code":-32000,"message":"Cannot reach .*ECONNREFUSED/,
    )
    assert.strictEqual(await asked(join(folder, "made")), "")
  })
})

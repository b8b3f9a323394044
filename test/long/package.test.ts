import { execFile, spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { findNodeDriver } from "../../adapters/store/engine/sqlite/nodeSqlite.ts"
import { published } from "../../services/manifest.mjs"
import { benchSuite, installBench } from "../package/benchSuite.ts"
import { installSuite } from "../package/installSuite.ts"
import { mountSuite } from "../package/mountSuite.ts"
import { documentSuite } from "../support/documents/suite.ts"
import { freePort } from "../support/freePort.ts"
import { loadsSqliteClient } from "../support/sqliteClient.ts"
import { folder as installed } from "./installed.ts"
import { embeddingSuite } from "./support/embedding.ts"
import { lineSuite } from "./support/lines.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const tsc = join(root, "node_modules/typescript/bin/tsc")
const folder = mkdtempSync(join(tmpdir(), "market-signals-package-"))
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const outside = published(manifest)
const tarball = (): string => join(folder, `${manifest.name}-${manifest.version}.tgz`)

/** Runs a program to its end; never in the way of the runner, which wants to hear of this file meanwhile. */
const run = async (
  file: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> => {
  try {
    return (await promisify(execFile)(file, [...args], { cwd, env, encoding: "utf8", maxBuffer: 16_777_216 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${file} ${args.join(" ")}\n${stdout}${stderr}`)
  }
}

const programs = {
  catalogue: /^\d+ endpoints answered, charged\n$/,
  ownModel: /^own model served\n$/,
  ownPrice: /^tide 5\.2 ft for 2000, spot for 500\n$/,
  readme: /^\d{2,3} \d{12}-KOKX-CDUS41-CLINYC\n$/,
  ownStore:
    /^crypto-tape \d+ BTC new, 0 BTC missing.*\ncrypto-capture 2 captured\ncrypto-scores .*\nlive 60, 2 on record\n$/,
  ownProvider: /^\d+ F, the same in shadow, not_found live; versions differed\n$/,
} as const
const lanes = readdirSync(join(root, "core/lanes"), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && existsSync(join(root, "core/lanes", entry.name, "mod.ts")) ? [entry.name] : [],
)
/** Everything that a program can import. */
const entries = [
  ...Object.keys(manifest.exports).flatMap((entry) =>
    (entry.includes("*") ? lanes : [""]).map((lane) => entry.replace("*", lane).replace(".", manifest.name)),
  ),
  ...["", ...["baseball", "crypto", "football", "markets", "weather"].map((lane) => `/lanes/${lane}`)].map(
    (entry) => `market-signals-bench${entry}`,
  ),
]
/** Programs in documents: the first one after a heading. */
const examples = [
  ["readme", "README.md", "#"],
  ["mount", "core/README.md", "## Mount it in your server"],
] as const
const names = Object.keys(programs) as ReadonlyArray<keyof typeof programs>

/** The packed package in an empty folder, its dependencies beside it as an installation puts them; no network. */
beforeAll(async () => {
  await run("npm", ["run", "--silent", "build"], root)
  // As `npm pack` packs, which changes package.json meanwhile: others read it.
  const staged = join(folder, "staged")
  for (const file of [...manifest.files, "README.md", "LICENSE"])
    cpSync(join(root, file), join(staged, file), { recursive: true })
  writeFileSync(join(staged, "package.json"), JSON.stringify(outside))
  await run("npm", ["pack", "--silent", "--pack-destination", folder], staged)
  rmSync(staged, { recursive: true })
  const modules = join(folder, "node_modules")
  const own = join(modules, manifest.name)
  mkdirSync(own, { recursive: true })
  await run("tar", ["-xzf", tarball(), "-C", own, "--strip-components=1"], folder)
  await installBench(folder, run)
  const others = ["@effect/sql-sqlite-node", "express", "hono", "@hono"]
  for (const name of [
    ...Object.keys(outside.optionalDependencies),
    ...Object.keys(manifest.dependencies),
    "@types/node",
    ...others,
  ]) {
    const to = join(modules, name)
    mkdirSync(dirname(to), { recursive: true })
    symlinkSync(join(others.includes(name) ? installed : join(root, "node_modules"), name), to)
  }
  for (const name of ["mounted", ...names.filter((each) => each !== "readme")]) {
    cpSync(join(root, "test/package", `${name}.ts`), join(folder, `${name}.ts`))
  }
  for (const [name, file, heading] of examples) {
    const text = readFileSync(join(root, file), "utf8")
    writeFileSync(join(folder, `${name}.ts`), /```ts\n([\s\S]*?)```/.exec(text.slice(text.indexOf(heading)))![1]!)
  }
  writeFileSync(join(folder, "entries.ts"), entries.map((entry, at) => `export * as e${at} from "${entry}"\n`).join(""))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "embedder", type: "module", private: true }))
}, 600_000)
// Several installations: a while on a busy disk, and nothing else may wait for it.
afterAll(() => rm(folder, { recursive: true, force: true }), 300_000)

describe("the package, packed and installed", { timeout: 240_000 }, () => {
  it("holds everything that its entries name, for every lane", async () => {
    const own = join(folder, "node_modules", manifest.name)
    assert.isAbove(lanes.length, 5)
    for (const [entry, target] of Object.entries<{ types: string; default: string }>(manifest.exports)) {
      for (const lane of entry.includes("*") ? lanes : [""]) {
        assert.isTrue(existsSync(join(own, target.types.replace("*", lane))), `${entry} ${lane}`)
        const exported = await import(join(own, target.default.replace("*", lane)))
        assert.isAbove(Object.keys(exported).length, 0, `${entry} ${lane}`)
      }
    }
  })

  it.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])("types programs and all entries under --strict with module resolution %s", async (moduleResolution, module) => {
    // No declaration is skipped, and the optional packages are not there.
    const options = ["--strict", "--skipLibCheck", "false", "--target", "es2022", "--module", module]
    const files = [...names, "mounted", "mount", "entries"].map((name) => `${name}.ts`)
    const emit = moduleResolution === "nodenext" ? ["--outDir", "out"] : ["--noEmit"]
    await run(
      process.execPath,
      [tsc, ...options, "--moduleResolution", moduleResolution, "--types", "node", ...emit, ...files],
      folder,
    )
  })

  for (const name of names)
    it.skipIf(name === "ownStore" && !loadsSqliteClient)(`runs ${name}`, async () => {
      assert.match(await run(process.execPath, [`out/${name}.js`], folder), programs[name])
    })

  it("runs a program under Deno", async () => {
    const deno = join(installed, ".bin/deno")
    assert.match(
      await run(deno, ["run", "-A", "--node-modules-dir=manual", "out/ownModel.js"], folder),
      programs.ownModel,
    )
  })

  it("has a manifest without development, and Effect's packages as peers", async () => {
    const own = JSON.parse(readFileSync(join(folder, "node_modules", manifest.name, "package.json"), "utf8"))
    for (const name of ["scripts", "devDependencies", "overrides", "allowScripts", "workspaces"])
      assert.notProperty(own, name)
    assert.notInclude(Object.keys(own.dependencies).join(), "effect")
    const imported = new Set<string>()
    for (const file of readdirSync(join(folder, "node_modules", manifest.name, "dist"), {
      recursive: true,
      encoding: "utf8",
    })) {
      if (!/\.d\.m?ts$/.test(file)) continue
      const text = readFileSync(join(folder, "node_modules", manifest.name, "dist", file), "utf8")
      for (const [, name] of text.matchAll(/"((?:@effect\/[\w-]+|effect))(?:\/|")/g)) imported.add(name!)
    }
    assert.isTrue(imported.has("effect") && imported.has("@effect/platform"))
    for (const name of imported) assert.match(own.peerDependencies[name] ?? name, /^\^\d/)
    // What npm does around a pack: the same manifest, and then the one of before, whatever was killed meanwhile.
    const place = join(folder, "around")
    mkdirSync(place)
    const file = join(place, "package.json")
    const text = readFileSync(join(root, "package.json"), "utf8")
    writeFileSync(file, text)
    const step = (name: string) => run(process.execPath, [join(root, "services/manifest.mjs"), name, place], root)
    for (const name of ["strip", "strip"]) {
      await step(name)
      assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), outside)
    }
    await step("restore")
    assert.strictEqual(readFileSync(file, "utf8"), text)
    assert.deepStrictEqual(
      [manifest.scripts.prepack, manifest.scripts.postpack],
      ["npm run build && node services/manifest.mjs strip", "node services/manifest.mjs restore"],
    )
  })

  it.runIf(findNodeDriver() === undefined)(
    "says which package of SQLite is not there, and needs none for a verb without a store",
    async () => {
      const driver = Number.parseInt(process.versions.node, 10) < 22 ? "better-sqlite3-node20" : "better-sqlite3"
      const place = join(folder, "node_modules", driver)
      const program = join(folder, "node_modules", manifest.name, manifest.bin[manifest.name])
      renameSync(place, `${place}.away`)
      try {
        assert.strictEqual(await run(process.execPath, [program, "--version"], folder), `${manifest.version}\n`)
        const environment = { PATH: process.env["PATH"], HOME: folder }
        const refused = await run(process.execPath, [program, "account", "list"], folder, environment).catch(String)
        assert.include(refused, `npm install ${driver}@${outside.optionalDependencies[driver]} (with --global where`)
      } finally {
        renameSync(`${place}.away`, place)
      }
    },
  )

  it("has few files and few dependencies", () => {
    const own = join(folder, "node_modules", manifest.name)
    const files = readdirSync(own, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    assert.isBelow(files.length, 800)
    for (const { name } of files) assert.notMatch(name, /(?<!\.d)\.tsx?$/)
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
    const production = Object.values<{ dev?: boolean; optional?: boolean }>(packages).filter(
      ({ dev, optional }) => dev !== true && optional !== true,
    )
    // The package itself is one of them.
    assert.isAtMost(production.length - 1, 46)
    assert.isAtMost(Object.keys(outside.dependencies).length, 8)
  })

  it("speaks MCP on no store but one that exists, in the folder of the user's data", async () => {
    const here = join(folder, "desktop")
    mkdirSync(here)
    const program = join(folder, "node_modules", manifest.name, manifest.bin[manifest.name])
    for (const [environment, place] of [
      [{}, ".local/share"],
      [{ XDG_DATA_HOME: join(here, "data") }, "data"],
      [{ XDG_DATA_HOME: "data" }, ".local/share"],
    ] as const) {
      const child = spawn(process.execPath, [program, "mcp"], {
        cwd: "/",
        env: { PATH: process.env["PATH"], HOME: here, ...environment },
      })
      const text = await new Promise<string>((found) => {
        let output = ""
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
        child.once("close", (code) => found(`${code} ${output}`))
      })
      const file = join(
        here,
        process.platform === "darwin" ? "Library/Application Support" : place,
        "market-signals/market-signals.db",
      )
      assert.include(text, `1 There is no store at ${file}. Set DATABASE_URL`)
      assert.deepStrictEqual(readdirSync(here), [])
    }
  })

  it("serves, sells, speaks MCP, is backed up and restored, with nothing but itself", async () => {
    const here = join(folder, "operator")
    mkdirSync(here)
    const program = join(folder, "node_modules", manifest.name, manifest.bin[manifest.name])
    const { PATH } = process.env
    const environment = { PATH, HOME: here, PORT: String(await freePort()) }
    const cli = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
      run(process.execPath, [program, ...args], here, { ...environment, ...more })
    assert.strictEqual(await cli(["--version"]), `${manifest.version}\n`)
    const server = spawn(process.execPath, [program, "serve"], { cwd: here, env: environment })
    try {
      const text = await new Promise<string>((found, failed) => {
        let output = ""
        server.once("exit", (code) => failed(new Error(`ended with ${code}: ${output}`)))
        server.stderr.on("data", (chunk) => (output += chunk))
        server.stdout.on("data", (chunk) => {
          output += chunk
          if (/settlement\?station/.test(output)) found(output)
        })
      })
      const [, url] = /on (http:\/\/\S+)/.exec(text)!
      const [, key] = /(svk_test_\w+)/.exec(text)!
      const answer = await fetch(`${url}/v1/weather/settlement?station=KNYC`, {
        headers: { authorization: `Bearer ${key}` },
      })
      assert.strictEqual(answer.status, 200)
      // The dashboard's scripts and the verifier are in the bundle.
      for (const path of ["/", "/docs", "/v1/proof/verifier.mjs", "/metrics-that-are-not-there"]) {
        assert.strictEqual((await fetch(`${url}${path}`)).status, path.startsWith("/metrics") ? 404 : 200, path)
      }
      await cli(["account", "create", "--name", "me"])
      await cli(["wallet", "credit", "--account", "me", "--usd", "1"])
      const made = JSON.parse(await cli(["keys", "create", "--account", "me", "--env", "live", "--json"]))
      const paid = await fetch(`${url}/v1/weather/signal?station=KNYC`, {
        headers: { authorization: `Bearer ${made.key}` },
      })
      assert.deepStrictEqual([paid.status, paid.headers.get("x-price-usd") !== ""], [200, true])
      await cli(["backup", "--out", "kept"])
      const store = { DATABASE_URL: `sqlite:${here}/var/market-signals.db` }
      for (const way of [store, { MARKET_SIGNALS_URL: url! }]) {
        const client = new Client({ name: "test", version: "1" })
        await client.connect(
          new StdioClientTransport({
            command: process.execPath,
            args: [program, "mcp"],
            cwd: "/",
            env: { PATH: PATH ?? "", HOME: here, MARKET_SIGNALS_KEY: made.key, ...way },
          }),
        )
        const { tools } = await client.listTools()
        assert.isAbove(tools.length, 15)
        const { isError } = await client.callTool({ name: "weather_settlement", arguments: { station: "KNYC" } })
        assert.isUndefined(isError)
        await client.close()
      }
    } finally {
      const ended = new Promise((resolve) => server.once("exit", resolve))
      if (server.kill("SIGTERM")) await ended
    }
    const again = (args: ReadonlyArray<string>) => cli(args, { DATABASE_URL: "sqlite:elsewhere/store.db" })
    assert.match(await again(["restore", "kept"]), /^Restored kept to elsewhere\/store\.db\.\n/)
    assert.match(await again(["wallet", "show", "--account", "me"]), /balance 0\.99 USD\n/)
    assert.match(await again(["store", "check"]), /^Books: 2 wallets equal their journals/)
  })
})

benchSuite({ folder, run })

embeddingSuite({ folder, name: manifest.name, lanes, entries, example: programs.readme, run })

lineSuite({ folder, program: () => join(folder, "node_modules", manifest.name, manifest.bin[manifest.name]), run })

documentSuite({
  folder,
  program: () => join(folder, "node_modules", manifest.name, manifest.bin[manifest.name]),
  run,
  tsc,
})

mountSuite({ folder, installed })

installSuite({
  folder,
  tarball,
  example: () => readFileSync(join(folder, "readme.ts"), "utf8"),
  printed: programs.readme,
  tsc,
  run,
})

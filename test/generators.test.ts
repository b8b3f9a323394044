import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { admin, send } from "./adapters/server/http/adminClient.ts"
import { references } from "./support/openApiRules.ts"
import { type Running, start } from "./support/running.ts"

const modules = fileURLToPath(new URL("../node_modules", import.meta.url))
/** Also for the processes that a generator starts. */
const generating = `--import=${pathToFileURL(join(import.meta.dirname, "support/generatorHost.mjs"))}`
const folder = mkdtempSync(join(tmpdir(), "market-signals-generators-"))

const node = async (options: string, ...args: ReadonlyArray<string>): Promise<string> => {
  try {
    const env = { ...process.env, NODE_OPTIONS: options }
    return (await promisify(execFile)(process.execPath, [...args], { cwd: folder, env, encoding: "utf8" })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${args.join(" ")}\n${stdout}${stderr}`)
  }
}

/** What somebody writes over both generators' output. */
const program = `
import { client } from "./openapi-client/client.gen"
import { weatherSettlement } from "./openapi-client"
import type { paths } from "./openapi"
import type { paths as Operator } from "./admin"

type Settlement = paths["/v1/weather/settlement"]["get"]
type Account = Operator["/admin/v1/accounts"]["post"]["responses"][201]["content"]["application/json"]

const [, , baseUrl, auth] = process.argv
client.setConfig({ baseUrl, auth })
const { data } = await weatherSettlement({ query: { station: "KNYC" }, throwOnError: true })
const same: Settlement["responses"][200]["content"]["application/json"] = data
const high: number | null | undefined = same.results?.settlement.high_f
const { error } = await weatherSettlement({ query: { station: "KNYC", day: "soon" } })
const name: Account["name"] = "acme"
console.log(JSON.stringify([high, error?.error.code, name]))
`

let running: Running
const documents: Record<string, string> = {}
beforeAll(async () => {
  running = await start({ admin }, { balance: 1_000_000 })
  documents["openapi"] = (await running.get("/openapi.json", "")).text
  documents["admin"] = (await send(running.adminUrl, "GET", "openapi.json")).text
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, `${name}.json`), text)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await running.stop()
})

describe("generators of clients", () => {
  it.each(["openapi", "admin"])("find every reference of the %s document in it", (name) => {
    const found = references(JSON.parse(documents[name]!))
    assert.isAbove(found.length, 30)
    assert.deepStrictEqual(
      found.filter((reference) => typeof reference !== "string" || !reference.startsWith("#/")),
      [],
    )
  })

  it("make clients without network, which compile strictly and call the server", async () => {
    for (const name of Object.keys(documents)) {
      const [input, types, client] = [`${name}.json`, `${name}.ts`, `${name}-client`]
      await node(generating, join(modules, "openapi-typescript/bin/cli.js"), input, "--output", types)
      await node(generating, join(modules, "@hey-api/openapi-ts/bin/run.js"), "-i", input, "-o", client)
    }
    writeFileSync(join(folder, "program.ts"), program)
    const options = [
      "--strict",
      "--noEmit",
      "--target",
      "es2022",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
    ]
    const types = ["--types", "node", "--typeRoots", join(modules, "@types")]
    await node("", join(modules, "typescript/bin/tsc"), ...options, ...types, "program.ts", "admin-client/index.ts")
    const outfile = join(folder, "program.mjs")
    await build({ entryPoints: [join(folder, "program.ts")], outfile, bundle: true, platform: "node", format: "esm" })
    const { token } = running.account.live
    const [high, code, name] = JSON.parse(await node("", outfile, running.url, token))
    const { results } = (await running.get("/v1/weather/settlement?station=KNYC", token)).json
    assert.deepStrictEqual([high, code, name], [results.settlement.high_f, "invalid_parameter", "acme"])
  })
})

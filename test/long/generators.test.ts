import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { admin, send } from "../adapters/server/http/adminClient.ts"
import { type Running, start } from "../support/running.ts"
import { folder as modules } from "./installed.ts"
import { references } from "./support/openApiRules.ts"

const root = fileURLToPath(new URL("../../node_modules", import.meta.url))
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

/** What somebody writes over the generators' output. */
const program = `
import { weatherSettlement as orval } from "./openapi-orval"
import { Api } from "./openapi-swagger"
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
const authorization = { headers: { Authorization: \`Bearer \${auth}\` } }
globalThis.fetch = ((send) => (url, init) => send(new URL(String(url), baseUrl), init))(fetch)
const fetched = await orval({ station: "KNYC" }, authorization)
const asked = await new Api({ baseUrl }).v1.weatherSettlement({ station: "KNYC" }, authorization)
const highs = [fetched.status === 200 && fetched.data.results?.settlement.high_f, asked.data.results?.settlement.high_f]
console.log(JSON.stringify([high, error?.error.code, name, ...highs]))
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
    const generate = (program: string, ...args: Array<string>) => node(generating, join(modules, program), ...args)
    for (const name of Object.keys(documents)) {
      const input = `${name}.json`
      await generate("openapi-typescript/bin/cli.js", input, "--output", `${name}.ts`)
      await generate("@hey-api/openapi-ts/bin/run.js", "-i", input, "-o", `${name}-client`)
      await generate("orval/dist/bin/orval.mjs", "-i", input, "-o", `${name}-orval.ts`, "--client", "fetch")
      await generate("swagger-typescript-api/dist/cli.mjs", "generate", "-p", input, "-n", `${name}-swagger.ts`)
    }
    writeFileSync(join(folder, "program.ts"), program)
    const flags = "--strict --noEmit -t es2022 -m esnext --moduleResolution bundler --types node --typeRoots"
    const written = ["program.ts", "admin-client/index.ts", "admin-orval.ts", "admin-swagger.ts"]
    await node("", join(root, "typescript/bin/tsc"), ...flags.split(" "), join(root, "@types"), ...written)
    const outfile = join(folder, "program.mjs")
    await build({ entryPoints: [join(folder, "program.ts")], outfile, bundle: true, platform: "node", format: "esm" })
    const { token } = running.account.live
    const [high, code, name, ...highs] = JSON.parse(await node("", outfile, running.url, token))
    const { high_f } = (await running.get("/v1/weather/settlement?station=KNYC", token)).json.results.settlement
    assert.deepStrictEqual([high, code, name, ...highs], [high_f, "invalid_parameter", "acme", high_f, high_f])
  })
})

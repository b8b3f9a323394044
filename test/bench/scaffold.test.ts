import { execFile, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { newEndpoint } from "../../bench/tools/newEndpoint.ts"
import { newLane } from "../../bench/tools/newLane.ts"
import { freePort } from "../support/freePort.ts"

const checkout = fileURLToPath(new URL("../..", import.meta.url))
const root = mkdtempSync(join(tmpdir(), "market-signals-scaffold-"))
const run = (...args: ReadonlyArray<string>) => promisify(execFile)(process.execPath, [...args], { cwd: root })

beforeAll(() => {
  const copied = "adapters bench/tools/prepare.mjs core services .gitignore biome.json package.json tsconfig.json"
  for (const name of copied.split(" ")) cpSync(join(checkout, name), join(root, name), { recursive: true })
  symlinkSync(join(checkout, "node_modules"), join(root, "node_modules"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The answers of a server over generated data, to the test key of its first start. */
const answers = async (paths: ReadonlyArray<string>) => {
  const { PATH, HOME } = process.env
  const server = spawn(process.execPath, ["--import", "tsx", "services/server.ts"], {
    cwd: root,
    env: { PATH, HOME, PORT: String(await freePort()) },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    let out = ""
    for await (const chunk of server.stdout.setEncoding("utf8")) {
      out += chunk
      if (out.includes("curl ")) break
    }
    const key = /^test key {2}(\S+)$/m.exec(out)?.[1]
    const url = /^market-signals on (\S+) /m.exec(out)?.[1]
    return await Promise.all(
      paths.map(async (path) => {
        const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
        return [response.status, ((await response.json()) as { results: Record<string, unknown> }).results] as const
      }),
    )
  } finally {
    server.kill("SIGKILL")
  }
}

describe.sequential("a lane and endpoints of the generators", () => {
  it("are written with the edits of shared files, once", () => {
    assert.include(newLane(root, "tides"), "core/lanes/tides/Tides.ts")
    const lanes = readFileSync(join(root, "core/lanes/all.ts"), "utf8")
    assert.match(lanes, /^const lanes: All = \[.*, tides\]$/m)
    assert.match(lanes, /^type All = readonly \[[^\]]*,\s+typeof tides,?\s*\]$/m)
    newEndpoint(root, "tides", "high-water")
    newEndpoint(root, "football", "kick-off")
    assert.throws(() => newLane(root, "tides"), "core/lanes/tides/endpoints.ts exists.")
    assert.throws(() => newLane(root, "High Tides"), /one lower-case word/)
    assert.throws(() => newEndpoint(root, "rivers", "level"), /a lane's folder/)
  })

  it("have no mistake of types or style, and their tests pass", { timeout: 300_000 }, async () => {
    await run("node_modules/typescript/bin/tsc", "-p", ".")
    await run("node_modules/@biomejs/biome/bin/biome", "check", "core/lanes", "adapters/lanes", "test")
    await run("node_modules/vitest/vitest.mjs", "run", "--root", root)
  })

  it("answer", { timeout: 300_000 }, async () => {
    const [latest, high, kickOff] = await answers([
      "/v1/tides/latest?subject=Dover",
      "/v1/tides/high-water?subject=Dover",
      "/v1/nfl/kick-off?subject=Jets",
    ])
    assert.strictEqual(latest![0], 200)
    assert.strictEqual(latest![1]["subject"], "Dover")
    assert.isNumber(latest![1]["value"])
    assert.deepStrictEqual(high, [200, { subject: "Dover" }])
    assert.deepStrictEqual(kickOff, [200, { subject: "Jets" }])
  })
})

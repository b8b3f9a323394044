import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { folder } from "./installed.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"))
const deno = read("deno.json")

/** `deno publish --dry-run`: whether it would publish, and what it says. */
const publish = (...options: ReadonlyArray<string>) =>
  new Promise<{ readonly passed: boolean; readonly said: string }>((done) => {
    execFile(
      join(folder, ".bin/deno"),
      ["publish", "--dry-run", "--allow-dirty", "--no-check", ...options],
      { cwd: root, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 16_777_216 },
      (error, stdout, stderr) => done({ passed: error === null, said: stdout + stderr }),
    )
  })

describe("the package for Deno", () => {
  it("has core, its mathematics, every lane and the client, in the version of the package for Node", () => {
    const lanes = readdirSync(join(root, "core/lanes"), { recursive: true, encoding: "utf8" })
      .filter((name) => /^[^/\\]+[/\\]mod\.ts$/.test(name))
      .map((name) => name.split(/[/\\]/)[0]!)
    assert.isNotEmpty(lanes)
    assert.deepStrictEqual(deno.exports, {
      ".": "./core/mod.ts",
      "./math": "./core/math/mod.ts",
      ...Object.fromEntries(lanes.sort().map((lane) => [`./lanes/${lane}`, `./core/lanes/${lane}/mod.ts`])),
      "./client": "./adapters/client/mod.ts",
    })
    assert.strictEqual(deno.version, read("package.json").version)
  })

  it("would be published", async () => {
    const { passed, said } = await publish("--allow-slow-types")
    assert.isTrue(passed, said)
  })

  it("has types that need no inference in the client and the mathematics; elsewhere they are inferred from schemas", async () => {
    const { passed, said } = await publish()
    assert.isFalse(passed, "Publish without --allow-slow-types: nothing needs it any more.")
    const places = [...said.matchAll(/--> (\S+?):\d+:\d+/g)].map(([, path = ""]) => path.slice(root.length))
    assert.isNotEmpty(places)
    for (const place of places) assert.notMatch(place, /^(adapters\/client|core\/math)\//)
  })
})

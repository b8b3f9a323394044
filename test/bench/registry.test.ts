import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { entryText, registryEntry } from "../../bench/tools/registry.ts"
import { isPublished } from "../../core/release.ts"

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

import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import * as Release from "../../core/release.ts"

it("programs report the package's version", () => {
  const { name, version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  assert.deepStrictEqual({ name: Release.name, version: Release.version }, { name, version })
})

import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import * as Release from "../../core/release.ts"

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
const manifest = JSON.parse(read("package.json"))

it("programs report the package's version", () => {
  assert.deepStrictEqual(
    { name: Release.name, version: Release.version },
    { name: manifest.name, version: manifest.version },
  )
  const { version, packages } = JSON.parse(read("package-lock.json"))
  assert.deepStrictEqual([version, packages[""].version], [Release.version, Release.version])
})

/** The versions that a program may have with this changelog. */
const allowed = (changelog: string): ReadonlyArray<string> => {
  const [, unreleased = "", newest = ""] = /^## \[Unreleased\]\n(.*?)^## \[(\d+\.\d+\.\d+)\] - /ms.exec(changelog) ?? []
  const [major, minor] = newest.split(".").map(Number)
  const next = `${major}.${minor! + 1}.0-dev`
  return unreleased.trim() === "" ? [newest, next] : [next]
}

it("no program with changes after a release has the version of that release", () => {
  assert.include(allowed(read("CHANGELOG.md")), Release.version)
  const released = "## [1.2.3] - 2026-01-01\n"
  assert.deepStrictEqual(allowed(`## [Unreleased]\n\n- A line.\n\n${released}`), ["1.3.0-dev"])
  assert.deepStrictEqual(allowed(`## [Unreleased]\n\n${released}`), ["1.2.3", "1.3.0-dev"])
})

it("the package says where it comes from, where faults are reported and what it is about", () => {
  const { repository, homepage, bugs, keywords, author } = manifest
  const [, address = ""] = /^git\+(https:\/\/.+)\.git$/.exec(repository.url) ?? []
  assert.deepStrictEqual([homepage, bugs], [`${address}#readme`, `${address}/issues`])
  assert.isAbove(new Set(keywords).size, 5)
  assert.include(read("LICENSE"), author)
})

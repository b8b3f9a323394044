import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import {
  baselineFaults,
  digestOfSources,
  makeBaseline,
  type Releases,
  releases,
  versionFault,
} from "../../bench/tools/releasedSources.ts"
import * as Release from "../../core/release.ts"

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
const manifest = JSON.parse(read("package.json"))

it("programs report the package's version", () => {
  assert.deepStrictEqual(
    { name: Release.name, version: Release.version },
    { name: manifest.name, version: manifest.version },
  )
  const { version, packages } = JSON.parse(read("package-lock.json"))
  const bench = JSON.parse(read("bench/open/package.json")).version
  for (const each of [version, packages[""].version, bench, packages["bench/open"].version])
    assert.strictEqual(each, Release.version)
})

const released: Releases = JSON.parse(readFileSync(releases, "utf8"))

it("no program with other sources than a release has the version of that release", () => {
  const digest = digestOfSources(fileURLToPath(new URL("../..", import.meta.url)))
  assert.isUndefined(versionFault(Release.version, digest, released))
  const [newest] = /(?<=^## \[)\d+\.\d+\.\d+(?=\] - )/m.exec(read("CHANGELOG.md")) ?? []
  assert.strictEqual(Object.keys(released).at(-1), newest)
})

it.each([
  ["1.2.0", "b", undefined],
  ["1.3.0-dev", "c", undefined],
  ["1.2.0", "c", "The sources are not those of the release 1.2.0: their version is 1.3.0-dev."],
  ["1.1.0", "b", "The sources are not those of the release 1.1.0: their version is 1.3.0-dev."],
  ["1.3.0", "c", "1.3.0 is no release, and after 1.2.0 comes 1.3.0-dev."],
  ["1.4.0-dev", "c", "1.4.0-dev is no release, and after 1.2.0 comes 1.3.0-dev."],
])("after the release 1.2.0, %s of the sources %s: %s", (version, digest, fault) => {
  const release = (sources: string) => ({ sources, baseline: {} })
  assert.strictEqual(versionFault(version, digest, { "1.1.0": release("a"), "1.2.0": release("b") }), fault)
})

it("schemas, and the parameters and figures of models, are those of the releases that had them", () => {
  assert.deepStrictEqual(baselineFaults(makeBaseline(), released), [])
})

it.each([
  [{ "schema 1 of SQLite": "b" }, ["schema 1 of SQLite: not as it was released with 1.1.0."]],
  [{}, ["schema 1 of SQLite: not as it was released with 1.1.0."]],
  [{ "schema 1 of SQLite": "a", "schema 2 of SQLite": "c" }, []],
  [{ "schema 1 of SQLite": "a", "figures of m-1": "y" }, ["figures of m-1: not as it was released with 1.1.0."]],
  [{ "schema 1 of SQLite": "a", "figures of m-2": "y" }, []],
])("a release with a schema and a model, then %j", (now, faults) => {
  const baseline = { "schema 1 of SQLite": "a", "figures of m-1": "x" }
  assert.deepStrictEqual(baselineFaults(now, { "1.1.0": { sources: "", baseline } }), faults)
})

it("before the first release only a version in development is no fault", () => {
  assert.isUndefined(versionFault("0.4.0-dev", "a", {}))
  assert.strictEqual(versionFault("0.4.0", "a", {}), "0.4.0 is no release.")
})

it("every byte, name and place of a shipped source is in the digest, and no generated one", () => {
  const root = mkdtempSync(join(tmpdir(), "sources-"))
  const write = (file: string, text: string) => {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
    return digestOfSources(root)
  }
  try {
    for (const folder of ["core", "adapters", "services"]) mkdirSync(join(root, folder))
    const digests = [digestOfSources(root), write("core/a.ts", "1"), write("core/a.ts", "2"), write("core/x/a.ts", "2")]
    assert.lengthOf(new Set([...digests, write("services/b.json", "{}")]), 5)
    const before = digestOfSources(root)
    assert.strictEqual(write("adapters/client/generated.ts", "1"), before)
    assert.strictEqual(write("core/README.md", "words"), before)
  } finally {
    rmSync(root, { recursive: true })
  }
})

it("the package says where it comes from, where faults are reported and what it is about", () => {
  const { repository, homepage, bugs, keywords, author } = manifest
  const [, address = ""] = /^git\+(https:\/\/.+)\.git$/.exec(repository.url) ?? []
  assert.deepStrictEqual([homepage, bugs], [`${address}#readme`, `${address}/issues`])
  assert.isAbove(new Set(keywords).size, 5)
  assert.include(read("LICENSE"), author)
})

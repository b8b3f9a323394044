import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { written } from "../bench/tools/docs.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (name: string) => readFileSync(join(root, name), "utf8")
const readme = read("README.md")
const manifest = JSON.parse(read("package.json"))

describe("README", () => {
  it("holds the two commands, word for word", () => {
    for (const command of ["npm ci && npm start", "npm ci && npm test"])
      assert.include(readme, `\`\`\`sh\n${command}\n\`\`\``)
  })

  it("lists the endpoints that the catalogue holds (npm run docs writes them)", () => {
    assert.strictEqual(written(readme), readme)
  })

  it("gives every dependency its reason", () => {
    const section = readme.slice(readme.indexOf("## Dependencies"))
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    for (const name of names) assert.include(section, `\`${name}\``)
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
      assert.match(String(version), /^\d+\.\d+\.\d+$/)
    }
  })
})

describe("the published package", () => {
  beforeAll(
    () =>
      void execFileSync(
        process.execPath,
        [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"],
        { cwd: root },
      ),
  )

  it("exports what it names", async () => {
    for (const target of Object.values<{ types: string; default: string }>(manifest.exports)) {
      assert.isAbove(read(target.types).length, 0)
      assert.isAbove(Object.keys(await import(join(root, target.default))).length, 0)
    }
  })

  it("runs the README's example as an embedder would", () => {
    const example = /```ts\n([\s\S]*?)```/.exec(readme)![1]!
    mkdirSync(join(root, "var"), { recursive: true })
    const file = join(root, "var", "readme-example.mts")
    writeFileSync(file, example)
    const output = execFileSync(process.execPath, ["--import", "tsx", file], { cwd: root, encoding: "utf8" })
    assert.match(output, /^\d{2,3} \d{12}-KOKX-CDUS41-CLINYC\n$/)
  })
})

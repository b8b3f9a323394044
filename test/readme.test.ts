import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
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
      // Exact; some packages have only numbered pre-releases.
      assert.match(String(version), /^\d+\.\d+\.\d+(-beta\.\d+)?$/)
    }
  })
})

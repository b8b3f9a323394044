import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { root as comparisons } from "../bench/open/cli/root.ts"
import { documents, written } from "../bench/tools/docs.ts"
import { find } from "../services/cli/parser.ts"
import { root as commands } from "../services/cli/root.ts"
import { isDocument } from "./support/documents/read.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (name: string) => readFileSync(join(root, name), "utf8")
const readme = read("README.md")
const manifest = JSON.parse(read("package.json"))

/** Every document of the repository. */
const files: ReadonlyArray<string> = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "DEPENDENCIES.md",
  "SECURITY.md",
  "test/README.md",
  ...["adapters", "bench", "core", "services"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(isDocument)
      .map((name) => join(folder, name)),
  ),
]

/** The anchors that a page of Markdown gives its headings. */
const headingsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(" ", "-"),
  )

describe("README", () => {
  it("holds the two commands, word for word", () => {
    for (const command of ["npm ci && npm start", "npm ci && npm test"])
      assert.include(readme, `\`\`\`sh\n${command}\n\`\`\``)
  })

  it("can be read in a minute", () => {
    assert.isAtMost(Buffer.byteLength(readme), 10_240)
  })
})

describe("the documents", () => {
  it.each(Object.keys(documents))(
    "%s has the derived parts as the code says them (npm run docs writes them)",
    (file) => {
      assert.strictEqual(written(file), read(file))
    },
  )

  it.each(files)("%s links to files and headings that exist", (file) => {
    const text = read(file)
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      // A guide links to pages of the server, too.
      if (/^(https?:|\/)/.test(target)) continue
      const [path = "", heading] = target.split("#")
      const to = path === "" ? file : relative(root, join(root, dirname(file), path))
      assert.isTrue(existsSync(join(root, to)), `${file}: ${target}`)
      if (heading !== undefined) assert.include(headingsOf(read(to)), heading, `${file}: ${target}`)
    }
  })

  it.each(files)("%s names files that exist", (file) => {
    for (const [, path = ""] of read(file).matchAll(/`((?:adapters|bench|core|services|test)\/[\w./-]+)`/g))
      assert.isTrue(existsSync(join(root, path)), `${file}: ${path}`)
  })

  it.each(files)("%s names commands that exist", (file) => {
    const text = read(file)
    for (const [, name = ""] of text.matchAll(/npm run (?:--silent |-s )?([\w:-]+)/g))
      assert.property(manifest.scripts, name)
    for (const [line, words = ""] of text.matchAll(
      /(?:market-signals|npm run cli --) ([a-z][a-z-]*(?: [a-z][a-z-]*)*)/g,
    )) {
      // A sentence that goes on is no word of the command line.
      assert.isTrue(Either.isRight(find(commands, words.split(" ").slice(0, 1))), `${file}: ${line}`)
    }
    for (const [line, lane = ""] of text.matchAll(/market-signals-bench ([a-z]+)/g))
      assert.isTrue(Either.isRight(find(comparisons, [lane])), `${file}: ${line}`)
  })

  it("and the texts of the programs name no command that does not exist", () => {
    const sources = ["adapters", "core", "services"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(tsx?|mjs|yaml|service)$/.test(name))
        .map((name) => join(folder, name)),
    )
    /** As it is typed: in code, or after what says that it is one. In a module a mark of code begins any text. */
    const typed = (file: string) =>
      new RegExp(
        `(?:<code>(?:\\{\`)?|run: |ExecStart=\\S*${/\.tsx?$/.test(file) ? "" : "|`"})(market-signals|cli) ([a-z][a-z-]*(?: [a-z][a-z-]*)*)`,
        "g",
      )
    const found = [".env.example", "compose.yaml", ...sources].flatMap((file) =>
      [...read(file).matchAll(typed(file))].map(([line, program = "", words = ""]) => ({ file, line, program, words })),
    )
    assert.isAtLeast(found.length, 10)
    for (const { file, line, program, words } of found) {
      const isCommand = Either.isRight(find(commands, words.split(" ").slice(0, 1)))
      assert.isTrue(program === "market-signals" && isCommand, `${file}: ${line}`)
    }
  })

  it("give every dependency its reason", () => {
    const dependencies = read("DEPENDENCIES.md")
    const long = JSON.parse(read("test/long/package.json")).dependencies
    const versions = { ...manifest.dependencies, ...manifest.devDependencies, ...long }
    for (const name of Object.keys(versions)) assert.include(dependencies, `\`${name}\``)
    for (const version of Object.values(versions)) {
      // Exact; some packages have only numbered pre-releases, and one comes under another name.
      assert.match(String(version), /^(npm:[\w-]+@)?\d+\.\d+\.\d+(-beta\.\d+)?$/)
    }
  })
})

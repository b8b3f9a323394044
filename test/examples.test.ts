import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "var", "examples")

interface Example {
  readonly file: string
  readonly line: number
  readonly module: string
  /** Undefined if the example is not one fenced block of TypeScript. */
  readonly code: string | undefined
}

const examplesOf = (file: string, text: string): ReadonlyArray<Example> =>
  [...text.matchAll(/(?<=[*\s])@example\b([\s\S]*?)(?=\*\/|\n\s*\* @)/g)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length
    const code = /^\s*```ts\n([\s\S]*?)\n```\s*$/.exec(match[1]!.replace(/^ *\* ?/gm, ""))?.[1]
    return { file, line, module: `${file.replace(/\.ts$/, "").replaceAll("/", ".")}.${line}.ts`, code }
  })

/** The code after a first line of its own. A trailing comment is the expected value of the statement on its line. */
const moduleOf = (file: string, code: string): string =>
  `export const $results: Array<[value: unknown, expected: string]> = []\n${code}\n`
    .replace(/^(.*from )"(\.[^"]*)"$/gm, (_, start, path) => `${start}"${join(root, dirname(file), path)}"`)
    .replace(/^([^\s/].*?) +\/\/ *(.+)$/gm, (_, value, text) => `$results.push([${value}, ${JSON.stringify(text)}])`)

const show = (value: unknown): string => {
  if (typeof value === "string") return value.includes('"') ? `'${value}'` : JSON.stringify(value)
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value)
  if (Either.isEither(value)) return Either.isRight(value) ? `Right(${show(value.right)})` : `Left(${show(value.left)})`
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`
  if (ArrayBuffer.isView(value)) return show(Array.from(value as Uint8Array))
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${show(field)}`)
  return `{ ${fields.join(", ")} }`
}

/** In the expected text, "…" stands for any further characters. */
const agrees = (shown: string, expected: string): boolean =>
  new RegExp(`^${expected.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("…", "[^]*")}$`).test(shown)

/** Writes the modules and returns their type errors, with the lines of the sources. */
const typeErrors = (examples: ReadonlyArray<Example>): ReadonlyMap<string, ReadonlyArray<string>> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { file, module, code } of examples)
    if (code !== undefined) writeFileSync(join(folder, module), moduleOf(file, code))
  const compilerOptions = { noUnusedLocals: false, rewriteRelativeImportExtensions: false }
  const config = { extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "--pretty", "false", "-p", folder]
  const { stdout, stderr } = spawnSync(process.execPath, tsc, { cwd: root, encoding: "utf8" })
  const errors = new Map<string, Array<string>>()
  for (const [, path, line, text] of stdout.matchAll(/^(\S.*?)\((\d+),\d+\): (error .*)$/gm)) {
    const example = examples.find(({ module }) => module === basename(path!))
    if (example === undefined) throw new Error(stdout)
    const others = errors.get(example.module) ?? []
    errors.set(example.module, [...others, `line ${example.line + Number(line)}: ${text}`])
  }
  // Two of the samples have type errors.
  if (errors.size === 0) throw new Error(`tsc did not run: ${stdout}${stderr}`)
  return errors
}

const sources = ["core", "adapters", "services"].flatMap((name) =>
  readdirSync(join(root, name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => examplesOf(join(name, file), readFileSync(join(root, name, file), "utf8"))),
)

const block = (...lines: ReadonlyArray<string>) =>
  `/**\n * @example\n${lines.map((line) => ` * ${line}\n`).join("")} */`
const fenced = (...code: ReadonlyArray<string>) => block("```ts", ...code, "```")
const brier = 'import { brier } from "./score.ts"'

/** Doc comments, and the report of the check on each. */
const samples: ReadonlyArray<readonly [name: string, comment: string, report: RegExp]> = [
  ["a right value", fenced(brier, "brier(0.75, true) // 0.0625"), /^$/],
  ["a wrong value", fenced(brier, "brier(0.75, true) // 0.0626"), /^0\.0625 is not 0\.0626$/],
  ["a text for a number", fenced('1 + 1 // "2"'), /^2 is not "2"$/],
  ["further digits and elements", fenced("[1 / 3, 2, 3] // [0.33…, …, 3]", "1 / 3 // 0.34…"), /^0\.3+ is not 0\.34…$/],
  ["the notation", fenced('[{ a: Int8Array.of(1) }, "é", -0] // [{ a: [1] }, "é", -0]'), /^$/],
  ["a type error", fenced(brier, 'brier("0.75", true)'), /^line 5: error TS2345: .*$/],
  ["a missing import", fenced("brier(0.75, true) // 0.0625"), /^line 4: error TS2304: .*$/],
  ["an exception", fenced("JSON.parse('{')"), /^SyntaxError: /],
  [
    "a value inside a function",
    fenced("export const later = () => {", "  1 + 1 // 3", "}"),
    /^not at the top level: 1 \+ 1/,
  ],
  ["no fence", block("1 + 1 // 2"), /^not one fenced/],
  ["an open fence", block("```ts", "1 + 1 // 2"), /^not one fenced/],
  ["text after the fence", block("```ts", "1 + 1 // 2", "```", "More."), /^not one fenced/],
  ["a comment of one line", "/** Text. @example 1 + 1 // 2 */", /^not one fenced/],
]
const sampled = samples.map(([, comment], n) => examplesOf(`core/math/sample${n}.ts`, comment)[0]!)

describe("examples in doc comments", () => {
  let errors: ReadonlyMap<string, ReadonlyArray<string>>
  beforeAll(() => {
    errors = typeErrors([...sources, ...sampled])
  }, 180_000)

  const report = async ({ code, module }: Example): Promise<string> => {
    if (code === undefined) return "not one fenced block of ts"
    const inner = /^ +([^\s/].* \/\/.*)$/m.exec(code)
    if (inner !== null) return `not at the top level: ${inner[1]}`
    if (errors.has(module)) return errors.get(module)!.join("\n")
    const loaded: Promise<{ readonly $results: Array<[unknown, string]> }> = import(join(folder, module))
    return loaded.then(({ $results }) => {
      const shown = $results.map(([value, expected]) => [show(value), expected] as const)
      return shown.flatMap(([value, text]) => (agrees(value, text) ? [] : [`${value} is not ${text}`])).join("\n")
    }, String)
  }

  it.each(sources.map((example) => [`${example.file}:${example.line}`, example] as const))("%s", async (_, example) =>
    assert.strictEqual(await report(example), ""),
  )

  it.each(samples.map(([name, , expected], n) => [name, n, expected] as const))("reports %s", async (_, n, expected) =>
    assert.match(await report(sampled[n]!), expected),
  )
})

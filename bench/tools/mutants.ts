// `npm run test:mutants -- --sample 100 --seed 1`: changes random lines of core and adapters, one at a time in a copy of the
// commit, and runs the nearest tests: those at the mirrored path or that import the file, then those of its importers.
// Prints each change and the share that some test notices. `--bar 0.8`: ends with 1 below that.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { wilson } from "../../core/math/wilson.ts"
import { xoshiro128 } from "../../core/math/xoshiro128.ts"
import { imported, kindsOf } from "../../test/support/kinds.ts"

const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    bar: { type: "string", default: "0" },
  },
})

/** Most test files of one change. */
const mostTests = 12
const timeoutMs = 300_000

const swaps: ReadonlyArray<readonly [pattern: RegExp, by: (text: string) => string]> = [
  [/===|!==/, (text) => (text === "===" ? "!==" : "===")],
  [/(?<= )(<=|>=|<|>)(?= )/, (text) => (text.length === 2 ? text[0]! : `${text}=`)],
  [/&&|\|\|/, (text) => (text === "&&" ? "||" : "&&")],
  [/(?<= )[-+](?= )/, (text) => (text === "+" ? "-" : "+")],
  [/(?<= )[*/](?= )/, (text) => (text === "*" ? "/" : "*")],
  [/\b(true|false)\b/, (text) => `${text !== "true"}`],
  [/Math\.(min|max)\b/, (text) => (text.endsWith("min") ? "Math.max" : "Math.min")],
  [/\.(some|every)\(/, (text) => (text === ".some(" ? ".every(" : ".some(")],
  [/(?<![\w.#])\d[\d_]*(?![\w.])/, (text) => `${Number(text.replaceAll("_", "")) + 1}`],
]

interface Mutant {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly before: string
  readonly after: string
}

/** A line without the contents of its strings, at the same columns; undefined: prose, types, imports, or a template. */
const code = (line: string): string | undefined =>
  /^\s*(\/\/|\/?\*|import |export \*|readonly |type |interface )|`|from "/.test(line)
    ? undefined
    : line
        .replace(/"(?:[^"\\]|\\.)*"/g, (text) => `"${" ".repeat(text.length - 2)}"`)
        .replace(/\/\/.*$/, (text) => " ".repeat(text.length))

const mutantsOf = (file: string): ReadonlyArray<ReadonlyArray<Mutant>> =>
  readFileSync(file, "utf8")
    .split("\n")
    .map((before, at) => {
      const text = code(before)
      return swaps.flatMap(([pattern, by]) => {
        const match = text === undefined ? null : pattern.exec(text)
        if (match === null) return []
        const after = before.slice(0, match.index) + by(match[0]) + before.slice(match.index + match[0].length)
        return [{ file, line: at + 1, before, after }]
      })
    })
    .filter((mutants) => mutants.length > 0)

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith("generated.ts"))
    .sort()

const sources = ["core", "adapters"].flatMap(filesIn)
const { unit, service } = kindsOf("test", undefined)
const tests = new Set([...unit, ...service])

const importers = new Map<string, Array<string>>()
for (const file of [...sources, ...filesIn("services"), ...filesIn("test")]) {
  for (const source of new Set(imported(file))) importers.set(source, [...(importers.get(source) ?? []), file])
}

/** The test files nearest to a source, by steps along its importers; those of one step with a like path first. */
const nearest = (source: string): ReadonlyArray<string> => {
  const chosen = new Set([`test/${source.replace(/\.tsx?$/, ".test.ts")}`].filter((file) => tests.has(file)))
  const seen = new Set([source])
  for (let step = [source]; step.length > 0 && chosen.size < mostTests; ) {
    step = step.flatMap((file) => importers.get(file) ?? []).filter((file) => !seen.has(file) && seen.add(file))
    const folder = source.split("/").slice(0, 3).join("/")
    const [near, far] = [true, false].map((like) =>
      step.filter((file) => tests.has(file) && file.includes(folder) === like),
    )
    for (const file of [...near!, ...far!]) if (chosen.size < mostTests) chosen.add(file)
  }
  return [...chosen]
}

const draw = xoshiro128(Number(values.seed))
const lines = sources.flatMap(mutantsOf)
const sample = Array.from({ length: Number(values.sample) }, () => {
  const mutants = lines[draw.integer(lines.length)]!
  return mutants[draw.integer(mutants.length)]!
})

const copy = mkdtempSync(join(tmpdir(), "mutants-"))
execFileSync("git", ["clone", "--quiet", "--local", ".", copy])
symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"))
execFileSync("npm", ["run", "-s", "client"], { cwd: copy })

const isNoticed = ({ file, line, before, after }: Mutant, tests: ReadonlyArray<string>): boolean => {
  const path = join(copy, file)
  const text = readFileSync(path, "utf8").split("\n")
  if (text[line - 1] !== before) throw new Error(`${file}:${line} is not committed as it stands here`)
  const vitest = ["vitest", "run", "--bail", "1", "--project", "unit", "--project", "service", ...tests]
  try {
    writeFileSync(path, text.with(line - 1, after).join("\n"))
    return spawnSync("npx", vitest, { cwd: copy, timeout: timeoutMs, stdio: "ignore" }).status !== 0
  } finally {
    writeFileSync(path, text.join("\n"))
  }
}

let noticed = 0
for (const [n, mutant] of sample.entries()) {
  const { file, line, before, after } = mutant
  const near = nearest(file)
  const dies = near.length > 0 && isNoticed(mutant, near)
  if (dies) noticed++
  process.stdout.write(
    `${n + 1} ${dies ? "dies" : "LIVES"} ${file}:${line}\n    ${before.trim()}\n    ${after.trim()}\n`,
  )
}
rmSync(copy, { recursive: true, force: true })
const { low, high } = wilson(noticed, sample.length, 1.96)
process.stdout.write(
  `\n${noticed} of ${sample.length} changes are noticed by the nearest tests (${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)} %)\n`,
)
process.exitCode = noticed / sample.length < Number(values.bar) ? 1 : 0

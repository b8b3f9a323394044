// `npm run test:mutants -- --sample 100 --seed 1`: changes random lines of core and adapters, one at a time in a copy of the
// commit, and runs the nearest tests: at the mirrored path, of the file and of its importers, and those of the mirrored folder.
// Prints each change with the test that notices it, and the share that some test notices. `--bar 0.8`: ends with 1 below that.
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { transformSync } from "esbuild"
import { wilson } from "../../core/math/wilson.ts"
import { xoshiro128 } from "../../core/math/xoshiro128.ts"
import { filesIn, nearestTests } from "./nearest.ts"

const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    bar: { type: "string", default: "0" },
  },
})

const mostTests = 12

const swaps: ReadonlyArray<readonly [pattern: RegExp, by: (text: string) => string]> = [
  [/===|!==/, (text) => (text === "===" ? "!==" : "===")],
  [/(?<= )(<=|>=|<|>)(?= )/, (text) => (text.length === 2 ? text[0]! : `${text}=`)],
  [/&&|\|\|/, (text) => (text === "&&" ? "||" : "&&")],
  [/(?<= )[-+](?= )/, (text) => (text === "+" ? "-" : "+")],
  [/(?<= )[*/](?= )/, (text) => (text === "*" ? "/" : "*")],
  // Results that are not discarded are not looked at either.
  [/(?<!discard: )\b(true|false)\b/, (text) => `${text !== "true"}`],
  [/Math\.(min|max)\b/, (text) => (text.endsWith("min") ? "Math.max" : "Math.min")],
  [/\.(some|every)\(/, (text) => (text === ".some(" ? ".every(" : ".some(")],
  // One more or less of a bound that is set with room to spare changes nothing that a test should notice.
  // Nor does another constant than the 1 of `EXISTS (SELECT 1 …)`.
  [/(?<![\w.#]|SELECT )\d[\d_]*(?![\w.])/, (text) => (Number(text) === 0 ? "1" : "0")],
]

interface Mutant {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly before: string
  readonly after: string
}

/** A line without the contents of its strings, at the same columns; undefined: prose, types, imports, a template, an example. */
const code = (line: string): string | undefined =>
  /^\s*(\/\/|\/?\*|import |export \*|readonly |type |interface |example: )|`|from "/.test(line)
    ? undefined
    : line
        .replace(/"(?:[^"\\]|\\.)*"/g, (text) => `"${" ".repeat(text.length - 2)}"`)
        .replace(/\/\/.*$/, (text) => " ".repeat(text.length))

/** The lines of style sheets, which pictures of the pages show: no test should repeat them. */
const stylesIn = (lines: ReadonlyArray<string>): ReadonlySet<number> => {
  const styles = new Set<number>()
  let isStyle = false
  for (const [at, line] of lines.entries()) {
    isStyle = isStyle ? line !== "`" : /\b(style|\w+Style) = `$/.test(line)
    if (isStyle) styles.add(at)
  }
  return styles
}

const mutantsOf = (file: string): ReadonlyArray<ReadonlyArray<Mutant>> => {
  const lines = readFileSync(file, "utf8").split("\n")
  const styles = stylesIn(lines)
  return lines
    .map((before, at) => {
      const text = styles.has(at) ? undefined : code(before)
      return swaps.flatMap(([pattern, by]) => {
        const match = text === undefined ? null : pattern.exec(text)
        if (match === null) return []
        const after = before.slice(0, match.index) + by(match[0]) + before.slice(match.index + match[0].length)
        return [{ file, line: at + 1, before, after }]
      })
    })
    .filter((mutants) => mutants.length > 0)
}

// From here on all is read in the copy: what is not committed is neither changed nor run.
const copy = mkdtempSync(join(tmpdir(), "mutants-"))
execFileSync("git", ["clone", "--quiet", "--local", ".", copy])
for (const modules of ["node_modules", "test/long/node_modules"].filter((folder) => existsSync(folder))) {
  symlinkSync(join(process.cwd(), modules), join(copy, modules))
}
process.chdir(copy)
execFileSync("npm", ["run", "-s", "client"])

const sources = ["core", "adapters"].flatMap(filesIn)
const { nearest, needsPostgres } = nearestTests()

/** As JavaScript; undefined where it is none. */
const compiled = (file: string, text: string): string | undefined => {
  try {
    return transformSync(text, {
      loader: file.endsWith("x") ? "tsx" : "ts",
      minifyWhitespace: true,
      logLevel: "silent",
    }).code
  } catch {
    return undefined
  }
}

/** The file with the change in it; undefined where that is no program, or the same one: a type or a comment. */
const changed = ({ file, line, after }: Mutant): string | undefined => {
  const text = readFileSync(file, "utf8")
  const other = text
    .split("\n")
    .with(line - 1, after)
    .join("\n")
  return [undefined, compiled(file, text)].includes(compiled(file, other)) ? undefined : other
}

const draw = xoshiro128(Number(values.seed))
const lines = sources.flatMap(mutantsOf)
const drawn = new Set<Mutant>()
while (drawn.size < Number(values.sample)) {
  const mutants = lines[draw.integer(lines.length)]!
  const mutant = mutants[draw.integer(mutants.length)]!
  if (changed(mutant) !== undefined) drawn.add(mutant)
}
const sample = [...drawn]

/** The test that fails, `time` where they do not end; undefined: all pass. What a run started ends with it. */
const failing = (tests: ReadonlyArray<string>, withPostgres: boolean): Promise<string | undefined> => {
  const projects = ["unit", "service", "proof", ...(withPostgres ? ["postgres"] : [])]
  const options = ["--reporter", "dot", "--bail", "1"]
  const vitest = ["run", ...options, ...projects.flatMap((name) => ["--project", name]), ...tests]
  return new Promise((ended) => {
    const child = spawn("node_modules/.bin/vitest", vitest, { stdio: ["ignore", "ignore", "pipe"], detached: true })
    const kill = setTimeout(() => {
      process.kill(-child.pid!, "SIGKILL")
      spawn("pkill", ["-9", "-f", copy]) // servers of its tests, which have groups of their own
    }, 300_000)
    let errors = ""
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
    child.on("close", (code, signal) => {
      clearTimeout(kill)
      const [test = "no test"] = /test\/[\w/.-]*\.test\.ts/.exec(errors.slice(errors.indexOf("FAIL"))) ?? []
      ended(code === 0 ? undefined : signal === null ? test : "time")
    })
  })
}

/** Whether a test fails without any change: it is run once. */
const failsUnchanged = new Map<string, Promise<boolean>>()

/** The test that notices a change: alone it fails with the change and passes without it, so that none does by chance. */
const findNoticing = async (mutant: Mutant): Promise<string | undefined> => {
  const { file } = mutant
  const [text, other] = [readFileSync(file, "utf8"), changed(mutant)!]
  const failingIn = async (contents: string, tests: ReadonlyArray<string>) => {
    writeFileSync(file, contents)
    return tests.length === 0 ? undefined : await failing(tests, needsPostgres(file))
  }
  const passes = async (test: string): Promise<boolean> => {
    const isFailing = failsUnchanged.get(test) ?? failingIn(text, [test]).then((failed) => failed !== undefined)
    failsUnchanged.set(test, isFailing)
    return !(await isFailing)
  }
  /** Of tests that are run together. */
  const findAmong = async (tests: ReadonlyArray<string>): Promise<string | undefined> => {
    const test = await failingIn(other, tests)
    if (test === undefined) return undefined
    if (!tests.includes(test)) return (await failingIn(text, tests)) === test ? undefined : test
    const isCause = (tests.length === 1 || (await failingIn(other, [test])) !== undefined) && (await passes(test))
    return isCause ? test : await findAmong(tests.filter((each) => each !== test))
  }
  try {
    // Most changes are noticed by the nearest test: the others need no run then.
    const [first, ...others] = nearest(file, mostTests)
    return first === undefined ? undefined : ((await findAmong([first])) ?? (await findAmong(others)))
  } finally {
    writeFileSync(file, text)
  }
}

let noticed = 0
for (const [n, mutant] of sample.entries()) {
  const { file, line, before, after } = mutant
  const test = await findNoticing(mutant)
  if (test !== undefined) noticed++
  const outcome = test === undefined ? "LIVES" : `dies by ${test}`
  process.stdout.write(`${n + 1} ${file}:${line} ${outcome}\n    ${before.trim()}\n    ${after.trim()}\n`)
}
rmSync(copy, { recursive: true, force: true })
const { low, high } = wilson(noticed, sample.length, 1.96)
process.stdout.write(
  `\n${noticed} of ${sample.length} changes are noticed by the nearest tests (${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)} %)\n`,
)
process.exitCode = noticed / sample.length < Number(values.bar) ? 1 : 0

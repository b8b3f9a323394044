// `npm test`: types and lint beside the tests of units and of services, then the short proof. `npm run test:rest`: what
// that leaves out: the long proof, PostgreSQL, the other runtimes, and pages in Chromium. `npm test -- rest`: both. All steps
// run, whatever fails, and the last line is their sum. `--most-skipped 5`: ends with 1 where more tests are skipped, or a step
// has none at all.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Counts, type Ended, summary } from "./testSummary.ts"

interface Command {
  readonly name: string
  readonly line: string
  readonly env?: Readonly<Record<string, string>>
}

const vitest = (name: string, ...args: ReadonlyArray<string>): Command => ({
  name,
  line: ["vitest run --passWithNoTests", ...args].join(" "),
})

const proof = (part: "short" | "long"): Command => ({
  ...vitest(`${part} proof`, "--project proof"),
  env: { PROOF: part },
})

/** Steps, each of commands that run at once. */
const steps: Readonly<Record<string, ReadonlyArray<ReadonlyArray<Command>>>> = {
  short: [
    [vitest("unit and service", "--project unit --project service"), { name: "check", line: "npm run -s check" }],
    [proof("short")],
  ],
  rest: [
    [{ name: "install", line: "npm run -s test:install" }],
    [proof("long")],
    // The tests of PostgreSQL wait for a third of their time.
    [
      vitest("PostgreSQL", "--project postgres --project postgres-client --project client"),
      // All tests on every version of Node take an hour: npm run test:runtimes.
      { name: "runtimes", line: "npm run -s test:runtimes -- --quick" },
      { name: "types", line: "npm run -s check:long && npm run -s test:deno" },
    ],
    [vitest("browser", "--project browser")],
  ],
}

const folder = mkdtempSync(join(tmpdir(), "market-signals-test-"))

/** What a command counted; one that counts nothing is one test itself. Where it fails, something has failed. */
const countsIn = (file: string, passed: boolean): Counts => {
  const counts: Counts = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { passed: passed ? 1 : 0, failed: 0, skipped: {} }
  return passed ? counts : { ...counts, failed: Math.max(1, counts.failed) }
}

/** The first command of a step writes as it goes, others when they end. */
const run = ({ name, line, env }: Command, isFirst: boolean): Promise<Ended> =>
  new Promise((ended) => {
    const started = performance.now()
    const file = join(folder, name)
    const child = spawn(line, {
      shell: true,
      env: { ...process.env, ...env, TEST_COUNTS: file },
      stdio: isFirst ? "inherit" : "pipe",
    })
    const output: Array<Buffer> = []
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk))
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(output))
      const seconds = (performance.now() - started) / 1_000
      process.stdout.write(`\n${name}: ${code === 0 ? "passed" : "FAILED"} in ${seconds.toFixed(0)} s\n\n`)
      ended({ name, seconds, counts: countsIn(file, code === 0) })
    })
  })

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "most-skipped": { type: "string", default: "Infinity" } },
})
const ended: Array<Ended> = []
for (const name of positionals) {
  if (steps[name] === undefined) throw new Error(`one of: ${Object.keys(steps).join(", ")}`)
  for (const step of steps[name]) ended.push(...(await Promise.all(step.map((command, n) => run(command, n === 0)))))
}
rmSync(folder, { recursive: true })

const { text, isRed } = summary(ended, Number(values["most-skipped"]))
process.stdout.write(text)
if (isRed) process.exitCode = 1

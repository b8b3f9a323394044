// `npm run test:runtimes` runs the project on every runtime that it names and prints what ran where. `-- --quick` leaves out
// what takes minutes: all tests on every Node, and the check of types. Names choose runtimes: `-- node22 bun`.
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { build } from "esbuild"
import { program as chromium } from "./chromium.ts"
import { bun, environmentOf, kept, node, root, versions } from "./runtimes/install.ts"
import { must, type Ran, run } from "./runtimes/run.ts"
import { type Served, served } from "./runtimes/served.ts"
import type { Counts } from "./testSummary.ts"

type NodeName = Exclude<keyof typeof versions, "bun">

interface Row {
  readonly runtime: string
  readonly what: string
  /** Undefined: skipped, and `said` is why. */
  readonly passed?: boolean
  readonly seconds: number
  readonly said: string
}

const rows: Array<Row> = []
const print = (text: string) => process.stdout.write(`${text}\n`)

const add = (row: Row): void => {
  rows.push(row)
  const verdict = row.passed === undefined ? "skipped" : row.passed ? "passed" : "FAILED"
  print(
    [row.runtime.padEnd(15), row.what.padEnd(28), verdict, `${row.seconds.toFixed(0)} s`.padStart(6), row.said].join(
      "  ",
    ),
  )
}

/** The summary that a test run or a program prints at its end. */
const saying = ({ output }: Ran): string =>
  (/^\s*Tests .*$/m.exec(output)?.[0] ?? output.trim().split("\n").at(-1) ?? "").trim()

const step = async (runtime: string, what: string, ran: () => Promise<Ran>): Promise<void> => {
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1_000
  try {
    const result = await ran()
    add({ runtime, what, passed: result.code === 0, seconds: seconds(), said: saying(result) })
  } catch (error) {
    add({
      runtime,
      what,
      passed: false,
      seconds: seconds(),
      said: String(error)
        .trim()
        .replaceAll(/\s*\n\s*/g, " "),
    })
  }
}

const skip = (runtime: string, what: string, why: string): void => add({ runtime, what, seconds: 0, said: why })

const names = ["core", "client", "paid"] as const
type Name = (typeof names)[number]
const source = (name: Name) => join(root, `test/runtime/portable/${name}.ts`)
/** A program for a runtime that does not read TypeScript. */
const bundled = (name: Name) => join(kept, "programs", `${name}.mjs`)

const at = (log: string, env: NodeJS.ProcessEnv = {}) => ({ cwd: root, env, log: join(kept, "logs", `${log}.log`) })

/** A server of the built package, on this program of Node. */
const serving = (path: string, use: (served: Served) => Promise<Ran>) =>
  served(path, root, { ...process.env, ...environmentOf(path) }, use)

/** The driver of Node 20 is compiled at installation, for the Node that installs. Later ones share one that is not. */
const hasDriver = (name: NodeName) => name !== "node20" || process.versions.node.startsWith("20.")

const onNode = async (name: NodeName, isQuick: boolean): Promise<void> => {
  const version = versions[name]
  const runtime = `Node ${version}`
  const path = await node(version)
  await step(runtime, "core", () => run([path, bundled("core")], at(`${name}-core`)))
  await step(runtime, "client", () => run([path, bundled("client")], at(`${name}-client`)))
  const rest = ["server and paid call", "tests: unit", "tests: service", "tests: proof"] as const
  if (!hasDriver(name)) {
    for (const what of rest)
      skip(runtime, what, "the driver of SQLite was compiled for another Node: install with Node 20")
    return
  }
  await step(runtime, rest[0], () =>
    serving(path, ({ url, key }) => run([path, bundled("paid"), url, key], at(`${name}-paid`))),
  )
  for (const project of isQuick ? [] : ["unit", "service", "proof"]) {
    const vitest = [path, join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", project]
    await step(runtime, `tests: ${project}`, () => run(vitest, at(`${name}-${project}`, environmentOf(path))))
  }
}

/** A runtime that reads TypeScript, before the server on this Node. */
const onOther = async (
  runtime: string,
  name: string,
  command: (program: string, isOnline: boolean) => ReadonlyArray<string>,
): Promise<void> => {
  await step(runtime, "core", () => run(command(source("core"), false), at(`${name}-core`)))
  await step(runtime, "client", () => run(command(source("client"), false), at(`${name}-client`)))
  await step(runtime, "paid call", () =>
    serving(process.execPath, ({ url, key }) => run([...command(source("paid"), true), url, key], at(`${name}-paid`))),
  )
}

const onDeno = async (isQuick: boolean): Promise<void> => {
  const deno = join(root, "test/long/node_modules/.bin/deno")
  await onOther("Deno", "deno", (file, isOnline) => [deno, "run", ...(isOnline ? ["--allow-net=127.0.0.1"] : []), file])
  if (isQuick) return
  await step("Deno", "types", () => run(["npm", "run", "test:deno"], at("deno-check")))
}

const onBun = async (): Promise<void> => {
  const path = await bun(versions.bun)
  await onOther(`Bun ${versions.bun}`, "bun", (file) => [path, "run", file])
}

const onChromium = async (isQuick: boolean): Promise<void> => {
  const test = ["run", "--project", "browser", "test/long/browser/client.test.ts"]
  // Pages in Chromium have this test too.
  if (isQuick) return
  if (chromium() === undefined) return skip("Chromium", "client", "Chromium is not installed")
  await step("Chromium", "client", () =>
    run([process.execPath, join(root, "node_modules/vitest/vitest.mjs"), ...test], at("chromium")),
  )
}

const isQuick = process.argv.includes("--quick")
const chosen = process.argv.slice(2).filter((word) => !word.startsWith("-"))
const all: Readonly<Record<string, () => Promise<void>>> = {
  node20: () => onNode("node20", isQuick),
  node22: () => onNode("node22", isQuick),
  node24: () => onNode("node24", isQuick),
  deno: () => onDeno(isQuick),
  bun: onBun,
  chromium: () => onChromium(isQuick),
}
const unknown = chosen.find((name) => !(name in all))
if (unknown !== undefined) throw new Error(`There is no runtime ${unknown}: ${Object.keys(all).join(", ")}.`)

await must([process.execPath, join(root, "bench/tools/build.mjs")], at("build"))
await build({
  entryPoints: names.map(source),
  outdir: dirname(bundled("core")),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
})
for (const [name, runs] of Object.entries(all)) {
  if (chosen.length === 0 || chosen.includes(name)) await runs()
}

const failed = rows.filter(({ passed }) => passed === false)
const count = (passed: boolean | undefined) => rows.filter((row) => row.passed === passed).length
print(`${count(true)} passed, ${count(false)} failed, ${count(undefined)} skipped`)
const counts: Counts = {
  passed: count(true),
  failed: count(false),
  skipped: Object.fromEntries(
    rows.flatMap(({ runtime, what, passed }) => (passed === undefined ? [[`${runtime}, ${what}`, 1]] : [])),
  ),
}
if (process.env["TEST_COUNTS"] !== undefined) writeFileSync(process.env["TEST_COUNTS"], JSON.stringify(counts))
if (failed.length > 0) {
  print(`Their output is in ${join(kept, "logs")}.`)
  process.exitCode = 1
}

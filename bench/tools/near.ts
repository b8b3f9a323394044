// `npm run test:near`: the nearest tests of what changed since HEAD, or since a revision: `npm run test:near -- main`. One
// changed file takes 20 s at most, each further one 5 s more: what has not begun by then is named.
import { execFileSync, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { nearestTests } from "./nearest.ts"

const git = (...args: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean)

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const revision = process.argv[2] ?? "HEAD"
const changed = [
  ...git("diff", "--name-only", "--diff-filter=d", revision),
  ...git("ls-files", "--others", "--exclude-standard"),
].filter((file) => /^(core|adapters|services|bench|test)\/.*\.(tsx?|mjs|js)$/.test(file) && existsSync(file))

const { nearest } = nearestTests()
const isTest = (file: string): boolean => file.endsWith(".test.ts")
const tests = new Set(changed.flatMap((file) => (isTest(file) ? [file] : nearest(file, 8).slice(0, 8))))
print(`${changed.length} files changed since ${revision}, ${tests.size} test files are near.`)

if (tests.size > 0) {
  const seconds = 15 + 5 * changed.length
  const projects = ["unit", "service", "proof"]
    .concat([...tests].some((file) => file.startsWith("test/long/browser/")) ? ["browser"] : [])
    .concat([...tests].some((file) => file.includes("/postgres/")) ? ["postgres"] : [])
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...projects.flatMap((name) => ["--project", name]), ...tests]
  const left = seconds - process.uptime()
  const child = spawn(process.execPath, vitest, {
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    // It stops by itself, and says what it has not run, before it is ended.
    env: { ...process.env, TEST_SECONDS: `${left - 4}` },
  })
  const end = (): void => void process.kill(-child.pid!, "SIGKILL")
  process.on("SIGINT", end)
  const timer = setTimeout(() => {
    print(`Ended after ${seconds} s, in the middle of a test: npx vitest run ${[...tests].join(" ")}`)
    end()
  }, 1_000 * left)
  child.on("close", (code, signal) => {
    clearTimeout(timer)
    process.exitCode = signal === null ? (code ?? 1) : 1
  })
}

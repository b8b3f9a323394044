import { execFile, spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { version } from "../../core/release.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const folder = makeFolder()
/** A checkout of its own, whose packages are those of this one. */
const checkout = join(folder, "checkout")
const packages = join(checkout, "node_modules")
const cache = join(packages, ".cache", "market-signals")
const temporary = join(folder, "tmp")
const release = join(checkout, "core", "release.ts")

beforeAll(() => {
  mkdirSync(packages, { recursive: true })
  mkdirSync(temporary)
  for (const name of ["core", "adapters", "services", "package.json", "package-lock.json", "tsconfig.json"]) {
    cpSync(name, join(checkout, name), { recursive: true })
  }
  for (const name of readdirSync("node_modules")) {
    if (name !== ".cache") symlinkSync(join(process.cwd(), "node_modules", name), join(packages, name))
  }
})
afterAll(() => removeFolder(folder))

interface Ended {
  readonly code: number | string | null | undefined
  readonly stdout: string
  readonly stderr: string
}

const run = (...args: ReadonlyArray<string>): Promise<Ended> => start("cli", ...args)

const start = (...args: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((ended) =>
    execFile(
      process.execPath,
      [join(checkout, "services/start.mjs"), ...args],
      { cwd: folder, env: { PATH: process.env["PATH"], TMPDIR: temporary } },
      (error, stdout, stderr) => ended({ code: error === null ? 0 : error.code, stdout, stderr }),
    ),
  )

const says = async (text: string): Promise<void> =>
  assert.deepStrictEqual(await run("--version"), { code: 0, stdout: `${text}\n`, stderr: "" })

const bundles = (): ReadonlyArray<string> => readdirSync(cache).sort()
const fileOf = (bundle: string) => join(cache, bundle, "cli.js")

const hour = 3_600_000

/** The last use of a bundle, in the past. */
const usedAgo = (bundle: string, ms: number): void => {
  const at = new Date(Date.now() - ms)
  utimesSync(join(cache, bundle), at, at)
}

const rewrite = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, "utf8")))

describe.sequential("the programs of a checkout", { timeout: 240_000 }, () => {
  let first = ""

  it("are bundled by the first start, and started from there by the next", async () => {
    await says(version)
    ;[first = ""] = bundles()
    assert.deepStrictEqual(bundles(), [first])
    const { ino, mtimeMs } = statSync(fileOf(first))
    await says(version)
    assert.deepStrictEqual(bundles(), [first])
    assert.deepStrictEqual([statSync(fileOf(first)).ino, statSync(fileOf(first)).mtimeMs], [ino, mtimeMs])
  })

  it("a word that is no program is a command of the command line, or is refused in one line", async () => {
    assert.deepStrictEqual(await start("mcp", "--help"), await run("mcp", "--help"))
    const { code, stderr } = await start("tea")
    assert.deepStrictEqual([code, stderr.trim().split("\n").length], [2, 1])
    assert.match(stderr, /has no command "tea"/)
  })

  it("are those of the present sources, whatever times their files have", async () => {
    const source = readFileSync(release, "utf8")
    const { atime, mtime } = statSync(release)
    const other = version.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
    rewrite(release, (text) => text.replace(version, other))
    utimesSync(release, atime, mtime)
    await says(other)
    assert.strictEqual(bundles().length, 2)
    writeFileSync(release, source)
    await says(version)
    assert.strictEqual(bundles().length, 2)
  })

  it("may be started at once", async () => {
    rmSync(cache, { recursive: true })
    await Promise.all([1, 2, 3].map(() => says(version)))
    assert.strictEqual(bundles().length, 1)
  })

  it("are not started from what a killed start left", async () => {
    rmSync(cache, { recursive: true })
    const killed = spawn(process.execPath, [join(checkout, "services/start.mjs"), "cli", "--version"], {
      stdio: "ignore",
    })
    const written = () => (existsSync(cache) ? bundles() : []).flatMap((name) => readdirSync(join(cache, name)))
    while (written().length === 0) await pause(5)
    killed.kill("SIGKILL")
    await says(version)
  })

  it("go with time: an hour after their last use", async () => {
    const [bundle = ""] = bundles().filter((name) => !name.startsWith("partial-"))
    const ages = { old: 5, used: 0.5, "partial-half": 2, "partial-new": 0.5 }
    for (const [name, hours] of Object.entries(ages)) {
      mkdirSync(join(cache, name))
      usedAgo(name, hours * hour)
    }
    for (const name of bundles().filter((each) => !(each in ages))) usedAgo(name, 3 * hour)
    rewrite(release, (text) => `${text}// another bundle\n`)
    await says(version)
    const made = bundles().filter((name) => !(name in ages))
    assert.strictEqual(made.length, 1)
    assert.notStrictEqual(made[0], bundle)
    assert.deepStrictEqual(bundles(), ["used", "partial-new", ...made].sort())
  })

  it("are bundled for one start where the cache cannot be written, which is said", async () => {
    rmSync(cache, { recursive: true })
    writeFileSync(cache, "")
    const { code, stdout, stderr } = await run("config", "show", "--json")
    assert.strictEqual(code, 0)
    assert.property(JSON.parse(stdout), "variables")
    assert.match(stderr, /^\S+market-signals cannot be written \(EEXIST\), so that each start bundles .*\n$/)
    // A part that is native, and so stays in its package, is found from there too.
    const made = await run("account", "create", "--name", "one", "--json")
    assert.strictEqual(JSON.parse(made.stdout).name, "one")
    assert.deepStrictEqual(readdirSync(temporary), [])
    rmSync(cache)
  })

  it("need the bundler for a new bundle alone, and say how to install it", async () => {
    await says(version)
    renameSync(join(packages, "esbuild"), join(folder, "esbuild"))
    await says(version)
    rmSync(cache, { recursive: true })
    const { code, stdout, stderr } = await run("--version")
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /^The sources are bundled by esbuild, .*: npm ci\. .*\n$/)
    assert.isTrue(existsSync(dirname(cache)))
  })
})

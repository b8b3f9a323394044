// The time from a start of the server to its first answers: as built, over a fresh store and over the same store again, and
// from source; then the memory of the built server that nobody calls. The lanes are generated; nothing asks the network.

import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { performance } from "node:perf_hooks"
import { setTimeout as pause } from "node:timers/promises"
import { freePort } from "../test/support/freePort.ts"
import { median } from "./medians.ts"
import { cpuTime, idle, resident } from "./processes.ts"
import { progress } from "./progress.ts"
import { stopped } from "./targets.ts"

const starts = Number(process.env["BENCH_STARTS"] ?? 5)
/** After this long the memory of an idle server is read. */
const idleSeconds = Number(process.env["BENCH_IDLE_SECONDS"] ?? 60)
const options = ["--max-semi-space-size=8"]

/** A way to start, and the most seconds until it is ready. */
interface Way {
  readonly name: string
  readonly script: string
  readonly isFresh: boolean
  readonly bar: number
}

const built = resolve("dist/services/server.js")
const ways: ReadonlyArray<Way> = [
  { name: "built, fresh store", script: built, isFresh: true, bar: 1 },
  { name: "built, second start", script: built, isFresh: false, bar: 1 },
  { name: "from source", script: resolve("services/start.mjs"), isFresh: true, bar: 2 },
]

/** Milliseconds since the spawn until the server listens and until it has given its first answers, asked in this order. */
interface Start {
  readonly listens: number
  readonly ready: number
  readonly performance: number
  readonly fairLine: number
}

const columns = ["listens", "ready", "performance", "fairLine"] as const

/** The status of an answer; 0 without one. */
const statusOf = (url: string, key = ""): Promise<number> =>
  new Promise((resolve) => {
    get(url, { headers: key === "" ? {} : { authorization: `Bearer ${key}` } }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0))
    }).once("error", () => resolve(0))
  })

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ""
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)))
    child.stdout!.on("data", (chunk) => {
      output += chunk
      if (/ on http:\/\/\S+/.test(output)) resolve(output)
    })
  })

/** The keys of the first start in each folder, which prints them once. */
const keys = new Map<string, string>()

const spawned = (script: string, folder: string, port: number, warmUp = "yes"): ChildProcess => {
  const { DATABASE_URL: _, ...environment } = process.env
  return spawn(process.execPath, [...options, script], {
    cwd: folder,
    env: { ...environment, PORT: String(port), WARM_UP: warmUp },
    stdio: ["ignore", "pipe", "inherit"],
  })
}

/** Resident memory of a built server after a while without calls, MiB; undefined without /proc. */
const idleMemory = async (warmUp: string): Promise<number | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), "market-signals-start-"))
  const child = spawned(built, folder, await freePort(), warmUp)
  try {
    await listening(child)
    await pause(idleSeconds * 1_000)
    return resident({ child })
  } finally {
    await stopped({ child })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resident memory of a built server after each page of its sitemap was opened once, MiB; undefined without /proc. */
const visitedMemory = async (folder: string): Promise<number | undefined> => {
  const port = await freePort()
  const child = spawned(built, folder, port)
  try {
    await listening(child)
    await idle({ child })
    const sitemap = await (await fetch(`http://127.0.0.1:${port}/sitemap.xml`)).text()
    const pages = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, page]) => page!)
    for (const page of [...pages, `http://127.0.0.1:${port}/openapi.json`]) {
      const status = await statusOf(page)
      if (status !== 200) throw new Error(`${page} answered ${status}.`)
    }
    await pause(2_000)
    return resident({ child })
  } finally {
    await stopped({ child })
  }
}

/** What the first proof call of a built server takes that makes nothing ahead, milliseconds of time and of CPU. */
const firstProof = async (folder: string): Promise<{ readonly time: number; readonly cpu: number | undefined }> => {
  const port = await freePort()
  const child = spawned(built, folder, port, "no")
  try {
    await listening(child)
    const [began, used] = [performance.now(), cpuTime({ child })]
    const status = await statusOf(`http://127.0.0.1:${port}/v1/markets/performance`)
    if (status !== 200) throw new Error(`The first proof call answered ${status}.`)
    const cpu = cpuTime({ child })
    return { time: performance.now() - began, cpu: used === undefined ? undefined : (cpu! - used) / 1_000 }
  } finally {
    await stopped({ child })
  }
}

/** One start in a folder, whose default store keeps what the start before left. */
const start = async (script: string, folder: string): Promise<Start> => {
  const port = await freePort()
  const began = performance.now()
  const since = () => performance.now() - began
  const child = spawned(script, folder, port)
  try {
    const output = await listening(child)
    const listens = since()
    const key = /svk_live_\w+/.exec(output)?.[0] ?? keys.get(folder) ?? ""
    keys.set(folder, key)
    const answered = async (path: string): Promise<number> => {
      const status = await statusOf(`http://127.0.0.1:${port}${path}`, key)
      if (status !== 200) throw new Error(`${path} answered ${status}.`)
      return since()
    }
    return {
      listens,
      ready: await answered("/readyz"),
      performance: await answered("/v1/markets/performance"),
      fairLine: await answered("/v1/nfl/fair-line?team=KC"),
    }
  } finally {
    await stopped({ child })
  }
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(2)

print(`Medians of ${starts} starts, seconds from the start of the process:`)
print("                       listens    ready   (bar)  performance  fair line")
let isSlow = false
for (const { name, script, isFresh, bar } of ways) {
  const folders = Array.from({ length: isFresh ? starts : 1 }, () =>
    mkdtempSync(join(tmpdir(), "market-signals-start-")),
  )
  const found: Array<Start> = []
  try {
    // The first one makes the store.
    if (!isFresh) await start(script, folders[0]!)
    for (let at = 0; at < starts; at++) {
      progress(name, at, starts)
      found.push(await start(script, folders[isFresh ? at : 0]!))
    }
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  const [listens, ready, performance, fairLine] = columns.map((column) => median(found.map((one) => one[column])))
  isSlow ||= ready! > 1_000 * bar
  const [listened, answered, record, line] = [listens!, ready!, performance!, fairLine!].map((value) => seconds(value))
  print(
    `${name.padEnd(22)}${listened!.padStart(8)}${answered!.padStart(9)}${`(${bar})`.padStart(8)}${record!.padStart(13)}${line!.padStart(11)}`,
  )
}
for (const warmUp of ["yes", "no"]) {
  const memory = await idleMemory(warmUp)
  print(
    `idle after ${idleSeconds} s, WARM_UP=${warmUp}: ${memory === undefined ? "n/a: no /proc" : `${memory.toFixed(0)} MiB`}`,
  )
}

const verdict = (name: string, value: number | undefined, unit: string, most: number, more = ""): void => {
  isSlow ||= value !== undefined && value > most
  print(
    `${name}: ${value === undefined ? "n/a: no /proc" : `${Number(value.toPrecision(3))} ${unit}`} (${most})${more}`,
  )
}
/** Each figure over a fresh store, and again over what the start before left. */
for (const measure of [
  async (folder: string, which: string, isFresh: boolean) => {
    const { time, cpu } = await firstProof(folder)
    const more = cpu === undefined ? "" : `, ${seconds(cpu)} s of CPU`
    verdict(`first proof call, WARM_UP=no, ${which}`, time / 1_000, "s", isFresh ? 4.5 : 0.6, more)
  },
  async (folder: string, which: string) =>
    verdict(`each public page opened once, ${which}`, await visitedMemory(folder), "MiB", 300),
]) {
  const folder = mkdtempSync(join(tmpdir(), "market-signals-start-"))
  try {
    await measure(folder, "fresh store", true)
    await measure(folder, "second start", false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
if (isSlow) process.exitCode = 1

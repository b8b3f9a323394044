// Load test of the paid call against a handwritten Fastify server that does the same work on the same disk, and against the
// bare limit. Rounds alternate, because only ratios within one run are meaningful. BENCH_PEER is the folder of
// fastify-peer.mjs and raw-limit.mjs; BENCH_BEFORE, a folder with another build, runs as a fourth, and with BENCH_GROWN the
// same build over a store of some months. With BENCH_LIVE=5 and BENCH_SECONDS=59 each round of ours has another one with so
// many open tabs of the dashboard. BENCH_TELEMETRY adds the same build with metrics that are scraped, and with traces.

import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { Agent, createServer, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as LiveTabs from "./liveTabs.ts"
import { median, medians } from "./medians.ts"
import { autocannon } from "./peers.ts"
import { cpuTime, idle, resident } from "./processes.ts"
import { progress } from "./progress.ts"
import * as Questions from "./questions.ts"
import {
  collectorPort,
  limit,
  newestDay,
  ofBuild,
  ofGrown,
  ofTelemetry,
  ours,
  peer,
  stopped,
  type Target,
} from "./targets.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 2)
/** Stores: on a disk, where a commit waits for fsync, and in memory, where it does not. */
const places = process.env["BENCH_DIR"]?.split(",") ?? [tmpdir(), "/dev/shm"].filter(existsSync)
/** Open tabs of the dashboard in the rounds of one more target; 0: none. */
const liveTabs = Number(process.env["BENCH_LIVE"] ?? 0)
const memoryCalls = Number(process.env["BENCH_MEMORY_CALLS"] ?? 200_000)
/** Interval of the scrapes with BENCH_TELEMETRY, milliseconds. */
const scrapeMs = 5_000
const only = process.env["BENCH_ONLY"]?.split(",")

interface Round {
  readonly perSecond: number
  /** Microseconds. */
  readonly p50: number
  readonly p99: number
  readonly cpuPerCall: number
}

/** One kind of call. The peer and the limit know only the plain one, and are asked that. */
interface Case {
  readonly name: string
  readonly connections: number
  readonly questions: () => Questions.Questions
  readonly asAgent?: boolean
}

const newest = newestDay()
const cases: ReadonlyArray<Case> = [
  { name: "plain", connections: 32, questions: Questions.plain },
  { name: "plain", connections: 128, questions: Questions.plain },
  { name: "plain", connections: 1, questions: Questions.plain },
  { name: "agent", connections: 32, questions: Questions.plain, asAgent: true },
  { name: "idempotent", connections: 32, questions: Questions.idempotent },
  { name: "record", connections: 32, questions: () => Questions.records(newest) },
]

const isOurs = ({ agentKey }: Target): boolean => agentKey !== undefined

const questionsOf = (target: Target, { questions }: Case): Questions.Questions =>
  isOurs(target) ? questions() : Questions.plain()

const keyOf = ({ key, agentKey }: Target, { asAgent }: Case): string => (asAgent === true ? (agentKey ?? key) : key)

const drive = async (
  target: Target,
  asked: Case,
  until: { readonly duration: number } | { readonly amount: number },
): Promise<Round> => {
  const next = questionsOf(target, asked)
  const authorization = `Bearer ${keyOf(target, asked)}`
  const before = cpuTime(target) ?? Number.NaN
  const result = await autocannon({
    url: target.url,
    connections: asked.connections,
    ...until,
    requests: [
      {
        setupRequest: (request) => {
          const { path, headers } = next()
          return { ...request, path, headers: { authorization, ...headers } }
        },
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${target.name}: ${result.non2xx} bad answers, ${result.errors} errors`)
  const calls = result["2xx"]
  return {
    perSecond: calls / result.duration,
    p50: result.latency.p50 * 1_000,
    p99: result.latency.p99 * 1_000,
    cpuPerCall: ((cpuTime(target) ?? Number.NaN) - before) / calls,
  }
}

const at = (sorted: ReadonlyArray<number>, share: number): number => sorted[Math.floor(sorted.length * share)]!
const ascending = (values: ReadonlyArray<number>): ReadonlyArray<number> => [...values].sort((a, b) => a - b)

/** Sequential calls on one connection, timed in microseconds: autocannon has only milliseconds. */
const oneByOne = async (target: Target, asked: Case, calls: number): Promise<Round> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const next = questionsOf(target, asked)
  const authorization = `Bearer ${keyOf(target, asked)}`
  const times: Array<number> = []
  const before = cpuTime(target) ?? Number.NaN
  const begun = performance.now()
  for (let call = 0; call < calls; call++) {
    const { path, headers } = next()
    const start = performance.now()
    await new Promise<void>((resolve, reject) => {
      get(`${target.url}${path}`, { agent, headers: { authorization, ...headers } }, (response) => {
        response.resume()
        response.once("end", resolve)
      }).once("error", reject)
    })
    times.push((performance.now() - start) * 1_000)
  }
  agent.destroy()
  const sorted = ascending(times)
  return {
    perSecond: (calls * 1_000) / (performance.now() - begun),
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    cpuPerCall: ((cpuTime(target) ?? Number.NaN) - before) / calls,
  }
}

const print = (...cells: ReadonlyArray<string | number>): void => {
  const widths = [12, 5, 16, 9, 9, 9, 9, 9, 9, 9]
  const line = cells.map((cell, column) => {
    const text = typeof cell === "number" ? cell.toFixed(cell < 10 ? 2 : 0) : cell
    return column < 3 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!)
  })
  process.stdout.write(`${line.join(" ")}\n`)
}

/**
 * Waits for the 20th second of a minute. Tabs add the new rows of the audit trail to the sums of usage as they come, else a
 * job does it in the 15th second: rounds of 59 s from here on pay for all their rows, with tabs or without.
 */
const afterFold = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, (80_000 - (Date.now() % 60_000)) % 60_000))
/** Processor time per call against the first server's, in the same round: what else the machine does is in both. */
const paired = (own: ReadonlyArray<Round>, first: ReadonlyArray<Round>): string =>
  median(own.map(({ cpuPerCall }, round) => cpuPerCall / first[round]!.cpuPerCall)).toFixed(3)

/** Measures the targets in alternating rounds and prints the medians; ratios are to the peer and to the limit. */
const compared = async (targets: ReadonlyArray<Target>, asked: Case): Promise<void> => {
  const all: ReadonlyArray<Array<Round>> = targets.map(() => [])
  const isAlone = asked.connections === 1
  for (let round = 0; round < rounds; round++) {
    const inOrder = [...targets.entries()]
    // Back and forth, so that none is always right after another one.
    for (const [n, [index, target]] of (round % 2 === 0 ? inOrder : inOrder.reverse()).entries()) {
      progress(
        `${asked.name} over ${asked.connections} connections, ${target.name}`,
        round * targets.length + n,
        rounds * targets.length,
      )
      if (liveTabs > 0) await afterFold()
      const end = await target.beside?.()
      all[index]!.push(await (isAlone ? oneByOne(target, asked, 500) : drive(target, asked, { duration: seconds })))
      end?.()
    }
  }
  const found = all.map(medians)
  const of = (name: string) => found[targets.findIndex((target) => target.name === name)]
  // Alone the time of a call counts, with many connections the number of calls.
  const ratio = ({ p50, perSecond }: Round, other: Round | undefined): number | string =>
    other === undefined ? "" : isAlone ? p50 / other.p50 : perSecond / other.perSecond
  for (const [index, { name }] of targets.entries()) {
    const own = found[index]!
    const ratios = [ratio(own, of("fastify peer")), ratio(own, of("bare limit")), paired(all[index]!, all[0]!)]
    print(asked.name, asked.connections, name, own.perSecond, own.p50, own.p99, own.cpuPerCall, ...ratios)
  }
  const [alone, beside] = [0, targets.findIndex((target) => target.beside !== undefined)]
  if (beside === -1 || isAlone) return
  const pairs = all[beside]!.map(({ perSecond }, round) => perSecond / all[alone]![round]!.perSecond).sort()
  process.stdout.write(
    `${" ".repeat(19)}${targets[beside]!.name}: ${median(pairs).toFixed(3)} of the calls without, by round ${pairs.map((pair) => pair.toFixed(2)).join(" ")}\n`,
  )
}

/** Calls until the compiler has seen enough of them, for 20 s at most: a slow disk must not make the bench endless. */
const warm = async (target: Target): Promise<void> => {
  const until = performance.now() + 20_000
  for (let calls = 0; calls < 30_000 && performance.now() < until; ) {
    calls += 2 * (await drive(target, cases[0]!, { duration: 2 })).perSecond
  }
}

/** Growth of resident memory over many calls, after a tenth as many. */
const memory = async (target: Target): Promise<void> => {
  const [plain] = cases
  progress("calls while memory is watched", 0, memoryCalls)
  await drive(target, plain!, { amount: memoryCalls / 10 })
  const before = resident(target)
  await drive(target, plain!, { amount: memoryCalls })
  const after = resident(target)
  process.stdout.write(
    before === undefined || after === undefined
      ? "memory n/a: no /proc\n"
      : `memory: ${before.toFixed(0)} MiB resident after ${memoryCalls / 10} calls, ${(after - before).toFixed(1)} MiB more after ${memoryCalls} more\n`,
  )
}

/** The same server with open tabs of the dashboard during its rounds. */
const withTabs = async (target: Target): Promise<Target> => {
  const cookies = await LiveTabs.signedIn(target.place!, target.url, "bench", liveTabs)
  let events = 0
  process.once("exit", () => process.stdout.write(`The tabs were sent ${events} events with values.\n`))
  return {
    ...target,
    name: `${liveTabs} live tabs`,
    beside: async () => {
      const tabs = await LiveTabs.open(target.url, cookies)
      return () => {
        events += tabs.events()
        tabs.close()
      }
    },
  }
}

const run = async (place: string): Promise<void> => {
  const folder = mkdtempSync(join(place, "market-signals-bench-"))
  const targets: Array<Target> = []
  /** The one with tabs is a server that is there already. */
  const servers = () => targets.filter(({ beside }) => beside === undefined)
  try {
    targets.push(await ours(folder))
    const others = [await peer(folder), await limit(folder)]
    if (others.includes(undefined))
      process.stdout.write("BENCH_PEER is not set, or lacks fastify-peer.mjs or raw-limit.mjs: no ratio to it.\n")
    targets.push(...others.filter((target) => target !== undefined))
    const before = process.env["BENCH_BEFORE"]
    if (before !== undefined) targets.push(await ours(folder, {}, ofBuild(before)))
    if (liveTabs > 0) targets.push(await withTabs(targets[0]!))
    if (process.env["BENCH_GROWN"] !== undefined) targets.push(await ours(folder, {}, ofGrown))
    const scraped = process.env["BENCH_TELEMETRY"] === undefined ? [] : ofTelemetry
    for (const { environment, ...own } of scraped) targets.push(await ours(folder, environment, own))
    process.stdout.write(`\nstore in ${folder}; medians of ${rounds} alternating rounds of ${seconds} s; times in µs\n`)
    print("call", "c", "server", "calls/s", "p50", "p99", "CPU/call", "× peer", "× limit", "CPU × 1st")
    for (const [n, target] of servers().entries()) {
      progress(`warm up ${target.name}`, n, servers().length)
      await idle(target)
      await warm(target)
    }
    const scraper = setInterval(() => {
      for (const { metrics } of scraped) if (metrics !== undefined) get(metrics, (response) => void response.resume())
    }, scrapeMs)
    scraper.unref()
    for (const asked of cases) {
      if (only === undefined || only.includes(`${asked.name}${asked.connections}`)) await compared(targets, asked)
    }
    clearInterval(scraper)
    if (memoryCalls > 0) await memory(targets[0]!)
  } finally {
    await Promise.all(servers().map(stopped))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Takes traces and throws them away. */
const collector = createServer((request, response) => request.resume().once("end", () => response.end("{}")))
collector.listen(collectorPort, "127.0.0.1").unref()

for (const place of places) await run(place)

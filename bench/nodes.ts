// The same program on one SQLite file and as 1, 2 and 4 nodes over one PostgreSQL database, driven over HTTP in alternating
// rounds; then the money step alone, and over a journal of many rows. Only ratios within one run are meaningful: load,
// nodes and server share the machine.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import autocannon from "autocannon"
import * as Effect from "effect/Effect"
import { median, medians } from "./medians.ts"
import { type Cluster, cluster } from "./nodes/cluster.ts"
import { fill, type Settled, settling } from "./nodes/settling.ts"
import { cpuTime, idle, type Running } from "./processes.ts"
import { progress } from "./progress.ts"
import * as Questions from "./questions.ts"
import { type Place, postgresAt, prepare, serve, sqliteAt, stopped, wallets } from "./targets.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 2)
/** Seconds of calls to each node before the rounds. */
const warming = Number(process.env["BENCH_WARM_SECONDS"] ?? 10)
const fewRows = 10_000
const manyRows = Number(process.env["BENCH_ROWS"] ?? 10_000_000)
const only = process.env["BENCH_ONLY"]?.split(",")
const isAsked = (part: "idle" | "calls" | "settle" | "rows"): boolean => only === undefined || only.includes(part)

const print = (text: string): void => void process.stdout.write(`${text}\n`)

let missed = 0
/** Prints a bar, and whether the figure keeps it. */
const bar = (name: string, value: number, isKept: boolean): void => {
  if (!isKept) missed++
  print(`${isKept ? "ok    " : "MISSED"} ${name}: ${value.toFixed(2)}`)
}

/** Servers that are driven together, each with its share of the connections. */
interface Party {
  readonly name: string
  readonly nodes: ReadonlyArray<Running & { readonly url: string }>
  /** A key of an account that all calls share, or one of many. */
  readonly keys: Readonly<Record<1 | 1_000, ReadonlyArray<string>>>
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU per call: of the nodes and of PostgreSQL, microseconds. */
  readonly nodeCpu: number
  readonly storeCpu: number
}

const drive = async ({ nodes, keys }: Party, connections: number, which: 1 | 1_000, store: Cluster): Promise<Round> => {
  const next = Questions.plain()
  let turn = 0
  const busy = () => nodes.reduce((sum, node) => sum + (cpuTime(node) ?? Number.NaN), 0)
  const before = { nodes: busy(), store: store.cpuTime() }
  const results = await Promise.all(
    nodes.map(({ url }) =>
      autocannon({
        url,
        connections: connections / nodes.length,
        duration: seconds,
        requests: [
          {
            setupRequest: (request) => {
              const all = keys[which]
              return { ...request, path: next().path, headers: { authorization: `Bearer ${all[turn++ % all.length]}` } }
            },
          },
        ],
      }),
    ),
  )
  const bad = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0)
  if (bad > 0) throw new Error(`${bad} calls failed`)
  const calls = results.reduce((sum, result) => sum + result["2xx"], 0)
  return {
    perSecond: results.reduce((sum, result) => sum + result["2xx"] / result.duration, 0),
    p50: median(results.map(({ latency }) => latency.p50)),
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
    nodeCpu: (busy() - before.nodes) / calls,
    storeCpu: (store.cpuTime() - before.store) / calls,
  }
}

/** Seconds without a call, over a whole minute: jobs begin at its second. */
const idleSeconds = Number(process.env["BENCH_IDLE_SECONDS"] ?? 60)

/** The work of a node that nobody calls. */
const unasked = async (folder: string, store: Cluster): Promise<void> => {
  const place = postgresAt(await store.create("idle"), folder)
  await prepare(place)
  const node = await serve(place, 4905)
  try {
    await idle(node)
    const before = { node: cpuTime(node)!, store: store.cpuTime() }
    await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000))
    const [own, ofStore] = [cpuTime(node)! - before.node, store.cpuTime() - before.store].map(
      (micros) => micros / 1_000 / idleSeconds,
    )
    print(`without calls: node ${own!.toFixed(1)}, store ${ofStore!.toFixed(1)} ms of CPU a second`)
    bar("ms of CPU a second of a node without calls (at most 10)", own!, own! <= 10)
  } finally {
    await stopped(node)
  }
}

const keysOf = async (place: Place): Promise<Party["keys"]> => {
  const { key } = await prepare(place)
  return { 1: [key], 1000: await wallets(place, 1_000, 1_000_000_000) }
}

const calls = async (folder: string, store: Cluster): Promise<void> => {
  const file = sqliteAt(join(folder, "one.db"))
  const database = postgresAt(await store.create("calls"), folder)
  const started: Array<Party["nodes"][number]> = []
  const start = async (place: Place, port: number) => {
    started.push(await serve(place, port))
    return started.at(-1)!
  }
  try {
    const alone = { name: "SQLite × 1", keys: await keysOf(file), nodes: [await start(file, 4901)] }
    const keys = await keysOf(database)
    const nodes = [await start(database, 4905)]
    // The first has made the key files.
    for (const port of [4906, 4907, 4908]) nodes.push(await start(database, port))
    const parties: ReadonlyArray<Party> = [
      alone,
      ...[1, 2, 4].map((count) => ({ name: `PostgreSQL × ${count}`, keys, nodes: nodes.slice(0, count) })),
    ]
    for (const node of started) await idle(node)
    // Until the compiler has seen enough of the calls, on every node.
    for (const party of parties) {
      for (let n = 0; n < warming * party.nodes.length; n += seconds) await drive(party, 32, 1_000, store)
    }
    print(`medians of ${rounds} alternating rounds of ${seconds} s; times in ms, CPU in µs per call`)
    print("wallets    c  server             calls/s    p50    p99   node  store")
    for (const which of [1, 1_000] as const) {
      for (const connections of [1, 32, 128]) {
        const asked = parties.filter(({ nodes: { length } }) => length <= connections)
        const all: ReadonlyArray<Array<Round>> = asked.map(() => [])
        for (let round = 0; round < rounds; round++) {
          for (const [at, party] of asked.entries()) {
            progress(`${party.name}, ${connections} connections`, round * asked.length + at, rounds * asked.length)
            all[at]!.push(await drive(party, connections, which, store))
          }
        }
        const found = new Map(asked.map(({ name }, at) => [name, medians(all[at]!)]))
        for (const [name, { perSecond, p50, p99, nodeCpu, storeCpu }] of found) {
          const figures = [perSecond, p50, p99, nodeCpu, storeCpu].map((value) => value.toFixed(0).padStart(6))
          print(
            `${String(which).padStart(7)} ${String(connections).padStart(4)}  ${name.padEnd(16)} ${figures.join(" ")}`,
          )
        }
        if (connections < 128) continue
        const of = (name: string) => found.get(name)!
        const rate = of("PostgreSQL × 1").perSecond / of("SQLite × 1").perSecond
        bar(`calls/s of PostgreSQL × 1 to SQLite, ${which} wallets (at least .8)`, rate, rate >= 0.8)
        const cpu = of("PostgreSQL × 4").nodeCpu / of("PostgreSQL × 1").nodeCpu
        bar(`node CPU per call at × 4 to × 1, ${which} wallets (at most 1.15)`, cpu, cpu <= 1.15)
      }
    }
  } finally {
    await Promise.all(started.map(stopped))
  }
}

const shown = (name: string, { perSecond, storeCpu, batch }: Settled): void =>
  print(
    `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(6)} charges/s, ${batch.toFixed(0)} a batch, store ${storeCpu.toFixed(1)} µs a charge`,
  )

const settle = (store: Cluster): Promise<void> =>
  Effect.gen(function* () {
    const run = yield* settling(store, yield* Effect.promise(() => store.create("settle")))
    yield* run(seconds)
    const all: Array<Settled> = []
    for (let round = 0; round < rounds; round++) {
      progress("rounds of charges", round, rounds)
      all.push(yield* run(seconds))
    }
    const found = medians(all)
    shown("128 callers, 1,000 wallets", found)
    bar(
      "store CPU per charge, µs, at batches of 50 or more (at most 60)",
      found.storeCpu,
      found.storeCpu <= 60 && found.batch >= 50,
    )
  }).pipe(Effect.scoped, Effect.runPromise)

const rows = (store: Cluster): Promise<void> =>
  Effect.gen(function* () {
    const sizes = [fewRows, manyRows]
    const runs: Array<(seconds: number) => Effect.Effect<Settled>> = []
    for (const size of sizes) {
      const url = yield* Effect.promise(() => store.create(`rows_${size}`))
      runs.push(yield* settling(store, url))
      progress(`fill ${size} rows`, 0)
      yield* Effect.promise(() => fill(url, size))
    }
    for (const run of runs) yield* run(seconds)
    const all: ReadonlyArray<Array<Settled>> = sizes.map(() => [])
    for (let round = 0; round < rounds; round++) {
      progress("rounds of charges over the rows", round, rounds)
      for (const [at, run] of runs.entries()) all[at]!.push(yield* run(seconds))
    }
    const found = all.map(medians)
    for (const [at, size] of sizes.entries()) shown(`${size.toLocaleString("en")} rows`, found[at]!)
    const ratio = found[1]!.storeCpu / found[0]!.storeCpu
    bar(`store CPU per charge at ${manyRows} rows to ${fewRows} (at most 1.1)`, ratio, ratio <= 1.1)
  }).pipe(Effect.scoped, Effect.runPromise)

const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "market-signals-bench-"))
const store = await cluster()
try {
  if (isAsked("idle")) await unasked(folder, store)
  if (isAsked("calls")) await calls(folder, store)
  if (isAsked("settle")) await settle(store)
  if (isAsked("rows")) await rows(store)
  print(missed === 0 ? "All bars are kept." : `${missed} bars are missed.`)
} finally {
  await store.stop()
  rmSync(folder, { recursive: true, force: true })
}

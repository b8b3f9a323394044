// The same program on one SQLite file and as 1, 2 and 4 nodes over one PostgreSQL database, driven over HTTP in alternating
// rounds; then the money step alone, and over a journal of many rows. Only ratios within one run are meaningful: load,
// nodes and server share the machine.

import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Bars from "./bars.ts"
import { median, medians } from "./medians.ts"
import { type Cluster, cluster } from "./nodes/cluster.ts"
import { cancelMs, fill, type Part, partsOf, type Settled, settling } from "./nodes/settling.ts"
import { autocannon } from "./peers.ts"
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

const { print, bar, missed } = Bars.make()

/** Servers that are driven together, each with so many connections. */
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
  /** CPU per call: of the nodes without their work when nobody calls, and of PostgreSQL, microseconds. */
  readonly nodeCpu: number
  readonly storeCpu: number
}

/** @param connections of each node: fewer would make smaller batches, which cost more a call */
const drive = async (
  { nodes, keys }: Party,
  connections: number,
  which: 1 | 1_000,
  store: Cluster,
  idleShare = 0,
): Promise<Round> => {
  const next = Questions.plain()
  let turn = 0
  const busy = () => nodes.reduce((sum, node) => sum + (cpuTime(node) ?? Number.NaN), 0)
  const before = { nodes: busy(), store: store.cpuTime(), at: performance.now() }
  const results = await Promise.all(
    nodes.map(({ url }) =>
      autocannon({
        url,
        connections,
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
  const unasked = idleShare * (performance.now() - before.at) * 1_000 * nodes.length
  return {
    perSecond: results.reduce((sum, result) => sum + result["2xx"] / result.duration, 0),
    p50: median(results.map(({ latency }) => latency.p50)),
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
    nodeCpu: (busy() - before.nodes - unasked) / calls,
    storeCpu: (store.cpuTime() - before.store) / calls,
  }
}

/** Seconds without a call, over a whole minute: jobs begin at its second. */
const idleSeconds = Number(process.env["BENCH_IDLE_SECONDS"] ?? 60)

/** The share of a core that nodes take while nobody calls, each. */
const idleShareOf = async (nodes: ReadonlyArray<Running>, seconds: number): Promise<number> => {
  const busy = () => nodes.reduce((sum, node) => sum + (cpuTime(node) ?? Number.NaN), 0)
  const before = busy()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  return (busy() - before) / (seconds * 1_000_000 * nodes.length)
}

/** The work of a node that nobody calls. */
const unasked = async (folder: string, store: Cluster): Promise<void> => {
  const place = postgresAt(await store.create("idle"), folder)
  await prepare(place)
  const node = await serve(place, 4905)
  try {
    await idle(node)
    const before = store.cpuTime()
    const own = 1_000 * (await idleShareOf([node], idleSeconds))
    const ofStore = (store.cpuTime() - before) / 1_000 / idleSeconds
    print(`without calls: node ${own.toFixed(1)}, store ${ofStore.toFixed(1)} ms of CPU a second`)
    bar("ms of CPU a second of a node without calls (at most 10)", own, own <= 10)
  } finally {
    await stopped(node)
  }
}

const keysOf = async (place: Place): Promise<Party["keys"]> => {
  const { key } = await prepare(place)
  return { 1: [key], 1000: await wallets(place.settings, 1_000, 1_000_000_000) }
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
    const ownKeys = await keysOf(file)
    // Four stores with the same keys share nothing but the machine: its caches and cores are what they cost each other.
    const files = [1, 2, 3, 4].map((n) => join(folder, `apart${n}.db`))
    for (const each of files) copyFileSync(join(folder, "one.db"), each)
    const alone = { name: "SQLite × 1", keys: ownKeys, nodes: [await start(file, 4901)] }
    const apart: Array<Party["nodes"][number]> = []
    for (const [n, each] of files.entries()) apart.push(await start(sqliteAt(each), 4910 + n))
    const keys = await keysOf(database)
    const nodes = [await start(database, 4905)]
    // The first has made the key files.
    for (const port of [4906, 4907, 4908]) nodes.push(await start(database, port))
    const parties: ReadonlyArray<Party> = [
      alone,
      { name: "SQLite, 4 apart", keys: ownKeys, nodes: apart },
      ...[1, 2, 4].map((count) => ({ name: `PostgreSQL × ${count}`, keys, nodes: nodes.slice(0, count) })),
    ]
    for (const node of started) await idle(node)
    // Until the compiler has seen enough of the calls, on every node.
    for (const party of parties) {
      for (let n = 0; n < warming * party.nodes.length; n += seconds) await drive(party, 32, 1_000, store)
    }
    // Not at once: a node looks for changes of keys for some seconds after its last call.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const idleShare = await idleShareOf(nodes, 20)
    print(`without calls: ${(idleShare * 1_000).toFixed(1)} ms of CPU a second and node; taken off below`)
    print(`medians of ${rounds} alternating rounds of ${seconds} s; times in ms, CPU in µs per call`)
    print("wallets    c  server             calls/s    p50    p99   node  store")
    for (const which of [1, 1_000] as const) {
      for (const connections of [1, 32, 128]) {
        const all: ReadonlyArray<Array<Round>> = parties.map(() => [])
        for (let round = 0; round < rounds; round++) {
          for (const [at, party] of parties.entries()) {
            progress(`${party.name}, ${connections} connections`, round * parties.length + at, rounds * parties.length)
            all[at]!.push(await drive(party, connections, which, store, idleShare))
          }
        }
        const found = new Map(parties.map(({ name }, at) => [name, medians(all[at]!)]))
        for (const [name, { perSecond, p50, p99, nodeCpu, storeCpu }] of found) {
          const figures = [perSecond, p50, p99, nodeCpu, storeCpu].map((value) => value.toFixed(0).padStart(6))
          print(
            `${String(which).padStart(7)} ${String(connections).padStart(4)}  ${name.padEnd(16)} ${figures.join(" ")}`,
          )
        }
        if (connections === 1) continue
        const of = (name: string) => found.get(name)!
        const cpu = of("PostgreSQL × 4").nodeCpu / of("PostgreSQL × 1").nodeCpu
        const machine = of("SQLite, 4 apart").nodeCpu / of("SQLite × 1").nodeCpu
        bar(`node CPU per call at × 4 to × 1, ${which} wallets, ${connections} each (at most 1.15)`, cpu, cpu <= 1.15)
        print(`       four servers that share nothing but the machine: ${machine.toFixed(2)}`)
        if (connections < 128) continue
        const rate = of("PostgreSQL × 1").perSecond / of("SQLite × 1").perSecond
        bar(`calls/s of PostgreSQL × 1 to SQLite, ${which} wallets (at least .8)`, rate, rate >= 0.8)
      }
    }
  } finally {
    await Promise.all(started.map(stopped))
  }
}

const shown = (name: string, { perSecond, storeCpu, batch, batchCpu }: Settled): void =>
  print(
    `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(6)} charges/s, ${batch.toFixed(0)} a batch, store ${storeCpu.toFixed(1)} µs a charge, node ${batchCpu.toFixed(0)} µs a batch`,
  )

/** Callers of the money step: one batch of so many is under way at a time. */
const callers = 50

const shownParts = (parts: ReadonlyArray<Part>): void => {
  for (const { text, micros } of parts) print(`${micros.toFixed(1).padStart(8)} µs a charge  ${text}`)
}

const settle = (store: Cluster): Promise<void> =>
  Effect.gen(function* () {
    const url = yield* Effect.promise(() => store.create("settle"))
    const run = yield* settling(store, url)
    for (const each of [callers, 1]) {
      yield* run(seconds, each)
      const all: Array<Settled> = []
      for (let round = 0; round < rounds; round++) {
        progress("rounds of charges", round, rounds)
        all.push(yield* run(seconds, each))
      }
      const found = medians(all)
      shown(`1,000 wallets, callers: ${each}`, found)
      if (each === callers) bar("store CPU per charge, µs (at most 110)", found.storeCpu, found.storeCpu <= 110)
    }
    const counted = run(seconds, callers).pipe(Effect.map(({ perSecond }) => perSecond * seconds))
    shownParts(yield* Effect.promise(() => partsOf(url, () => Effect.runPromise(counted))))
  }).pipe(Effect.scoped, Effect.runPromise)

const rows = (store: Cluster): Promise<void> =>
  Effect.gen(function* () {
    const sizes = [fewRows, manyRows]
    const runs: Array<(seconds: number, callers: number) => Effect.Effect<Settled>> = []
    const urls: Array<string> = []
    for (const size of sizes) {
      const url = yield* Effect.promise(() => store.create(`rows_${size}`))
      urls.push(url)
      runs.push(yield* settling(store, url))
      progress(`fill ${size} rows`, 0)
      yield* Effect.promise(() => fill(url, size))
    }
    for (const run of runs) yield* run(seconds, callers)
    const all: ReadonlyArray<Array<Settled>> = sizes.map(() => [])
    for (let round = 0; round < rounds; round++) {
      progress("rounds of charges over the rows", round, rounds)
      for (const [at, run] of runs.entries()) all[at]!.push(yield* run(seconds, callers))
    }
    const found = all.map(medians)
    for (const [at, size] of sizes.entries()) {
      shown(`${size.toLocaleString("en")} rows`, found[at]!)
      const counted = runs[at]!(seconds, callers).pipe(Effect.map(({ perSecond }) => perSecond * seconds))
      shownParts(yield* Effect.promise(() => partsOf(urls[at]!, () => Effect.runPromise(counted))))
    }
    const ratio = found[1]!.storeCpu / found[0]!.storeCpu
    bar(`store CPU per charge at ${manyRows} rows to ${fewRows} (at most 1.1)`, ratio, ratio <= 1.1)
    const ms = yield* Effect.promise(() => cancelMs(urls[1]!))
    bar(`ms to cancel a batch of 50 at ${manyRows} rows (at most 5)`, ms, ms <= 5)
  }).pipe(Effect.scoped, Effect.runPromise)

const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "market-signals-bench-"))
const store = await cluster()
try {
  if (isAsked("idle")) await unasked(folder, store)
  if (isAsked("calls")) await calls(folder, store)
  if (isAsked("settle")) await settle(store)
  if (isAsked("rows")) await rows(store)
  print(missed() === 0 ? "All bars are kept." : `${missed()} bars are missed.`)
} finally {
  await store.stop()
  rmSync(folder, { recursive: true, force: true })
}

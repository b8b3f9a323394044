// Load test of the paid call against a handwritten Fastify server that does the same work on the same disk. Rounds
// alternate, because only ratios within one run are meaningful. BENCH_PEER is the folder of fastify-peer.mjs.

import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { Agent, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import autocannon from "autocannon"
import { cpuTime, ours, peer, resident, stopped, type Target } from "./targets.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 4)
const connections = [1, 32, 128]
/** Our path: the same work as the peer's, or `/v1/weather/settlement?station=KNYC`. */
const path = process.env["BENCH_PATH"] ?? "/v1/crypto/signal"
/** Stores: on a disk, where a commit waits for fsync, and in memory, where it does not. */
const places = process.env["BENCH_DIR"]?.split(",") ?? [tmpdir(), "/dev/shm"].filter(existsSync)
const memoryCalls = Number(process.env["BENCH_MEMORY_CALLS"] ?? 200_000)

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuPerCall: number | undefined
}

const drive = async (
  target: Target,
  concurrency: number,
  until: { readonly duration: number } | { readonly amount: number },
): Promise<Round> => {
  const before = cpuTime(target)
  const result = await autocannon({
    url: target.url,
    connections: concurrency,
    ...until,
    headers: { authorization: `Bearer ${target.key}` },
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${target.name}: ${result.non2xx} bad answers, ${result.errors} errors`)
  const calls = result["2xx"]
  const after = cpuTime(target)
  return {
    perSecond: calls / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuPerCall: before === undefined || after === undefined ? undefined : (after - before) / calls,
  }
}

/** Sequential calls on one connection, timed in microseconds: autocannon has only milliseconds. */
const oneByOne = async (target: Target, calls: number): Promise<ReadonlyArray<number>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${target.key}` }
  const times: Array<number> = []
  for (let call = 0; call < calls; call++) {
    const start = performance.now()
    await new Promise<void>((resolve, reject) => {
      get(target.url, { agent, headers }, (response) => {
        response.resume()
        response.once("end", resolve)
      }).once("error", reject)
    })
    times.push((performance.now() - start) * 1000)
  }
  agent.destroy()
  return times
}

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

const line = (concurrency: number, name: string, measured: ReadonlyArray<Round>): string => {
  const each = (pick: (round: Round) => number | undefined) => {
    const values = measured.map(pick).filter((value) => value !== undefined)
    return values.length === 0 ? "n/a" : median(values).toFixed(0)
  }
  return `c=${String(concurrency).padEnd(4)} ${name.padEnd(15)} ${each((r) => r.perSecond).padStart(7)}/s  p50 ${each((r) => r.p50)} ms  p99 ${each((r) => r.p99)} ms  CPU ${each((r) => r.cpuPerCall)} µs/call`
}

const print = (text: string) => process.stdout.write(`${text}\n`)

/** Measures the targets in alternating rounds; the results of each target, in order. */
const alternating = async <A>(
  targets: ReadonlyArray<Target>,
  measure: (target: Target) => Promise<A>,
): Promise<ReadonlyArray<ReadonlyArray<A>>> => {
  const said: Array<Array<A>> = targets.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, target] of targets.entries()) said[at]!.push(await measure(target))
  }
  return said
}

const throughput = async (targets: ReadonlyArray<Target>, concurrency: number): Promise<void> => {
  const said = await alternating(targets, (target) => drive(target, concurrency, { duration: seconds }))
  for (const [at, { name }] of targets.entries()) print(line(concurrency, name, said[at]!))
  const [mine, theirs] = said.map((all) => median(all.map(({ perSecond }) => perSecond)))
  if (theirs !== undefined) print(`c=${String(concurrency).padEnd(4)} ratio           x${(mine! / theirs).toFixed(2)}`)
}

const loneCalls = async (targets: ReadonlyArray<Target>): Promise<void> => {
  const said = await alternating(targets, (target) => oneByOne(target, 1_000))
  const [mine, theirs] = said.map((all) => median(all.flat()))
  for (const [at, { name }] of targets.entries())
    print(`alone  ${name.padEnd(15)} p50 ${median(said[at]!.flat()).toFixed(0)} µs`)
  if (theirs !== undefined) print(`alone  ratio           x${(mine! / theirs).toFixed(2)} of the peer's time`)
}

/** Growth of resident memory over many calls, after as many to warm up. */
const memory = async (target: Target): Promise<void> => {
  const before = resident(target)
  await drive(target, 32, { amount: memoryCalls })
  const after = resident(target)
  print(
    before === undefined || after === undefined
      ? "memory n/a: no /proc"
      : `memory ${target.name}  ${before.toFixed(0)} → ${after.toFixed(0)} MiB resident over ${memoryCalls} calls: ${(after - before).toFixed(1)} MiB`,
  )
}

const run = async (place: string): Promise<void> => {
  const folder = mkdtempSync(join(place, "market-signals-bench-"))
  const targets: Array<Target> = []
  try {
    targets.push(await ours(folder, path))
    const other = await peer(folder)
    if (other === undefined)
      print("No peer: BENCH_PEER is not set or has no fastify-peer.mjs. Only our own figures follow.")
    else targets.push(other)
    print(`store in ${folder}, ${rounds} alternating rounds of ${seconds} s, medians`)
    for (const target of targets) await drive(target, 32, { duration: 4 })
    for (const concurrency of connections) await throughput(targets, concurrency)
    await loneCalls(targets)
    await memory(targets[0]!)
  } finally {
    await Promise.all(targets.map(stopped))
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const place of places) await run(place)

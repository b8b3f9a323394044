// The paid call under load, against a hand-written Fastify server that does the same kind of work, on the same disk.
// Rounds alternate, because only ratios of one run mean something. BENCH_PEER names the folder of fastify-peer.mjs.

import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import autocannon from "autocannon"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { textOf } from "../adapters/providers/mock/climateText.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { ingest } from "../core/lanes/weather/ingest.ts"
import { byId } from "../core/lanes/weather/stations.ts"
import * as App from "../services/app.ts"
import { settings } from "../test/support/running.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 4)
const connections = [1, 32, 128]
/** What is called on our side: the work that the peer does too, or `/v1/weather/settlement?station=KNYC`. */
const path = process.env["BENCH_PATH"] ?? "/v1/crypto/signal"
const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "market-signals-bench-"))

interface Target {
  readonly name: string
  readonly url: string
  readonly key: string
  readonly child: ChildProcess
}

/** Starts a process and waits for the first output that `ready` accepts. */
const started = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv, ready: (output: string) => string | undefined) =>
  new Promise<{ readonly child: ChildProcess; readonly value: string }>((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)))
    child.stdout!.on("data", (chunk) => {
      output += chunk
      const value = ready(output)
      if (value !== undefined) resolve({ child, value })
    })
  })

/** A store with one final report, one rich account and a key that no limit stops. */
const prepare = (file: string): Promise<string> =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create("bench")
    yield* accounts.credit(id, MicroUsd(1_000_000_000_000))
    yield* ingest(textOf(byId.get("KNYC")!, "2026-07-08", "final"), "bench")
    const { plaintext } = yield* accounts.issueKey({
      account: id,
      environment: "live",
      tier: "enterprise",
      rpm: 100_000_000,
    })
    return Redacted.value(plaintext)
  }).pipe(Effect.provide(App.store(settings({ sqliteFile: file }))), Effect.runPromise)

const ours = async (): Promise<Target> => {
  const file = join(folder, "ours.db")
  const key = await prepare(file)
  const { child, value } = await started(
    ["--max-semi-space-size=64", "--import", "tsx", "services/server.ts"],
    { DATABASE_URL: `sqlite:${file}`, PORT: "4901", DATA_FRESHNESS_CRYPTO: "mock", DATA_FRESHNESS_WEATHER: "live" },
    (output) => /on (http:\/\/\S+)/.exec(output)?.[1],
  )
  return { name: "market-signals", url: `${value}${path}`, key, child }
}

const peer = async (): Promise<Target | undefined> => {
  const script = join(process.env["BENCH_PEER"] ?? "", "fastify-peer.mjs")
  if (process.env["BENCH_PEER"] === undefined || !existsSync(script)) return undefined
  const port = "4900"
  const { child, value } = await started(
    [script, port, join(folder, "peer.db")],
    {},
    (output) => /svk_live_\w+/.exec(output)?.[0],
  )
  return { name: "fastify peer", url: `http://127.0.0.1:${port}/v1/crypto/signal`, key: value, child }
}

/** CPU time of a process so far, microseconds; undefined where /proc is not. */
const cpu = (child: ChildProcess): number | undefined => {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]!.split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return undefined
  }
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuPerCall: number | undefined
}

const drive = async (target: Target, concurrency: number, duration: number): Promise<Round> => {
  const before = cpu(target.child)
  const result = await autocannon({
    url: target.url,
    connections: concurrency,
    duration,
    headers: { authorization: `Bearer ${target.key}` },
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${target.name}: ${result.non2xx} bad answers, ${result.errors} errors`)
  const calls = result["2xx"]
  const after = cpu(target.child)
  return {
    perSecond: calls / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuPerCall: before === undefined || after === undefined ? undefined : (after - before) / calls,
  }
}

/** One call after another on one connection, each timed in microseconds: autocannon counts whole milliseconds. */
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

const targets: Array<Target> = []
try {
  targets.push(await ours())
  const other = await peer()
  if (other === undefined)
    print("No peer: BENCH_PEER is not set or holds no fastify-peer.mjs. Only our own figures follow.")
  else targets.push(other)
  print(`store in ${folder}, ${rounds} alternating rounds of ${seconds} s, medians`)
  for (const target of targets) await drive(target, 32, 2)
  for (const concurrency of connections) {
    const measured = new Map<string, Array<Round>>(targets.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      for (const target of targets) measured.get(target.name)!.push(await drive(target, concurrency, seconds))
    }
    for (const [name, all] of measured) print(line(concurrency, name, all))
    const [mine, theirs] = [...measured.values()].map((all) => median(all.map((round) => round.perSecond)))
    if (theirs !== undefined)
      print(`c=${String(concurrency).padEnd(4)} ratio           x${(mine! / theirs).toFixed(2)}`)
  }
  const alone = new Map<string, Array<number>>(targets.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) alone.get(target.name)!.push(...(await oneByOne(target, 1_000)))
  }
  const [mine, theirs] = [...alone.values()].map(median)
  for (const [name, times] of alone) print(`alone  ${name.padEnd(15)} p50 ${median(times).toFixed(0)} µs`)
  if (theirs !== undefined) print(`alone  ratio           x${(mine! / theirs).toFixed(2)} of the peer's time`)
} finally {
  for (const { child } of targets) child.kill()
  rmSync(folder, { recursive: true, force: true })
}

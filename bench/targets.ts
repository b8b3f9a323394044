import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { textOf } from "../adapters/lanes/weather/mock/climateText.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { ingest } from "../core/lanes/weather/reports/ingest.ts"
import { byId, lastOverdue } from "../core/lanes/weather/stations.ts"
import * as App from "../services/app.ts"
import { settings } from "../test/support/running.ts"

/** A server under load, in a process of its own so that its CPU time and memory can be measured. */
export interface Target {
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

/** A store with one final report, an account with ample balance and a key without a reachable limit. */
const prepare = (file: string): Promise<string> =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create("bench")
    yield* accounts.credit(id, MicroUsd(1_000_000_000_000))
    // The newest report due; otherwise the server would fetch a newer one.
    const station = byId.get("KNYC")!
    yield* ingest(textOf(station, lastOverdue(station, Date.now()), "final"), "bench")
    const { plaintext } = yield* accounts.issueKey({
      account: id,
      environment: "live",
      tier: "enterprise",
      rpm: 100_000_000,
    })
    return Redacted.value(plaintext)
  }).pipe(Effect.provide(App.store(settings({ sqliteFile: file }))), Effect.runPromise)

/** Our server as published: compiled JavaScript, like the peer. */
export const ours = async (
  folder: string,
  path: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Target> => {
  const file = join(folder, "ours.db")
  const key = await prepare(file)
  const { child, value } = await started(
    ["--max-semi-space-size=64", "dist/services/server.js"],
    {
      DATABASE_URL: `sqlite:${file}`,
      PORT: "4901",
      DATA_FRESHNESS_CRYPTO: "mock",
      DATA_FRESHNESS_WEATHER: "live",
      // No network access.
      NWS_URL: "http://127.0.0.1:9",
      IEM_URL: "http://127.0.0.1:9",
      ...environment,
    },
    (output) => /on (http:\/\/\S+)/.exec(output)?.[1],
  )
  return { name: "market-signals", url: `${value}${path}`, key, child }
}

/** The peer, if BENCH_PEER has its folder. */
export const peer = async (folder: string): Promise<Target | undefined> => {
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

export const stopped = ({ child }: Target): Promise<void> =>
  new Promise((resolve) => {
    child.removeAllListeners("exit").once("exit", () => resolve())
    child.kill()
  })

/** A /proc file of a process; undefined if absent. */
const proc = (child: ChildProcess, file: string): string | undefined => {
  try {
    return readFileSync(`/proc/${child.pid}/${file}`, "utf8")
  } catch {
    return undefined
  }
}

/** CPU time so far, microseconds. */
export const cpuTime = ({ child }: Target): number | undefined => {
  const fields = proc(child, "stat")?.split(") ")[1]?.split(" ")
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Resident set, MiB. */
export const resident = ({ child }: Target): number | undefined => {
  const kib = /VmRSS:\s+(\d+)/.exec(proc(child, "status") ?? "")?.[1]
  return kib === undefined ? undefined : Number(kib) / 1_024
}

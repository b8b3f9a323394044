import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { textOf } from "../adapters/lanes/weather/mock/climateText.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { Agents } from "../core/account/Agents.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { ifDefined } from "../core/endpoint/Field.ts"
import { ingest } from "../core/lanes/weather/reports/ingest.ts"
import { byId, lastOverdue } from "../core/lanes/weather/stations.ts"
import * as App from "../services/app.ts"
import { settings } from "../test/support/running.ts"
import { grow } from "./grown.ts"
import { reportDays } from "./questions.ts"

/** A server under load, in a process of its own so that its CPU time and memory can be measured. */
export interface Target {
  readonly name: string
  /** Its origin. */
  readonly url: string
  readonly key: string
  /** A key of an agent with monthly and lifetime caps; absent where the server has none. */
  readonly agentKey?: string
  readonly child: ChildProcess
}

/** The newest day with a due report of the bench's station. */
export const newestDay = (): string => lastOverdue(byId.get("KNYC")!, Date.now())

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

/** A store with final reports, an account with ample balance, and keys without a reachable limit. */
const prepare = (file: string): Promise<{ readonly key: string; readonly agentKey: string }> =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create("bench")
    yield* accounts.credit(id, MicroUsd(1_000_000_000_000))
    // Up to the newest report due; otherwise the server would fetch a newer one.
    const station = byId.get("KNYC")!
    for (const day of reportDays(newestDay())) yield* ingest(textOf(station, day, "final"), "bench")
    const caps = { monthlyCap: MicroUsd(500_000_000_000), budgetCap: MicroUsd(900_000_000_000) }
    yield* (yield* Agents).create(id, "bench agent", caps)
    const issued = (agent?: string) =>
      Effect.map(
        accounts.issueKey({
          account: id,
          environment: "live",
          tier: "enterprise",
          rpm: 100_000_000,
          ...ifDefined("agent", agent),
        }),
        ({ plaintext }) => Redacted.value(plaintext),
      )
    return { key: yield* issued(), agentKey: yield* issued("bench agent") }
  }).pipe(Effect.provide(App.store(settings({ sqliteFile: file }))), Effect.runPromise)

/** One of our servers; several run at a time, each with its port and store. */
export interface Ours {
  readonly name: string
  readonly port: number
  /** The folder of the compiled JavaScript. */
  readonly build: string
  /** Fills the store before the start. */
  readonly grow?: (file: string) => void
}

const published: Ours = { name: "market-signals", port: 4901, build: "dist" }

/** The same over a store of some months. */
export const ofGrown: Ours = { ...published, name: "grown store", port: 4904, grow }

/** Another build. */
export const ofBuild = (build: string): Ours => ({ name: "before", port: 4903, build })

/** Our server as published: compiled JavaScript, like the peer. */
export const ours = async (
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  { name, port, build, grow: fill }: Ours = published,
): Promise<Target> => {
  const file = join(folder, `${port}.db`)
  const keys = await prepare(file)
  fill?.(file)
  const { child, value } = await started(
    ["--max-semi-space-size=64", join(build, "services/server.js")],
    {
      DATABASE_URL: `sqlite:${file}`,
      PORT: String(port),
      DATA_FRESHNESS_CRYPTO: "mock",
      DATA_FRESHNESS_WEATHER: "live",
      // No network access.
      NWS_URL: "http://127.0.0.1:9",
      IEM_URL: "http://127.0.0.1:9",
      ...environment,
    },
    (output) => /on (http:\/\/\S+)/.exec(output)?.[1],
  )
  return { name, url: value, ...keys, child }
}

/** A script of the folder BENCH_PEER that serves the same call; undefined if it is not there. */
const scripted = async (name: string, file: string, port: number, folder: string): Promise<Target | undefined> => {
  const script = join(process.env["BENCH_PEER"] ?? "", file)
  if (process.env["BENCH_PEER"] === undefined || !existsSync(script)) return undefined
  const { child, value } = await started(
    [script, String(port), join(folder, `${port}.db`)],
    {},
    (output) => /svk_live_\w+/.exec(output)?.[0],
  )
  return { name, url: `http://127.0.0.1:${port}`, key: value, child }
}

/** The hand-written server to beat. */
export const peer = (folder: string) => scripted("fastify peer", "fastify-peer.mjs", 4900, folder)

/** The bare limit: node:http and the same statements with group commit, nothing else. */
export const limit = (folder: string) => scripted("bare limit", "raw-limit.mjs", 4902, folder)

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

/** Waits until a server has no work of its own, such as the generated record that is settled after a start. */
export const idle = async (target: Target): Promise<void> => {
  for (let quiet = 0; quiet < 3; ) {
    const before = cpuTime(target) ?? 0
    await new Promise((resolve) => setTimeout(resolve, 500))
    quiet = (cpuTime(target) ?? 0) - before < 50_000 ? quiet + 1 : 0
  }
}

/** Resident set, MiB. */
export const resident = ({ child }: Target): number | undefined => {
  const kib = /VmRSS:\s+(\d+)/.exec(proc(child, "status") ?? "")?.[1]
  return kib === undefined ? undefined : Number(kib) / 1_024
}

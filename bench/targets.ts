import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { textOf } from "../adapters/lanes/weather/mock/climateText.ts"
import { layerArchive } from "../adapters/lanes/weather/store/ClimateReports.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { Agents } from "../core/account/Agents.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { ingest } from "../core/lanes/weather/reports/ingest.ts"
import { byId, lastOverdue } from "../core/lanes/weather/stations.ts"
import * as App from "../services/app.ts"
import type { Settings } from "../services/Config.ts"
import { upstreamsNowhere } from "../test/support/hostileServer.ts"
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
  /** Absent where the store is not ours. */
  readonly place?: Place
  /** Begins what goes on beside the calls of a round, and returns its end. */
  readonly beside?: () => Promise<() => void>
}

/** The newest day with a due report of the bench's station. */
export const newestDay = (): string => lastOverdue(byId.get("KNYC")!, Date.now())

/** Starts a process and waits for the first output that `ready` accepts. */
const started = (
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv,
  ready: (output: string) => string | undefined,
  cwd = process.cwd(),
) =>
  new Promise<{ readonly child: ChildProcess; readonly value: string }>((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    child.once("exit", (code, signal) => reject(new Error(`${args.join(" ")} ended with ${code ?? signal}`)))
    child.stdout!.on("data", (chunk) => {
      output += chunk
      const value = ready(output)
      if (value !== undefined) resolve({ child, value })
    })
  })

/** A store: its settings in this process, and the same as a server's environment. */
export interface Place {
  readonly settings: Settings
  readonly environment: Readonly<Record<string, string>>
}

export const sqliteAt = (file: string): Place => ({
  settings: settings({ sqliteFile: file }),
  environment: { DATABASE_URL: `sqlite:${file}` },
})

/** @param folder of the key files, which all nodes share */
export const postgresAt = (url: string, folder: string): Place => {
  const [recordKey, secretsKey] = [join(folder, "record-key"), join(folder, "secrets-key")]
  return {
    settings: settings({
      postgres: Option.some(Redacted.make(url)),
      recordKeyFile: Option.some(recordKey),
      secretsKeyFile: Option.some(secretsKey),
    }),
    environment: { DATABASE_URL: url, RECORD_KEY_FILE: recordKey, SECRETS_KEY_FILE: secretsKey },
  }
}

/** Far from every limit. */
const ample = { tier: "enterprise", rpm: 100_000_000, environment: "live" } as const

/** An account with money, and a key of it. */
const funded = (name: string, micros: number) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create(name)
    yield* accounts.credit(id, MicroUsd(micros))
    const { plaintext } = yield* accounts.issueKey({ account: id, ...ample })
    return { id, key: Redacted.value(plaintext) }
  })

/** Final reports, an account with ample balance, and keys without a reachable limit. */
export const prepare = (place: Place): Promise<{ readonly key: string; readonly agentKey: string }> =>
  Effect.gen(function* () {
    const { id, key } = yield* funded("bench", 1_000_000_000_000)
    // Up to the newest report due; otherwise the server would fetch a newer one.
    const station = byId.get("KNYC")!
    for (const day of reportDays(newestDay())) yield* ingest(textOf(station, day, "final"), "bench")
    const caps = { monthlyCap: MicroUsd(500_000_000_000), budgetCap: MicroUsd(900_000_000_000) }
    yield* (yield* Agents).create(id, "bench agent", caps)
    const { plaintext } = yield* (yield* Accounts).issueKey({ account: id, agent: "bench agent", ...ample })
    return { key, agentKey: Redacted.value(plaintext) }
  }).pipe(Effect.provide(layerArchive), Effect.provide(App.store(place.settings)), Effect.runPromise)

/** Keys of so many further accounts, each with its wallet. On SQLite no server may run: a store has one owner. */
export const wallets = (settings: Settings, count: number, micros: number): Promise<ReadonlyArray<string>> =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => `wallet ${n}`),
    (name) => Effect.map(funded(name, micros), ({ key }) => key),
    { concurrency: 16 },
  ).pipe(Effect.provide(App.store(settings)), Effect.runPromise)

/** Starts a server over a prepared store. */
export const serve = async (
  { environment }: Place,
  port: number,
  { build = "dist", ...more }: { readonly build?: string; readonly [variable: string]: string } = {},
): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
  const { child, value } = await started(
    ["--max-semi-space-size=16", join(build, "services/server.js")],
    {
      ...environment,
      PORT: String(port),
      DATA_FRESHNESS_CRYPTO: "mock",
      DATA_FRESHNESS_WEATHER: "live",
      ...upstreamsNowhere,
      ...more,
    },
    (output) => /on (http:\/\/\S+)/.exec(output)?.[1],
  )
  return { child, url: value }
}

/** One of our servers over a store of its own; several run at a time. */
export interface Ours {
  readonly name: string
  readonly port: number
  /** The folder of the compiled JavaScript. */
  readonly build: string
  /** Fills the store before the start. */
  readonly grow?: (settings: Settings) => Promise<void>
}

export const published: Ours = { name: "market-signals", port: 4901, build: "dist" }

/** The same over a store of some months. */
export const ofGrown: Ours = { ...published, name: "grown store", port: 4904, grow }

/** The port of the bench's collector of traces. */
export const collectorPort = 4908

/** The same with metrics, and with traces of the default share of calls. */
export const ofTelemetry: ReadonlyArray<
  Ours & { readonly environment: Readonly<Record<string, string>>; readonly metrics?: string }
> = [
  {
    ...published,
    name: "metrics",
    port: 4905,
    environment: { METRICS_LISTEN: "4906" },
    metrics: "http://127.0.0.1:4906/metrics",
  },
  {
    ...published,
    name: "traces",
    port: 4907,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` },
  },
]

/** Another build. */
export const ofBuild = (build: string): Ours => ({ name: "before", port: 4903, build })

/** Our server as published: compiled JavaScript, like the peer. */
export const ours = async (
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  { name, port, build, grow: fill }: Ours = published,
): Promise<Target> => {
  const place = sqliteAt(join(folder, `${port}.db`))
  const keys = await prepare(place)
  await fill?.(place.settings)
  return { name, place, ...keys, ...(await serve(place, port, { build, ...environment })) }
}

/** A folder from which scripts find their packages: better-sqlite3 is the one of this Node, as in our driver, under both names. */
const packagesIn = (folder: string): string => {
  const packages = join(folder, "packages", "node_modules")
  if (!existsSync(packages)) {
    mkdirSync(packages, { recursive: true })
    const driver = Number.parseInt(process.versions.node, 10) < 22 ? "better-sqlite3-node20" : "better-sqlite3"
    const root = join(import.meta.dirname, "..")
    const own = join(root, "node_modules", driver)
    const parts = {
      fastify: join(root, "test/long/node_modules/fastify"),
      "better-sqlite3": own,
      "better-sqlite3-node20": own,
    }
    for (const [name, installed] of Object.entries(parts)) {
      symlinkSync(installed, join(packages, name))
    }
  }
  return join(folder, "packages")
}

/** A script of the folder BENCH_PEER that serves the same call; undefined if it is not there. */
const scripted = async (name: string, file: string, port: number, folder: string): Promise<Target | undefined> => {
  const script = resolve(process.env["BENCH_PEER"] ?? "", file)
  if (process.env["BENCH_PEER"] === undefined || !existsSync(script)) return undefined
  const { child, value } = await started(
    [script, String(port), join(folder, `${port}.db`)],
    {},
    (output) => /svk_live_\w+/.exec(output)?.[0],
    packagesIn(folder),
  )
  return { name, url: `http://127.0.0.1:${port}`, key: value, child }
}

/** The hand-written server to beat. */
export const peer = (folder: string) => scripted("fastify peer", "fastify-peer.mjs", 4900, folder)

/** The bare limit: node:http and the same statements with group commit, nothing else. */
export const limit = (folder: string) => scripted("bare limit", "raw-limit.mjs", 4902, folder)

export const stopped = ({ child }: Pick<Target, "child">): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.removeAllListeners("exit").once("exit", () => resolve())
    child.kill()
  })

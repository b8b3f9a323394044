// Servers under load, each in a process of its own, over stores that are filled in this one before they start.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, symlinkSync } from "node:fs"
import { type AddressInfo, createServer, type Server as NetServer } from "node:net"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { peopleVerbs } from "../../adapters/admin/peopleVerbs.ts"
import { modules } from "../../adapters/lanes/all.ts"
import { printReport } from "../../adapters/lanes/weather/mock/climateText.ts"
import { layerArchive } from "../../adapters/lanes/weather/store/ClimateReports.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import type { KeyRequest } from "../../core/account/KeyRequest.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { ingest } from "../../core/lanes/weather/reports/ingest.ts"
import { byId, lastOverdueDay } from "../../core/lanes/weather/stations.ts"
import * as App from "../../services/app.ts"
import { config } from "../../services/Config.ts"
import { type Ask, makeAsk } from "../../services/cli/ask.ts"
import { laneVariables } from "../../services/config/lanes.ts"
import type { Seen } from "./instrument.mjs"
import { reportDays } from "./questions.ts"

export type Environment = Readonly<Record<string, string>>

/** A process of the bench. */
export interface Running {
  readonly child: ChildProcess
}

export interface Server extends Running {
  readonly name: string
  /** Its origin. */
  readonly url: string
  readonly key: string
}

const instrument = fileURLToPath(new URL("instrument.mjs", import.meta.url))
const children = new Set<ChildProcess>()
let isEnding = false

/** The bench ends the process when it ends itself, and at once where it is ending already. */
export const adopt = (child: ChildProcess): ChildProcess => {
  if (isEnding) child.kill("SIGKILL")
  children.add(child)
  child.once("exit", () => children.delete(child))
  return child
}

export const stopped = async ({ child }: Running, signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit")
    child.kill(signal)
    await ended
  }
  return child.exitCode
}

/** Ends the processes that are left, the last ones first: servers before their store. */
export const stopAll = async (): Promise<void> => {
  isEnding = true
  for (const child of [...children].reverse()) await stopped({ child }, "SIGINT")
}

interface Launch {
  readonly cwd?: string
  /** Its event loop is monitored: `reset` and `read` ask it. */
  readonly isWatched?: boolean
}

/** Starts Node and waits for the first output that `ready` accepts. */
export const started = (
  args: ReadonlyArray<string>,
  environment: NodeJS.ProcessEnv,
  ready: (output: string) => string | undefined,
  { cwd = process.cwd(), isWatched = false }: Launch = {},
) =>
  new Promise<{ readonly child: ChildProcess; readonly value: string; readonly output: string }>((resolve, reject) => {
    const child = adopt(
      spawn(process.execPath, [...(isWatched ? ["--import", instrument] : []), ...args], {
        cwd,
        env: { ...process.env, ...environment },
        stdio: ["ignore", "pipe", "inherit", ...(isWatched ? ["ipc" as const] : [])],
      }),
    )
    let output = ""
    child.once("exit", (code, signal) => {
      reject(new Error(`${args.join(" ")} ended with ${code ?? signal}: ${output.slice(-2_000)}`))
    })
    child.stdout!.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-10_000)
      const value = ready(output)
      if (value !== undefined) resolve({ child, value, output })
    })
  })

const asked = async ({ child }: Running, word: "reset" | "read" | "collect"): Promise<Seen> => {
  const answer = once(child, "message")
  child.send(word)
  return (await answer)[0] as Seen
}

/** What a watched process has measured since the last `reset`; `collect` collects garbage before it looks at memory. */
export const reset = (server: Running): Promise<Seen> => asked(server, "reset")
export const read = (server: Running): Promise<Seen> => asked(server, "read")
export const collect = (server: Running): Promise<Seen> => asked(server, "collect")

/** No upstream is asked: what an environment does not name is a port on which nothing listens. */
export const upstreamsNowhere: Environment = Object.fromEntries(
  Object.values(laneVariables(modules).upstreams)
    // A source without an address is not asked.
    .filter(({ defaultText }) => defaultText !== "not asked")
    .map(({ name }) => [name, "http://127.0.0.1:9"]),
)

/** Starts a built server over a store. */
export const serve = async (
  environment: Environment,
  { build = "dist", ...launch }: Launch & { readonly build?: string } = {},
): Promise<Running & { readonly url: string }> => {
  const { child, value } = await started(
    ["--max-semi-space-size=16", resolve(build, "services/server.js")],
    { ...upstreamsNowhere, PORT: "0", ...environment },
    (output) => / on (http:\/\/[^\s"]+)/.exec(output)?.[1],
    launch,
  )
  return { child, url: value }
}

export const sqliteAt = (file: string): Environment => ({ DATABASE_URL: `sqlite:${file}` })

/** @param folder of the key files, which all nodes share */
export const postgresAt = (url: string, folder: string): Environment => ({
  DATABASE_URL: url,
  RECORD_KEY_FILE: join(folder, "record-key"),
  SECRETS_KEY_FILE: join(folder, "secrets-key"),
})

type StoreServices = Layer.Layer.Success<ReturnType<typeof App.store>>

const provider = (environment: Environment) => ConfigProvider.fromMap(new Map(Object.entries(environment)))

export const readSettings = (environment: Environment) =>
  Effect.runSync(Effect.withConfigProvider(config, provider(environment)))

/** Works in a store that no server has. */
export const inStore = <A, E>(environment: Environment, work: Effect.Effect<A, E, StoreServices>): Promise<A> =>
  work.pipe(Effect.provide(App.store(readSettings(environment))), Effect.runPromise)

/** Asks the server of a store for verbs of its operator. */
export const operate = <A, E>(environment: Environment, work: (ask: Ask) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.flatMap(makeAsk("bench"), work).pipe(
    Effect.scoped,
    Effect.withConfigProvider(provider(environment)),
    Effect.runPromise,
  )

/** The cookie of somebody who signs in to the dashboard of a server. */
export const signedIn = async (
  environment: Environment,
  url: string,
  guest: { readonly account?: string; readonly name?: string; readonly operator?: boolean },
): Promise<string> => {
  const { path } = await operate(environment, ({ verb }) => verb(peopleVerbs.dashboardLink, guest))
  const { headers, status } = await fetch(`${url}/dashboard/enter`, {
    method: "POST",
    body: new URLSearchParams({ code: path.split("#")[1]! }),
    headers: { cookie: "cookies=on", "sec-fetch-site": "same-origin" },
    redirect: "manual",
  })
  const cookie = headers.get("set-cookie")?.split(";")[0]
  if (cookie === undefined) throw new Error(`A link was answered by ${status}.`)
  return cookie
}

/** Far from every limit. */
export const ample = { tier: "enterprise", rpm: 100_000_000, environment: "live" } as const

/** A key as its caller sends it, and its id. */
export const issue = (request: KeyRequest) =>
  Effect.flatMap(Accounts, ({ issueKey }) =>
    Effect.map(issueKey(request), ({ plaintext, key: { id } }) => ({ key: Redacted.value(plaintext), keyId: id })),
  )

/** An account with money, and a key of it. */
export const funded = (name: string, micros: number) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create(name)
    yield* accounts.credit(id, MicroUsd(micros))
    return { id, ...(yield* issue({ account: id, ...ample })) }
  })

/** Keys of so many accounts, each with its wallet. */
export const wallets = (environment: Environment, count: number, micros: number): Promise<ReadonlyArray<string>> =>
  inStore(
    environment,
    Effect.forEach(
      Array.from({ length: count }, (_, n) => `wallet ${n}`),
      (name) => Effect.map(funded(name, micros), ({ key }) => key),
      { concurrency: 16 },
    ),
  )

/** The newest day with a due report of the bench's station. */
export const newestDay = (): string => lastOverdueDay(byId.get("KNYC")!, Date.now())

/** Final reports, an account with ample balance, and keys of it and of an agent with caps that it does not reach. */
export const prepare = (environment: Environment) =>
  inStore(
    environment,
    Effect.gen(function* () {
      const { id, key } = yield* funded("bench", 1_000_000_000_000)
      // Up to the newest report due; otherwise the server would fetch a newer one.
      const station = byId.get("KNYC")!
      for (const day of reportDays(newestDay())) yield* ingest(printReport(station, day, "final"), "bench")
      const caps = { monthlyCap: MicroUsd(500_000_000_000), budgetCap: MicroUsd(900_000_000_000) }
      yield* (yield* Agents).create(id, "bench agent", caps)
      const agent = yield* issue({ account: id, agent: "bench agent", ...ample })
      return { key, agentKey: agent.key }
    }).pipe(Effect.provide(layerArchive)),
  )

/** Our server as published, over a new store: compiled JavaScript, as the peer is. */
export const ours = async (
  folder: string,
  {
    name = "market-signals",
    environment = {},
    ...launch
  }: Launch & { readonly name?: string; readonly build?: string; readonly environment?: Environment } = {},
) => {
  const database = { ...sqliteAt(join(folder, `${name.replaceAll(" ", "-")}.db`)), DATA_FRESHNESS_WEATHER: "live" }
  const keys = await prepare(database)
  return { name, ...keys, ...(await serve({ ...database, ...environment }, launch)) }
}

/** Listens on a free port of loopback, until the bench ends. */
export const listen = async (server: NetServer): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  return (server.address() as AddressInfo).port
}

/** For a program that cannot choose a free port by itself. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listen(server)
  server.close()
  return port
}

/** A folder from which the peer finds its packages: better-sqlite3 is the one of this Node, as in our driver. */
const packages = (folder: string): string => {
  const linked = join(folder, "packages", "node_modules")
  if (!existsSync(linked)) {
    mkdirSync(linked, { recursive: true })
    const old = "better-sqlite3-node20"
    const driver = resolve("node_modules", Number.parseInt(process.versions.node, 10) < 22 ? old : "better-sqlite3")
    const parts = { fastify: resolve("test/long/node_modules/fastify"), "better-sqlite3": driver, [old]: driver }
    for (const [name, installed] of Object.entries(parts)) symlinkSync(installed, join(linked, name))
  }
  return join(folder, "packages")
}

/** A server by a script, with the file of its store. */
const scripted = async (name: string, script: string, folder: string) => {
  const program = resolve(process.env["BENCH_PEER"] ?? "", script)
  if (process.env["BENCH_PEER"] === undefined || !existsSync(program)) {
    process.stderr.write(`BENCH_PEER is not set, or lacks ${script}: no ratio to it.\n`)
    return []
  }
  const [port, file] = [await freePort(), join(folder, `${script}.db`)]
  const { child, value } = await started(
    [program, String(port), file],
    {},
    (output) => /svk_live_\w+/.exec(output)?.[0],
    { cwd: packages(folder) },
  )
  return [{ name, url: `http://127.0.0.1:${port}`, key: value, child, file }]
}

/** The hand-written server to beat, a script of the folder BENCH_PEER; none without it. */
export const peer = (folder: string) => scripted("fastify peer", "fastify-peer.mjs", folder)

/** The bare limit: node:http and the same statements with group commit, nothing else. */
export const limit = (folder: string) => scripted("bare limit", "raw-limit.mjs", folder)

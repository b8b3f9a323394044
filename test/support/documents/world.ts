import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { closes } from "../../../adapters/lanes/crypto/mock/tape.ts"
import * as hasher from "../../../adapters/runtime/node/hasher.ts"
import * as sqlite from "../../../adapters/store/engine/sqlite/open.ts"
import * as recordLog from "../../../adapters/store/record/RecordLog.ts"
import { RecordLog } from "../../../core/record/log/RecordLog.ts"
import { minute } from "../../../core/time.ts"
import { archiveRoutes } from "../climateUpstreams.ts"
import { fixture } from "../footballStore.ts"
import { freePort } from "../freePort.ts"
import { exchange, seedTape } from "../hostileExchange.ts"
import { leaves } from "../record.ts"
import { replay } from "../replay.ts"
import { ownModel, root } from "./read.ts"
import { commandOf, isOfCheckout, isOnNamedStore, isOnOwnStore, isServer, type Known } from "./rules.ts"

/** A port on which nothing listens: no command of a test asks the network. */
const nowhere = "http://127.0.0.1:9"

const started = (child: ChildProcess, until: RegExp): Promise<string> =>
  new Promise((found, failed) => {
    let output = ""
    child.once("exit", (code) => failed(new Error(`The server ended with ${code}: ${output}`)))
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (chunk) => {
        output += chunk
        if (until.test(output)) found(output)
      })
  })

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.removeAllListeners("exit")
  const ended = new Promise((resolve) => child.once("exit", resolve))
  // A script of npm is a group: the program that it runs hears the signal too.
  process.kill(-child.pid!, "SIGTERM")
  await ended
}

/** Files that commands of the documents read. */
const prepare = (folder: string): void => {
  mkdirSync(join(folder, "reports"))
  copyFileSync(join(root, "test/fixtures/weather/grayfield.txt"), join(folder, "reports/grayfield.txt"))
  copyFileSync(fixture("games.csv"), join(folder, "games.csv"))
  copyFileSync(fixture("top100.csv"), join(folder, "lists.csv"))
  for (const [name, file] of [
    ["team-stats", "team_week_2024.csv"],
    ["players", "player_weeks_2024.csv"],
    ["injuries", "injuries_2024.csv"],
    ["rosters", "roster_weekly_2024.csv"],
  ] as const) {
    mkdirSync(join(folder, name))
    copyFileSync(fixture(file), join(folder, name, file))
  }
  for (const name of ["weather.csv", "settled.csv"])
    copyFileSync(join(root, "test/fixtures/bench", name), join(folder, name))
  const quotes = [
    "event,result,mid,yes_bid,yes_ask,model_prob",
    "one,yes,0.3,0.29,0.31,0.6",
    "two,no,0.5,0.49,0.51,0.5",
  ]
  writeFileSync(join(folder, "quotes.csv"), `${quotes.join("\n")}\n`)
  const from = Date.UTC(2026, 0, 1) / minute
  const candles = Array.from(closes("BTC", from, from + 3 * 1_440), (close, at) => `${(from + at) * minute},${close}`)
  writeFileSync(join(folder, "candles.csv.gz"), gzipSync(["ts_ms,close", ...candles].join("\n")))
  writeFileSync(join(folder, "mine.mjs"), ownModel)
}

/** Forecasts of one's own: a number for each question that a command before has written. */
const forecasts = (folder: string): void => {
  const lines = readFileSync(join(folder, "questions.ndjson"), "utf8").trim().split("\n")
  const rows = lines.map((line) => JSON.parse(line) as { readonly id: string; readonly at: string })
  writeFileSync(join(folder, "mine.csv"), ["id,at,scale", ...rows.map(({ id, at }) => `${id},${at},0.01`)].join("\n"))
}

/** Programs by the names that the documents call them. */
const programs = (folder: string, installed: string): void => {
  const bin = join(folder, "node_modules/.bin")
  mkdirSync(bin, { recursive: true })
  const bench = join(installed, "../../../../market-signals-bench/dist/cli.js")
  for (const [name, program] of Object.entries({ "market-signals": installed, "market-signals-bench": bench })) {
    chmodSync(program, 0o755)
    symlinkSync(program, join(bin, name))
  }
  // A page that is not there is a failure here.
  writeFileSync(join(bin, "curl"), `#!/bin/sh\nPATH=\${PATH#*:} exec curl --fail --silent --show-error "$@"\n`)
  chmodSync(join(bin, "curl"), 0o755)
}

export interface World {
  /** Runs a command of a document; what it printed. */
  readonly run: (command: string) => Promise<string>
  readonly known: () => Known
  readonly environment: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/**
 * One server of the built package over one store in an empty folder. Its crypto lane is live, from an exchange on this
 * machine, so that a signal is on the record; the other lanes are generated.
 *
 * @param installed the program as it was packed
 */
export const world = async (folder: string, installed: string): Promise<World> => {
  const scope = await Effect.runPromise(Scope.make())
  const prices = await exchange()
  const archive = await Effect.runPromise(Scope.extend(replay(archiveRoutes(() => Date.now())), scope))
  prepare(folder)
  programs(folder, installed)
  copyFileSync(join(installed, "../../../.env.example"), join(folder, ".env"))
  const store = join(folder, "var/market-signals.db")
  await seedTape(store)
  await Effect.runPromise(
    Effect.flatMap(RecordLog, ({ append }) => append(leaves(0, 120))).pipe(
      Effect.provide(Layer.provideMerge(recordLog.layer, Layer.mergeAll(sqlite.layer(store), hasher.layer))),
    ),
  )
  const adminPort = await freePort()
  const own = {
    HOME: folder,
    NO_COLOR: "1",
    PATH: [join(folder, "node_modules/.bin"), dirname(process.execPath), process.env["PATH"]].join(delimiter),
    PORT: String(await freePort()),
    ADMIN_TOKEN: "a-token-of-this-test-that-is-long-enough",
    ADMIN_LISTEN: String(adminPort),
    DATA_FRESHNESS_CRYPTO: "live",
    TERMS_ACCEPTED: "coinbase,kraken",
    COINBASE_URL: prices.url,
    KRAKEN_URL: prices.url,
    IEM_URL: archive.url,
    NWS_URL: nowhere,
    WEBHOOK_ALLOW_HOSTS: "hooks.example.com",
  }
  const running: Array<ChildProcess> = []
  const start = async (command: string, cwd: string, env: Readonly<Record<string, string>>, until: RegExp) => {
    const child = spawn("/bin/sh", ["-c", `exec ${command}`.replace(/^exec ((?:\w+=\S+ )+)/, "$1exec ")], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    })
    running.push(child)
    return { child, output: await started(child, until) }
  }
  const { output } = await start("market-signals serve", folder, own, /Admin API on/)
  const keys = Object.fromEntries(
    [...output.matchAll(/(test|live) key {2}(\S+)/g)].map(([, kind, key]) => [kind, key!]),
  )
  const url = / on (http:\/\/\S+)/.exec(output)![1]!
  let printed = output
  const got = async (path: string): Promise<Response> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${keys["live"]}` } })
    if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`)
    return answer
  }
  const bought = (await got("/v1/crypto/signal?asset=BTC")).headers.get("x-request-id")
  let recorded = ""
  const known = (): Known => ({
    ...{ url, adminPort, folder, root, recorded, printed },
    key: keys["test"]!,
  })
  const environmentOf = (command: string): Readonly<Record<string, string>> => ({
    ...own,
    MARKET_SIGNALS_KEY: keys["live"]!,
    ...(isOfCheckout(command) || isOnNamedStore(command) ? { DATABASE_URL: `sqlite:${store}` } : {}),
    ...(isOnOwnStore(command) ? { DATABASE_URL: `sqlite:${join(folder, "restored/store.db")}` } : {}),
  })
  /** A server of its own: it answers, and is stopped. */
  const serves = async (command: string): Promise<string> => {
    const at = { ...environmentOf(command), PORT: String(await freePort()), ADMIN_LISTEN: String(await freePort()) }
    const env = { ...at, DATABASE_URL: `sqlite:${join(folder, `served/${at.PORT}.db`)}` }
    const cwd = isOfCheckout(command) ? root : folder
    const { child, output: said } = await start(command, cwd, env, /Admin API on/)
    try {
      const { status } = await fetch(`http://127.0.0.1:${at.PORT}/healthz`)
      if (status !== 200) throw new Error(`/healthz answers ${status}.`)
      return said
    } finally {
      await stopped(child)
    }
  }
  const ran = (command: string): Promise<string> =>
    new Promise((done, failed) => {
      const child = spawn("/bin/sh", ["-c", command], {
        cwd: isOfCheckout(command) ? root : folder,
        env: environmentOf(command),
        stdio: ["ignore", "pipe", "pipe"],
      })
      let [out, errors] = ["", ""]
      child.stdout.on("data", (chunk) => (out += chunk))
      child.stderr.on("data", (chunk) => (errors += chunk))
      child.once("close", (code) =>
        code === 0 ? done(out) : failed(new Error(`${command}\nended with ${code}:\n${out}${errors}`)),
      )
    })
  await ran("market-signals jobs run record-checkpoint")
  const proof = (await (await got(`/v1/proof/inclusion?leaf=${bought}`)).json()) as {
    readonly leaf: { readonly id: string }
  }
  recorded = proof.leaf.id
  /** The socket of the admin API is that of another server: one listens in one place. */
  let socket: ChildProcess | undefined
  const withSocket = async (command: string): Promise<void> => {
    const path = / --unix-socket (\S+)/.exec(command)?.[1]
    if (path === undefined || socket !== undefined) return
    const env = {
      ...own,
      PORT: String(await freePort()),
      ADMIN_LISTEN: path,
      DATABASE_URL: `sqlite:${folder}/socket.db`,
    }
    socket = (await start("market-signals serve", folder, env, /Admin API on/)).child
  }
  return {
    run: async (text) => {
      const command = commandOf(text, known())
      await withSocket(command)
      if (/ --forecasts mine\.csv/.test(command)) forecasts(folder)
      const said = await (isServer(command) ? serves(command) : ran(command))
      printed += said
      return said
    },
    known,
    environment: environmentOf(""),
    stop: async () => {
      await Promise.all(running.map(stopped))
      await prices.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
}

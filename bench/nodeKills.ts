// PostgreSQL, two nodes and a balancer on one machine: paid calls while a node is killed every few seconds. At the end the
// books must balance to the micro, and every answered call must have been charged once.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Client from "../adapters/client/mod.ts"
import * as Endpoint from "../core/endpoint/Endpoint.ts"
import { signal } from "../core/lanes/crypto/endpoints.ts"
import { balance } from "./nodes/balancer.ts"
import { cluster, first } from "./nodes/cluster.ts"
import { progress } from "./progress.ts"
import { type Place, postgresAt, serve, stopped, wallets } from "./targets.ts"

const calls = Number(process.env["BENCH_CALLS"] ?? 100_000)
const everyMs = Number(process.env["BENCH_KILL_SECONDS"] ?? 3) * 1_000
const callers = 64
const accounts = 20
/** Each account's money, micros. */
const credit = 1_000_000_000

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The callers' own count: micros that answers said were charged. */
interface Seen {
  answered: number
  /** Answers of calls that were charged before: the first answer was lost. */
  replayed: number
  micros: number
  readonly failures: Array<string>
}

/** Calls through the product's client, which repeats a lost call under its idempotency key. */
const play = async (url: string, keys: ReadonlyArray<string>): Promise<Seen> => {
  const seen: Seen = { answered: 0, replayed: 0, micros: 0, failures: [] }
  let asked = 0
  const caller = async (index: number): Promise<void> => {
    const client = Client.make({ baseUrl: url, key: keys[index % keys.length]!, retries: { attempts: 10 } })
    while (asked < calls) {
      const n = asked++
      progress("calls answered", seen.answered, calls)
      try {
        const asset = n % 2 === 0 ? "BTC" : "ETH"
        const { _meta } = await client.crypto_signal({ asset, horizon_minutes: 5 + 5 * (n % 100) })
        seen.answered++
        const { charged_micros: micros } = _meta.price
        if (micros === 0) seen.replayed++
        seen.micros += micros
      } catch (error) {
        seen.failures.push(String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
  return seen
}

interface Node {
  readonly port: number
  running: Awaited<ReturnType<typeof serve>>
}

const started = async (place: Place, port: number): Promise<Node> => ({
  port,
  running: await serve(place, port, { DATA_FRESHNESS_WEATHER: "mock" }),
})

/** Kills the nodes in turn, each started again at once, until told to stop; the number of kills. */
const kill = async (place: Place, nodes: ReadonlyArray<Node>, isOver: () => boolean): Promise<number> => {
  let kills = 0
  for (; !isOver(); kills++) {
    await pause(everyMs)
    const node = nodes[kills % nodes.length]!
    const { child } = node.running
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGKILL")
    await ended
    node.running = (await started(place, node.port)).running
  }
  return kills
}

interface Books {
  readonly credited: string
  readonly charged: string
  readonly balances: string
  readonly charges: string
  readonly audited: string
  readonly replies: string
  readonly wrong: string
}

const books = (url: string): Promise<Books> =>
  first<Books>(
    url,
    `SELECT (SELECT sum(micros) FROM postings WHERE kind = 'credit') AS credited,
      (SELECT coalesce(sum(micros), 0) FROM postings WHERE kind = 'charge') AS charged,
      (SELECT sum(balance_micros) FROM wallets) AS balances,
      (SELECT count(*) FROM postings WHERE kind = 'charge') AS charges,
      (SELECT count(*) FROM audit WHERE charged_micros > 0) AS audited,
      (SELECT count(*) FROM idempotency) AS replies,
      (SELECT count(*) FROM wallets w WHERE w.balance_micros <> (
        SELECT sum(CASE WHEN kind = 'credit' THEN micros ELSE -micros END) FROM postings j WHERE j.account_id = w.account_id)) AS wrong`,
  )

const folder = mkdtempSync(join(tmpdir(), "market-signals-kills-"))
const store = await cluster()
const closing: Array<() => Promise<void>> = []
try {
  const url = await store.create("kills")
  const place = postgresAt(url, folder)
  const keys = await wallets(place.settings, accounts, credit)
  const nodes = [await started(place, 4905)]
  // The first has made the key files.
  nodes.push(await started(place, 4906))
  closing.push(...nodes.map((node) => () => stopped(node.running)))
  const balancer = await balance(
    nodes.map(({ running }) => running),
    4907,
  )
  closing.unshift(balancer.close)
  print(
    `PostgreSQL, two nodes and a balancer on ${balancer.url}: ${calls} calls of ${callers} callers, ${accounts} wallets`,
  )
  let isOver = false
  const begun = performance.now()
  const killing = kill(place, nodes, () => isOver)
  const seen = await play(balancer.url, keys)
  const took = (performance.now() - begun) / 1_000
  isOver = true
  const kills = await killing
  await pause(1_000)
  const found = await books(url)
  print(
    `${seen.answered} answered, ${seen.failures.length} failed, ${kills} kills, ${took.toFixed(0)} s, ${(seen.answered / took).toFixed(0)} calls/s`,
  )
  for (const failure of new Set(seen.failures)) print(`  ${failure}`)
  const [charged, charges, price] = [Number(found.charged), Number(found.charges), Endpoint.charge(signal)]
  const checks: ReadonlyArray<readonly [string, boolean]> = [
    [
      `credits ${found.credited} = balances ${found.balances} + charges ${found.charged} micros`,
      Number(found.credited) === Number(found.balances) + charged,
    ],
    [`${accounts} wallets equal their journal`, found.wrong === "0"],
    [
      `${found.charges} charges, ${found.audited} audit rows of charges, ${found.replies} stored replies`,
      found.charges === found.audited && found.charges === found.replies,
    ],
    // A call that failed for the caller may have been charged.
    [
      `${seen.answered} answered calls, ${seen.replayed} of them from the stored reply; ${found.charges} charges`,
      seen.answered <= charges && charges <= seen.answered + seen.failures.length,
    ],
    [
      `answers said ${seen.micros} micros and ${seen.replayed} lost ones ${seen.replayed * price}, the journal ${charged}`,
      seen.failures.length > 0 || seen.micros + seen.replayed * price === charged,
    ],
  ]
  for (const [name, isRight] of checks) print(`${isRight ? "ok   " : "WRONG"} ${name}`)
  if (!checks.every(([, isRight]) => isRight)) process.exitCode = 1
} finally {
  for (const close of closing) await close()
  await store.stop()
  rmSync(folder, { recursive: true, force: true })
}

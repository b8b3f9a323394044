// PostgreSQL, two nodes and a balancer on one machine: paid calls while a node is killed every few seconds. At the end the books must
// balance to the micro, and every answered call must have been charged once.
import { connect, createServer } from "node:net"
import { fileURLToPath } from "node:url"
import * as Client from "../../adapters/client/mod.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { signal } from "../../core/lanes/crypto/endpoints.ts"
import { define, runCase } from "../load/driver.ts"
import { pause } from "../load/measure.ts"
import { postgres, rows } from "../load/postgres.ts"
import { listen, postgresAt, serve, stopped, wallets } from "../load/servers.ts"

const callers = 64
const accounts = 20
/** Each account's money, micros. */
const credit = 1_000_000_000

/** The callers' own count: micros that answers said were charged. */
interface Seen {
  answered: number
  /** Answers of calls that were charged before: the first answer was lost. */
  replayed: number
  micros: number
  readonly failures: Array<string>
}

/** Calls through the product's client, which repeats a lost call under its idempotency key. */
const play = async (url: string, keys: ReadonlyArray<string>, calls: number): Promise<Seen> => {
  const seen: Seen = { answered: 0, replayed: 0, micros: 0, failures: [] }
  let asked = 0
  const caller = async (index: number): Promise<void> => {
    const client = Client.makeClient({ baseUrl: url, key: keys[index % keys.length]!, retries: { attempts: 10 } })
    while (asked < calls) {
      const n = asked++
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

type Node = Awaited<ReturnType<typeof serve>>

/** A balancer of TCP connections before nodes: each goes to the next one that said it is ready. A caller whose node dies dials again. */
const balance = async (nodes: ReadonlyArray<Node>): Promise<string> => {
  let [ready, turn] = [nodes, 0]
  const isReady = ({ url }: Node) =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  setInterval(async () => {
    const all = await Promise.all(nodes.map(isReady))
    ready = nodes.filter((_, at) => all[at])
  }, 200).unref()
  const server = createServer((client) => {
    const node = ready[turn++ % ready.length]
    if (node === undefined) return void client.destroy()
    const upstream = connect(Number(new URL(node.url).port), "127.0.0.1")
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.pipe(other)
      one.on("error", () => {}).once("close", () => other.destroy())
    }
  })
  return `http://127.0.0.1:${await listen(server)}`
}

type Books = Readonly<Record<"credited" | "charged" | "balances" | "charges" | "audited" | "replies" | "wrong", number>>

const books = async (url: string): Promise<Books> => {
  const [sums] = await rows<Record<keyof Books, string>>(
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
  return Object.fromEntries(Object.entries(sums!).map(([name, sum]) => [name, Number(sum)])) as Books
}

export const load = define(
  { calls: [100_000, 2_000], seconds: 3 },
  async ({ options: { calls, seconds }, folder, row }) => {
    const store = await postgres(folder)
    const url = await store.create("kills")
    const database = postgresAt(url, folder)
    const keys = await wallets(database, accounts, credit)
    // The first has made the key files.
    const nodes = [await serve(database)]
    nodes.push(await serve(database))
    const through = await balance(nodes)
    let [isOver, kills] = [false, 0]
    /** Kills the nodes in turn; each starts again at once, at its port. */
    const kill = async (): Promise<void> => {
      for (; !isOver; kills++) {
        await pause(seconds * 1_000)
        const node = nodes[kills % nodes.length]!
        await stopped(node, "SIGKILL")
        nodes[kills % nodes.length] = await serve({ ...database, PORT: new URL(node.url).port })
      }
    }
    const begun = performance.now()
    const killing = kill()
    const seen = await play(through, keys, calls)
    const taken = (performance.now() - begun) / 1_000
    isOver = true
    await killing
    await pause(1_000)
    const { credited, charged, balances, charges, audited, replies, wrong } = await books(url)
    const { answered, replayed, micros, failures } = seen
    row("callers", { answered, failed: failures.length, replayed, kills, seconds: taken, "calls/s": answered / taken })
    for (const failure of new Set(failures)) process.stderr.write(`  ${failure}\n`)
    const exact = { off: { most: 0, least: 0, isExact: true } }
    row(
      "micros: credits, balances and charges",
      { credited, balances, charged, off: credited - balances - charged },
      exact,
    )
    row("wallets that differ from their journal", { accounts, off: wrong }, exact)
    const off = Math.abs(charges - audited) + Math.abs(charges - replies)
    row("charges, their audit rows, stored replies", { charges, audited, replies, off }, exact)
    // A call that failed for the caller may have been charged.
    row(
      "charges beyond the answered calls",
      { charges, answered, more: charges - answered },
      {
        more: { least: 0, most: failures.length, isExact: true },
      },
    )
    const stated = micros + replayed * Endpoint.charge(signal)
    row(
      "micros that answers stated, and lost ones",
      { stated, charged, off: failures.length > 0 ? 0 : stated - charged },
      exact,
    )
  },
)

if (process.argv[1] === fileURLToPath(import.meta.url)) await runCase(load, process.argv.slice(2))

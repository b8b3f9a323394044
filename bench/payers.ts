// The cost of a paid call by the number of paying accounts: servers of ours over stores on disk and the hand-written peer, with
// 1, 200 and 10,000 accounts that call in turn, in alternating rounds; the same with an idempotency key. Each number has a server
// of its own, which is asked as many calls as it folds some times: CPU and bytes are of all rounds together, with these folds.
// Bytes are those that the process writes to files: what it writes without the bodies and heads of its answers. BENCH_PEER is
// the folder of fastify-peer.mjs. Exits 1 if a bar is missed.
import { createHash, randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { open } from "../adapters/store/engine/sqlite/driver.ts"
import * as Bars from "./bars.ts"
import { medians } from "./medians.ts"
import { autocannon } from "./peers.ts"
import { cpuTime, idle } from "./processes.ts"
import { progress } from "./progress.ts"
import * as Questions from "./questions.ts"
import { type Ours, ours, type Place, peer, published, serve, stopped, type Target, wallets } from "./targets.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 6)
/** Calls of a round of ours: five have two folds of plain calls (150,000 rows), and four of idempotent ones. */
const calls = Number(process.env["BENCH_CALLS"] ?? 60_000)
const counts = (process.env["BENCH_PAYERS"] ?? "1,200,10000").split(",").map(Number)
const connections = 32
const ample = 1_000_000_000_000

const { print, bar, missed } = Bars.make()

/** A server with a key of each of the accounts that call. */
interface Party {
  readonly target: Target
  readonly payers: number
  readonly keys: ReadonlyArray<string>
  readonly isOurs: boolean
}

interface Round {
  readonly calls: number
  readonly perSecond: number
  readonly p99: number
  /** Microseconds a call. */
  readonly cpu: number
  /** Bytes written to files, and write calls, a call. */
  readonly bytes: number
  readonly writes: number
}

/** Bytes and calls with which a process has written so far, to files and sockets. */
const written = ({ child }: Target): { readonly bytes: number; readonly calls: number } => {
  const text = readFileSync(`/proc/${child.pid}/io`, "utf8")
  const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(text)?.[1])
  return { bytes: of("wchar"), calls: of("syscw") }
}

/** Rates of the middle round; sums of all. */
const together = (all: ReadonlyArray<Round>): Round => {
  const calls = all.reduce((sum, round) => sum + round.calls, 0)
  const mean = (of: (round: Round) => number) => all.reduce((sum, round) => sum + of(round) * round.calls, 0) / calls
  return {
    ...medians(all),
    cpu: mean(({ cpu }) => cpu),
    bytes: mean(({ bytes }) => bytes),
    writes: mean(({ writes }) => writes),
  }
}

const drive = async (
  { target, keys, isOurs, payers }: Party,
  isIdempotent: boolean,
  amount?: number,
): Promise<Round> => {
  const next = isOurs && isIdempotent ? Questions.idempotent() : Questions.plain()
  let turn = 0
  const before = { cpu: cpuTime(target) ?? Number.NaN, ...written(target) }
  const result = await autocannon({
    url: target.url,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    requests: [
      {
        setupRequest: (request) => {
          const { path, headers } = next()
          // Far apart in the order of keys: neighbours share pages of the store.
          const key = keys[(turn++ * 7_919) % payers]!
          return { ...request, path, headers: { authorization: `Bearer ${key}`, ...headers } }
        },
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${target.name}: ${result.non2xx} bad answers`)
  const count = result["2xx"]
  const after = { cpu: cpuTime(target) ?? Number.NaN, ...written(target) }
  return {
    calls: count,
    perSecond: count / result.duration,
    p99: result.latency.p99,
    cpu: (after.cpu - before.cpu) / count,
    bytes: (after.bytes - before.bytes - result.throughput.total) / count,
    writes: (after.calls - before.calls) / count,
  }
}

/** Accounts of the peer beside its own, by its own tables. */
const peerKeys = (file: string, count: number): ReadonlyArray<string> => {
  const db = open(file)
  try {
    const keys = Array.from({ length: count }, () => `svk_live_${randomBytes(24).toString("hex")}`)
    const wallet = db.prepare("INSERT INTO wallets (id, micros) VALUES (?, ?)")
    const key = db.prepare("INSERT INTO keys (hash, wallet, rpm) VALUES (?, ?, 6000000)")
    db.prepare("BEGIN IMMEDIATE").run()
    keys.forEach((each, at) => {
      wallet.run(at + 2, ample)
      key.run(createHash("sha256").update(each).digest("hex"), at + 2)
    })
    db.prepare("COMMIT").run()
    return keys
  } finally {
    db.close()
  }
}

/** Calls that are not folded when the server is killed. */
const tailCalls = Number(process.env["BENCH_TAIL"] ?? 100_000)

/** Milliseconds from a start of our server to its first paid answer. */
const firstAnswer = async (place: Place, key: string): Promise<{ readonly ms: number; readonly server: Target }> => {
  const begun = performance.now()
  const server = { name: "start", key, place, ...(await serve(place, 4908)) }
  const { status } = await fetch(`${server.url}${Questions.plain()().path}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (status !== 200) throw new Error(`The first answer is ${status}.`)
  return { ms: performance.now() - begun, server }
}

/** What an unfolded tail adds to a start: a server is killed with it, and one is stopped after it has folded it. */
const tailStart = async (party: Party) => {
  const { target, keys } = party
  await stopped(target)
  const times: Array<{ readonly with: number; readonly without: number }> = []
  for (let round = 0; round < rounds; round++) {
    progress("start with an unfolded tail", round, rounds)
    const { server } = await firstAnswer(target.place!, keys[0]!)
    await drive({ ...party, target: server }, false, tailCalls)
    const ended = new Promise((resolve) => server.child.once("exit", resolve))
    server.child.kill("SIGKILL")
    await ended
    const unfolded = await firstAnswer(target.place!, keys[0]!)
    await stopped(unfolded.server)
    const folded = await firstAnswer(target.place!, keys[0]!)
    await stopped(folded.server)
    times.push({ with: unfolded.ms, without: folded.ms })
  }
  return medians(times)
}

const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "market-signals-payers-"))
const parties: Array<Party> = []
const most = Math.max(...counts)
try {
  for (const [at, payers] of counts.entries()) {
    progress("servers and accounts", at, counts.length)
    const keys: Array<string> = []
    const grow: Ours["grow"] = async (settings) => void keys.push(...(await wallets(settings, payers, ample)))
    const target = await ours(folder, {}, { ...published, port: 4910 + at, grow })
    parties.push({ target, payers, keys, isOurs: true })
  }
  const other = await peer(folder)
  if (other === undefined) print("BENCH_PEER is not set, or lacks fastify-peer.mjs: no ratio to it.")
  else {
    const keys = peerKeys(join(folder, "4900.db"), most)
    for (const payers of counts) parties.push({ target: other, payers, keys, isOurs: false })
  }
  for (const { target } of parties) await idle(target)
  for (const [at, party] of parties.entries()) {
    progress("warm up", at, parties.length)
    for (let n = 0; n < 3; n++) await drive(party, false)
  }
  print(
    `store in ${folder}; ${rounds} alternating rounds of ${calls} calls, of the peer ${seconds} s, ${connections} connections`,
  )
  print("call        payers  server           calls/s    p99  CPU µs  bytes  writes")
  const found = new Map<string, Round>()
  for (const isIdempotent of [false, true]) {
    const name = isIdempotent ? "idempotent" : "plain"
    const cells = parties
      .filter(({ isOurs }) => isOurs || !isIdempotent)
      .map((party) => ({ party, all: [] as Array<Round> }))
    // All in each round: the machine has faster and slower minutes.
    for (let round = 0; round < rounds; round++) {
      for (const [at, { party, all }] of cells.entries()) {
        progress(
          `${name}, ${party.payers} payers, ${party.target.name}`,
          round * cells.length + at,
          rounds * cells.length,
        )
        all.push(await drive(party, isIdempotent, party.isOurs ? calls : undefined))
      }
    }
    for (const { party, all } of cells.toSorted((a, b) => a.party.payers - b.party.payers)) {
      const own = together(all)
      found.set(`${name} ${party.payers} ${party.target.name}`, own)
      print(
        `${name.padEnd(10)} ${String(party.payers).padStart(7)}  ${party.target.name.padEnd(15)} ${own.perSecond.toFixed(0).padStart(8)} ${own.p99.toFixed(0).padStart(6)} ${own.cpu.toFixed(0).padStart(7)} ${own.bytes.toFixed(0).padStart(6)} ${own.writes.toFixed(1).padStart(7)}`,
      )
    }
  }
  const of = (name: string, payers: number, server = "market-signals") => found.get(`${name} ${payers} ${server}`)!
  const [one, many] = [of("plain", counts[0]!), of("plain", most)]
  const idempotent = of("idempotent", counts[0]!)
  const held = (name: string, value: number, limit: number) => bar(`${name} (at most ${limit})`, value, value <= limit)
  held(`CPU of a call with ${most} payers to one`, many.cpu / one.cpu, 1.15)
  held(`kB written a call with ${most} payers`, many.bytes / 1_000, 0.95)
  held("CPU of an idempotent call beyond a plain one, µs", idempotent.cpu - one.cpu, 50)
  held("kB written an idempotent call", idempotent.bytes / 1_000, 10.3)
  const start = await tailStart(parties[counts.length - 1]!)
  print(
    `start to the first paid answer: ${start.without.toFixed(0)} ms, with ${tailCalls} unfolded calls ${start.with.toFixed(0)} ms`,
  )
  held(`s more with ${tailCalls} unfolded calls`, (start.with - start.without) / 1_000, 0.7)
  if (other !== undefined) {
    const ratio = many.perSecond / of("plain", most, other.name).perSecond
    bar(`calls/s to the peer's with ${most} payers (at least 2.5)`, ratio, ratio >= 2.5)
  }
} finally {
  for (const target of new Set(parties.map((party) => party.target))) await stopped(target)
  rmSync(folder, { recursive: true, force: true })
}
if (missed() > 0) process.exitCode = 1

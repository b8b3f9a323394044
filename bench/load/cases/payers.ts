// The cost of a paid call by the number of accounts that pay in turn, beside the handwritten peer; the same with an idempotency key;
// and what a tail of calls that are not folded adds to a start. Each number of payers has a server of its own, which is asked as many
// calls as it folds some times: CPU and bytes are of all rounds together, with these folds.
import { createHash, randomBytes } from "node:crypto"
import { join } from "node:path"
import { open } from "../../../adapters/store/engine/sqlite/driver.ts"
import { type Bench, define } from "../driver.ts"
import { alternate, drive, type Keyed, type Load, medians, times, warm } from "../measure.ts"
import * as Questions from "../questions.ts"
import { ours, peer, type Server, serve, sqliteAt, stopped, wallets } from "../servers.ts"

const ample = 1_000_000_000_000

/** A server with a key of each of the accounts that call. */
interface Party {
  readonly target: Server
  readonly payers: number
  readonly keys: ReadonlyArray<string>
  readonly isOurs: boolean
}

/** Rates of the middle round; CPU and bytes of all calls. */
const total = (all: ReadonlyArray<Load>): Load => {
  const calls = all.reduce((sum, round) => sum + round.calls, 0)
  const mean = (of: (round: Load) => number) => all.reduce((sum, round) => sum + of(round) * round.calls, 0) / calls
  return { ...medians(all), cpu: mean(({ cpu }) => cpu), bytes: mean(({ bytes }) => bytes) }
}

const questions = ({ keys, payers }: Party, isIdempotent: boolean): (() => Keyed) => {
  const next = isIdempotent ? Questions.idempotent() : Questions.plain()
  let turn = 0
  // Far apart in the order of keys: neighbours share pages of the store.
  return () => ({ ...next(), key: keys[(turn++ * 7_919) % payers]! })
}

/** Accounts of the peer beside its own, by its own tables. */
const peerKeys = (file: string, count: number): ReadonlyArray<string> => {
  const db = open(file)
  const keys = Array.from({ length: count }, () => `svk_live_${randomBytes(24).toString("hex")}`)
  const wallet = db.prepare("INSERT INTO wallets (id, micros) VALUES (?, ?)")
  const key = db.prepare("INSERT INTO keys (hash, wallet, rpm) VALUES (?, ?, 6000000)")
  db.exec("BEGIN IMMEDIATE")
  for (const [n, each] of keys.entries()) {
    wallet.run(n + 2, ample)
    key.run(createHash("sha256").update(each).digest("hex"), n + 2)
  }
  db.exec("COMMIT")
  db.close()
  return keys
}

export const load = define(
  {
    ...{ rounds: [5, 1], seconds: [6, 1], warm: [20, 1], calls: [60_000, 500] },
    ...{ payers: ["1,200,10000", "1,50"], tail: [100_000, 1_000] },
  },
  async ({ options: { rounds, seconds, warm: warmUp, calls, payers, tail }, folder, print, row }) => {
    const counts = payers.split(",").map(Number)
    const largest = Math.max(...counts)
    const parties: Array<Party> = []
    for (const count of counts) {
      const name = `market-signals ${count}`
      const keys = await wallets(sqliteAt(join(folder, `${name.replaceAll(" ", "-")}.db`)), count, ample)
      parties.push({ target: await ours(folder, { name }), payers: count, keys, isOurs: true })
    }
    for (const target of await peer(folder)) {
      const keys = peerKeys(target.file, largest)
      for (const count of counts) parties.push({ target, payers: count, keys, isOurs: false })
    }
    for (const party of parties) await warm(party.target, warmUp, questions(party, false))
    print(
      `${rounds} rounds of ${calls} calls, of the peer ${seconds} s; 32 connections; ms, CPU in µs and bytes a call`,
    )
    const measured = async (isIdempotent: boolean) => {
      const asked = parties.filter(({ isOurs }) => isOurs || !isIdempotent)
      const all = await alternate(asked, rounds, (party) =>
        drive(
          [party.target],
          32,
          party.isOurs ? { amount: calls } : { duration: seconds },
          questions(party, isIdempotent),
        ),
      )
      const of = (isOurs: boolean, count: number) => {
        const index = asked.findIndex((party) => party.isOurs === isOurs && party.payers === count)
        return index === -1 ? undefined : total(all[index]!)
      }
      return { asked, of }
    }
    const [plain, idempotent] = [await measured(false), await measured(true)]
    const one = plain.of(true, counts[0]!)!
    for (const [name, { asked, of }, isPlain] of [
      ["plain", plain, true],
      ["idempotent", idempotent, false],
    ] as const) {
      for (const { payers: count, isOurs } of asked) {
        const { perSecond, p99, cpu, bytes } = of(isOurs, count)!
        const other = isOurs && isPlain ? of(false, count) : undefined
        const figures = { "calls/s": perSecond, p99, CPU: cpu, bytes }
        const isMost = isOurs && isPlain && count === largest
        row(
          `${name}, ${count} payers, ${isOurs ? "ours" : "peer"}`,
          {
            ...figures,
            ...(isMost ? { "CPU × one": cpu / one.cpu } : {}),
            ...(isOurs && !isPlain ? { "CPU more": cpu - one.cpu } : {}),
            ...(other === undefined ? {} : { "× peer": perSecond / other.perSecond }),
          },
          {
            ...(isMost ? { "CPU × one": { most: 1.15 }, bytes: { most: 950 } } : {}),
            ...(isMost && other !== undefined ? { "× peer": { least: 2.5 } } : {}),
            ...(!isPlain && count === counts[0] ? { "CPU more": { most: 50 }, bytes: { most: 10_300 } } : {}),
          },
        )
      }
    }
    await tailStart(parties[counts.length - 1]!, rounds, tail, row, folder)
  },
)

/** What an unfolded tail adds to a start: a server is killed with it, and one is stopped after it has folded it. */
const tailStart = async (
  party: Party,
  rounds: number,
  tail: number,
  row: Bench<unknown>["row"],
  folder: string,
): Promise<void> => {
  await stopped(party.target)
  const database = sqliteAt(join(folder, `${party.target.name.replaceAll(" ", "-")}.db`))
  const key = party.keys[0]!
  /** Milliseconds from a start to the first paid answer. */
  const first = async () => {
    let server: Awaited<ReturnType<typeof serve>> | undefined
    const [ms] = await times(1, async () => {
      server = await serve(database)
      const path = Questions.plain()().path
      const { status } = await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })
      if (status !== 200) throw new Error(`The first answer is ${status}.`)
    })
    return { ms: ms!, server: server! }
  }
  const all: Array<{ readonly folded: number; readonly unfolded: number }> = []
  for (let round = 0; round < rounds; round++) {
    const { server } = await first()
    await drive([server], 32, { amount: tail }, questions(party, false))
    await stopped(server, "SIGKILL")
    const unfolded = await first()
    await stopped(unfolded.server)
    const folded = await first()
    await stopped(folded.server)
    all.push({ folded: folded.ms, unfolded: unfolded.ms })
  }
  const { folded, unfolded } = medians(all)
  const figures = { "ms folded": folded, "ms unfolded": unfolded, "s more": (unfolded - folded) / 1_000 }
  row(`start to the first paid answer, ${tail} calls`, figures, { "s more": { most: 0.7 } })
}

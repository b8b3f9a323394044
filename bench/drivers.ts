// `npx tsx bench/drivers.ts` on a Node that has a complete SQLite of its own: microseconds of CPU of a charge's two statements,
// in batches of 20, and of a read by key, with both drivers in turn.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import type { Database } from "../adapters/store/engine/sqlite/client.ts"
import { nodeDriver } from "../adapters/store/engine/sqlite/nodeSqlite.ts"

const own = nodeDriver()
if (own === undefined) throw new Error(`Node ${process.versions.node} has no complete SQLite of its own.`)
const drivers: Readonly<Record<string, (file: string) => Database>> = {
  "node:sqlite": own,
  "better-sqlite3": (file) => new Sqlite(file),
}
const accounts = 1_000
const batches = 1_000
const batch = 20

const cpu = (count: number, work: () => void): number => {
  const since = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(since)
  return (user + system) / count
}

const measured = (db: Database): ReadonlyArray<number> => {
  db.exec(`PRAGMA journal_mode = WAL; CREATE TABLE wallets (id INTEGER PRIMARY KEY, micros INTEGER NOT NULL);
    CREATE TABLE audit (seq INTEGER PRIMARY KEY, account INTEGER, micros INTEGER, endpoint TEXT)`)
  const add = db.prepare("INSERT INTO wallets VALUES (?, 1000000000)")
  for (let id = 0; id < accounts; id++) add.run(id)
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")]
  const debit = db.prepare("UPDATE wallets SET micros = micros - ? WHERE id = ? AND micros >= ? RETURNING micros")
  const note = db.prepare("INSERT INTO audit (account, micros, endpoint) VALUES (?, ?, ?)")
  const read = db.prepare("SELECT id, micros FROM wallets WHERE id = ?")
  const charges = () => {
    for (let at = 0; at < batches; at++) {
      begin.run()
      for (let n = 0; n < batch; n++) {
        const id = (at * batch + n) % accounts
        debit.get(10, id, 10)
        note.run(id, 10, "weather_signal")
      }
      commit.run()
    }
  }
  const results = ["OFF", "FULL"].map((sync) => {
    db.exec(`PRAGMA synchronous = ${sync}`)
    return cpu(batches * batch, charges)
  })
  const reads = cpu(batches * batch, () => {
    for (let at = 0; at < batches * batch; at++) read.get(at % accounts)
  })
  return [...results, reads]
}

const folder = mkdtempSync(join(tmpdir(), "market-signals-drivers-"))
process.stdout.write("driver          charge, no sync  charge, FULL  read by key  (microseconds of CPU)\n")
try {
  for (let round = 0; round < 5; round++)
    for (const [name, open] of Object.entries(drivers)) {
      const db = open(join(folder, `${name.replace(":", "-")}-${round}.db`))
      const [off, full, read] = measured(db).map((each) => each.toFixed(2))
      process.stdout.write(`${name.padEnd(15)} ${off!.padStart(15)} ${full!.padStart(13)} ${read!.padStart(12)}\n`)
      db.close()
    }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

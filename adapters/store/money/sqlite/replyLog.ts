import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { noBytes, type ReplyBytes, rowBytes } from "../../../../core/account/decide.ts"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import { day } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { sha256 } from "../../../runtime/node/secrets.ts"
import type { Database } from "../../engine/sqlite/client.ts"

/*
 * Stored replies are appended in the order of arrival. Since their keys are random, an index that is written with each reply
 * would touch another page each time. So the index is a fold: `idempotency_names` has the number of each row under 52 bits of
 * its keys' hash, and is written for many rows at once, in its order; `reply_bytes` has the bytes of each key and day. Unfolded
 * rows are held here.
 *
 * The place `replies` says how far the rows are folded. It moves with the sums, which are written last: after a crash names may
 * be written again. Names whose row is gone are skipped.
 */

/** A stored reply; where `stored` is null only its key and hash. */
export interface ReplyRow {
  readonly seq: number
  readonly key_id: string
  readonly idempotency_key: string
  readonly at: number
  readonly request_hash: string
  readonly stored: Uint8Array | null
}

/** The bytes of a key's replies in a UTC day. */
interface Sum {
  readonly keyId: string
  readonly today: number
  readonly bytes: ReplyBytes
}

/** An unfolded row. */
interface Row extends Sum {
  readonly seq: number
  readonly name: number
}

interface LookUp {
  readonly keyId: string
  readonly key: string
  readonly name: number
  readonly row: ReplyRow | undefined
}

/** Rows or names that one transaction writes, in some milliseconds. */
const sliceRows = 1_000

/** Absent names that are remembered: a call looks its key up twice, before and after its work. */
const maxUnnamed = 10_000

/** Hexadecimal digits of a name: 52 bits, which a number holds exactly. */
const nameDigits = 13

const hashName = (keyId: string, key: string): number =>
  Number.parseInt(sha256(`${keyId}/${key}`).slice(0, nameDigits), 16)

const toRow = (seq: number, name: number, keyId: string, at: number, length: number, isCharged: boolean): Row => {
  const size = rowBytes + length
  const bytes = isCharged ? { charged: size, free: 0 } : { charged: 0, free: size }
  return { seq, name, keyId, today: Math.floor(at / day), bytes }
}

const toSumName = (keyId: string, today: number): string => `${keyId}/${today}`

/** Adds bytes to the sum of a key and day, and deletes a sum of 0. */
const addTo = (sums: Map<string, Sum>, { keyId, today, bytes }: Sum, sign = 1): void => {
  const name = toSumName(keyId, today)
  const previous = sums.get(name)?.bytes ?? noBytes
  const sum = { charged: previous.charged + sign * bytes.charged, free: previous.free + sign * bytes.free }
  if (sum.charged + sum.free === 0) sums.delete(name)
  else sums.set(name, { keyId, today, bytes: sum })
}

const prepare = (db: Database) => ({
  place: db.prepare("SELECT seq FROM places WHERE name = 'replies'").pluck(),
  move: db.prepare("UPDATE places SET seq = ? WHERE name = 'replies'"),
  after: db.prepare(`
    SELECT seq, key_id, idempotency_key, at, coalesce(length(stored), 0) AS length, charged
    FROM idempotency WHERE seq > ? ORDER BY seq`),
  row: db.prepare("SELECT seq, key_id, idempotency_key, at, request_hash, stored FROM idempotency WHERE seq = ?"),
  append: db.prepare(`
    INSERT INTO idempotency (key_id, idempotency_key, at, request_hash, stored, charged) VALUES (?, ?, ?, ?, ?, ?)`),
  remove: db.prepare("DELETE FROM idempotency WHERE seq = ?"),
  named: db.prepare("SELECT seq FROM idempotency_names WHERE name = ?").pluck(),
  addName: db.prepare("INSERT OR IGNORE INTO idempotency_names (name, seq) VALUES (?, ?)"),
  bytes: db.prepare("SELECT charged, free FROM reply_bytes WHERE key_id = ? AND day = ?"),
  addBytes: db.prepare(`
    INSERT INTO reply_bytes (key_id, day, charged, free) VALUES (?, ?, ?, ?)
    ON CONFLICT (key_id, day) DO UPDATE SET charged = charged + excluded.charged, free = free + excluded.free`),
})

interface Stored extends ReplyRow {
  readonly length: number
  readonly charged: number
}

/** The unfolded rows in order, with their numbers by name and their sums. */
const makeRows = () => {
  const rows: Array<Row> = []
  const numbers = new Map<number, Array<number>>()
  const sums = new Map<string, Sum>()
  return {
    numbers: (name: number): ReadonlyArray<number> => numbers.get(name) ?? [],
    bytes: (keyId: string, today: number): ReplyBytes => sums.get(toSumName(keyId, today))?.bytes ?? noBytes,
    size: (): number => rows.length,
    oldest: (upTo: number, count = rows.length): ReadonlyArray<Row> =>
      rows.slice(0, count).filter(({ seq }) => seq <= upTo),
    add: (row: Row): void => {
      getOrMake(numbers, row.name, () => []).push(row.seq)
      rows.push(row)
      addTo(sums, row)
    },
    /** Forgets the oldest rows, which have been folded. */
    remove: (some: ReadonlyArray<Row>): void => {
      rows.splice(0, some.length)
      for (const row of some) {
        addTo(sums, row, -1)
        const left = numbers.get(row.name)!.filter((seq) => seq !== row.seq)
        if (left.length === 0) numbers.delete(row.name)
        else numbers.set(row.name, left)
      }
    },
  }
}

type Sql = ReturnType<typeof prepare>
type Rows = ReturnType<typeof makeRows>

/** Looks numbers of rows up in the index. */
const makeIndex = ({ named }: Sql) => {
  /** Names that are not in the index since the last fold. */
  const unnamed = new BoundedMap<number, true>(maxUnnamed)
  return {
    changed: (): void => unnamed.clear(),
    numbers: (name: number): ReadonlyArray<number> => {
      if (unnamed.get(name)) return []
      const seqs = named.all(name) as ReadonlyArray<number>
      if (seqs.length === 0) unnamed.set(name, true)
      return seqs
    },
  }
}

/** Collects the rows of the running batch, and looks keys up. */
const makeBatch = (sql: Sql, rows: Rows, index: ReturnType<typeof makeIndex>) => {
  let appended: Array<Row> = []
  /** The last look-up: a settlement looks up the row that it then replaces. */
  let lastLookUp: LookUp | undefined

  const lookUp = (keyId: string, key: string): LookUp => {
    const name = hashName(keyId, key)
    for (const numbers of [
      () => appended.filter((row) => row.name === name).map(({ seq }) => seq),
      () => rows.numbers(name),
      () => index.numbers(name),
    ]) {
      for (const seq of numbers()) {
        const row = sql.row.get(seq) as ReplyRow | undefined
        if (row?.key_id === keyId && row.idempotency_key === key) return { keyId, key, name, row }
      }
    }
    return { keyId, key, name, row: undefined }
  }

  const undo = (): void => {
    appended = []
    lastLookUp = undefined
  }

  return {
    /** The row of a key, however old. */
    find: (keyId: string, key: string): ReplyRow | undefined => {
      lastLookUp = lookUp(keyId, key)
      return lastLookUp.row
    },
    /** Appends a reply, which replaces an older one under its key. */
    put: (reply: Omit<ReplyRow, "seq">, isCharged: boolean): void => {
      const { key_id: keyId, idempotency_key: key, at, request_hash: hash, stored } = reply
      const { name, row } = lastLookUp?.keyId === keyId && lastLookUp.key === key ? lastLookUp : lookUp(keyId, key)
      lastLookUp = undefined
      if (row !== undefined) sql.remove.run(row.seq)
      const { lastInsertRowid } = sql.append.run(keyId, key, at, hash, stored, Number(isCharged))
      appended.push(toRow(Number(lastInsertRowid), name, keyId, at, stored?.length ?? 0, isCharged))
    },
    /** Call it after the batch is committed. */
    takeIn: (): void => {
      appended.forEach(rows.add)
      undo()
    },
    /** Call it after the batch was rolled back. */
    undo,
  }
}

/** Writes the names of rows in their order, then adds their bytes in the order of arrival, a slice per call. */
const foldRows = (sql: Sql, rows: Rows, within: (work: () => void) => void): (() => boolean) => {
  const all = rows.oldest(Number.MAX_SAFE_INTEGER)
  const upTo = all.at(-1)?.seq ?? 0
  const names = all.toSorted((one, other) => one.name - other.name)
  let done = 0
  return () => {
    if (done < names.length) {
      const some = names.slice(done, done + sliceRows)
      within(() => {
        for (const { name, seq } of some) sql.addName.run(name, seq)
      })
      done += some.length
      return true
    }
    const some = rows.oldest(upTo, sliceRows)
    if (some.length === 0) return false
    const sums = new Map<string, Sum>()
    for (const row of some) addTo(sums, row)
    within(() => {
      // In the order of the table's key.
      for (const [, { keyId, today, bytes }] of [...sums].sort(([one], [other]) => (one < other ? -1 : 1))) {
        sql.addBytes.run(keyId, today, bytes.charged, bytes.free)
      }
      sql.move.run(some.at(-1)!.seq)
    })
    rows.remove(some)
    return true
  }
}

/** The replies of a store. Reads the unfolded rows once. */
export const make = (db: Database) => {
  const sql = prepare(db)
  const rows = makeRows()
  const index = makeIndex(sql)
  for (const each of sql.after.iterate(sql.place.get()) as IterableIterator<Stored>) {
    const { seq, key_id: keyId, idempotency_key: key, at, length, charged } = each
    rows.add(toRow(seq, hashName(keyId, key), keyId, at, length, charged === 1))
  }
  return {
    ...makeBatch(sql, rows, index),
    size: rows.size,
    /** Bytes of a key in a UTC day, without those of the running batch. */
    used: (keyId: string, today: number): ReplyBytes => {
      const { charged, free } = (sql.bytes.get(keyId, today) as ReplyBytes | undefined) ?? noBytes
      const more = rows.bytes(keyId, today)
      return { charged: charged + more.charged, free: free + more.free }
    },
    /**
     * Folds the present rows: each call folds a slice, and returns whether there may be more. A slice that fails changes nothing.
     *
     * @param within runs work in a transaction
     */
    folding: (within: (work: () => void) => void): (() => boolean) => {
      const next = foldRows(sql, rows, within)
      return () => {
        index.changed()
        return next()
      }
    },
  }
}

/** Writes the names of all rows after an import, in its transaction. The import itself wrote the sums. */
export const writeNames = (db: Database): void => {
  const { addName, move } = prepare(db)
  const next = db.prepare("SELECT seq, key_id, idempotency_key FROM idempotency WHERE seq > ? ORDER BY seq LIMIT 1000")
  for (let last = 0; ; ) {
    const rows = next.all(last) as ReadonlyArray<Pick<ReplyRow, "seq" | "key_id" | "idempotency_key">>
    for (const { seq, key_id, idempotency_key } of rows) addName.run(hashName(key_id, idempotency_key), seq)
    if (rows.length === 0) return void move.run(last)
    last = rows.at(-1)!.seq
  }
}

/** Deletes the names whose rows are gone, in slices. */
export const sweepNames: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ first: number | null }>`SELECT min(seq) AS first FROM idempotency`
  const first = row?.first ?? Number.MAX_SAFE_INTEGER
  for (let after = -1; ; ) {
    const [next] = yield* sql<{ last: number | null }>`
      SELECT max(name) AS last FROM (
        SELECT name FROM idempotency_names WHERE name > ${after} ORDER BY name LIMIT ${sliceRows})`
    if (typeof next?.last !== "number") return
    yield* sql`DELETE FROM idempotency_names WHERE name > ${after} AND name <= ${next.last} AND seq < ${first}`
    yield* yieldToEventLoop
    after = next.last
  }
})

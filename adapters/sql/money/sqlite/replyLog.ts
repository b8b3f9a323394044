import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { noBytes, type ReplyBytes, rowBytes } from "../../../../core/account/decide.ts"
import { advance } from "../../../../core/Progress.ts"
import { day } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { sha256 } from "../../../node/secrets.ts"
import type { Database } from "../../engine/sqlite/Database.ts"

/*
 * Stored replies are appended in the order of arrival. Their keys are random: an index written with each reply would write a
 * page of its own. So it is a fold too. `idempotency_names` has the number of each row under 52 bits of its keys' hash, and is
 * written for many rows at once, in its order; `reply_bytes` has the bytes of each key and day. Rows that are not folded yet are
 * held here.
 *
 * `audit_folds` says how far the rows are folded. Sums of a slice and their place change in one transaction; a name may be
 * written again after a crash, and one whose row is gone is passed over.
 */

/** Names, or rows, of one transaction: some milliseconds. */
const slice = 1_000

/** Numbers of two rows of `audit_folds`. */
const places = { names: 1, sums: 2 }

/** A stored reply; where `stored` is null only its key and hash. */
export interface ReplyRow {
  readonly seq: number
  readonly key_id: string
  readonly idempotency_key: string
  readonly at: number
  readonly request_hash: string
  readonly stored: Uint8Array | null
}

/** Bytes of a row in the sum of its key and UTC day. */
interface Counted {
  readonly seq: number
  readonly keyId: string
  readonly today: number
  readonly bytes: ReplyBytes
}

/** A row that was looked for under its keys. */
interface Look {
  readonly keyId: string
  readonly key: string
  readonly name: number
  readonly row: ReplyRow | undefined
}

/** A call looks twice for its key, before and after its work. */
const mostUnnamed = 10_000

/** Bits of a name, by fours: a whole number that JavaScript has exactly. */
const nameDigits = 13

const hashName = (keyId: string, key: string): number =>
  Number.parseInt(sha256(`${keyId}/${key}`).slice(0, nameDigits), 16)

const sumName = (keyId: string, today: number): string => `${keyId}/${today}`

/** Adds bytes to the sum of a key and day; a sum of nothing is left out. */
const addTo = (sums: Map<string, Omit<Counted, "seq">>, { keyId, today, bytes }: Omit<Counted, "seq">, sign = 1) => {
  const name = sumName(keyId, today)
  const before = sums.get(name)?.bytes ?? noBytes
  const sum = { charged: before.charged + sign * bytes.charged, free: before.free + sign * bytes.free }
  if (sum.charged + sum.free === 0) sums.delete(name)
  else sums.set(name, { keyId, today, bytes: sum })
}

const push = (names: Map<number, Array<number>>, name: number, seq: number): void => {
  const rows = names.get(name)
  if (rows === undefined) names.set(name, [seq])
  else rows.push(seq)
}

/** The replies of a connection's store. All but `find` and `used` is done in a transaction. */
export const make = (db: Database) => {
  const sql = {
    place: db.prepare("SELECT coalesce(max(seq), 0) FROM audit_folds WHERE month = '' AND account = ?").pluck(),
    setPlace: db.prepare(`
      INSERT INTO audit_folds (month, account, seq, part) VALUES ('', ?, ?, ?)
      ON CONFLICT (month, account) DO UPDATE SET seq = max(seq, excluded.seq), part = excluded.part`),
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
  }

  /** Numbers of rows by name, and what rows add to sums, in order; both as far as they are not folded. */
  const names = new Map<number, Array<number>>()
  let counted: Array<Counted> = []
  const sums = new Map<string, Omit<Counted, "seq">>()
  /** The last row that is here, or is folded. */
  let last = 0
  /** Rows of the running batch. */
  let appended: Array<Counted & { readonly name: number }> = []

  const count = (row: Counted): void => {
    counted.push(row)
    addTo(sums, row)
  }

  const countedOf = (seq: number, keyId: string, at: number, length: number, isCharged: boolean): Counted => {
    const size = rowBytes + length
    const bytes = isCharged ? { charged: size, free: 0 } : { charged: 0, free: size }
    return { seq, keyId, today: Math.floor(at / day), bytes }
  }

  interface Stored extends ReplyRow {
    readonly length: number
    readonly charged: number
  }

  /** Reads rows after the places of both folds. */
  const scan = (after: { readonly names: number; readonly sums: number }): void => {
    last = Math.max(last, after.names, after.sums)
    const rows = sql.after.iterate(Math.min(after.names, after.sums)) as IterableIterator<Stored>
    for (const { seq, key_id: keyId, idempotency_key: key, at, length, charged } of rows) {
      if (seq > after.names) push(names, hashName(keyId, key), seq)
      if (seq > after.sums) count(countedOf(seq, keyId, at, length, charged === 1))
      last = Math.max(last, seq)
    }
  }

  const forget = (): void => {
    names.clear()
    unnamed.clear()
    sums.clear()
    counted = []
    appended = []
    looked = undefined
    last = 0
  }

  /** Names that the index does not have, as it is since the last fold. */
  const unnamed = new Set<number>()

  const indexed = (name: number): ReadonlyArray<number> => {
    if (unnamed.has(name)) return []
    const numbers = sql.named.all(name) as ReadonlyArray<number>
    if (numbers.length > 0) return numbers
    if (unnamed.size >= mostUnnamed) unnamed.clear()
    unnamed.add(name)
    return numbers
  }

  /** The last look: a settlement looks for the row that it then replaces. */
  let looked: Look | undefined

  const look = (keyId: string, key: string): Look => {
    const name = hashName(keyId, key)
    const readRow = (seq: number): ReplyRow | undefined => {
      const row = sql.row.get(seq) as ReplyRow | undefined
      return row?.key_id === keyId && row.idempotency_key === key ? row : undefined
    }
    for (const numbers of [
      () => appended.filter((row) => row.name === name).map(({ seq }) => seq),
      () => names.get(name) ?? [],
      () => indexed(name),
    ]) {
      for (const seq of numbers()) {
        const row = readRow(seq)
        if (row !== undefined) return { keyId, key, name, row }
      }
    }
    return { keyId, key, name, row: undefined }
  }

  /** Folds a slice of sums of rows up to a number. */
  const foldSums = (upTo: number, number: number): boolean => {
    const end = counted.findIndex(({ seq }) => seq > upTo)
    const some = counted.slice(0, Math.min(slice, end === -1 ? counted.length : end))
    if (some.length === 0) return false
    const added = new Map<string, Omit<Counted, "seq">>()
    for (const row of some) addTo(added, row)
    // In the order of the table.
    for (const [, { keyId, today, bytes }] of [...added].sort(([one], [other]) => (one < other ? -1 : 1))) {
      sql.addBytes.run(keyId, today, bytes.charged, bytes.free)
    }
    sql.setPlace.run(places.sums, some.at(-1)!.seq, number)
    for (const row of some) addTo(sums, row, -1)
    counted = counted.slice(some.length)
    return true
  }

  const nameUpTo = (upTo: number, number: number): void => {
    sql.setPlace.run(places.names, upTo, number)
    unnamed.clear()
    for (const [name, numbers] of names) {
      const left = numbers.filter((seq) => seq > upTo)
      if (left.length === 0) names.delete(name)
      else names.set(name, left)
    }
  }

  return {
    load: (): void => {
      forget()
      scan({ names: sql.place.get(places.names) as number, sums: sql.place.get(places.sums) as number })
    },
    /** Reads what others have appended. */
    read: (): void => scan({ names: last, sums: last }),
    forget,
    size: (): number => counted.length,
    isFolded: (): boolean => counted.length === 0 && names.size === 0,
    /** The row of a key, however old. */
    find: (keyId: string, key: string): ReplyRow | undefined => {
      looked = look(keyId, key)
      return looked.row
    },
    /** Bytes of a key in a UTC day, without those of the running batch. */
    used: (keyId: string, today: number): ReplyBytes => {
      const { charged, free } = (sql.bytes.get(keyId, today) as ReplyBytes | undefined) ?? noBytes
      const more = sums.get(sumName(keyId, today))?.bytes ?? noBytes
      return { charged: charged + more.charged, free: free + more.free }
    },
    /** Appends a reply, in the place of an older one under its key. */
    put: (reply: Omit<ReplyRow, "seq">, isCharged: boolean): void => {
      const { key_id: keyId, idempotency_key: key, at: calledAt, request_hash: hash, stored } = reply
      const { name, row } = looked?.keyId === keyId && looked.key === key ? looked : look(keyId, key)
      looked = undefined
      if (row !== undefined) sql.remove.run(row.seq)
      const { lastInsertRowid } = sql.append.run(keyId, key, calledAt, hash, stored, Number(isCharged))
      const seq = Number(lastInsertRowid)
      appended.push({ ...countedOf(seq, keyId, calledAt, stored?.length ?? 0, isCharged), name })
    },
    /** The running batch is committed. */
    takeIn: (): void => {
      for (const { name, ...row } of appended) {
        push(names, name, row.seq)
        count(row)
        last = row.seq
      }
      appended = []
      looked = undefined
    },
    /** The running batch was undone. */
    undo: (): void => {
      appended = []
      looked = undefined
    },
    /** Folds the rows that are here now: each run folds a slice by its number, and returns whether there is more. */
    folding: (): ((number: number) => boolean) => {
      const upTo = last
      const sorted = [...names]
        .flatMap(([name, numbers]) => numbers.map((seq) => ({ name, seq })))
        .sort((one, other) => one.name - other.name)
      let done = 0
      return (number) => {
        if (done < sorted.length) {
          for (const { name, seq } of sorted.slice(done, done + slice)) sql.addName.run(name, seq)
          done += slice
          return true
        }
        if (foldSums(upTo, number)) return true
        nameUpTo(upTo, number)
        return false
      }
    },
  }
}

export type ReplyLog = ReturnType<typeof make>

/** Rows of one statement. */
const page = 300

/** Names all rows of a store that was filled otherwise; its sums are there. */
export const nameAll: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  let last = 0
  for (let done = 0; ; ) {
    const rows = yield* sql<{ seq: number; key_id: string; idempotency_key: string }>`
      SELECT seq, key_id, idempotency_key FROM idempotency WHERE seq > ${last} ORDER BY seq LIMIT ${page}`
    if (rows.length === 0) break
    yield* sql`INSERT INTO idempotency_names ${sql.insert(
      rows.map(({ seq, key_id, idempotency_key }) => ({ name: hashName(key_id, idempotency_key), seq })),
    )}`
    last = rows.at(-1)!.seq
    done += rows.length
    yield* advance("names of stored replies", done)
  }
  yield* sql`INSERT INTO audit_folds ${sql.insert(
    Object.values(places).map((account) => ({ month: "", account, seq: last })),
  )} ON CONFLICT (month, account) DO UPDATE SET seq = excluded.seq`
})

/** Names whose rows are gone are deleted in slices. */
export const sweepNames: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ first: number | null }>`SELECT min(seq) AS first FROM idempotency`
  const first = row?.first ?? Number.MAX_SAFE_INTEGER
  for (let after = -1; ; ) {
    const [next] = yield* sql<{ last: number | null }>`
      SELECT max(name) AS last FROM (
        SELECT name FROM idempotency_names WHERE name > ${after} ORDER BY name LIMIT ${slice})`
    if (typeof next?.last !== "number") return
    yield* sql`DELETE FROM idempotency_names WHERE name > ${after} AND name <= ${next.last} AND seq < ${first}`
    yield* yieldToEventLoop
    after = next.last
  }
})

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { advance } from "../../../../core/Progress.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { sha256 } from "../../../runtime/node/secrets.ts"
import type { Database } from "../../engine/sqlite/client.ts"
import * as ReplySums from "./replySums.ts"

/*
 * Stored replies are appended in the order of arrival. Their keys are random: an index written with each reply would write a
 * page of its own. So it is a fold too. `idempotency_names` has the number of each row under 52 bits of its keys' hash, and is
 * written for many rows at once, in its order; `reply_bytes` has the bytes of each key and day. Rows that are not folded yet are
 * held here.
 *
 * `audit_folds` says how far the rows are folded. Sums of a slice and their place change in one transaction; a name may be
 * written again after a crash, and one whose row is gone is passed over.
 */

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

const nameOf = (keyId: string, key: string): number =>
  Number.parseInt(sha256(`${keyId}/${key}`).slice(0, nameDigits), 16)

/** Numbers of stored rows by the names of their keys: those of the index, and of rows that are not folded. */
const namesIn = (db: Database) => {
  const sql = {
    named: db.prepare("SELECT seq FROM idempotency_names WHERE name = ?").pluck(),
    addName: db.prepare("INSERT OR IGNORE INTO idempotency_names (name, seq) VALUES (?, ?)"),
  }
  const numbers = new Map<number, Array<number>>()
  /** Names that the index does not have, as it is since the last fold. */
  const unnamed = new Set<number>()
  return {
    add: (name: number, seq: number): void => {
      const rows = numbers.get(name)
      if (rows === undefined) numbers.set(name, [seq])
      else rows.push(seq)
    },
    forget: (): void => {
      numbers.clear()
      unnamed.clear()
    },
    isFolded: (): boolean => numbers.size === 0,
    unfolded: (name: number): ReadonlyArray<number> => numbers.get(name) ?? [],
    indexed: (name: number): ReadonlyArray<number> => {
      if (unnamed.has(name)) return []
      const rows = sql.named.all(name) as ReadonlyArray<number>
      if (rows.length > 0) return rows
      if (unnamed.size >= mostUnnamed) unnamed.clear()
      unnamed.add(name)
      return rows
    },
    /** Writes the names that are here now in their order: each run a slice, and returns whether there was one. */
    folding: (): (() => boolean) => {
      const sorted = [...numbers]
        .flatMap(([name, rows]) => rows.map((seq) => ({ name, seq })))
        .sort((one, other) => one.name - other.name)
      let done = 0
      return () => {
        const some = sorted.slice(done, done + ReplySums.sliceRows)
        for (const { name, seq } of some) sql.addName.run(name, seq)
        done += some.length
        return some.length > 0
      }
    },
    /** Rows up to this number are in the index. */
    pass: (upTo: number): void => {
      unnamed.clear()
      for (const [name, rows] of numbers) {
        const left = rows.filter((seq) => seq > upTo)
        if (left.length === 0) numbers.delete(name)
        else numbers.set(name, left)
      }
    },
  }
}

const rowsIn = (db: Database) => ({
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
})

interface Stored extends ReplyRow {
  readonly length: number
  readonly charged: number
}

/** Rows of the running batch, which are taken in when it is committed, and looks for a key. */
const batching = (
  { row: stored, append, remove }: ReturnType<typeof rowsIn>,
  names: ReturnType<typeof namesIn>,
  takeIn: (name: number, row: ReplySums.Counted) => void,
) => {
  let appended: Array<ReplySums.Counted & { readonly name: number }> = []
  /** The last look: a settlement looks for the row that it then replaces. */
  let looked: Look | undefined

  const look = (keyId: string, key: string): Look => {
    const name = nameOf(keyId, key)
    for (const numbers of [
      () => appended.filter((row) => row.name === name).map(({ seq }) => seq),
      () => names.unfolded(name),
      () => names.indexed(name),
    ]) {
      for (const seq of numbers()) {
        const row = stored.get(seq) as ReplyRow | undefined
        if (row?.key_id === keyId && row.idempotency_key === key) return { keyId, key, name, row }
      }
    }
    return { keyId, key, name, row: undefined }
  }

  const undo = (): void => {
    appended = []
    looked = undefined
  }

  return {
    /** The row of a key, however old. */
    find: (keyId: string, key: string): ReplyRow | undefined => {
      looked = look(keyId, key)
      return looked.row
    },
    /** Appends a reply, in the place of an older one under its key. */
    put: (reply: Omit<ReplyRow, "seq">, isCharged: boolean): void => {
      const { key_id: keyId, idempotency_key: key, at: calledAt, request_hash: hash, stored } = reply
      const { name, row } = looked?.keyId === keyId && looked.key === key ? looked : look(keyId, key)
      looked = undefined
      if (row !== undefined) remove.run(row.seq)
      const { lastInsertRowid } = append.run(keyId, key, calledAt, hash, stored, Number(isCharged))
      appended.push({
        ...ReplySums.counted(Number(lastInsertRowid), keyId, calledAt, stored?.length ?? 0, isCharged),
        name,
      })
    },
    /** The running batch is committed. */
    takeIn: (): void => {
      for (const { name, ...row } of appended) takeIn(name, row)
      undo()
    },
    /** The running batch was undone. */
    undo,
  }
}

/** The replies of a connection's store. All but `find` and `used` is done in a transaction. */
export const make = (db: Database) => {
  const sql = rowsIn(db)
  const names = namesIn(db)
  const sums = ReplySums.make(db)
  /** The last row that is here, or is folded. */
  let last = 0
  const batch = batching(sql, names, (name, row) => {
    names.add(name, row.seq)
    sums.add(row)
    last = row.seq
  })

  /** Reads rows after the places of both folds. */
  const scan = (after: { readonly names: number; readonly sums: number }): void => {
    last = Math.max(last, after.names, after.sums)
    const rows = sql.after.iterate(Math.min(after.names, after.sums)) as IterableIterator<Stored>
    for (const { seq, key_id: keyId, idempotency_key: key, at, length, charged } of rows) {
      if (seq > after.names) names.add(nameOf(keyId, key), seq)
      if (seq > after.sums) sums.add(ReplySums.counted(seq, keyId, at, length, charged === 1))
      last = Math.max(last, seq)
    }
  }

  const forget = (): void => {
    names.forget()
    sums.forget()
    batch.undo()
    last = 0
  }

  return {
    ...batch,
    load: (): void => {
      forget()
      scan({ names: sql.place.get(places.names) as number, sums: sql.place.get(places.sums) as number })
    },
    /** Reads what others have appended. */
    read: (): void => scan({ names: last, sums: last }),
    forget,
    size: sums.size,
    isFolded: (): boolean => sums.size() === 0 && names.isFolded(),
    /** Bytes of a key in a UTC day, without those of the running batch. */
    used: sums.used,
    /** Folds the rows that are here now: each run folds a slice by its number, and returns whether there is more. */
    folding: (): ((number: number) => boolean) => {
      const upTo = last
      const nextNames = names.folding()
      return (number) => {
        if (nextNames()) return true
        const summed = sums.fold(upTo)
        sql.setPlace.run(...(summed === undefined ? [places.names, upTo] : [places.sums, summed]), number)
        if (summed === undefined) names.pass(upTo)
        return summed !== undefined
      }
    },
  }
}

export type ReplyLog = ReturnType<typeof make>

/** Rows of one statement. */
const page = 300

/** Names all rows of a store that a copy has filled; its sums are there. */
export const nameAll: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  let last = 0
  for (let done = 0; ; ) {
    const rows = yield* sql<{ seq: number; key_id: string; idempotency_key: string }>`
      SELECT seq, key_id, idempotency_key FROM idempotency WHERE seq > ${last} ORDER BY seq LIMIT ${page}`
    if (rows.length === 0) break
    yield* sql`INSERT INTO idempotency_names ${sql.insert(
      rows.map(({ seq, key_id, idempotency_key }) => ({ name: nameOf(key_id, idempotency_key), seq })),
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
        SELECT name FROM idempotency_names WHERE name > ${after} ORDER BY name LIMIT ${ReplySums.sliceRows})`
    if (typeof next?.last !== "number") return
    yield* sql`DELETE FROM idempotency_names WHERE name > ${after} AND name <= ${next.last} AND seq < ${first}`
    yield* yieldToEventLoop
    after = next.last
  }
})

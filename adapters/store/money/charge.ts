import { monthOf } from "../../../core/account/Agent.ts"
import type { Audit } from "../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../core/account/Money.ts"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import { perObject } from "../../../core/perObject.ts"
import { minute } from "../../../core/time.ts"
import type { Database } from "../engine/sqlite/client.ts"
import * as AuditRows from "../trail/rows.ts"
import * as UsageHours from "../trail/usageHours.ts"
import * as ReplyLog from "./sqlite/replyLog.ts"

/*
 * On SQLite a call writes one row of the audit trail, in the order of charges. All else that it changes is a fold of these
 * rows: the wallet, the sum of the key and its last use, the index of the account's rows, and the sums of its usage. The
 * posting of a charge is its row of the trail (the view `postings`), until that is deleted. Written per call, each of these
 * would touch another page for every payer; folded, many rows of an account go to one page.
 *
 * Unfolded rows are held here, by account: a store has one process, which knows what it has appended and reads the rest when
 * it opens. `wallets.folded` is the place up to which an account is folded, written with its sums, so that a fold may be cut
 * into slices anywhere and one account folded out of turn. The place `folded` of all accounts moves with the last slice. A
 * crash between two slices loses and repeats nothing.
 *
 *     balance = wallets.balance_micros − unfolded charges
 */

/** Rows that one transaction folds, in some milliseconds. Each account counts as this many rows more. */
const sliceRows = 500
const accountRows = 3

/** With so many rows an account is folded by itself, since a page of it has to fold them all first. */
const longAccountRows = 5_000

const cachedKeys = 100_000

/** An unfolded call. */
interface Row extends UsageHours.UsageRow {
  readonly seq: number
}

/** Charges of a key in the month in which the calls began. */
interface Spent {
  readonly keyId: string
  readonly month: string
  micros: number
}

/** Rows of an account, ascending, with their sums. */
interface Delta {
  readonly account: number
  readonly rows: Array<Row>
  readonly spent: Map<string, Spent>
  micros: number
}

const emptyDelta = (account: number): Delta => ({ account, rows: [], spent: new Map(), micros: 0 })

const toSpentName = (keyId: string, month: string): string => keyId + month

const addRow = (delta: Delta, row: Row): void => {
  const { keyId, micros } = row
  delta.rows.push(row)
  if (micros === 0) return
  delta.micros += micros
  const month = monthOf(row.at)
  const sum = delta.spent.get(toSpentName(keyId, month))
  if (sum === undefined) delta.spent.set(toSpentName(keyId, month), { keyId, month, micros })
  else sum.micros += micros
}

const takeOldest = ({ account, rows }: Delta, count: number): Delta => {
  const part = emptyDelta(account)
  for (const row of rows.slice(0, count)) addRow(part, row)
  return part
}

const remove = (delta: Delta, part: Delta): void => {
  delta.rows.splice(0, part.rows.length)
  delta.micros -= part.micros
  for (const [name, { micros }] of part.spent) {
    const sum = delta.spent.get(name)!
    sum.micros -= micros
    if (sum.micros === 0) delta.spent.delete(name)
  }
}

interface Wallet {
  readonly balance: MicroUsd
  readonly lowBalance?: MicroUsd | undefined
}

type Part = readonly [accountId: string, part: Delta]

interface Stored extends Row {
  readonly accountId: string
  readonly account: number
  readonly folded: number
}

const prepare = (db: Database) => ({
  wallet: db.prepare("SELECT balance_micros, low_micros FROM wallets WHERE account_id = ?"),
  spentByKey: db.prepare("SELECT micros FROM key_spend WHERE key_id = ? AND month = ?").pluck(),
  spentByAccount: db
    .prepare(`
      SELECT coalesce(SUM(s.micros), 0) FROM api_keys k JOIN key_spend s ON s.key_id = k.id
      WHERE k.account_id = ? AND s.month = ?`)
    .pluck(),
  debit: db.prepare("UPDATE wallets SET balance_micros = balance_micros - ?, folded = ? WHERE account_id = ?"),
  spend: db.prepare(`
    INSERT INTO key_spend (key_id, month, micros) VALUES (?, ?, ?)
    ON CONFLICT (key_id, month) DO UPDATE SET micros = micros + excluded.micros`),
  // Accurate to a minute.
  used: db.prepare("UPDATE api_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) <= ?"),
  livemode: db.prepare("SELECT environment = 'live' FROM api_keys WHERE id = ?").pluck(),
  index: db.prepare("INSERT INTO audit_index (account, at, seq) VALUES (?, ?, ?)"),
  place: db.prepare("SELECT seq FROM places WHERE name = 'folded'").pluck(),
  move: db.prepare("UPDATE places SET seq = ? WHERE name = 'folded'"),
  after: db.prepare(`
    SELECT a.seq, a.at, c.account_id AS accountId, a.account, c.key_id AS keyId, coalesce(c.agent_id, '') AS agentId,
      e.endpoint, e.status, a.charged_micros AS micros, coalesce(a.call_count, 1) AS calls, coalesce(w.folded, 0) AS folded
    FROM audit_rows a CROSS JOIN audit_callers c ON c.id = a.caller CROSS JOIN audit_ends e ON e.id = a.ended
      LEFT JOIN wallets w ON w.account_id = c.account_id
    WHERE a.seq > ? ORDER BY a.seq`),
  begin: db.prepare("BEGIN IMMEDIATE"),
  commit: db.prepare("COMMIT"),
  rollback: db.prepare("ROLLBACK"),
})

/** Makes the function that folds rows into their tables. It runs in a transaction. */
const makeWriter = (db: Database, sql: ReturnType<typeof prepare>) => {
  const addUsage = UsageHours.make(db)
  const livemodes = new BoundedMap<string, number>(cachedKeys)
  const readLivemode = (keyId: string): number =>
    getOrMake(livemodes, keyId, () => (sql.livemode.get(keyId) as number | undefined) ?? 0)
  return ([accountId, { account, rows, spent, micros }]: Part): void => {
    sql.debit.run(micros, rows.at(-1)!.seq, accountId)
    for (const { keyId, month, micros } of spent.values()) sql.spend.run(keyId, month, micros)
    const used = new Map<string, number>()
    for (const { seq, at, keyId } of rows) {
      sql.index.run(account, at, seq)
      if (at > (used.get(keyId) ?? 0)) used.set(keyId, at)
    }
    for (const [keyId, at] of used) sql.used.run(at, keyId, at - minute)
    addUsage(accountId, rows, readLivemode)
  }
}

/** The unfolded rows, by account. */
const makeRows = () => {
  const deltas = new Map<string, Delta>()
  const long = new Set<string>()
  let size = 0
  return {
    deltas,
    size: () => size,
    add: (accountId: string, account: number, row: Row): void => {
      const delta = getOrMake(deltas, accountId, () => emptyDelta(account))
      addRow(delta, row)
      size++
      if (delta.rows.length === longAccountRows) long.add(accountId)
    },
    /** Forgets rows that have been folded. */
    remove: ([accountId, part]: Part): void => {
      const delta = deltas.get(accountId)
      if (delta === undefined) return
      size -= part.rows.length
      if (part === delta) deltas.delete(accountId)
      else remove(delta, part)
    },
    hasLong: () => long.size > 0,
    takeLong: (): ReadonlyArray<string> => {
      const all = [...long].sort()
      long.clear()
      return all
    },
  }
}

/** Reads the unfolded rows, once, when a store opens. */
const openCharges = (db: Database) => {
  const sql = prepare(db)
  const rows = makeRows()
  const foldedUpTo = sql.place.get() as number
  let last = foldedUpTo
  for (const each of sql.after.iterate(foldedUpTo) as IterableIterator<Stored>) {
    const { accountId, account, folded, ...row } = each
    last = row.seq
    if (row.seq > folded) rows.add(accountId, account, row)
  }
  /** `last`: the last row of the trail; `place`: the last row up to which all are folded. */
  return { db, sql, rows, replies: ReplyLog.make(db), last, place: foldedUpTo }
}

type Parts = ReturnType<typeof openCharges>

const runWithin = ({ db, sql }: Parts, work: () => void): void => {
  if (db.inTransaction) {
    work()
    return
  }
  sql.begin.run()
  try {
    work()
    sql.commit.run()
  } catch (error) {
    // SQLite may have rolled back itself.
    if (db.inTransaction) sql.rollback.run()
    throw error
  }
}

/**
 * Folds the present rows of some accounts, or of all: each call folds a slice in a transaction, and returns whether there is
 * more. A slice that fails changes nothing.
 */
const foldRows = (parts: Parts, write: (part: Part) => void, accountIds?: ReadonlyArray<string>): (() => boolean) => {
  const { sql, rows, last: upTo } = parts
  const ids = accountIds ?? [...rows.deltas.keys()].sort()
  let next = 0
  return () => {
    const some: Array<Part> = []
    let index = next
    for (let left = sliceRows; index < ids.length && left > 0; ) {
      const delta = rows.deltas.get(ids[index]!)
      // Already folded, or the rows came later.
      if (delta === undefined || delta.rows[0]!.seq > upTo) {
        index++
        continue
      }
      const part = delta.rows.length <= left ? delta : takeOldest(delta, left)
      some.push([ids[index]!, part])
      left -= part.rows.length + accountRows
      if (part !== delta) break
      index++
    }
    const isLast = index === ids.length
    const moves = isLast && accountIds === undefined && upTo > parts.place
    if (some.length > 0 || moves) {
      runWithin(parts, () => {
        some.forEach(write)
        if (moves) sql.move.run(upTo)
      })
    }
    some.forEach(rows.remove)
    if (moves) parts.place = upTo
    next = index
    return !isLast
  }
}

/** Collects the rows of the running batch. */
const makeBatch = (parts: Parts) => {
  const { db, rows, replies } = parts
  const trail = AuditRows.make(db)
  let pending: Array<{ readonly accountId: string; readonly account: number; readonly row: Row }> = []
  return {
    append: (line: Audit): void => {
      const { account, seq } = trail.write(line)
      const { at, accountId, keyId, agentId = "", endpoint, status, charged: micros, calls = 1 } = line
      pending.push({ accountId, account, row: { seq, at, keyId, agentId, endpoint, status, calls, micros } })
    },
    /** Call it after the batch is committed. */
    committed: (): void => {
      for (const { accountId, account, row } of pending) {
        parts.last = row.seq
        rows.add(accountId, account, row)
      }
      pending = []
      replies.takeIn()
    },
    /** Call it after the batch was rolled back. */
    undo: (): void => {
      trail.forget()
      replies.undo()
      pending = []
    },
  }
}

/** Reads of accounts, from tables and unfolded rows together. */
const makeReader = ({ sql, rows: { deltas } }: Parts) => ({
  /** The unfolded charges of an account, which are not in its wallet. */
  charges: (accountId: string): number => deltas.get(accountId)?.micros ?? 0,
  wallet: (accountId: string): Wallet => {
    const row = sql.wallet.get(accountId) as { balance_micros: number; low_micros: number | null } | undefined
    if (row === undefined) return { balance: zero }
    return {
      balance: MicroUsd(row.balance_micros - (deltas.get(accountId)?.micros ?? 0)),
      lowBalance: row.low_micros === null ? undefined : MicroUsd(row.low_micros),
    }
  },
  /** Charges of calls that began in a month, of one key or of the whole account. */
  spent: (accountId: string, month: string, keyId?: string): MicroUsd => {
    const sums = deltas.get(accountId)?.spent
    if (keyId !== undefined) {
      const stored = (sql.spentByKey.get(keyId, month) as number | undefined) ?? 0
      return MicroUsd(stored + (sums?.get(toSpentName(keyId, month))?.micros ?? 0))
    }
    let micros = sql.spentByAccount.get(accountId, month) as number
    for (const sum of sums?.values() ?? []) if (sum.month === month) micros += sum.micros
    return MicroUsd(micros)
  },
})

/** The charges of a store, by its only connection. */
const make = (db: Database) => {
  const parts = openCharges(db)
  const write = makeWriter(db, parts.sql)
  const { rows, replies } = parts
  const folding = (accountIds?: ReadonlyArray<string>) => foldRows(parts, write, accountIds)
  const foldingReplies = () => replies.folding((work) => runWithin(parts, work))
  return {
    replies,
    ...makeBatch(parts),
    ...makeReader(parts),
    size: (): number => rows.size() + replies.size(),
    hasLong: rows.hasLong,
    takeLong: rows.takeLong,
    folding,
    foldingReplies,
    foldAll: (): void => {
      for (const next of [folding(), foldingReplies()]) while (next());
    },
  }
}

export type Charges = ReturnType<typeof make>

export const getCharges = perObject(make)

import { getOrMake } from "../../../../core/getOrMake.ts"
import type { Database, Statement } from "../../engine/sqlite/client.ts"
import { lastSeqSql, tableOf } from "../../trail/months.ts"
import * as ReplyLog from "./replyLog.ts"
import * as TailFold from "./tailFold.ts"
import type { Ends } from "./tailRows.ts"
import * as TailRows from "./tailRows.ts"

/*
 * On SQLite the truth of a call is its one row of the audit trail, appended in the order of settlement. What else a call
 * changes is a fold of these rows: the wallet, the sum of the key and its last use, the index of the account's rows, and the
 * sums of its usage. The posting of a charge is its row of the trail (the view `postings`), until its month is dropped.
 * Written per call, each would touch a page of its own for every payer; folded, many rows of an account go to one page.
 *
 * The tail are the rows that are not folded yet. Each connection knows them: its own as it writes them, those of other
 * processes when their commits are seen. `audit_folds` says how far the rows of each account are folded, and of account 0
 * how far those of all accounts are; a fold of some rows and its place change in one transaction, so that a crash between
 * two of them loses and repeats nothing. Slices are numbered, so that other processes see which places one has moved.
 *
 *     balance = wallets.balance_micros − charges of the tail
 */

/** Rows that one transaction folds: some milliseconds. */
const sliceRows = 500

/** The row of `audit_folds` that counts slices. */
const countRow = "month = '' AND account = 0"

const statements = (db: Database) => {
  const ofMonth = (month: string) => ({
    after: db.prepare(`
      SELECT a.seq, a.at, a.account, c.account_id, c.key_id, a.charged_micros FROM ${tableOf(month)} a
      CROSS JOIN audit_callers c ON c.id = a.caller WHERE a.seq > ? ORDER BY a.seq`),
    last: db.prepare(lastSeqSql(month)).pluck(),
  })
  const months = new Map<string, ReturnType<typeof ofMonth>>()
  return {
    dataVersion: db.prepare("PRAGMA data_version").pluck(),
    slices: db.prepare(`SELECT seq FROM audit_folds WHERE ${countRow}`).pluck(),
    count: db
      .prepare(`
      INSERT INTO audit_folds (month, account, seq) VALUES ('', 0, 1)
      ON CONFLICT (month, account) DO UPDATE SET seq = seq + 1 RETURNING seq`)
      .pluck(),
    // Also those that are being dropped: late rows of them are folded before.
    months: db.prepare("SELECT month FROM audit_months ORDER BY month").pluck(),
    ends: db.prepare("SELECT account, seq FROM audit_folds WHERE month = ? AND seq > ? AND account > 0"),
    end: db.prepare("SELECT seq FROM audit_folds WHERE month = ? AND account = 0").pluck(),
    counted: db.prepare(`
      INSERT INTO usage_months (month, folded) VALUES (?, ?)
      ON CONFLICT (month) DO UPDATE SET folded = max(folded, excluded.folded)`),
    moved: db.prepare(`
      SELECT f.month, f.account, f.seq, a.account_id FROM audit_folds f LEFT JOIN audit_accounts a ON a.id = f.account
      WHERE f.part > ? ORDER BY f.month, f.account`),
    /** Statements of a month's table. */
    of: (month: string) => getOrMake(months, month, ofMonth),
    /** The tables of months may be other ones now. */
    forget: (): void => months.clear(),
  }
}

/** A connection's statements and its copy of the tail. */
const makeParts = (db: Database) => ({
  db,
  sql: statements(db),
  rows: TailRows.make(),
  replies: ReplyLog.make(db),
  fold: TailFold.make(db),
  /** The last slice that this connection has seen. */
  slice: 0,
})

type Parts = ReturnType<typeof makeParts>

const monthsIn = ({ sql }: Parts) => sql.months.all() as ReadonlyArray<string>

const foldedIn = ({ sql }: Parts, month: string): number => (sql.end.get(month) as number | undefined) ?? 0

const lastIn = ({ sql }: Parts, month: string): number => sql.of(month).last.get() as number

interface Stored {
  readonly seq: number
  readonly at: number
  readonly account: number
  readonly account_id: string
  readonly key_id: string
  readonly charged_micros: number
}

/** Reads the rows of a month after a place, but for those of accounts that are folded further. */
const scan = ({ sql, rows }: Parts, month: string, after: number): void => {
  const ends = new Map((sql.ends.all(month, after) as ReadonlyArray<Stored>).map(({ account, seq }) => [account, seq]))
  rows.reach(month, after)
  for (const row of sql.of(month).after.iterate(after) as IterableIterator<Stored>) {
    const { seq, at, account, account_id: accountId, key_id: keyId, charged_micros: micros } = row
    if (seq > (ends.get(account) ?? 0)) rows.add({ month, seq, at, account, accountId, keyId, micros })
    else rows.reach(month, seq)
  }
}

interface Moved {
  readonly month: string
  readonly account: number
  readonly seq: number
  readonly account_id: string | null
}

/** Forgets the rows that others have folded. Returns whether it is known which they are. */
const pass = ({ sql, rows, fold, slice: seen }: Parts): boolean => {
  const moved = sql.moved.all(seen) as ReadonlyArray<Moved>
  // Places of whole months, and of replies: there is little left.
  if (moved.some(({ account_id: accountId }) => accountId === null)) return false
  for (const { month, seq, account_id: accountId } of moved) {
    const seqs = rows.upTo(accountId!, month, seq)
    if (seqs.length > 0) rows.pass(accountId!, month, fold.rows(month, seqs))
  }
  return true
}

/** The tail as this connection has read it: its own rows as it writes them, those of others when they are seen. */
const reading = (parts: Parts) => {
  const { db, sql, rows, replies, fold } = parts
  let isLoaded = false
  let loads = 0
  let dataVersion: unknown

  const forget = (): void => {
    rows.clear()
    replies.forget()
    fold.forget()
    sql.forget()
    isLoaded = false
  }

  const load = (): void => {
    forget()
    parts.slice = (sql.slices.get() as number | undefined) ?? 0
    for (const month of monthsIn(parts)) {
      const folded = foldedIn(parts, month)
      if (lastIn(parts, month) > folded) scan(parts, month, folded)
      else rows.reach(month, folded)
    }
    replies.load()
    loads++
    isLoaded = true
  }

  /** Reads what others have written, in a transaction. */
  const read = (): void => {
    const now = (sql.slices.get() as number | undefined) ?? 0
    if (!isLoaded || now < parts.slice || (now > parts.slice && !pass(parts))) return void load()
    parts.slice = now
    for (const month of monthsIn(parts)) {
      const after = rows.ends.get(month) ?? 0
      const last = lastIn(parts, month)
      // It was dropped and begun anew; one without rows is being dropped.
      if (last > 0 && last < after) return void load()
      if (last > after) scan(parts, month, after)
    }
    replies.read()
  }

  const [begin, beginWriting, commit] = ["BEGIN", "BEGIN IMMEDIATE", "COMMIT"].map((text) => db.prepare(text)) as [
    Statement,
    Statement,
    Statement,
  ]

  const within = <A>(first: Statement, work: () => A): A => {
    first.run()
    try {
      const value = work()
      commit.run()
      return value
    } catch (error) {
      // SQLite may have rolled back itself.
      if (db.inTransaction) db.exec("ROLLBACK")
      throw error
    }
  }

  /** Takes note of what other processes have written. */
  const refresh = (): void => {
    const now = sql.dataVersion.get()
    if (isLoaded && now === dataVersion) return
    if (db.inTransaction) read()
    else within(begin, read)
    dataVersion = now
  }

  const refreshed = <A>(work: () => A) => {
    refresh()
    return work()
  }

  return {
    refresh,
    /** Reads what is there, unless that was done before. */
    ready: (): void => {
      if (!isLoaded) refresh()
    },
    /** Reads tables and tail as they are at one moment; no transaction is open. */
    consistent: <A>(work: () => A): A => within(begin, () => refreshed(work)),
    /** Folds over tables and tail as they are now; no transaction is open. */
    writing: <A>(work: () => A): A => {
      try {
        return within(beginWriting, () => refreshed(work))
      } catch (error) {
        forget()
        throw error
      }
    },
    /** A transaction that folded was rolled back: the tail is read anew. */
    forget,
    /** Changes with each fold of the account. */
    version: (accountId: string): string => `${loads} ${rows.passes(accountId)}`,
  }
}

/** Folds of the tail, each in a transaction of the caller's. */
const folding = (parts: Parts, refresh: () => void) => {
  const { sql, rows, replies, fold } = parts

  /** Folds an account's oldest rows of one month. Returns their number; 0: there are no more. */
  const foldSome = (accountId: string, limit: number, upTo: Ends): number => {
    const account = rows.own(accountId)?.account
    const oldest = rows.oldest(accountId, limit, upTo)
    if (account === undefined || oldest === undefined) return 0
    const { month, seqs } = oldest
    const some = fold.rows(month, seqs)
    fold.write(month, { account, accountId }, some)
    fold.reach(month, account, seqs.at(-1)!, parts.slice)
    rows.pass(accountId, month, some)
    return seqs.length
  }

  const beginSlice = (): void => {
    parts.slice = sql.count.get() as number
  }

  /** All rows up to these ends are folded. */
  const finish = (upTo: Ends): void => {
    const moved = monthsIn(parts).flatMap((month) => {
      const last = Math.min(upTo.get(month) ?? 0, lastIn(parts, month))
      return last > foldedIn(parts, month) ? [{ month, last }] : []
    })
    if (moved.length > 0) beginSlice()
    for (const { month, last } of moved) {
      fold.reach(month, 0, last, parts.slice)
      sql.counted.run(month, last)
    }
  }

  return {
    /**
     * Folds rows up to such ends of accounts from one of them on, a slice.
     *
     * @returns the place of the first account that may have more
     */
    foldFrom: (ids: ReadonlyArray<string>, from: number, upTo: Ends): number => {
      beginSlice()
      let index = from
      for (let left = sliceRows; index < ids.length && left > 0; ) {
        const done = foldSome(ids[index]!, left, upTo)
        // An account takes as long as some rows.
        left -= done + 3
        if (done === 0) index++
      }
      return index
    },
    finish,
    /** Folds the replies that are here now: each run folds a slice, and returns whether there is more. */
    foldingReplies: (): (() => boolean) => {
      const next = replies.folding()
      return () => {
        if (replies.isFolded()) return false
        beginSlice()
        return next(parts.slice)
      }
    },
    /** Folds all at once. */
    foldAll: (): void => {
      refresh()
      const upTo = new Map(rows.ends)
      if (rows.size() > 0) beginSlice()
      for (const id of rows.accountIds()) while (foldSome(id, sliceRows, upTo) > 0);
      finish(upTo)
      if (replies.isFolded()) return
      beginSlice()
      for (const next = replies.folding(); next(parts.slice); );
    },
  }
}

const make = (db: Database) => {
  const parts = makeParts(db)
  const { rows, replies } = parts
  const reader = reading(parts)
  return {
    ...reader,
    ...folding(parts, reader.refresh),
    /** A row that this process has committed. */
    add: rows.add,
    size: (): number => rows.size() + replies.size(),
    rowCount: rows.size,
    replies,
    /** Charges of an account that its wallet does not have. */
    charges: (accountId: string): number => rows.own(accountId)?.micros ?? 0,
    /** Charges in a UTC month that the sum of a key does not have, and those of an account's keys. */
    keySpent: rows.keySpent,
    accountSpent: (accountId: string, month: string): number => rows.own(accountId)?.spent.get(month) ?? 0,
    lastUsed: rows.lastUsed,
    accountIds: rows.accountIds,
    /** Rows of an account up to this one are folded, and those after it are not. After `refresh`, in the same transaction. */
    place: rows.place,
    hasLong: rows.hasLong,
    takeLong: rows.takeLong,
    has: (accountId: string): boolean => rows.own(accountId) !== undefined,
    /** Where each month ends now. */
    ends: (): Ends => new Map(rows.ends),
  }
}

export type Tail = ReturnType<typeof make>

const tails = new WeakMap<Database, Tail>()

/** The tail of a connection, which is one. */
export const makeTail = (db: Database): Tail => {
  const tail = tails.get(db) ?? make(db)
  tails.set(db, tail)
  return tail
}

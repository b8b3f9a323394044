import { lastOf, tableOf } from "../../audit/months.ts"
import type { Database, Statement } from "../../engine/sqlite/Database.ts"
import * as ReplyLog from "./replyLog.ts"
import * as TailFold from "./tailFold.ts"
import type { Ends } from "./tailRows.ts"
import * as TailRows from "./tailRows.ts"

/*
 * On SQLite the truth of a call is its one row of the audit trail, appended in the order of settlement. What else a call
 * changes is a fold of these rows: the wallet, the sum of the key and its last use, the index of the account's rows, and the
 * sums of its usage. The posting of a charge is its row of the trail (the view `postings`), until its month is dropped. Written per call, each would touch a page of its own for every payer; folded, many
 * rows of an account go to one page.
 *
 * The tail are the rows that are not folded yet. Each connection knows them: its own as it writes them, those of other
 * processes when their commits are seen. `audit_folds` says how far the rows of each account are folded, and of account 0
 * how far those of all accounts are; a fold of some rows and its place change in one transaction, so that a crash between
 * two of them loses and repeats nothing. Slices are numbered, so that other processes see which places one has moved.
 *
 *     balance = wallets.balance_micros − charges of the tail
 */

/** Rows that one transaction folds: some milliseconds. */
const slice = 500

/** The row of `audit_folds` that counts slices. */
const countRow = "month = '' AND account = 0"

const make = (db: Database) => {
  const sql = {
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
  }

  const ofMonth = (month: string) => ({
    after: db.prepare(`
      SELECT a.seq, a.at, a.account, c.account_id, c.key_id, a.charged_micros FROM ${tableOf(month)} a
      CROSS JOIN audit_callers c ON c.id = a.caller WHERE a.seq > ? ORDER BY a.seq`),
    last: db.prepare(lastOf(month)).pluck(),
  })
  const prepared = new Map<string, ReturnType<typeof ofMonth>>()
  const of = (month: string) => {
    const statements = prepared.get(month) ?? ofMonth(month)
    prepared.set(month, statements)
    return statements
  }

  const rows = TailRows.make()
  const replies = ReplyLog.make(db)
  const fold = TailFold.make(db)
  let isLoaded = false
  let loads = 0
  let dataVersion: unknown
  /** The last slice that is known here. */
  let slices = 0

  interface Stored {
    readonly seq: number
    readonly at: number
    readonly account: number
    readonly account_id: string
    readonly key_id: string
    readonly charged_micros: number
  }

  /** Reads the rows of a month after a place, but for those of accounts that are folded further. */
  const scan = (month: string, after: number): void => {
    const ends = new Map(
      (sql.ends.all(month, after) as ReadonlyArray<Stored>).map(({ account, seq }) => [account, seq]),
    )
    rows.reach(month, after)
    for (const row of of(month).after.iterate(after) as IterableIterator<Stored>) {
      const { seq, at, account, account_id: accountId, key_id: keyId, charged_micros: micros } = row
      if (seq > (ends.get(account) ?? 0)) rows.add({ month, seq, at, account, accountId, keyId, micros })
      else rows.reach(month, seq)
    }
  }

  const forget = (): void => {
    rows.clear()
    replies.forget()
    fold.forget()
    prepared.clear()
    isLoaded = false
  }

  const months = () => sql.months.all() as ReadonlyArray<string>

  const load = (): void => {
    forget()
    slices = (sql.slices.get() as number | undefined) ?? 0
    for (const month of months()) {
      const folded = (sql.end.get(month) as number | undefined) ?? 0
      if ((of(month).last.get() as number) > folded) scan(month, folded)
      else rows.reach(month, folded)
    }
    replies.load()
    loads++
    isLoaded = true
  }

  interface Moved {
    readonly month: string
    readonly account: number
    readonly seq: number
    readonly account_id: string | null
  }

  /** Forgets the rows that others have folded. Returns whether it is known which they are. */
  const pass = (): boolean => {
    const moved = sql.moved.all(slices) as ReadonlyArray<Moved>
    // Places of whole months, and of replies: there is little left.
    if (moved.some(({ account_id: accountId }) => accountId === null)) return false
    for (const { month, seq, account_id: accountId } of moved) {
      const seqs = rows.upTo(accountId!, month, seq)
      if (seqs.length > 0) rows.pass(accountId!, month, fold.rows(month, seqs))
    }
    return true
  }

  /** Reads what others have written, in a transaction. */
  const read = (): void => {
    const now = (sql.slices.get() as number | undefined) ?? 0
    if (!isLoaded || now < slices || (now > slices && !pass())) return void load()
    slices = now
    for (const month of months()) {
      const after = rows.ends.get(month) ?? 0
      const last = of(month).last.get() as number
      // It was dropped and begun anew; one without rows is being dropped.
      if (last > 0 && last < after) return void load()
      if (last > after) scan(month, after)
    }
    replies.read()
  }

  const [begin, beginWriting, commit] = ["BEGIN", "BEGIN IMMEDIATE", "COMMIT"].map((text) => db.prepare(text)) as [
    Statement,
    Statement,
    Statement,
  ]

  const within = <A>(work: () => A, first = begin): A => {
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
    else within(read)
    dataVersion = now
  }

  /** Folds an account's oldest rows of one month, in a transaction. Returns their number; 0: there are no more. */
  const foldSome = (accountId: string, most: number, upTo: Ends, isCounted = false): number => {
    const own = rows.own(accountId)
    const oldest = rows.oldest(accountId, most, upTo)
    if (own === undefined || oldest === undefined) return 0
    const { month, seqs } = oldest
    const some = fold.rows(month, seqs)
    fold.write(month, { account: own.account, accountId }, some, isCounted)
    fold.reach(month, own.account, seqs.at(-1)!, slices)
    rows.pass(accountId, month, some)
    return seqs.length
  }

  /** Begins a slice, in a transaction. */
  const count = (): void => {
    slices = sql.count.get() as number
  }

  /** All rows up to these ends are folded. In a transaction. */
  const finish = (upTo: Ends): void => {
    const ends = months().map((month) => ({
      month,
      before: (sql.end.get(month) as number | undefined) ?? 0,
      last: Math.min(upTo.get(month) ?? 0, of(month).last.get() as number),
    }))
    const moved = ends.filter(({ before, last }) => last > before)
    if (moved.length > 0) count()
    for (const { month, last } of moved) {
      fold.reach(month, 0, last, slices)
      sql.counted.run(month, last)
    }
  }

  return {
    refresh,
    /** Reads what is there, unless that was done before. */
    ready: (): void => {
      if (!isLoaded) refresh()
    },
    /** Reads tables and tail as they are at one moment; no transaction is open. */
    consistent: <A>(work: () => A): A =>
      within(() => {
        refresh()
        return work()
      }),
    /** Folds over tables and tail as they are now; no transaction is open. */
    writing: <A>(work: () => A): A => {
      try {
        return within(() => {
          refresh()
          return work()
        }, beginWriting)
      } catch (error) {
        forget()
        throw error
      }
    },
    /** A row that this process has committed. */
    add: rows.add,
    /** A transaction that folded was rolled back: the tail is read anew. */
    forget,
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
    /** Changes with each fold of the account. */
    version: (accountId: string): string => `${loads} ${rows.passes(accountId)}`,
    hasLong: rows.hasLong,
    takeLong: rows.takeLong,
    has: (accountId: string): boolean => rows.own(accountId) !== undefined,
    /** Where each month ends now. */
    ends: (): Ends => new Map(rows.ends),
    /**
     * Folds rows up to such ends of accounts from one of them on, a slice, in a transaction.
     *
     * @returns the place of the first account that may have more
     */
    foldFrom: (ids: ReadonlyArray<string>, from: number, upTo: Ends): number => {
      count()
      let at = from
      for (let left = slice; at < ids.length && left > 0; ) {
        const done = foldSome(ids[at]!, left, upTo)
        // An account takes as long as some rows.
        left -= done + 3
        if (done === 0) at++
      }
      return at
    },
    finish,
    /** Folds the replies that are here now: each run, in a transaction, folds a slice, and returns whether there is more. */
    foldingReplies: (): (() => boolean) => {
      const next = replies.folding()
      return () => {
        if (replies.isFolded()) return false
        count()
        return next(slices)
      }
    },
    /**
     * Folds all at once, in a transaction.
     *
     * @param isCounted the sums of usage have these rows
     */
    foldAll: (isCounted = false): void => {
      refresh()
      const upTo = new Map(rows.ends)
      if (rows.size() > 0) count()
      for (const id of rows.accountIds()) while (foldSome(id, slice, upTo, isCounted) > 0);
      finish(upTo)
      if (replies.isFolded()) return
      count()
      for (const next = replies.folding(); next(slices); );
    },
  }
}

export type Tail = ReturnType<typeof make>

const tails = new WeakMap<Database, Tail>()

/** The tail of a connection, which is one. */
export const tailOf = (db: Database): Tail => {
  const tail = tails.get(db) ?? make(db)
  tails.set(db, tail)
  return tail
}

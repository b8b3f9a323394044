import { monthOf as monthOfTime } from "../../../core/account/Agent.ts"
import { minute } from "../../../core/time.ts"
import { accountsOf, tableOf } from "../schema/audit.ts"
import type { Database, Statement } from "./Database.ts"
import type { Ends } from "./tailRows.ts"
import * as TailRows from "./tailRows.ts"

/*
 * On SQLite the truth of a call is its one row of the audit trail, appended in the order of settlement. What else a call
 * changes is a fold of these rows: the wallet, the sum of the key and its last use, the journal's row, and the index of the
 * account's rows. Written per call, each would touch a page of its own for every payer; folded, many rows of an account go to one page.
 *
 * The tail are the rows that are not folded yet. Each connection knows them: its own as it writes them, those of other
 * processes when their commits are seen. `audit_folds` says how far the rows of each account are folded, and of account 0
 * how far those of all accounts are; a fold of some rows and its place change in one transaction, so that a crash between
 * two of them loses and repeats nothing.
 *
 *     balance = wallets.balance_micros − charges of the tail
 */

/** Rows that one transaction folds: some milliseconds. */
const slice = 500

/** The journal's ledger of an account's wallet. */
export const walletLedger = (accountId: string): string => `wallet:${accountId}`

/** The row of `audit_folds` that counts slices, by which other processes see that one was folded. */
const countRow = "month = '' AND account = 0"

const make = (db: Database) => {
  const sql = {
    version: db.prepare(`SELECT seq FROM audit_folds WHERE ${countRow}`).pluck(),
    // Also those that are being dropped: late rows of them are folded before.
    months: db.prepare("SELECT month FROM audit_months ORDER BY month").pluck(),
    ends: db.prepare("SELECT account, seq FROM audit_folds WHERE month = ? AND seq > ? AND account > 0"),
    end: db.prepare("SELECT seq FROM audit_folds WHERE month = ? AND account = 0").pluck(),
    fold: db.prepare(`
      INSERT INTO audit_folds (month, account, seq) VALUES (?, ?, ?)
      ON CONFLICT (month, account) DO UPDATE SET seq = max(seq, excluded.seq)`),
    count: db.prepare(`
      INSERT INTO audit_folds (month, account, seq) VALUES ('', 0, 1)
      ON CONFLICT (month, account) DO UPDATE SET seq = seq + 1`),
    journal: db.prepare(`
      INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      VALUES (?, ?, 'charge', ?, ?, 'revenue', ?, ?, ?)`),
    debit: db.prepare("UPDATE wallets SET balance_micros = balance_micros - ? WHERE account_id = ?"),
    keySpend: db.prepare(`
      INSERT INTO key_spend (key_id, month, micros) VALUES (?, ?, ?)
      ON CONFLICT (key_id, month) DO UPDATE SET micros = micros + excluded.micros`),
    // To the minute.
    used: db.prepare("UPDATE api_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) <= ?"),
    key: db.prepare("SELECT key_id FROM audit_callers WHERE id = ?").pluck(),
    endpoint: db.prepare("SELECT endpoint FROM audit_ends WHERE id = ?").pluck(),
    table: db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").pluck(),
  }

  const ofMonth = (month: string) => ({
    after: db.prepare(`
      SELECT a.seq, a.at, a.account, c.account_id, c.key_id, a.charged_micros FROM ${tableOf(month)} a
      CROSS JOIN audit_callers c ON c.id = a.caller WHERE a.seq > ? ORDER BY a.seq`),
    last: db.prepare(`SELECT coalesce(max(seq), 0) FROM ${tableOf(month)}`).pluck(),
    row: db.prepare(`SELECT request_id, at, caller, ended, charged_micros FROM ${tableOf(month)} WHERE seq = ?`),
    // Months that began before the trail was folded have an index of their own.
    index:
      sql.table.get(accountsOf(month)) === undefined
        ? undefined
        : db.prepare(`INSERT INTO ${accountsOf(month)} (account, at, seq) VALUES (?, ?, ?)`),
  })
  const prepared = new Map<string, ReturnType<typeof ofMonth>>()
  const of = (month: string) => {
    const statements = prepared.get(month) ?? ofMonth(month)
    prepared.set(month, statements)
    return statements
  }

  /** Names behind the numbers of rows, which never change. */
  const named = (statement: Statement) => {
    const names = new Map<number, string>()
    return (id: number): string => {
      const name = names.get(id) ?? (statement.get(id) as string)
      if (names.size > 100_000) names.clear()
      names.set(id, name)
      return name
    }
  }
  const [keyOf, endpointOf] = [named(sql.key), named(sql.endpoint)]

  const rows = TailRows.make()
  let isLoaded = false
  let dataVersion: unknown
  let version: unknown

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
    prepared.clear()
    isLoaded = false
  }

  const load = (): void => {
    forget()
    version = sql.version.get()
    for (const month of sql.months.all() as ReadonlyArray<string>) {
      const folded = (sql.end.get(month) as number | undefined) ?? 0
      if ((of(month).last.get() as number) > folded) scan(month, folded)
      else rows.reach(month, folded)
    }
    isLoaded = true
  }

  /** Reads what others have written, in a transaction. */
  const read = (): void => {
    if (!isLoaded || sql.version.get() !== version) return void load()
    for (const month of sql.months.all() as ReadonlyArray<string>) {
      const after = rows.ends.get(month) ?? 0
      const last = of(month).last.get() as number
      // It was dropped and begun anew; one without rows is being dropped.
      if (last > 0 && last < after) return void load()
      if (last > after) scan(month, after)
    }
  }

  const [begin, commit] = [db.prepare("BEGIN"), db.prepare("COMMIT")]

  const within = <A>(work: () => A): A => {
    begin.run()
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
    const now = db.pragma("data_version", { simple: true })
    if (isLoaded && now === dataVersion) return
    if (db.inTransaction) read()
    else within(read)
    dataVersion = now
  }

  interface Row {
    readonly request_id: string
    readonly at: number
    readonly caller: number
    readonly ended: number
    readonly charged_micros: number
  }

  /** Folds an account's oldest rows of one month, in a transaction. Returns their number; 0: there are no more. */
  const foldOf = (accountId: string, most: number, upTo: Ends): number => {
    const own = rows.own(accountId)
    const oldest = rows.oldest(accountId, most, upTo)
    if (own === undefined || oldest === undefined) return 0
    const { month, seqs } = oldest
    const { row, index } = of(month)
    const ledger = walletLedger(accountId)
    const spent = new Map<string, { keyId: string; called: string; micros: number }>()
    const used = new Map<string, number>()
    let debit = 0
    for (const seq of seqs) {
      const { request_id, at, caller, ended, charged_micros: micros } = row.get(seq) as Row
      index?.run(own.account, at, seq)
      const keyId = keyOf(caller)
      if (at > (used.get(keyId) ?? 0)) used.set(keyId, at)
      if (micros === 0) continue
      sql.journal.run(request_id, at, accountId, ledger, micros, keyId, endpointOf(ended))
      debit += micros
      const called = monthOfTime(at)
      const sum = spent.get(keyId + called)
      if (sum === undefined) spent.set(keyId + called, { keyId, called, micros })
      else sum.micros += micros
    }
    if (debit > 0) sql.debit.run(debit, accountId)
    for (const { keyId, called, micros } of spent.values()) {
      sql.keySpend.run(keyId, called, micros)
      rows.folded(own, keyId, called, micros)
    }
    for (const [keyId, at] of used) sql.used.run(at, keyId, at - minute)
    sql.fold.run(month, own.account, seqs.at(-1))
    rows.remove(accountId, month, seqs.length)
    return seqs.length
  }

  /** Begins to fold, in a transaction. */
  const count = (): void => {
    sql.count.run()
    version = sql.version.get()
  }

  /** All rows up to these ends are folded. In a transaction. */
  const finish = (upTo: Ends): void => {
    for (const month of sql.months.all() as ReadonlyArray<string>) {
      const end = upTo.get(month)
      if (end !== undefined) sql.fold.run(month, 0, Math.min(end, of(month).last.get() as number))
    }
  }

  return {
    refresh,
    /** Reads tables and tail as they are at one moment; no transaction is open. */
    consistent: <A>(work: () => A): A =>
      within(() => {
        refresh()
        return work()
      }),
    /** A row that this process has committed. */
    add: rows.add,
    /** A transaction that folded was rolled back: the tail is read anew. */
    forget,
    size: rows.size,
    /** Charges of an account that its wallet does not have. */
    charges: (accountId: string): number => rows.own(accountId)?.micros ?? 0,
    /** Charges in a UTC month that the sum of a key does not have, and those of an account's keys. */
    keySpent: rows.keySpent,
    accountSpent: (accountId: string, month: string): number => rows.own(accountId)?.spent.get(month) ?? 0,
    lastUsed: rows.lastUsed,
    accountIds: rows.accountIds,
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
        const done = foldOf(ids[at]!, left, upTo)
        // An account takes as long as some rows.
        left -= done + 3
        if (done === 0) at++
      }
      return at
    },
    finish,
    /** Folds all at once, in a transaction. */
    foldAll: (): void => {
      refresh()
      const upTo = new Map(rows.ends)
      count()
      for (const id of rows.accountIds()) while (foldOf(id, slice, upTo) > 0);
      finish(upTo)
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

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { monthOf as monthOfTime } from "../../../core/account/Agent.ts"
import { breath } from "../../../core/breath.ts"
import type { Failure } from "../../../core/Failure.ts"
import { minute } from "../../../core/time.ts"
import { accountsOf, tableOf } from "../schema/audit.ts"
import { mapStorageErrors } from "../storage.ts"
import { Sqlite } from "./client.ts"
import type { Database, Statement } from "./Database.ts"

/*
 * On SQLite the truth of a call is its one row of the audit trail, appended in the order of settlement. What else a call
 * changes is a fold of these rows: the wallet, the sum of the key and its last use, the journal's row, and the index of the
 * account's rows.
 * Written per call, each would touch a page of its own for every payer; folded, many rows of an account go to one page.
 *
 * The tail are the rows that are not folded yet. Each connection knows them: its own as it writes them, those of other
 * processes when their commits are seen. `audit_folds` says how far the rows of each account are folded, and of account 0
 * how far those of all accounts are; a fold of some rows and its place change in one transaction, so that a crash between
 * two of them loses and repeats nothing.
 *
 *     balance = wallets.balance_micros − charges of the tail
 */

/** Rows of the tail from which on it is folded; a start reads it in some tenths of a second. */
export class FoldRows extends Context.Reference<FoldRows>()("adapters/sql/FoldRows", {
  defaultValue: (): number => 50_000,
}) {}

/** Rows that one transaction folds: some milliseconds. */
const slice = 500

/** The journal's ledger of an account's wallet. */
export const walletLedger = (accountId: string): string => `wallet:${accountId}`

/** A row of the tail. */
export interface TailRow {
  /** The month whose table has it, and its number there. */
  readonly month: string
  readonly seq: number
  /** Start of the call, epoch milliseconds. */
  readonly at: number
  readonly account: number
  readonly accountId: string
  readonly keyId: string
  readonly micros: number
}

/** The number of a row in each month. */
export type Ends = ReadonlyMap<string, number>

/** The tail of an account. */
interface Own {
  readonly account: number
  /** Numbers of its rows by the month whose table has them, ascending. */
  readonly rows: Map<string, Array<number>>
  micros: number
  /** Charges by the month of the call. */
  readonly spent: Map<string, number>
}

const added = (sums: Map<string, number>, name: string, micros: number): void => {
  const sum = (sums.get(name) ?? 0) + micros
  if (sum === 0) sums.delete(name)
  else sums.set(name, sum)
}

/** The row of `audit_folds` that counts slices, by which other processes see that one was folded. */
const countRow = "month = '' AND account = 0"

const make = (db: Database) => {
  const sql = {
    version: db.prepare(`SELECT seq FROM audit_folds WHERE ${countRow}`).pluck(),
    // Also those that are being dropped: late rows of them are folded before.
    months: db.prepare("SELECT month FROM audit_months ORDER BY month").pluck(),
    ends: db.prepare("SELECT account, seq FROM audit_folds WHERE month = ? AND seq > ? AND account > 0"),
    end: db.prepare("SELECT seq FROM audit_folds WHERE month = ? AND account = ?").pluck(),
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
  let [keyOf, endpointOf] = [named(sql.key), named(sql.endpoint)]

  const accounts = new Map<string, Own>()
  const keys = new Map<string, number>()
  /** The last row of each month that is in the tail, or is folded. */
  const seen = new Map<string, number>()
  let size = 0
  let isLoaded = false
  let dataVersion: unknown
  let version: unknown

  const add = ({ month, seq, at, account, accountId, keyId, micros }: TailRow): void => {
    let own = accounts.get(accountId)
    if (own === undefined) {
      own = { account, rows: new Map(), micros: 0, spent: new Map() }
      accounts.set(accountId, own)
    }
    const rows = own.rows.get(month)
    if (rows === undefined) own.rows.set(month, [seq])
    else rows.push(seq)
    seen.set(month, seq)
    size++
    if (micros === 0) return
    const called = monthOfTime(at)
    own.micros += micros
    added(own.spent, called, micros)
    added(keys, keyId + called, micros)
  }

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
    seen.set(month, after)
    for (const row of of(month).after.iterate(after) as IterableIterator<Stored>) {
      const { seq, at, account, account_id: accountId, key_id: keyId, charged_micros: micros } = row
      if (seq > (ends.get(account) ?? 0)) add({ month, seq, at, account, accountId, keyId, micros })
      else seen.set(month, seq)
    }
  }

  const clear = (): void => {
    for (const each of [accounts, keys, seen, prepared]) each.clear()
    ;[keyOf, endpointOf] = [named(sql.key), named(sql.endpoint)]
    size = 0
    isLoaded = false
  }

  const load = (): void => {
    clear()
    version = sql.version.get()
    for (const month of sql.months.all() as ReadonlyArray<string>) {
      const folded = (sql.end.get(month, 0) as number | undefined) ?? 0
      if ((of(month).last.get() as number) > folded) scan(month, folded)
      else seen.set(month, folded)
    }
    isLoaded = true
  }

  /** In a transaction. */
  const read = (): void => {
    if (!isLoaded || sql.version.get() !== version) {
      load()
      return
    }
    for (const month of sql.months.all() as ReadonlyArray<string>) {
      const after = seen.get(month) ?? 0
      const last = of(month).last.get() as number
      // It was dropped and begun anew.
      if (last < after) {
        load()
        return
      }
      if (last > after) scan(month, after)
    }
  }

  /** Takes note of what other processes have written. */
  const refresh = (): void => {
    const now = db.pragma("data_version", { simple: true })
    if (isLoaded && now === dataVersion) return
    if (db.inTransaction) read()
    else {
      db.exec("BEGIN")
      try {
        read()
      } finally {
        db.exec("COMMIT")
      }
    }
    dataVersion = now
  }

  /** An account's oldest rows of one month, up to the end of the month that is to be folded. */
  const oldest = (own: Own | undefined, most: number, ends: Ends) => {
    for (const [month, all] of own?.rows ?? []) {
      const end = ends.get(month) ?? 0
      let count = 0
      while (count < most && count < all.length && all[count]! <= end) count++
      if (count > 0) return { month, all, seqs: all.slice(0, count) }
    }
    return undefined
  }

  /** Folds an account's oldest rows of one month, in a transaction. Returns their number; 0: there are no more. */
  const foldOf = (accountId: string, most: number, ends: Ends): number => {
    const own = accounts.get(accountId)
    const some = oldest(own, most, ends)
    if (own === undefined || some === undefined) return 0
    const { month, all, seqs } = some
    const { row, index } = of(month)
    const ledger = walletLedger(accountId)
    const spent = new Map<string, { keyId: string; month: string; micros: number }>()
    const used = new Map<string, number>()
    let debit = 0
    for (const seq of seqs) {
      const {
        request_id,
        at,
        caller,
        ended,
        charged_micros: micros,
      } = row.get(seq) as {
        readonly request_id: string
        readonly at: number
        readonly caller: number
        readonly ended: number
        readonly charged_micros: number
      }
      index?.run(own.account, at, seq)
      const keyId = keyOf(caller)
      if (at > (used.get(keyId) ?? 0)) used.set(keyId, at)
      if (micros === 0) continue
      sql.journal.run(request_id, at, accountId, ledger, micros, keyId, endpointOf(ended))
      debit += micros
      const called = monthOfTime(at)
      const sum = spent.get(keyId + called)
      if (sum === undefined) spent.set(keyId + called, { keyId, month: called, micros })
      else sum.micros += micros
    }
    if (debit > 0) sql.debit.run(debit, accountId)
    for (const { keyId, month: called, micros } of spent.values()) {
      sql.keySpend.run(keyId, called, micros)
      added(own.spent, called, -micros)
      added(keys, keyId + called, -micros)
    }
    for (const [keyId, at] of used) sql.used.run(at, keyId, at - minute)
    sql.fold.run(month, own.account, seqs.at(-1))
    own.micros -= debit
    size -= seqs.length
    if (seqs.length < all.length) own.rows.set(month, all.slice(seqs.length))
    else own.rows.delete(month)
    if (own.rows.size === 0) accounts.delete(accountId)
    return seqs.length
  }

  /** Begins to fold, in a transaction. */
  const count = (): void => {
    sql.count.run()
    version = sql.version.get()
  }

  /** All rows up to these ends are folded. In a transaction. */
  const finish = (ends: Ends): void => {
    for (const month of sql.months.all() as ReadonlyArray<string>) {
      const end = ends.get(month)
      if (end !== undefined) sql.fold.run(month, 0, end)
    }
  }

  const [begin, commit] = [db.prepare("BEGIN"), db.prepare("COMMIT")]

  return {
    refresh,
    /** Reads tables and tail as they are at one moment; no transaction is open. */
    consistent: <A>(work: () => A): A => {
      begin.run()
      try {
        refresh()
        return work()
      } finally {
        commit.run()
      }
    },
    /** A row of a transaction that is about to be committed. */
    add,
    /** A transaction was rolled back. */
    forget: clear,
    size: () => size,
    /** Charges of an account that its wallet does not have. */
    charges: (accountId: string): number => accounts.get(accountId)?.micros ?? 0,
    /** Charges in a UTC month that the sum of a key does not have, and those of an account's keys. */
    keySpent: (keyId: string, month: string): number => keys.get(keyId + month) ?? 0,
    accountSpent: (accountId: string, month: string): number => accounts.get(accountId)?.spent.get(month) ?? 0,
    accountIds: (): ReadonlyArray<string> => [...accounts.keys()].sort(),
    has: (accountId: string): boolean => accounts.has(accountId),
    /** Where each month ends now. */
    ends: (): Ends => new Map(seen),
    /**
     * Folds rows up to such ends of accounts from one of them on, a slice, in a transaction.
     *
     * @returns the place of the first account that may have more
     */
    foldFrom: (ids: ReadonlyArray<string>, from: number, ends: Ends): number => {
      count()
      let at = from
      for (let left = slice; at < ids.length && left > 0; ) {
        const done = foldOf(ids[at]!, left, ends)
        left -= done
        if (done === 0) at++
      }
      return at
    },
    finish,
    /** Folds all at once, in a transaction. */
    foldAll: (): void => {
      refresh()
      if (size === 0) return
      const ends = new Map(seen)
      count()
      for (const id of [...accounts.keys()].sort()) while (foldOf(id, slice, ends) > 0);
      finish(ends)
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

/** Exact reads over tables that are folded. */
export interface Folded {
  /** Charges of an account that its wallet does not have yet; in the transaction that reads the wallet. */
  readonly charges: (accountId: string) => number
  /** Folds all rows of an account, so that its tables are exact up to this moment. */
  readonly account: (accountId: string) => Effect.Effect<void, Failure>
  /** The same for all accounts. */
  readonly all: Effect.Effect<void, Failure>
  /** A month was dropped: its rows are read anew if it begins again. */
  readonly dropped: Effect.Effect<void>
}

const nothing: Folded = { charges: () => 0, account: () => Effect.void, all: Effect.void, dropped: Effect.void }

const foldedOf = ({ db, exclusive }: Sqlite["Type"]): Folded => {
  const tail = tailOf(db)
  const write = <A>(work: () => A) =>
    mapStorageErrors(
      exclusive(() => {
        db.exec("BEGIN IMMEDIATE")
        try {
          tail.refresh()
          const value = work()
          db.exec("COMMIT")
          return value
        } catch (error) {
          tail.forget()
          if (db.inTransaction) db.exec("ROLLBACK")
          throw error
        }
      }),
    )
  const fresh = mapStorageErrors(exclusive(tail.refresh))
  const each = (ids: ReadonlyArray<string>, ends: Ends, from = 0): Effect.Effect<void, Failure> =>
    from === ids.length
      ? Effect.void
      : Effect.flatMap(
          write(() => tail.foldFrom(ids, from, ends)),
          (at) => Effect.zipRight(at === ids.length ? Effect.void : breath, each(ids, ends, at)),
        )
  return {
    charges: (accountId) => {
      tail.refresh()
      return tail.charges(accountId)
    },
    account: (accountId) =>
      Effect.zipRight(
        fresh,
        Effect.suspend(() => (tail.has(accountId) ? each([accountId], tail.ends()) : Effect.void)),
      ),
    dropped: Effect.sync(tail.forget),
    all: Effect.zipRight(
      fresh,
      Effect.suspend(() => {
        const ends = tail.ends()
        return tail.size() === 0
          ? Effect.void
          : Effect.zipRight(
              each(tail.accountIds(), ends),
              write(() => tail.finish(ends)),
            )
      }),
    ),
  }
}

/** Of the store of the context; PostgreSQL writes all with the charge. */
export const folded: Effect.Effect<Folded> = Effect.map(Effect.serviceOption(Sqlite), (sqlite) =>
  Option.match(sqlite, { onNone: () => nothing, onSome: foldedOf }),
)

/** Time between two folds of a short tail, and after one that failed, such as on a full disk; milliseconds. */
const foldMs = 600_000
const failedMs = 10_000

/** Real time, even if a test has stopped the clock. */
const clock = Clock.make()

/**
 * Folds the tail when it is long, every ten minutes, and at the end of the scope.
 *
 * @returns to be called when the tail is long
 */
export const folding = ({ all }: Folded): Effect.Effect<() => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const long = yield* Queue.sliding<void>(1)
    const fold = Effect.tapError(all, (failure) => Effect.logWarning("The tail of the ledger is not folded", failure))
    // What is left is folded after the next start.
    yield* Effect.addFinalizer(() => Effect.ignore(fold))
    yield* Effect.timeoutOption(Queue.take(long), foldMs).pipe(
      Effect.zipRight(Effect.catchAll(fold, () => Effect.sleep(failedMs))),
      Effect.forever,
      Effect.withClock(clock),
      Effect.interruptible,
      Effect.forkScoped,
    )
    return () => void Queue.unsafeOffer(long, undefined)
  })

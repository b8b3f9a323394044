import { monthOf as monthOfTime } from "../../../../core/account/Agent.ts"
import type { TailRow } from "../../trail/rows.ts"

/** The number of a row in each month. */
export type Ends = ReadonlyMap<string, number>

/** The tail of an account. */
export interface Own {
  readonly account: number
  /** Numbers of its rows by the month whose table has them, ascending. */
  readonly rows: Map<string, Array<number>>
  count: number
  micros: number
  /** Charges by the month of the call. */
  readonly spent: Map<string, number>
}

/** Rows from which on an account is folded by itself: a page of it folds all that are left, in some tenths of a second. */
const longRows = 5_000

const added = (sums: Map<string, number>, name: string, micros: number): void => {
  const sum = (sums.get(name) ?? 0) + micros
  if (sum === 0) sums.delete(name)
  else sums.set(name, sum)
}

/** Rows of the trail that are not folded yet, by account, with the sums of their charges. */
export const make = () => {
  const accounts = new Map<string, Own>()
  /** Charges by key and month. */
  const keys = new Map<string, number>()
  /** Newest calls by key, also of rows that are folded since. */
  const used = new Map<string, number>()
  /** The last row of each month that is here, or is folded. */
  const ends = new Map<string, number>()
  const long = new Set<string>()
  const passed = new Map<string, number>()
  let size = 0
  return {
    ends: ends as Ends,
    size: () => size,
    own: (accountId: string): Own | undefined => accounts.get(accountId),
    accountIds: (): ReadonlyArray<string> => [...accounts.keys()].sort(),
    lastUsed: (keyId: string): number | undefined => used.get(keyId),
    keySpent: (keyId: string, month: string): number => keys.get(keyId + month) ?? 0,
    /** All rows of a month up to this one are folded, or are here. */
    reach: (month: string, seq: number): void => void ends.set(month, seq),
    /** Rows of a month come in the order of their numbers. */
    add: ({ month, seq, at, account, accountId, keyId, micros }: TailRow): void => {
      let own = accounts.get(accountId)
      if (own === undefined) {
        own = { account, rows: new Map(), count: 0, micros: 0, spent: new Map() }
        accounts.set(accountId, own)
      }
      const rows = own.rows.get(month)
      if (rows === undefined) own.rows.set(month, [seq])
      else rows.push(seq)
      ends.set(month, seq)
      if (at > (used.get(keyId) ?? 0)) used.set(keyId, at)
      size++
      if (++own.count === longRows) long.add(accountId)
      if (micros === 0) return
      const called = monthOfTime(at)
      own.micros += micros
      added(own.spent, called, micros)
      added(keys, keyId + called, micros)
    },
    /** An account's oldest rows of one month, up to the end of the month that is to be folded. */
    oldest: (accountId: string, most: number, upTo: Ends) => {
      for (const [month, all] of accounts.get(accountId)?.rows ?? []) {
        const end = upTo.get(month) ?? 0
        let count = 0
        while (count < most && count < all.length && all[count]! <= end) count++
        if (count > 0) return { month, seqs: all.slice(0, count) }
      }
      return undefined
    },
    place: (accountId: string, month: string): number => {
      const first = accounts.get(accountId)?.rows.get(month)?.[0]
      return first === undefined ? (ends.get(month) ?? 0) : first - 1
    },
    /** How often rows of an account were folded. */
    passes: (accountId: string): number => passed.get(accountId) ?? 0,
    /** Numbers of an account's rows of a month up to one. */
    upTo: (accountId: string, month: string, seq: number): ReadonlyArray<number> => {
      const all = accounts.get(accountId)?.rows.get(month) ?? []
      const end = all.findIndex((each) => each > seq)
      return end === -1 ? all : all.slice(0, end)
    },
    /** An account's oldest rows of a month are folded. */
    pass: (accountId: string, month: string, some: ReadonlyArray<Pick<TailRow, "keyId" | "at" | "micros">>): void => {
      const own = accounts.get(accountId)
      const all = own?.rows.get(month)
      if (own === undefined || all === undefined) return
      for (const { keyId, at, micros } of some) {
        if (micros === 0) continue
        const called = monthOfTime(at)
        own.micros -= micros
        added(own.spent, called, -micros)
        added(keys, keyId + called, -micros)
      }
      passed.set(accountId, (passed.get(accountId) ?? 0) + 1)
      size -= some.length
      own.count -= some.length
      if (some.length < all.length) own.rows.set(month, all.slice(some.length))
      else own.rows.delete(month)
      if (own.rows.size === 0) accounts.delete(accountId)
    },
    /** Accounts that have come to many rows since they were taken. */
    hasLong: (): boolean => long.size > 0,
    takeLong: (): ReadonlyArray<string> => {
      const all = [...long]
      long.clear()
      return all
    },
    clear: (): void => {
      for (const each of [accounts, keys, ends, used, long, passed]) each.clear()
      size = 0
    },
  }
}

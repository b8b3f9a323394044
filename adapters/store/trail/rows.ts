import { monthOf as monthOfTime, nextMonth } from "../../../core/account/Agent.ts"
import type { Audit } from "../../../core/account/Ledger.ts"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import type { Database, Statement } from "../engine/sqlite/client.ts"
import { createMonthSql, createViewsSql, tableOf } from "./months.ts"

/** A row as the tail of the ledger has it. */
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

/** Most cached numbers. */
const maxCachedNumbers = 100_000

/** Small numbers for recurring values. Cached until a batch is rolled back, which may remove a number's row. */
const numbered = (db: Database, table: string, columns: ReadonlyArray<string>) => {
  const find = db
    .prepare(`SELECT id FROM ${table} WHERE ${columns.map((column) => `${column} IS ?`).join(" AND ")}`)
    .pluck()
  const add = db.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) RETURNING id`,
  )
  const numbers = new BoundedMap<string, number>(maxCachedNumbers)
  return {
    forget: () => numbers.clear(),
    of: (name: string, ...values: ReadonlyArray<string | number | null>): number =>
      getOrMake(numbers, name, () => (find.get(...values) ?? add.pluck().get(...values)) as number),
  }
}

const digest = /^[0-9a-f]{64}$/

/** The months of the trail, and which of them has a row. */
const monthsIn = (db: Database) => {
  const newest = db.prepare("SELECT month FROM audit_months ORDER BY month DESC LIMIT 1").pluck()
  const dropping = db.prepare("SELECT dropping FROM audit_months WHERE month = ?").pluck()
  /** The newest month as read in this batch. */
  let newestMonth: string | undefined

  const begin = (month: string): void => {
    for (const statement of createMonthSql(month)) db.exec(statement)
    db.prepare("INSERT INTO audit_months (month) VALUES (?)").run(month)
    for (const table of ["audit_folds", "journal_places"]) db.prepare(`DELETE FROM ${table} WHERE month = ?`).run(month)
    const months = db.prepare("SELECT month FROM audit_months WHERE dropping = 0 ORDER BY month").pluck().all()
    for (const statement of createViewsSql(months as ReadonlyArray<string>)) db.exec(statement)
  }

  /**
   * The month of a row. A late row goes to the newest month, or readers who are there would miss it: another process may
   * have begun that month, or the row waited for a locked store. Months further ahead come from a wrong clock and are
   * ignored.
   */
  const monthFor = (line: Audit): string => {
    const at = line.at + line.latencyMs
    const ended = monthOfTime(at)
    if (newestMonth === ended) return ended
    const last = newest.get() as string | undefined
    newestMonth = last
    if (last === ended) return last
    if (last !== undefined && last > ended) {
      if (last === monthOfTime(nextMonth(at))) return last
      const isDropping = dropping.get(ended)
      if (isDropping !== undefined) return isDropping === 0 ? ended : last
    }
    begin(ended)
    newestMonth = undefined
    return ended
  }

  return {
    begin,
    monthFor,
    /** Another process may have begun a month, or a batch that began one was rolled back. */
    forget: (): void => {
      newestMonth = undefined
    },
  }
}

/** Appends audit rows to the table of the month in which the call ended. */
export const make = (db: Database) => {
  const callers = numbered(db, "audit_callers", ["key_id", "account_id", "agent_id"])
  const accounts = numbered(db, "audit_accounts", ["account_id"])
  const agents = numbered(db, "audit_agents", ["agent_id"])
  const ends = numbered(db, "audit_ends", ["endpoint", "status", "code"])
  const { begin, monthFor, forget: refresh } = monthsIn(db)
  const inserts = new Map<string, Statement>()

  const prepareInsert = (month: string): Statement =>
    db.prepare(`
      INSERT INTO ${tableOf(month)} (at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms, call_count)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)

  const writeTo = (month: string, line: Audit): TailRow => {
    const { at, requestId, accountId, agentId, keyId, endpoint, paramsHash, status, code, charged, latencyMs } = line
    const account = accounts.of(accountId, accountId)
    const { lastInsertRowid: seq } = getOrMake(inserts, month, prepareInsert).run(
      at,
      requestId,
      account,
      callers.of(`${keyId} ${accountId} ${agentId}`, keyId, accountId, agentId ?? null),
      agentId === undefined ? null : agents.of(agentId, agentId),
      ends.of(`${endpoint} ${status} ${code}`, endpoint, status, code ?? null),
      digest.test(paramsHash) ? Buffer.from(paramsHash, "hex") : paramsHash,
      charged,
      latencyMs,
      line.calls ?? null,
    )
    return { month, seq: Number(seq), at, account, accountId, keyId, micros: charged }
  }

  return {
    /** Begins a month. */
    begin,
    /** Appends a row to a month that has begun. */
    writeTo,
    write: (line: Audit): TailRow => writeTo(monthFor(line), line),
    /** Call it when a batch begins: another process may have begun a month. */
    refresh,
    /** Call it when a batch was rolled back: the numbers and the month that it created are gone. */
    forget: (): void => {
      refresh()
      for (const each of [accounts, callers, agents, ends]) each.forget()
      inserts.clear()
    },
  }
}

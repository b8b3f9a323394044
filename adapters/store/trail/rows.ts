import { monthOf, nextMonth } from "../../../core/account/Agent.ts"
import type { Audit } from "../../../core/account/Ledger.ts"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import type { Database } from "../engine/sqlite/client.ts"

const maxCachedNumbers = 100_000

/** Small numbers for recurring values, cached until a batch is rolled back, which may remove a number's row. */
const makeNumbers = (db: Database, table: string, columns: ReadonlyArray<string>) => {
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

interface Begin {
  readonly seq: number
  readonly month: string
}

/**
 * The months in which calls ended rise with the places of rows. A late row belongs to the newest month, since earlier ones may
 * have been exported. If a wrong clock began a month too early, the month is corrected once the clock is set.
 */
const makeMonths = (db: Database) => {
  const newest = db.prepare("SELECT seq, month FROM audit_begins ORDER BY seq DESC LIMIT 2")
  const sql = {
    name: db.prepare("INSERT INTO audit_months (month) VALUES (?) ON CONFLICT DO NOTHING"),
    begin: db.prepare("INSERT INTO audit_begins (seq, month) VALUES (?, ?)"),
    rename: db.prepare("UPDATE audit_begins SET month = ? WHERE seq = ?"),
    remove: db.prepare("DELETE FROM audit_begins WHERE seq = ?"),
    forget: db.prepare("DELETE FROM audit_months WHERE month = ?"),
  }
  let current: string | undefined

  const begin = (month: string, seq: number): void => {
    sql.name.run(month)
    sql.begin.run(seq, month)
    current = month
  }

  /** Corrects a newest month that lies in the future: it becomes this month, or part of the one before. */
  const correct = (month: string, last: Begin, before: Begin): void => {
    if (month === before.month) sql.remove.run(last.seq)
    else sql.rename.run(month, last.seq)
    sql.forget.run(last.month)
    sql.name.run(month)
    current = month
  }

  return {
    /** Call it after a row of an archive's month was written. */
    written: (month: string, seq: number): void => {
      if (month !== current) begin(month, seq)
    },
    /** Call it after a row of a present call was written. */
    ended: ({ at, latencyMs }: Audit, seq: number): void => {
      const end = at + latencyMs
      const month = monthOf(end)
      if (month === current) return
      const [last, before] = newest.all() as ReadonlyArray<Begin>
      current = last?.month
      if (last === undefined || month > last.month) begin(month, seq)
      else if (before !== undefined && month >= before.month && last.month > monthOf(nextMonth(end))) {
        correct(month, last, before)
      }
    },
    forget: (): void => {
      current = undefined
    },
  }
}

/** Appends rows to the audit trail of SQLite, in a transaction. */
export const make = (db: Database) => {
  const callers = makeNumbers(db, "audit_callers", ["key_id", "account_id", "agent_id"])
  const accounts = makeNumbers(db, "audit_accounts", ["account_id"])
  const agents = makeNumbers(db, "audit_agents", ["agent_id"])
  const ends = makeNumbers(db, "audit_ends", ["endpoint", "status", "code"])
  const months = makeMonths(db)
  const insert = db.prepare(`
    INSERT INTO audit_rows (at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms, call_count)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)

  const add = (line: Audit) => {
    const { at, requestId, accountId, agentId, keyId, endpoint, paramsHash, status, code, charged, latencyMs } = line
    const account = accounts.of(accountId, accountId)
    const { lastInsertRowid } = insert.run(
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
    return { account, seq: Number(lastInsertRowid) }
  }

  return {
    /** Appends a row to the month in which its call ended; returns its place and the number of its account. */
    write: (line: Audit) => {
      const row = add(line)
      months.ended(line, row.seq)
      return row
    },
    /** Appends a row to a month of an archive. */
    writeTo: (month: string, line: Audit): void => months.written(month, add(line).seq),
    /** Call it when a batch was rolled back, as the numbers and the month that it made are gone. */
    forget: (): void => {
      for (const each of [accounts, callers, agents, ends, months]) each.forget()
    },
  }
}

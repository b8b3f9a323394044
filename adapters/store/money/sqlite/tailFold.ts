import { monthOf as monthOfTime } from "../../../../core/account/Agent.ts"
import type { UsageGroup } from "../../../../core/account/Usage.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import { hour, minute } from "../../../../core/time.ts"
import type { Database, Statement } from "../../engine/sqlite/client.ts"
import { accountsTable, tableOf } from "../../trail/months.ts"
import * as Steps from "../../trail/usageSteps.ts"

/** A call as the sums of usage count it. */
interface UsageRow {
  readonly at: number
  readonly keyId: string
  readonly agentId: string
  readonly endpoint: string
  readonly status: number
  readonly livemode: number
  readonly calls: number
  readonly micros: number
}

const names: Readonly<Record<UsageGroup, (row: UsageRow) => string>> = {
  agent: ({ agentId }) => agentId,
  endpoint: ({ endpoint }) => endpoint,
  key: ({ keyId }) => keyId,
  status: ({ status }) => `${Math.floor(status / 100)}xx`,
}
/** In the order of the table's key. */
const kinds = (Object.keys(names) as ReadonlyArray<UsageGroup>).toSorted()

interface Sum {
  readonly account: string
  readonly kind: UsageGroup
  readonly hour: number
  readonly name: string
  readonly livemode: number
  calls: number
  charged: number
}

const key = "account_id, span, kind, start, name, livemode"
const insert = `INSERT INTO usage_sums (${key}, calls, charged_micros)`

/** Adds rows of accounts to their sums of usage, in a transaction (`audit/Usage.ts`). */
const usageIn = (db: Database) => {
  const sql = {
    /** Sums from here on are of hours alone: no step has reached them. */
    fresh: db.prepare("SELECT coalesce(max(goal), 0) FROM usage_steps").pluck(),
    hour: db.prepare(
      `${insert} VALUES (@account, ${hour}, @kind, @hour, @name, @livemode, @calls, @charged) ${Steps.orAdded}`,
    ),
    late: db.prepare(`
      ${insert} SELECT new_sums.account_id, span, new_sums.kind, ${Steps.newStart("sqlite")}, name, livemode, calls, charged_micros
      FROM (
        SELECT @account AS account_id, s.span, @kind AS kind, @hour AS hour, @name AS name, @livemode AS livemode,
          @calls AS calls, @charged AS charged_micros FROM (${Steps.eachSpan}) s) new_sums
      CROSS JOIN ${Steps.everyStep} WHERE ${Steps.belongs} ${Steps.orAdded}`),
  }
  return {
    write: (account: string, rows: ReadonlyArray<UsageRow>): void => {
      const sums = new Map<string, Sum>()
      for (const row of rows) {
        const start = row.at - (row.at % hour)
        for (const kind of kinds) {
          const name = names[kind](row)
          const place = `${kind}/${start}/${name}/${row.livemode}`
          const sum = sums.get(place)
          if (sum === undefined) {
            const { livemode, calls, micros: charged } = row
            sums.set(place, { account, kind, hour: start, name, livemode, calls, charged })
          } else {
            sum.calls += row.calls
            sum.charged += row.micros
          }
        }
      }
      const fresh = sql.fresh.get() as number
      for (const sum of sums.values()) (sum.hour >= fresh ? sql.hour : sql.late).run(sum)
    },
  }
}

/** A row of a month's table as it is folded. */
export interface FoldedRow extends UsageRow {
  readonly seq: number
}

interface Row {
  readonly at: number
  readonly caller: number
  readonly ended: number
  readonly charged_micros: number
  readonly calls: number
}

/** Values behind the numbers of rows, which never change. */
const cachedByNumber = <A>(statement: Statement) => {
  const values = new Map<number, A>()
  return (id: number): A => {
    const value = values.get(id) ?? (statement.get(id) as A)
    if (values.size > 100_000) values.clear()
    values.set(id, value)
    return value
  }
}

/** Writes rows of the trail to the tables that are its folds, in a transaction. */
export const make = (db: Database) => {
  const sql = {
    fold: db.prepare(`
      INSERT INTO audit_folds (month, account, seq, part) VALUES (?, ?, ?, ?)
      ON CONFLICT (month, account) DO UPDATE SET seq = max(seq, excluded.seq), part = excluded.part`),
    debit: db.prepare("UPDATE wallets SET balance_micros = balance_micros - ? WHERE account_id = ?"),
    keySpend: db.prepare(`
      INSERT INTO key_spend (key_id, month, micros) VALUES (?, ?, ?)
      ON CONFLICT (key_id, month) DO UPDATE SET micros = micros + excluded.micros`),
    // To the minute.
    used: db.prepare("UPDATE api_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) <= ?"),
    caller: db.prepare(`
      SELECT c.key_id AS keyId, coalesce(c.agent_id, '') AS agentId, coalesce(k.environment = 'live', 0) AS livemode
      FROM audit_callers c LEFT JOIN api_keys k ON k.id = c.key_id WHERE c.id = ?`),
    ended: db.prepare("SELECT endpoint, status FROM audit_ends WHERE id = ?"),
  }
  const readCaller = cachedByNumber<Pick<FoldedRow, "keyId" | "agentId" | "livemode">>(sql.caller)
  const readEnded = cachedByNumber<Pick<FoldedRow, "endpoint" | "status">>(sql.ended)
  const usage = usageIn(db)

  const ofMonth = (month: string) => ({
    row: db.prepare(`
      SELECT at, caller, ended, charged_micros, coalesce(call_count, 1) AS calls FROM ${tableOf(month)}
      WHERE seq = ?`),
    index: db.prepare(`INSERT INTO ${accountsTable(month)} (account, at, seq) VALUES (?, ?, ?)`),
  })
  const prepared = new Map<string, ReturnType<typeof ofMonth>>()
  const of = (month: string) => getOrMake(prepared, month, ofMonth)

  return {
    /** A month may be dropped, and begun anew. */
    forget: (): void => prepared.clear(),
    rows: (month: string, seqs: ReadonlyArray<number>): ReadonlyArray<FoldedRow> =>
      seqs.map((seq) => {
        const { at, caller, ended, charged_micros: micros, calls } = of(month).row.get(seq) as Row
        return { seq, at, micros, calls, ...readCaller(caller), ...readEnded(ended) }
      }),
    /** Rows of a month up to this one are folded, of an account or, by the number 0, of all. */
    reach: (month: string, account: number, seq: number, slice: number): void => {
      sql.fold.run(month, account, seq, slice)
    },
    /** Writes rows of an account. */
    write: (
      month: string,
      { account, accountId }: { readonly account: number; readonly accountId: string },
      rows: ReadonlyArray<FoldedRow>,
    ): void => {
      const { index } = of(month)
      const spent = new Map<string, { keyId: string; called: string; micros: number }>()
      const used = new Map<string, number>()
      let debit = 0
      for (const { seq, at, keyId, micros } of rows) {
        index.run(account, at, seq)
        if (at > (used.get(keyId) ?? 0)) used.set(keyId, at)
        if (micros === 0) continue
        debit += micros
        const called = monthOfTime(at)
        const sum = spent.get(keyId + called)
        if (sum === undefined) spent.set(keyId + called, { keyId, called, micros })
        else sum.micros += micros
      }
      if (debit > 0) sql.debit.run(debit, accountId)
      for (const { keyId, called, micros } of spent.values()) sql.keySpend.run(keyId, called, micros)
      for (const [keyId, at] of used) sql.used.run(at, keyId, at - minute)
      usage.write(accountId, rows)
    },
  }
}

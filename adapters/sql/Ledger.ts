import { randomUUID } from "node:crypto"
import type { Database, Statement } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { broken, type Cap, isWarning, monthOf, nextMonth, type Spend } from "../../core/account/Agent.ts"
import type { Caller } from "../../core/account/Keyring.ts"
import {
  type Audit,
  Ledger,
  type Remembered,
  type Settlement,
  settled,
  type Verdict,
} from "../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../core/account/Money.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import { orUnavailable } from "./storage.ts"

const minute = 60_000
const day = 86_400_000
const keysSeen = 100_000

/** The ledger of an account's money. */
export const walletLedger = (accountId: string): string => `wallet:${accountId}`

interface AgentRow {
  readonly name: string
  readonly monthly_cap_micros: number | null
  readonly budget_cap_micros: number | null
  readonly month: string | null
  readonly month_micros: number | null
  readonly total_micros: number | null
  readonly warned: string | null
  readonly exceeded: string | null
}

const capsOf = (row: AgentRow) => ({
  ...(row.monthly_cap_micros === null ? {} : { monthlyCap: MicroUsd(row.monthly_cap_micros) }),
  ...(row.budget_cap_micros === null ? {} : { budgetCap: MicroUsd(row.budget_cap_micros) }),
})

const spendOf = (row: AgentRow, livemode: boolean): Spend | undefined =>
  row.month === null
    ? undefined
    : { livemode, month: row.month, monthSpent: MicroUsd(row.month_micros!), totalSpent: MicroUsd(row.total_micros!) }

/** The statements of the money path, prepared once. Named parameters keep their order out of the callers' hands. */
const prepare = (db: Database) => {
  const statement = (sql: string): Statement => db.prepare(sql)
  return {
    balance: statement("SELECT balance_micros AS micros FROM wallets WHERE account_id = ?"),
    debit: statement(`
      UPDATE wallets SET balance_micros = balance_micros - :micros
      WHERE account_id = :account AND balance_micros >= :micros`),
    journal: statement(`
      INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      VALUES (:id, :at, 'charge', :account, :debit, 'revenue', :micros, :key, :endpoint)`),
    agent: statement(`
      SELECT a.name, a.monthly_cap_micros, a.budget_cap_micros,
             s.month, s.month_micros, s.total_micros, s.warned, s.exceeded
      FROM agents a LEFT JOIN agent_spend s ON s.agent_id = a.id AND s.livemode = :livemode
      WHERE a.id = :agent`),
    spend: statement(`
      INSERT INTO agent_spend (agent_id, livemode, month, month_micros, total_micros)
      VALUES (:agent, :livemode, :month, :micros, :micros)
      ON CONFLICT (agent_id, livemode) DO UPDATE SET
        month_micros = CASE WHEN month = :month THEN month_micros ELSE 0 END + :micros,
        total_micros = total_micros + :micros,
        month = :month`),
    warned: statement("UPDATE agent_spend SET warned = :month WHERE agent_id = :agent AND livemode = :livemode"),
    exceeded: statement(`
      INSERT INTO agent_spend (agent_id, livemode, month, month_micros, total_micros, exceeded)
      VALUES (:agent, :livemode, :month, 0, 0, :month)
      ON CONFLICT (agent_id, livemode) DO UPDATE SET exceeded = :month`),
    event: statement(`
      INSERT INTO outbox (id, at, account_id, type, livemode, data)
      VALUES (:id, :at, :account, :type, :livemode, :data)`),
    audit: statement(`
      INSERT INTO audit (request_id, at, account_id, agent_id, key_id, endpoint, params_hash, status, code, charged_micros, latency_ms)
      VALUES (:requestId, :at, :accountId, :agentId, :keyId, :endpoint, :paramsHash, :status, :code, :charged, :latencyMs)`),
    used: statement("UPDATE api_keys SET last_used_at = :at WHERE id = :key AND coalesce(last_used_at, 0) < :at"),
    recall: statement(`
      SELECT idempotency_key AS key, request_hash AS requestHash, stored FROM idempotency
      WHERE key_id = :keyId AND idempotency_key = :key AND at > :since`),
    remember: statement(`
      INSERT INTO idempotency (key_id, idempotency_key, at, request_hash, stored)
      VALUES (:keyId, :key, :at, :requestHash, :stored)
      ON CONFLICT (key_id, idempotency_key) DO UPDATE SET at = :at, request_hash = :requestHash, stored = :stored
      WHERE idempotency.at <= :at - ${day}`),
  }
}

/** SQLite's verdict on one call after the other, in whatever order they reached the batch. */
const steps = (db: Database) => {
  const sql = prepare(db)

  const balanceOf = (accountId: string): MicroUsd => {
    const row = sql.balance.get(accountId) as { readonly micros: number } | undefined
    return row === undefined ? zero : MicroUsd(row.micros)
  }

  const agentRow = (caller: Caller): AgentRow | undefined =>
    caller.agent === undefined
      ? undefined
      : (sql.agent.get({ agent: caller.agent.id, livemode: Number(caller.livemode) }) as AgentRow)

  /** The cap that a price would break now. */
  const capped = (caller: Caller, list: MicroUsd, at: number): Cap | undefined => {
    const row = list === 0 ? undefined : agentRow(caller)
    return row === undefined ? undefined : broken(capsOf(row), spendOf(row, caller.livemode), list, monthOf(at))
  }

  const look = (caller: Caller, list: MicroUsd, micros: MicroUsd, at: number): Verdict => {
    const cap = capped(caller, list, at)
    if (cap !== undefined) return { _tag: "Capped", cap }
    if (micros === 0) return settled
    const balance = balanceOf(caller.accountId)
    return balance >= micros ? settled : { _tag: "Insufficient", balance }
  }

  const emit = (type: string, caller: Caller, row: AgentRow, spent: number, at: number): void => {
    const cap = row.monthly_cap_micros!
    sql.event.run({
      id: randomUUID(),
      at,
      account: caller.accountId,
      type,
      livemode: Number(caller.livemode),
      data: JSON.stringify({
        agent_id: caller.agent!.id,
        agent_name: row.name,
        period: monthOf(at),
        cap_micros: cap,
        spent_micros: spent,
        percent: cap === 0 ? 100 : Math.floor((spent * 100) / cap),
        resets_at: new Date(nextMonth(at)).toISOString(),
      }),
    })
  }

  /** The events of a monthly cap, once a month each: the warning first when one charge crosses both lines. */
  const announce = (caller: Caller, at: number): void => {
    const row = agentRow(caller)!
    const month = monthOf(at)
    const [agent, livemode] = [caller.agent!.id, Number(caller.livemode)]
    if (row.monthly_cap_micros === null || row.month !== month) return
    const spent = row.month_micros!
    if (row.warned !== month && isWarning(spent, row.monthly_cap_micros)) {
      emit("agent.budget_warning", caller, row, spent, at)
      sql.warned.run({ agent, livemode, month })
    }
    if (row.exceeded !== month && spent >= row.monthly_cap_micros) {
      emit("agent.budget_exceeded", caller, row, spent, at)
      sql.exceeded.run({ agent, livemode, month })
    }
  }

  /** Whether a refusal by a cap would be the first of its month. */
  const unannounced = (caller: Caller, at: number): boolean => {
    const row = agentRow(caller)
    return row !== undefined && row.monthly_cap_micros !== null && row.exceeded !== monthOf(at)
  }

  /** The first refusal of a month announces the cap even when the spend stays below it. */
  const refused = (caller: Caller, at: number): void => {
    if (!unannounced(caller, at)) return
    const row = agentRow(caller)!
    const month = monthOf(at)
    emit("agent.budget_exceeded", caller, row, row.month === month ? row.month_micros! : 0, at)
    sql.exceeded.run({ agent: caller.agent!.id, livemode: Number(caller.livemode), month })
  }

  /** When a key was last seen is kept to the minute: one write a minute and key, however many calls. */
  const seen = new Map<string, number>()
  const use = (key: string, at: number): void => {
    if (at - (seen.get(key) ?? 0) < minute) return
    if (seen.size > keysSeen) seen.clear()
    seen.set(key, at)
    sql.used.run({ key, at })
  }

  const audit = ({ agentId, code, ...rest }: Audit): void => {
    sql.audit.run({ ...rest, agentId: agentId ?? null, code: code ?? null })
    use(rest.keyId, rest.at)
  }

  const settle = ({ caller, list, micros, audit: line, remember }: Settlement): Verdict => {
    const { at, requestId, endpoint } = line
    const verdict = look(caller, list, micros, at)
    if (verdict._tag !== "Settled") {
      if (verdict._tag === "Capped") refused(caller, at)
      return verdict
    }
    if (remember !== undefined && sql.remember.run({ ...remember, keyId: caller.keyId, at }).changes === 0) {
      return { _tag: "Raced" }
    }
    if (micros > 0) {
      const { changes } = sql.debit.run({ micros, account: caller.accountId })
      if (changes !== 1) throw new Error("The wallet that was looked at is gone.")
      sql.journal.run({
        id: requestId,
        at,
        account: caller.accountId,
        debit: walletLedger(caller.accountId),
        micros,
        key: caller.keyId,
        endpoint,
      })
    }
    if (list > 0 && caller.agent !== undefined) {
      sql.spend.run({ agent: caller.agent.id, livemode: Number(caller.livemode), month: monthOf(at), micros: list })
      announce(caller, at)
    }
    audit(line)
    return settled
  }

  const recall = (keyId: string, key: string, now: number): Remembered | undefined =>
    sql.recall.get({ keyId, key, since: now - day }) as Remembered | undefined

  return { balanceOf, look, unannounced, refused, settle, audit, recall }
}

/** The money path on SQLite: every settlement is one step of a group commit. */
export const layer: Layer.Layer<Ledger, never, Sqlite> = Layer.scoped(
  Ledger,
  Effect.gen(function* () {
    const { db, alone } = yield* Sqlite
    const step = steps(db)
    const commits = yield* GroupCommit.make
    const log = Runtime.runFork(yield* Effect.runtime<never>())
    const lost = (requestId: string) => (cause: unknown) =>
      void log(Effect.annotateLogs(Effect.logError("An audit row was not written", cause), "request_id", requestId))
    const read = <A>(work: () => A) => orUnavailable(alone(work))
    return {
      balance: (accountId) => read(() => step.balanceOf(accountId)),
      look: (caller, list, micros, at) =>
        Effect.tap(
          read(() => step.look(caller, list, micros, at)),
          ({ _tag }) =>
            _tag === "Capped" && step.unannounced(caller, at)
              ? commits.submit(() => step.refused(caller, at))
              : Effect.void,
        ),
      settle: (settlement) => commits.submit(() => step.settle(settlement)),
      note: (line) => Effect.sync(() => commits.post(() => step.audit(line), lost(line.requestId))),
      recall: (keyId, key, now) => read(() => step.recall(keyId, key, now)),
    }
  }),
)

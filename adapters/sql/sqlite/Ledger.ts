import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import { isWarning, monthOf, nextMonth } from "../../../core/account/Agent.ts"
import type { Caller } from "../../../core/account/Keyring.ts"
import {
  type Audit,
  Ledger,
  type Settlement,
  type SpendStatus,
  settled,
  type Verdict,
} from "../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../core/account/Money.ts"
import type { DataOf, EventType } from "../../../core/events/Event.ts"
import type { Sha256 } from "../../../core/record/log/merkle.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../core/Step.ts"
import { iso } from "../../../core/time.ts"
import { type AgentRow, agentWith, capped, spentInAll, statusOf } from "../agentSpend.ts"
import * as AuditNotes from "../auditNotes.ts"
import * as sqlCaptures from "../Captures.ts"
import { DiskSpace } from "../diskGuard.ts"
import * as KeyUse from "../keyUse.ts"
import * as Replies from "../replies.ts"
import { sqliteQueries, valueOf } from "../Transactions.ts"
import * as WellOff from "../wellOff.ts"
import * as AuditRows from "./auditRows.ts"
import { Sqlite } from "./client.ts"
import type { Database, Statement } from "./Database.ts"
import * as GroupCommit from "./groupCommit.ts"
import * as KeySpend from "./keySpend.ts"
import { reader } from "./reader.ts"

/** The journal's ledger of an account's wallet. */
export const walletLedger = (accountId: string): string => `wallet:${accountId}`

/** The statements of the money path, prepared once. The most frequent ones take positional parameters, which is faster. */
const prepare = (db: Database) => {
  const statement = (sql: string): Statement => db.prepare(sql)
  const debit = "UPDATE wallets SET balance_micros = balance_micros - ? WHERE account_id = ? AND balance_micros >= ?"
  return {
    balance: statement("SELECT balance_micros AS micros FROM wallets WHERE account_id = ?"),
    // Every charge but the one that takes the balance below the account's threshold, which alone pays for RETURNING.
    debit: statement(`
      ${debit} AND (low_micros IS NULL OR balance_micros < low_micros OR balance_micros - ? >= low_micros)`),
    debitBelow: statement(`${debit} RETURNING balance_micros, low_micros AS threshold_micros`),
    journal: statement(`
      INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      VALUES (?, ?, 'charge', ?, ?, 'revenue', ?, ?, ?)`),
    // The total is summed only for agents with a lifetime cap.
    agent: statement(agentWith(`CASE WHEN a.budget_cap_micros IS NULL THEN 0 ELSE ${spentInAll} END`)),
    agentStanding: statement(agentWith(spentInAll)),
    spend: statement(`
      INSERT INTO agent_spend (agent_id, livemode, month, micros) VALUES (:agent, :livemode, :month, :micros)
      ON CONFLICT (agent_id, livemode, month) DO UPDATE SET micros = micros + :micros`),
    warned: statement(
      "UPDATE agent_spend SET warned = 1 WHERE agent_id = :agent AND livemode = :livemode AND month = :month",
    ),
    exceeded: statement(`
      INSERT INTO agent_spend (agent_id, livemode, month, exceeded) VALUES (:agent, :livemode, :month, 1)
      ON CONFLICT (agent_id, livemode, month) DO UPDATE SET exceeded = 1`),
    event: statement(`
      INSERT INTO outbox (id, at, account_id, type, livemode, data)
      VALUES (:id, :at, :account, :type, :livemode, :data)`),
    used: statement("UPDATE api_keys SET last_used_at = :at WHERE id = :key AND coalesce(last_used_at, 0) < :at"),
  }
}

/** The ledger's synchronous operations; calls are decided one by one, in the order of the batch. */
const steps = (db: Database, sha256: Sha256, isLow: () => boolean) => {
  const sql = prepare(db)
  const rows = AuditRows.make(db)
  const keySpend = KeySpend.make(db)
  const replies = Replies.make(db, isLow)
  const wellOff = WellOff.make()
  const captures = sqlCaptures.steps({ prepare: sqliteQueries({ db }), dialect: "sqlite" }, sha256)

  const balanceOf = (accountId: string): MicroUsd => {
    const row = sql.balance.get(accountId) as { readonly micros: number } | undefined
    return row === undefined ? zero : MicroUsd(row.micros)
  }

  const spendKey = (caller: Caller, at: number) => ({
    agent: caller.agent!.id,
    livemode: Number(caller.livemode),
    month: monthOf(at),
  })

  /** The agent, its caps and its spend in the month of a call; `statement` decides whether the total is summed. */
  const agentRow = (caller: Caller, at: number, statement = sql.agent): AgentRow | undefined =>
    caller.agent === undefined ? undefined : (statement.get(spendKey(caller, at)) as AgentRow)

  /** The agent of a call that counts against its caps. */
  const spenderOf = (caller: Caller, list: MicroUsd, at: number): AgentRow | undefined =>
    list === 0 ? undefined : agentRow(caller, at)

  const precheck = (caller: Caller, list: MicroUsd, micros: MicroUsd, at: number): Verdict => {
    const row = spenderOf(caller, list, at)
    const cap = capped(row, list)
    if (cap !== undefined) return { _tag: "Capped", cap }
    if (micros === 0) return settled
    const balance = balanceOf(caller.accountId)
    const many = WellOff.ample
    if (balance >= micros * many && capped(row, list * many) === undefined) wellOff.set(caller, at)
    return balance >= micros ? settled : { _tag: "Insufficient", balance }
  }

  const emit = <Type extends EventType>(type: Type, caller: Caller, at: number, data: DataOf<Type>): void => {
    sql.event.run({
      id: randomUUID(),
      at,
      account: caller.accountId,
      type,
      livemode: Number(caller.livemode),
      data: JSON.stringify(data),
    })
  }

  const emitBudget = (type: `agent.budget_${"warning" | "exceeded"}`, caller: Caller, row: AgentRow, at: number) => {
    const [cap, spent] = [row.monthly_cap_micros!, row.month_micros]
    emit(type, caller, at, {
      agent_id: caller.agent!.id,
      agent_name: row.name,
      period: monthOf(at),
      cap_micros: cap,
      spent_micros: spent,
      percent: cap === 0 ? 100 : Math.floor((spent * 100) / cap),
      resets_at: iso(nextMonth(at)),
    })
  }

  /** Takes a charge from the wallet, with `wallet.low` if that takes the balance below its threshold. False: too little. */
  const debit = (caller: Caller, micros: MicroUsd, at: number): boolean => {
    if (sql.debit.run(micros, caller.accountId, micros, micros).changes > 0) return true
    const low = sql.debitBelow.get(micros, caller.accountId, micros) as DataOf<"wallet.low"> | undefined
    if (low !== undefined) emit("wallet.low", caller, at, low)
    return low !== undefined
  }

  /**
   * Emits the events of a monthly cap, each once a month; the warning first if one charge crosses both levels.
   *
   * @param row the agent after the charge
   */
  const announce = (caller: Caller, row: AgentRow, at: number): void => {
    const { monthly_cap_micros: cap, month_micros: spent } = row
    if (cap === null) return
    if (row.warned === 0 && isWarning(spent, cap)) {
      emitBudget("agent.budget_warning", caller, row, at)
      sql.warned.run(spendKey(caller, at))
    }
    if (row.exceeded === 0 && spent >= cap) {
      emitBudget("agent.budget_exceeded", caller, row, at)
      sql.exceeded.run(spendKey(caller, at))
    }
  }

  /** Whether a verdict is the month's first by the monthly cap; the lifetime cap has no event. */
  const unannounced = (verdict: Verdict, caller: Caller, at: number): boolean =>
    verdict._tag === "Capped" && verdict.cap === "monthly" && agentRow(caller, at)?.exceeded === 0

  /** Emits `agent.budget_exceeded` at the month's first rejected call, even if the spend is below the cap. */
  const refused = (verdict: Verdict, caller: Caller, at: number): void => {
    if (!unannounced(verdict, caller, at)) return
    emitBudget("agent.budget_exceeded", caller, agentRow(caller, at)!, at)
    sql.exceeded.run(spendKey(caller, at))
  }

  const isUse = KeyUse.make()

  const audit = (line: Audit): void => {
    rows.write(line)
    if (isUse(line.keyId, line.at)) sql.used.run({ key: line.keyId, at: line.at })
  }

  /** @param written the settlement's capture */
  const settle = (
    settlement: Settlement,
    reply: Replies.Reply | undefined,
    written: ReadonlyArray<sqlCaptures.Written>,
  ): Verdict => {
    const { caller, list, micros, audit: line } = settlement
    const { at, requestId, endpoint } = line
    const row = spenderOf(caller, list, at)
    const cap = capped(row, list)
    if (cap !== undefined) {
      const verdict: Verdict = { _tag: "Capped", cap }
      refused(verdict, caller, at)
      return verdict
    }
    // The reply is written before the debit, which alone decides where there is none.
    if (reply !== undefined && micros > 0) {
      const balance = balanceOf(caller.accountId)
      if (balance < micros) return { _tag: "Insufficient", balance }
    }
    const kept = reply === undefined ? "kept" : replies.keep(settlement, reply)
    if (kept === "raced") return { _tag: "Raced" }
    if (kept === "full") return { _tag: "Unkept" }
    if (micros > 0) {
      if (!debit(caller, micros, at)) return { _tag: "Insufficient", balance: balanceOf(caller.accountId) }
      sql.journal.run(requestId, at, caller.accountId, walletLedger(caller.accountId), micros, caller.keyId, endpoint)
      keySpend.add(caller.keyId, at, micros)
    }
    // A repeated free call does not count against a cap again.
    if (row !== undefined && kept !== "again") {
      sql.spend.run({ ...spendKey(caller, at), micros: list })
      announce(caller, { ...row, month_micros: row.month_micros + list }, at)
    }
    valueOf(captures.append(written))
    audit(line)
    return settled
  }

  const spendStatus = (caller: Caller, at: number): SpendStatus => {
    const row = agentRow(caller, at, sql.agentStanding)
    return {
      balance: balanceOf(caller.accountId),
      month: monthOf(at),
      monthSpent: keySpend.of(caller.keyId, at),
      ...statusOf(row),
    }
  }

  return {
    balanceOf,
    precheck,
    spendStatus,
    accountSpent: keySpend.ofAccount,
    isWellOff: wellOff.has,
    unannounced,
    refused,
    settle,
    reached: captures.reached,
    audit,
    find: replies.find,
    hooks: {
      begin: rows.refresh,
      end: (): void => {
        keySpend.flush()
        replies.flush()
      },
      forget: (): void => {
        rows.forget()
        keySpend.forget()
        replies.forget()
      },
    } satisfies GroupCommit.Hooks,
  }
}

/**
 * The money path on SQLite: every settlement is one step of a group commit. If the context has a disk guard, free calls
 * are only counted while disk space is low.
 */
export const layer: Layer.Layer<Ledger, never, SyncSha256 | Sqlite> = Layer.scoped(
  Ledger,
  Effect.gen(function* () {
    const { db, ...sqlite } = yield* Sqlite
    const read = reader(sqlite)
    const disk = Option.getOrUndefined(yield* Effect.serviceOption(DiskSpace))
    const isLow = () => disk?.isLow() ?? false
    const { sha256 } = yield* SyncSha256
    const step = steps(db, sha256, isLow)
    const commits = yield* GroupCommit.make
    commits.around(step.hooks)
    const log = Runtime.runFork(yield* Effect.runtime<never>())
    const lost = (requestId: string) => (cause: unknown) =>
      void log(Effect.annotateLogs(Effect.logError("Audit row lost", cause), "request_id", requestId))
    const appendAudit = yield* AuditNotes.make(isLow, (line) =>
      commits.post(() => step.audit(line), lost(line.requestId)),
    )
    return {
      balance: Step.methodOf((accountId) => read(() => step.balanceOf(accountId))),
      precheck: Step.method(function* (caller, list, micros, at) {
        if (step.isWellOff(caller, at)) return settled
        const verdict = yield* read(() => step.precheck(caller, list, micros, at))
        if (step.unannounced(verdict, caller, at)) yield* commits.submit(() => step.refused(verdict, caller, at))
        return verdict
      }),
      spendStatus: Step.methodOf((caller, at) => read(() => step.spendStatus(caller, at))),
      accountSpent: Step.methodOf((accountId, month) => read(() => step.accountSpent(accountId, month))),
      settle: Step.method(function* (settlement) {
        const reply = yield* Replies.packed(settlement, true)
        const { captured } = settlement
        const written = captured === undefined ? [] : [sqlCaptures.writtenOf(captured)]
        const verdict = yield* commits.submit(() => step.settle(settlement, reply, written))
        if (verdict._tag === "Settled") step.reached(written)
        return verdict
      }),
      appendAudit,
      recall: Step.method(function* (keyId, key, now) {
        return yield* Replies.recalled(key, yield* read(() => step.find(keyId, key, now)))
      }),
    }
  }),
)

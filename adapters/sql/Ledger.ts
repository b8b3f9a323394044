import { randomUUID } from "node:crypto"
import type { Database, Statement } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { broken, type Cap, isWarning, monthOf, nextMonth } from "../../core/account/Agent.ts"
import type { Caller } from "../../core/account/Keyring.ts"
import {
  type Audit,
  Ledger,
  type Remembered,
  type Settlement,
  type Standing,
  settled,
  type Verdict,
} from "../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../core/account/Money.ts"
import * as Ulid from "../../core/account/Ulid.ts"
import { Hasher } from "../../core/record/Hasher.ts"
import type { Sha256 } from "../../core/record/merkle.ts"
import * as sqlCaptures from "./Captures.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import { orUnavailable } from "./storage.ts"

const minute = 60_000
const day = 86_400_000
const keysSeen = 100_000
const ample = 1_000
const wellOffMs = 1_000
/** Longer than any call takes from its id to its charge. */
const underWayMs = 120_000

/** The least request id of an instant. */
const firstId = (millis: number): string => `req_${Ulid.encode(millis, new Uint8Array(10)).slice(0, 10)}`

/** The ledger of an account's money. */
export const walletLedger = (accountId: string): string => `wallet:${accountId}`

interface AgentRow {
  readonly name: string
  readonly monthly_cap_micros: number | null
  readonly budget_cap_micros: number | null
  /** Of the month that was asked for. */
  readonly month_micros: number
  readonly warned: number
  readonly exceeded: number
  readonly total_micros: number
}

const capsOf = (row: AgentRow) => ({
  ...(row.monthly_cap_micros === null ? {} : { monthlyCap: MicroUsd(row.monthly_cap_micros) }),
  ...(row.budget_cap_micros === null ? {} : { budgetCap: MicroUsd(row.budget_cap_micros) }),
})

const spentInAll = "(SELECT coalesce(SUM(micros), 0) FROM agent_spend WHERE agent_id = a.id AND livemode = :livemode)"

/** An agent with what it has spent in a month and, as `total` says, over all. */
const agentWith = (total: string): string => `
  SELECT a.name, a.monthly_cap_micros, a.budget_cap_micros,
         coalesce(s.micros, 0) AS month_micros, coalesce(s.warned, 0) AS warned, coalesce(s.exceeded, 0) AS exceeded,
         ${total} AS total_micros
  FROM agents a LEFT JOIN agent_spend s ON s.agent_id = a.id AND s.livemode = :livemode AND s.month = :month
  WHERE a.id = :agent`

/** The statements of the money path, prepared once. Those of every call take their parameters in order: it is faster. */
const prepare = (db: Database) => {
  const statement = (sql: string): Statement => db.prepare(sql)
  return {
    balance: statement("SELECT balance_micros AS micros FROM wallets WHERE account_id = ?"),
    debit: statement(`
      UPDATE wallets SET balance_micros = balance_micros - ? WHERE account_id = ? AND balance_micros >= ?`),
    journal: statement(`
      INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      VALUES (?, ?, 'charge', ?, ?, 'revenue', ?, ?, ?)`),
    // On the path of money the total is added up for agents with a cap on it alone.
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
    audit: statement(`
      INSERT INTO audit (request_id, at, account_id, agent_id, key_id, endpoint, params_hash, status, code, charged_micros, latency_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    used: statement("UPDATE api_keys SET last_used_at = :at WHERE id = :key AND coalesce(last_used_at, 0) < :at"),
    // Ids begin with their time, so a month of an account is a range of the journal's own tree.
    keySpent: statement(`
      SELECT coalesce(SUM(micros), 0) AS micros FROM journal
      WHERE account_id = :account AND id >= :from AND id < :to AND key_id = :key AND kind = 'charge'`),
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
const steps = (db: Database, sha256: Sha256) => {
  const sql = prepare(db)
  const captures = sqlCaptures.steps(db, sha256)

  const balanceOf = (accountId: string): MicroUsd => {
    const row = sql.balance.get(accountId) as { readonly micros: number } | undefined
    return row === undefined ? zero : MicroUsd(row.micros)
  }

  const spendKey = (caller: Caller, at: number) => ({
    agent: caller.agent!.id,
    livemode: Number(caller.livemode),
    month: monthOf(at),
  })

  /** The agent, its caps and what it has spent in the month of a call; over all where a cap needs it, or always. */
  const agentRow = (caller: Caller, at: number, statement = sql.agent): AgentRow | undefined =>
    caller.agent === undefined ? undefined : (statement.get(spendKey(caller, at)) as AgentRow)

  /** The cap that a price would break now. */
  const capped = (caller: Caller, list: MicroUsd, at: number): Cap | undefined => {
    const row = list === 0 ? undefined : agentRow(caller, at)
    return row === undefined ? undefined : broken(capsOf(row), row.month_micros, row.total_micros, list)
  }

  const look = (caller: Caller, list: MicroUsd, micros: MicroUsd, at: number): Verdict => {
    const cap = capped(caller, list, at)
    if (cap !== undefined) return { _tag: "Capped", cap }
    if (micros === 0) return settled
    const balance = balanceOf(caller.accountId)
    if (balance >= micros * ample) wellOff.set(caller.accountId, at + wellOffMs)
    return balance >= micros ? settled : { _tag: "Insufficient", balance }
  }

  /**
   * Accounts that were seen a moment ago with a thousand times what a call costs: the look before the work is spared
   * them. It decides nothing; the settlement does.
   */
  const wellOff = new Map<string, number>()
  const isWellOff = (caller: Caller, at: number): boolean => {
    const until = caller.agent === undefined ? wellOff.get(caller.accountId) : undefined
    return until !== undefined && at < until && until - at <= wellOffMs
  }

  const emit = (type: string, caller: Caller, row: AgentRow, at: number): void => {
    const [cap, spent] = [row.monthly_cap_micros!, row.month_micros]
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
    const row = agentRow(caller, at)!
    const { monthly_cap_micros: cap, month_micros: spent } = row
    if (cap === null) return
    if (row.warned === 0 && isWarning(spent, cap)) {
      emit("agent.budget_warning", caller, row, at)
      sql.warned.run(spendKey(caller, at))
    }
    if (row.exceeded === 0 && spent >= cap) {
      emit("agent.budget_exceeded", caller, row, at)
      sql.exceeded.run(spendKey(caller, at))
    }
  }

  /** Whether a refusal would be the first of its month by the monthly cap: the lifetime cap has no event. */
  const unannounced = (verdict: Verdict, caller: Caller, at: number): boolean =>
    verdict._tag === "Capped" && verdict.cap === "monthly" && agentRow(caller, at)?.exceeded === 0

  /** The first refusal of a month announces the cap even when the spend stays below it. */
  const refused = (verdict: Verdict, caller: Caller, at: number): void => {
    if (!unannounced(verdict, caller, at)) return
    emit("agent.budget_exceeded", caller, agentRow(caller, at)!, at)
    sql.exceeded.run(spendKey(caller, at))
  }

  /** When a key was last seen is kept to the minute: one write a minute and key, however many calls. */
  const seen = new Map<string, number>()
  const use = (key: string, at: number): void => {
    if (at - (seen.get(key) ?? 0) < minute) return
    if (seen.size > keysSeen) seen.clear()
    seen.set(key, at)
    sql.used.run({ key, at })
  }

  const audit = (line: Audit): void => {
    const { requestId, at, accountId, agentId, keyId, endpoint, paramsHash, status, code, charged, latencyMs } = line
    sql.audit.run(
      requestId,
      at,
      accountId,
      agentId ?? null,
      keyId,
      endpoint,
      paramsHash,
      status,
      code ?? null,
      charged,
      latencyMs,
    )
    use(keyId, at)
  }

  /** @param written the settlement's capture */
  const settle = (
    { caller, list, micros, audit: line, remember }: Settlement,
    written: ReadonlyArray<sqlCaptures.Written>,
  ): Verdict => {
    const { at, requestId, endpoint } = line
    // A call that leaves nothing but money behind needs no look: the conditional debit says as much by itself.
    const verdict = caller.agent === undefined && remember === undefined ? settled : look(caller, list, micros, at)
    if (verdict._tag !== "Settled") {
      refused(verdict, caller, at)
      return verdict
    }
    if (remember !== undefined && sql.remember.run({ ...remember, keyId: caller.keyId, at }).changes === 0) {
      return { _tag: "Raced" }
    }
    if (micros > 0) {
      const { changes } = sql.debit.run(micros, caller.accountId, micros)
      if (changes === 0) return { _tag: "Insufficient", balance: balanceOf(caller.accountId) }
      sql.journal.run(requestId, at, caller.accountId, walletLedger(caller.accountId), micros, caller.keyId, endpoint)
    }
    if (list > 0 && caller.agent !== undefined) {
      sql.spend.run({ ...spendKey(caller, at), micros: list })
      announce(caller, at)
    }
    captures.take(written)
    audit(line)
    return settled
  }

  /** What a key was charged in a month, up to a moment behind which no call can still be on its way. */
  const sums = new Map<string, { readonly month: string; readonly until: number; readonly micros: number }>()
  const keySpent = ({ accountId: account, keyId: key }: Caller, at: number): MicroUsd => {
    const month = monthOf(at)
    const sum = (from: number, to: number): number =>
      (sql.keySpent.get({ account, key, from: firstId(from), to: firstId(to) }) as { readonly micros: number }).micros
    const before = sums.get(key)
    const start = before?.month === month ? before : { month, until: Date.parse(`${month}-01T00:00:00Z`), micros: 0 }
    const until = Math.max(start.until, at - underWayMs)
    const micros = start.micros + sum(start.until, until)
    if (sums.size >= keysSeen) sums.clear()
    sums.set(key, { month, until, micros })
    return MicroUsd(micros + sum(until, nextMonth(at)))
  }

  const standing = (caller: Caller, at: number): Standing => {
    const row = agentRow(caller, at, sql.agentStanding)
    return {
      balance: balanceOf(caller.accountId),
      month: monthOf(at),
      monthSpent: keySpent(caller, at),
      ...(row === undefined
        ? {}
        : {
            agent: {
              name: row.name,
              ...capsOf(row),
              monthSpent: MicroUsd(row.month_micros),
              totalSpent: MicroUsd(row.total_micros),
            },
          }),
    }
  }

  const recall = (keyId: string, key: string, now: number): Remembered | undefined =>
    sql.recall.get({ keyId, key, since: now - day }) as Remembered | undefined

  return {
    balanceOf,
    look,
    standing,
    isWellOff,
    unannounced,
    refused,
    settle,
    reached: captures.reached,
    audit,
    recall,
  }
}

/** The money path on SQLite: every settlement is one step of a group commit. */
export const layer: Layer.Layer<Ledger, never, Hasher | Sqlite> = Layer.scoped(
  Ledger,
  Effect.gen(function* () {
    const { db, alone } = yield* Sqlite
    const { sha256 } = yield* Hasher
    const step = steps(db, sha256)
    const commits = yield* GroupCommit.make
    const log = Runtime.runFork(yield* Effect.runtime<never>())
    const lost = (requestId: string) => (cause: unknown) =>
      void log(Effect.annotateLogs(Effect.logError("An audit row was not written", cause), "request_id", requestId))
    const read = <A>(work: () => A) => orUnavailable(alone(work))
    return {
      balance: (accountId) => read(() => step.balanceOf(accountId)),
      look: (caller, list, micros, at) =>
        step.isWellOff(caller, at)
          ? Effect.succeed(settled)
          : Effect.tap(
              read(() => step.look(caller, list, micros, at)),
              (verdict) =>
                step.unannounced(verdict, caller, at)
                  ? commits.submit(() => step.refused(verdict, caller, at))
                  : Effect.void,
            ),
      standing: (caller, at) => read(() => step.standing(caller, at)),
      settle: (settlement) => {
        if (settlement.captured === undefined) return commits.submit(() => step.settle(settlement, []))
        const { captured } = settlement
        return Effect.suspend(() => {
          const written = [sqlCaptures.writtenOf(captured)]
          return Effect.tap(
            commits.submit(() => step.settle(settlement, written)),
            ({ _tag }) => Effect.sync(() => _tag === "Settled" && step.reached(written)),
          )
        })
      },
      note: (line) => Effect.sync(() => commits.post(() => step.audit(line), lost(line.requestId))),
      recall: (keyId, key, now) => read(() => step.recall(keyId, key, now)),
    }
  }),
)

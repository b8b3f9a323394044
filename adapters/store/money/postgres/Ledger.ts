import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { monthOf, warningShare } from "../../../../core/account/Agent.ts"
import { decide, refusal, replyLifetimeMs, settled, type Verdict } from "../../../../core/account/decide.ts"
import type { Caller } from "../../../../core/account/Keyring.ts"
import { type Audit, Ledger, type Settlement } from "../../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../../core/account/Money.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../../core/Step.ts"
import { Meter } from "../../../../core/telemetry/Meter.ts"
import * as Batches from "../../engine/postgres/batches.ts"
import { moneyLimits, Postgres } from "../../engine/postgres/client.ts"
import { mapStorageErrors, transaction } from "../../engine/storage.ts"
import { Transactions } from "../../engine/Transactions.ts"
import * as sqlCaptures from "../../record/Captures.ts"
import * as AuditNotes from "../../trail/notes.ts"
import { type AgentRow, agentMonth, agentWith, spentInAll, statusOf } from "../agentSpend.ts"
import * as BalanceHint from "../balanceHint.ts"
import * as KeyUse from "../keyUse.ts"
import * as Replies from "../replies.ts"
import { type Call, eventRows, settle as settleDecided, type VerdictRow } from "./decided.ts"
import * as Ending from "./ending.ts"

/** An item of a batch: a settlement, or the audit row of another call. */
type Item =
  | (Call & { readonly _tag: "Call"; readonly written: ReadonlyArray<sqlCaptures.Written> })
  | { readonly _tag: "Line"; readonly row: Call["row"] }

/** Somebody else holds the wallet: nothing was decided. */
const locked = { _tag: "Locked" } as const
/** The store does not settle it as a part of a set: nothing was decided. */
const hard = { _tag: "Hard" } as const

type Answer = Verdict | typeof locked | typeof hard

const answerOf = ({ tag, n }: VerdictRow): Answer => {
  switch (tag) {
    case "monthly":
    case "lifetime":
      return { _tag: "Capped", cap: tag }
    case "Insufficient":
      return { _tag: "Insufficient", balance: MicroUsd(n) }
    case "Concurrent":
    case "ReplyQuotaExceeded":
      return { _tag: tag }
    case "Locked":
      return locked
    case "Hard":
      return hard
    case "Known":
    case "Repeated":
      return settled
  }
}

/** The part of a `settle_call` that an audit row has. */
const lineOf = (line: Audit) => ({
  id: line.requestId,
  at: line.at,
  account: line.accountId,
  key: line.keyId,
  agent: line.agentId ?? null,
  micros: line.charged,
  endpoint: line.endpoint,
  hash: line.paramsHash,
  status: line.status,
  code: line.code ?? null,
  latency: line.latencyMs,
  ended: monthOf(line.at + line.latencyMs),
  calls: line.calls ?? 1,
})

const spenderOf = (caller: Caller, at: number) => ({
  account: caller.accountId,
  agent: caller.agent?.id ?? null,
  live: Number(caller.livemode),
  month: monthOf(at),
})

const callOf = ({ caller, list, micros, audit }: Settlement, reply: Replies.Reply | undefined) => ({
  ...lineOf(audit),
  ...spenderOf(caller, audit.at),
  list,
  micros,
  ...(reply === undefined
    ? {}
    : {
        idem: reply.key,
        idem_hash: reply.requestHash,
        stored: reply.bytes === undefined ? null : `\\x${Buffer.from(reply.bytes).toString("hex")}`,
      }),
})

const settleText =
  "SELECT i, tag, n FROM settle($1::uuid, $2::json, $3::json, $4::json, $5::boolean, $6::integer, $7::integer[])"

/** How long a batch waits for locks of others, milliseconds: ordinary ones are those of other batches. Then it skips. */
const waitMs = (skips: boolean): number => (skips ? 100 : 300)

const agentText = (total: string): string =>
  agentWith(total).replaceAll(":livemode", "$2").replaceAll(":month", "$3").replaceAll(":agent", "$1")

const texts = {
  balance: "SELECT balance_micros AS micros FROM wallets WHERE account_id = $1",
  // The total is summed only for agents with a lifetime cap.
  agent: agentText(`CASE WHEN a.budget_cap_micros IS NULL THEN 0 ELSE ${spentInAll} END`),
  agentInAll: agentText(spentInAll),
  accountSpend:
    "SELECT coalesce(SUM(s.micros), 0)::bigint AS micros FROM api_keys k JOIN key_spend s ON s.key_id = k.id WHERE k.account_id = $1 AND s.month = $2",
  keySpend: "SELECT micros FROM key_spend WHERE key_id = $1 AND month = $2",
  reply: "SELECT request_hash, stored FROM idempotency WHERE key_id = $1 AND idempotency_key = $2 AND at > $3",
} as const

const answersOf = (items: ReadonlyArray<Item>, rows: ReadonlyArray<VerdictRow>): ReadonlyArray<Answer> => {
  const refused = new Map(rows.map((row) => [row.i, row]))
  return items.map((_, i) => {
    const row = refused.get(i)
    return row === undefined ? settled : answerOf(row)
  })
}

const hasCapture = (item: Item): boolean => item._tag === "Call" && item.written.length > 0

type Send = Batches.Options<Item, Answer>["send"]

/** The transactions of a batch: of calls that the store settles as sets, and of those that are decided here. */
const sending = (
  step: Postgres["Type"]["step"],
  sql: SqlClient.SqlClient,
  captures: ReturnType<typeof sqlCaptures.steps>,
) => {
  const isUse = KeyUse.make()
  const used = (items: ReadonlyArray<Item>) =>
    items.flatMap(({ row: { key, at } }) => (isUse(key as string, at as number) ? [{ key, at }] : []))

  const valuesOf = (id: string, items: ReadonlyArray<Item>, skips: boolean): Array<unknown> => {
    const numbered = items.map(({ _tag, row }, i) => ({ _tag, row: { i, ...row } }))
    const of = (tag: Item["_tag"]) => JSON.stringify(numbered.filter(({ _tag }) => _tag === tag).map(({ row }) => row))
    return [id, of("Call"), of("Line"), JSON.stringify(used(items)), skips, waitMs(skips), warningShare]
  }

  /** Appends the captures of the calls that were settled. */
  const appended = (items: ReadonlyArray<Item>, answers: ReadonlyArray<Answer>) =>
    captures.append(
      items.flatMap((item, at) => (item._tag === "Call" && answers[at]!._tag === "Settled" ? item.written : [])),
    )

  const together: Send = (id, items, skips) => {
    const values = valuesOf(id, items, skips)
    if (!items.some(hasCapture)) {
      return Step.andThen(step<VerdictRow>("settle", settleText, values), (rows) =>
        Exit.succeed(answersOf(items, rows)),
      )
    }
    return transaction(
      sql,
      Effect.gen(function* () {
        const rows = yield* sql.unsafe<VerdictRow>(settleText, values)
        const answers = answersOf(items, rows)
        if (!rows.some(({ tag }) => tag === "Known")) yield* Step.run(appended(items, answers))
        return answers
      }),
      moneyLimits,
    )
  }

  /** Under the locks of their wallets. */
  const apart: Send = (id, items, skips) =>
    transaction(
      sql,
      Effect.gen(function* () {
        const calls = items.filter((item) => item._tag === "Call")
        const { rows, isKnown } = yield* settleDecided(sql, id, calls, used(items), {
          skips,
          waitMs: waitMs(skips),
        })
        const answers = answersOf(calls, rows)
        if (!isKnown) yield* Step.run(appended(calls, answers))
        return answers
      }),
      moneyLimits,
    )

  return { together, apart }
}

/** The two kinds of batches. */
const settling = (postgres: Postgres["Type"], { together, apart }: ReturnType<typeof sending>) =>
  Effect.gen(function* () {
    const meter = yield* Meter
    const measured =
      (send: Send): Send =>
      (id, items, skips) => {
        const since = meter.now()
        let isCommitted = false
        const sent = Step.andThen(send(id, items, skips), (answers) => {
          isCommitted = true
          return Exit.succeed(answers)
        })
        return Step.ensuring(sent, () => meter.committed(items.length, since, isCommitted))
      }

    const handOver = yield* Ending.make(postgres)
    const batches = {
      locks: {
        groupOf: ({ row }: Item) => row["account"] as string,
        isLocked: ({ _tag }: Answer) => _tag === "Locked",
      },
      cancel: (id: string, items: ReadonlyArray<Item>) =>
        handOver(
          id,
          items.flatMap(({ _tag, row }, i) => (_tag === "Call" ? [{ i, ...row }] : [])),
        ),
    }

    return {
      settle: yield* Batches.make<Item, Answer>({ ...batches, send: measured(together) }),
      settleHard: yield* Batches.make<Item, Answer>({ ...batches, send: measured(apart) }),
    }
  })

/** Reads of single rows. */
const reading = ({ rows }: Postgres["Type"]) => {
  const read = <Row extends object>(name: keyof typeof texts, values: Array<unknown>) =>
    Effect.map(mapStorageErrors(rows<Row>(name, texts[name], values)), ([row]) => row)

  const balance = (accountId: string) =>
    Effect.map(read<{ readonly micros: number }>("balance", [accountId]), (row) =>
      row === undefined ? zero : MicroUsd(row.micros),
    )

  const readAgent = (caller: Caller, at: number, name: "agent" | "agentInAll" = "agent") =>
    caller.agent === undefined
      ? Effect.succeed(undefined)
      : read<AgentRow>(name, [caller.agent.id, Number(caller.livemode), monthOf(at)])

  const reads: Pick<Ledger["Type"], "spendStatus" | "accountSpent"> = {
    spendStatus: (caller, at) =>
      Effect.gen(function* () {
        const row = yield* readAgent(caller, at, "agentInAll")
        const spent = yield* read<{ readonly micros: number }>("keySpend", [caller.keyId, monthOf(at)])
        return {
          balance: yield* balance(caller.accountId),
          month: monthOf(at),
          monthSpent: MicroUsd(spent?.micros ?? 0),
          ...statusOf(row),
        }
      }),
    accountSpent: (accountId, month) =>
      Effect.map(read<{ readonly micros: number }>("accountSpend", [accountId, month]), (row) =>
        MicroUsd(row?.micros ?? 0),
      ),
  }
  return { read, balance, readAgent, ...reads }
}

/**
 * The money path on PostgreSQL. What arrives together is settled as sets by one call of the function `settle`, in one
 * transaction; calls near a limit, and those with an idempotency key, are decided here, under the locks of their wallets. A
 * signal's capture is appended in the same transaction.
 */
export const layer: Layer.Layer<Ledger, never, SyncSha256 | SqlClient.SqlClient | Transactions | Postgres> =
  Layer.scoped(
    Ledger,
    Effect.gen(function* () {
      const postgres = yield* Postgres
      const sql = yield* SqlClient.SqlClient
      const { sha256 } = yield* SyncSha256
      const captures = sqlCaptures.steps(yield* Transactions, sha256)
      const balanceHints = BalanceHint.make()
      const fork = Runtime.runFork(yield* Effect.runtime<never>())
      const { read, balance, readAgent, ...reads } = reading(postgres)
      const { settle, settleHard } = yield* settling(postgres, sending(postgres.step, sql, captures))

      const appendAudit = yield* AuditNotes.make(
        () => false,
        (line, lost) => {
          fork(
            Effect.catchAllCause(Step.run(settle({ _tag: "Line", row: lineOf(line) })), (cause) =>
              Effect.sync(() => lost(cause)),
            ),
          )
        },
      )

      const announce = (rowsOfEvents: ReadonlyArray<object>) =>
        mapStorageErrors(postgres.rows("announce", "SELECT write_events($1::json)", [JSON.stringify(rowsOfEvents)]))

      return {
        ...reads,
        balance,
        precheck: Step.method(function* (caller, list, micros, at) {
          if (balanceHints.has(caller, at)) return settled
          const row = list === 0 ? undefined : yield* readAgent(caller, at)
          const payer = {
            balance: micros === 0 ? zero : yield* balance(caller.accountId),
            agent: row && agentMonth(row),
          }
          if (micros > 0 && refusal(payer, BalanceHint.hintPrice(list, micros)) === undefined)
            balanceHints.set(caller, at)
          const { verdict, events } = decide(payer, { caller, list, micros, at })
          if (verdict._tag !== "Settled" && events.length > 0) yield* announce(eventRows(caller, at, events))
          return verdict
        }),
        settle: Step.method(function* (settlement) {
          const reply = yield* Replies.packed(settlement)
          const { captured } = settlement
          const written = captured === undefined ? [] : [sqlCaptures.writtenOf(captured)]
          const item: Item = { _tag: "Call", settlement, reply, row: callOf(settlement, reply), written }
          const since = performance.now()
          const first = reply === undefined ? yield* settle(item, since) : hard
          const verdict = (first._tag === "Hard" ? yield* settleHard(item, since) : first) as Verdict
          if (verdict._tag === "Settled") captures.reached(written)
          return verdict
        }),
        appendAudit,
        recall: Step.method(function* (keyId, key, now) {
          return yield* Replies.recalled(key, yield* read<Replies.Row>("reply", [keyId, key, now - replyLifetimeMs]))
        }),
      }
    }),
  )

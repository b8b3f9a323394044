import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { monthOf, nextMonth } from "../../../core/account/Agent.ts"
import type { Caller } from "../../../core/account/Keyring.ts"
import { type Audit, Ledger, type Settlement, settled, type Verdict } from "../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../core/account/Money.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../core/Step.ts"
import { Meter } from "../../../core/telemetry/Meter.ts"
import { iso } from "../../../core/time.ts"
import { type AgentRow, agentWith, capped, spentInAll, statusOf } from "../agentSpend.ts"
import * as AuditNotes from "../auditNotes.ts"
import * as sqlCaptures from "../Captures.ts"
import * as KeyUse from "../keyUse.ts"
import * as Replies from "../replies.ts"
import { mapStorageErrors, transaction } from "../storage.ts"
import { Transactions } from "../Transactions.ts"
import * as WellOff from "../wellOff.ts"
import * as Batches from "./batches.ts"
import { moneyLimits, Postgres } from "./client.ts"
import * as Ending from "./ending.ts"

/** An item of a batch: a settlement, or the audit row of another call. */
type Item =
  | {
      readonly _tag: "Call"
      readonly call: Record<string, unknown>
      readonly written: ReadonlyArray<sqlCaptures.Written>
    }
  | { readonly _tag: "Line"; readonly call: Record<string, unknown> }

interface VerdictRow {
  readonly i: number
  readonly tag: "Known" | "Repeated" | "Locked" | "monthly" | "lifetime" | "Insufficient" | "Raced" | "Unkept"
  readonly n: number
}

/** Somebody else holds the wallet: nothing was decided. */
const locked = { _tag: "Locked" } as const

type Answer = Verdict | typeof locked

const verdictOf = ({ tag, n }: VerdictRow): Answer => {
  switch (tag) {
    case "monthly":
    case "lifetime":
      return { _tag: "Capped", cap: tag }
    case "Insufficient":
      return { _tag: "Insufficient", balance: MicroUsd(n) }
    case "Raced":
    case "Unkept":
      return { _tag: tag }
    case "Locked":
      return locked
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
  resets: iso(nextMonth(at)),
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
        per_minute: caller.perMinute,
      }),
})

const settleText =
  "SELECT i, tag, n FROM settle($1::uuid, $2::json, $3::json, $4::boolean, $5::json, $6::boolean, $7::integer)"

/** How long a batch waits for locks of others, milliseconds: ordinary ones are those of other batches. Then it skips. */
const lockMs = 300
const skippingMs = 100

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

/**
 * The money path on PostgreSQL: nodes gather, the store decides. What arrives together is settled by one call of the
 * function `settle`, in one transaction; a signal's capture is appended in the same transaction.
 */
export const layer: Layer.Layer<Ledger, never, SyncSha256 | SqlClient.SqlClient | Transactions | Postgres> =
  Layer.scoped(
    Ledger,
    Effect.gen(function* () {
      const postgres = yield* Postgres
      const { rows, step } = postgres
      const sql = yield* SqlClient.SqlClient
      const transactions = yield* Transactions
      const { sha256 } = yield* SyncSha256
      const captures = sqlCaptures.steps(transactions, sha256)
      const isUse = KeyUse.make()
      const wellOff = WellOff.make()
      const log = Runtime.runFork(yield* Effect.runtime<never>())

      const read = <Row extends object>(name: keyof typeof texts, values: Array<unknown>) =>
        Effect.map(mapStorageErrors(rows<Row>(name, texts[name], values)), ([row]) => row)

      const valuesOf = (id: string, items: ReadonlyArray<Item>, skips: boolean): Array<unknown> => {
        const numbered = items.map(({ _tag, call }, i) => ({ _tag, call: { i, ...call } }))
        const of = (tag: Item["_tag"]) =>
          JSON.stringify(numbered.filter(({ _tag }) => _tag === tag).map(({ call }) => call))
        const used = items.flatMap(({ call: { key, at } }) => (isUse(key as string, at as number) ? [{ key, at }] : []))
        return [id, of("Call"), of("Line"), false, JSON.stringify(used), skips, skips ? skippingMs : lockMs]
      }

      const verdictsOf = (items: ReadonlyArray<Item>, said: ReadonlyArray<VerdictRow>): ReadonlyArray<Answer> => {
        const refused = new Map(said.map((row) => [row.i, row]))
        return items.map((_, i) => {
          const row = refused.get(i)
          return row === undefined ? settled : verdictOf(row)
        })
      }

      const hasCapture = (item: Item): boolean => item._tag === "Call" && item.written.length > 0

      const meter = yield* Meter
      const measured =
        (send: Batches.Options<Item, Answer>["send"]): typeof send =>
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

      const settle = yield* Batches.make<Item, Answer>({
        locks: { groupOf: ({ call }) => call["account"] as string, isLocked: ({ _tag }) => _tag === "Locked" },
        send: measured((id, items, skips) => {
          const values = valuesOf(id, items, skips)
          if (!items.some(hasCapture)) {
            return Step.andThen(step<VerdictRow>("settle", settleText, values), (said) =>
              Exit.succeed(verdictsOf(items, said)),
            )
          }
          return transaction(
            sql,
            Effect.gen(function* () {
              const said = yield* sql.unsafe<VerdictRow>(settleText, values)
              const verdicts = verdictsOf(items, said)
              if (said.some(({ tag }) => tag === "Known")) return verdicts
              const sold = items.flatMap((item, at) =>
                item._tag === "Call" && verdicts[at]!._tag === "Settled" ? item.written : [],
              )
              yield* captures.append(sold)
              return verdicts
            }),
            moneyLimits,
          )
        }),
        cancel: (id, items) =>
          handOver(
            id,
            items.flatMap(({ _tag, call }, i) => (_tag === "Call" ? [{ i, ...call }] : [])),
          ),
      })

      const lost = (requestId: string) => (cause: unknown) =>
        void log(Effect.annotateLogs(Effect.logError("Audit row lost", cause), "request_id", requestId))
      const appendAudit = yield* AuditNotes.make(
        () => false,
        (line) => {
          log(
            Effect.catchAllCause(settle({ _tag: "Line", call: lineOf(line) }), (cause) =>
              Effect.sync(() => lost(line.requestId)(cause)),
            ),
          )
        },
      )

      const balance = (accountId: string) =>
        Effect.map(read<{ readonly micros: number }>("balance", [accountId]), (row) =>
          row === undefined ? zero : MicroUsd(row.micros),
        )

      const agentOf = (caller: Caller, at: number, name: "agent" | "agentInAll" = "agent") =>
        caller.agent === undefined
          ? Effect.succeed(undefined)
          : read<AgentRow>(name, [caller.agent.id, Number(caller.livemode), monthOf(at)])

      const announce = (caller: Caller, at: number) =>
        mapStorageErrors(
          rows("announce", "SELECT announce_exceeded(json_populate_record(NULL::settle_call, $1::json))", [
            JSON.stringify({ ...spenderOf(caller, at), at }),
          ]),
        )

      return {
        balance,
        precheck: Step.method(function* (caller, list, micros, at) {
          if (wellOff.has(caller, at)) return settled
          const row = list === 0 ? undefined : yield* agentOf(caller, at)
          const cap = capped(row, list)
          if (cap !== undefined) {
            if (cap === "monthly" && row?.exceeded === 0) yield* announce(caller, at)
            return { _tag: "Capped", cap } as const
          }
          if (micros === 0) return settled
          const has = yield* balance(caller.accountId)
          if (has >= micros * WellOff.ample && capped(row, list * WellOff.ample) === undefined) wellOff.set(caller, at)
          return has >= micros ? settled : ({ _tag: "Insufficient", balance: has } as const)
        }),
        spendStatus: (caller, at) =>
          Effect.gen(function* () {
            const row = yield* agentOf(caller, at, "agentInAll")
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
        settle: Step.method(function* (settlement) {
          const reply = yield* Replies.packed(settlement)
          const { captured } = settlement
          const written = captured === undefined ? [] : [sqlCaptures.writtenOf(captured)]
          const verdict = (yield* settle({ _tag: "Call", call: callOf(settlement, reply), written })) as Verdict
          if (verdict._tag === "Settled") captures.reached(written)
          return verdict
        }),
        appendAudit,
        recall: Step.method(function* (keyId, key, now) {
          return yield* Replies.recalled(key, yield* read<Replies.Row>("reply", [keyId, key, now - Replies.lifetimeMs]))
        }),
      }
    }),
  )

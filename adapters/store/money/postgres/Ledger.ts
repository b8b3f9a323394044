import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { monthOf } from "../../../../core/account/Agent.ts"
import { accepted, decide, refusal, replyLifetimeMs, type Verdict } from "../../../../core/account/decide.ts"
import type { Caller } from "../../../../core/account/Keyring.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../../core/account/Money.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../../core/Step.ts"
import { Meter } from "../../../../core/telemetry/Meter.ts"
import * as Batches from "../../engine/postgres/batches.ts"
import { Postgres } from "../../engine/postgres/client.ts"
import { mapStorageErrors } from "../../engine/storage.ts"
import { Transactions } from "../../engine/Transactions.ts"
import * as sqlCaptures from "../../record/Captures.ts"
import * as AuditNotes from "../../trail/notes.ts"
import { type AgentRow, agentMonth, agentText, statusOf } from "../agentSpend.ts"
import * as BalanceHint from "../balanceHint.ts"
import * as Replies from "../replies.ts"
import * as Charge from "./charge.ts"
import * as Ending from "./ending.ts"

const texts = {
  balance: "SELECT balance_micros AS micros FROM wallets WHERE account_id = $1",
  agent: agentText("$1", "$2", "$3"),
  accountSpend:
    "SELECT coalesce(SUM(s.micros), 0)::bigint AS micros FROM api_keys k JOIN key_spend s ON s.key_id = k.id WHERE k.account_id = $1 AND s.month = $2",
  keySpend: "SELECT micros FROM key_spend WHERE key_id = $1 AND month = $2",
  reply: "SELECT request_hash, stored FROM idempotency WHERE key_id = $1 AND idempotency_key = $2 AND at > $3",
} as const

/** The batches of a node. */
const makeBatches = (postgres: Postgres["Type"], captures: ReturnType<typeof sqlCaptures.steps>) =>
  Effect.gen(function* () {
    const meter = yield* Meter
    const charge = Charge.make(postgres, (written) => Effect.suspend(() => Step.run(captures.append(written))))
    return yield* Batches.make<Charge.Item, Charge.Answer>({
      locks: { groupOf: ({ accountId }) => accountId, isLocked: ({ _tag }) => _tag === "Locked" },
      send: (id, items, skips) =>
        Effect.suspend(() => {
          const since = meter.now()
          return Effect.onExit(charge(id, items, skips), (exit) =>
            Effect.sync(() => meter.committed(items.length, since, Exit.isSuccess(exit))),
          )
        }),
      cancel: yield* Ending.make(postgres),
    })
  })

/** Reads of single rows. */
const reading = ({ rows }: Postgres["Type"]) => {
  const read = <Row extends object>(name: keyof typeof texts, values: Array<unknown>) =>
    Effect.map(mapStorageErrors(rows<Row>(name, texts[name], values)), ([row]) => row)

  const balance = (accountId: string) =>
    Effect.map(read<{ readonly micros: number }>("balance", [accountId]), (row) =>
      row === undefined ? zero : MicroUsd(row.micros),
    )

  const readAgent = (caller: Caller, at: number) =>
    caller.agent === undefined
      ? Effect.succeed(undefined)
      : read<AgentRow>("agent", [caller.agent.id, Number(caller.livemode), monthOf(at)])

  const reads: Pick<Ledger["Type"], "spendStatus" | "accountSpent"> = {
    spendStatus: (caller, at) =>
      Effect.gen(function* () {
        const row = yield* readAgent(caller, at)
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
 * The money path on PostgreSQL. Calls that arrive together are charged in one transaction, under the locks of their wallets;
 * a signal's capture is appended in it.
 */
export const layer: Layer.Layer<Ledger, never, SyncSha256 | Transactions | Postgres> = Layer.scoped(
  Ledger,
  Effect.gen(function* () {
    const postgres = yield* Postgres
    const { sha256 } = yield* SyncSha256
    const captures = sqlCaptures.steps(yield* Transactions, sha256)
    const balanceHints = BalanceHint.make()
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    const { read, balance, readAgent, ...reads } = reading(postgres)
    const submit = yield* makeBatches(postgres, captures)

    const appendAudit = yield* AuditNotes.make(
      () => false,
      (line, lost) => {
        fork(
          Effect.catchAllCause(
            Step.run(submit({ _tag: "Line", accountId: line.accountId, at: line.at, audit: line })),
            (cause) => Effect.sync(() => lost(cause)),
          ),
        )
      },
    )

    return {
      ...reads,
      balance,
      precheck: Step.method(function* (caller, list, micros, at) {
        if (balanceHints.has(caller, at)) return accepted
        const row = list === 0 ? undefined : yield* readAgent(caller, at)
        const payer = {
          balance: micros === 0 ? zero : yield* balance(caller.accountId),
          agent: row && agentMonth(row),
        }
        if (micros > 0 && refusal(payer, BalanceHint.hintPrice(list, micros)) === undefined)
          balanceHints.set(caller, at)
        const { verdict, events } = decide(payer, { caller, list, micros, at })
        if (verdict._tag !== "Accepted" && events.length > 0) {
          yield* submit({ _tag: "Refused", accountId: caller.accountId, caller, list, micros, at })
        }
        return verdict
      }),
      charge: Step.method(function* (charge) {
        const reply = yield* Replies.packed(charge)
        const { captured } = charge
        const written = captured === undefined ? [] : [sqlCaptures.writtenOf(captured)]
        // A locked call is tried again until it fails.
        const verdict = (yield* submit(Charge.makeCall(charge, reply, written))) as Verdict
        if (verdict._tag === "Accepted") captures.reached(written)
        return verdict
      }),
      appendAudit,
      recall: Step.method(function* (keyId, key, now) {
        return yield* Replies.recalled(key, yield* read<Replies.Row>("reply", [keyId, key, now - replyLifetimeMs]))
      }),
    }
  }),
)

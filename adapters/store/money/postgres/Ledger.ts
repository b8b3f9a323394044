import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type { Verdict } from "../../../../core/account/decide.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../../core/Step.ts"
import { Meter } from "../../../../core/telemetry/Meter.ts"
import * as Batches from "../../engine/postgres/batches.ts"
import { Postgres } from "../../engine/postgres/client.ts"
import { mapStorageErrors } from "../../engine/storage.ts"
import { Transactions } from "../../engine/Transactions.ts"
import * as sqlCaptures from "../../record/Captures.ts"
import * as AuditNotes from "../../trail/notes.ts"
import { type AgentRow, agentQuery } from "../agentSpend.ts"
import * as Shared from "../Ledger.ts"
import type * as Replies from "../replies.ts"
import * as Charge from "./charge.ts"
import * as Ending from "./ending.ts"

const texts = {
  balance: "SELECT balance_micros AS micros FROM wallets WHERE account_id = $1",
  agent: agentQuery("$1", "$2", "$3"),
  accountSpend:
    "SELECT coalesce(SUM(s.micros), 0)::bigint AS micros FROM api_keys k JOIN key_spend s ON s.key_id = k.id WHERE k.account_id = $1 AND s.month = $2",
  keySpend: "SELECT micros FROM key_spend WHERE key_id = $1 AND month = $2",
  reply: "SELECT request_hash, stored FROM idempotency WHERE key_id = $1 AND idempotency_key = $2 AND at > $3",
} as const

const makeBatches = (postgres: Postgres["Type"], captures: ReturnType<typeof sqlCaptures.makeSteps>) =>
  Effect.gen(function* () {
    const meter = yield* Meter
    const charge = Charge.make(postgres, (written) => Effect.suspend(() => Step.run(captures.append(written))))
    return yield* Batches.make<Charge.Item, Charge.Answer>({
      locks: { toGroup: ({ accountId }) => accountId, isLocked: ({ _tag }) => _tag === "Locked" },
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

const makeReads = ({ rows }: Postgres["Type"]) => {
  const read = <Row extends object>(name: keyof typeof texts, ...values: ReadonlyArray<unknown>) =>
    Effect.map(mapStorageErrors(rows<Row>(name, texts[name], values)), ([row]) => row)
  const micros = (...of: readonly [keyof typeof texts, ...ReadonlyArray<string>]) =>
    Effect.map(read<{ readonly micros: number }>(...of), (row) => MicroUsd(row?.micros ?? 0))
  return {
    balance: (accountId) => micros("balance", accountId),
    agent: (agentId, livemode, month) => read<AgentRow>("agent", agentId, Number(livemode), month),
    spent: (accountId, month, keyId) =>
      keyId === undefined ? micros("accountSpend", accountId, month) : micros("keySpend", keyId, month),
    reply: (keyId, key, after) => read<Replies.Row>("reply", keyId, key, after),
  } satisfies Partial<Shared.Engine>
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
    const captures = sqlCaptures.makeSteps(yield* Transactions, sha256)
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
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

    const ledger = Shared.make({
      ...makeReads(postgres),
      refuse: (asked) => submit({ _tag: "Refused", accountId: asked.caller.accountId, ...asked }),
      // A verdict: batches try a locked call again until it is decided or fails.
      charge: (...of) => Step.map(submit(Charge.makeCall(...of)), (answer) => answer as Verdict),
      reached: captures.reached,
    })
    return { ...ledger, appendAudit }
  }),
)

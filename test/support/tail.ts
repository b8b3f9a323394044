import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as accountStore from "../../adapters/store/account/AccountStore.ts"
import * as calls from "../../adapters/store/audit/Calls.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { FoldRows, folded } from "../../adapters/store/money/sqlite/folded.ts"
import * as ledger from "../../adapters/store/money/sqlite/Ledger.ts"
import { AccountStore } from "../../core/account/AccountStore.ts"
import { Calls } from "../../core/account/Calls.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { settlementOf } from "./settlement.ts"

/** A process of its own over a store: its connection, its tail. */
export const open = (file: string, rows: number) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        Layer.mergeAll(accountStore.layer, calls.layer, Layer.provide(ledger.layer, hasher.layer)).pipe(
          Layer.provideMerge(sqlite.layer(file)),
          Layer.provide(Layer.succeed(FoldRows, rows)),
        ),
      ),
    ),
    (context) => ({
      context,
      ledger: Context.get(context, Ledger),
      accounts: Context.get(context, AccountStore),
      calls: Context.get(context, Calls),
      sql: Context.get(context, SqlClient.SqlClient),
      folded: Effect.provide(folded, context),
    }),
  )

export type Process = Effect.Effect.Success<ReturnType<typeof open>>

export const at = Date.UTC(2026, 10, 30, 23, 59)
export const accountOf = (n: number) => `acct_0000000000000000000000000${n}`
export const keyOf = (n: number) => `key_0000000000000000000000000${n}`

export const seeded = ({ accounts, sql }: Process, n: number, credit: number) =>
  Effect.gen(function* () {
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (${accountOf(n)}, ${`account ${n}`}, 0)`
    yield* sql`INSERT INTO wallets (account_id, balance_micros) VALUES (${accountOf(n)}, 0)`
    yield* sql`INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
      VALUES (${keyOf(n)}, ${accountOf(n)}, ${`hash ${n}`}, '', 'live', 'pro', 600, 0)`
    const id = `txn_${String(n).padStart(26, "0")}`
    yield* accounts.credit({ id, accountId: accountOf(n), micros: MicroUsd(credit), at: 0 })
    return id
  })

export const charge = ({ ledger }: Process, n: number, id: string, when: number) =>
  ledger.settle(
    settlementOf({
      accountId: accountOf(n),
      keyId: keyOf(n),
      requestId: `req_${id.padStart(26, "0")}`,
      micros: 10,
      at: when,
    }),
  )

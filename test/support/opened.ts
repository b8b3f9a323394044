import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as accountStore from "../../adapters/store/account/AccountStore.ts"
import * as auditTrail from "../../adapters/store/audit/AuditTrail.ts"
import * as calls from "../../adapters/store/audit/Calls.ts"
import { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { FoldRows, folds } from "../../adapters/store/money/folds.ts"
import * as ledger from "../../adapters/store/money/sqlite/Ledger.ts"
import { AccountStore } from "../../core/account/AccountStore.ts"
import { AuditTrail } from "../../core/account/AuditTrail.ts"
import { Calls } from "../../core/account/Calls.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { settlementOf } from "./settlement.ts"

/** A program over a SQLite store, until it is closed or the scope ends. @param rows from which on all are folded */
export const open = (file: string, rows = Number.POSITIVE_INFINITY) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const layer = Layer.mergeAll(
      accountStore.layer,
      auditTrail.layer,
      calls.layer,
      Layer.provide(ledger.layer, hasher.layer),
    ).pipe(Layer.provideMerge(sqlite.layer(file)), Layer.provide(Layer.succeed(FoldRows, rows)))
    const context = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
    return {
      context,
      ledger: Context.get(context, Ledger),
      accounts: Context.get(context, AccountStore),
      trail: Context.get(context, AuditTrail),
      calls: Context.get(context, Calls),
      sql: Context.get(context, SqlClient.SqlClient),
      db: Context.get(context, Sqlite).db,
      folds: yield* Effect.provide(folds, context),
      close: Scope.close(scope, Exit.void),
    }
  })

export type Opened = Effect.Effect.Success<ReturnType<typeof open>>

export const accountOf = (n: number): string => `acct_${String(n).padStart(26, "0")}`
export const keyOf = (n: number): string => `key_${String(n).padStart(26, "0")}`
export const requestOf = (n: number): string => `req_${String(n).padStart(26, "0")}`

/** An account with a key and a credit, whose id is returned. */
export const seeded = ({ accounts, sql }: Opened, n: number, credit: number) =>
  Effect.gen(function* () {
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (${accountOf(n)}, ${`account ${n}`}, 0)`
    yield* sql`INSERT INTO wallets (account_id, balance_micros) VALUES (${accountOf(n)}, 0)`
    yield* sql`INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
      VALUES (${keyOf(n)}, ${accountOf(n)}, ${`hash ${n}`}, '', 'live', 'pro', 600, 0)`
    const id = `txn_${String(n).padStart(26, "0")}`
    yield* accounts.credit({ id, accountId: accountOf(n), micros: MicroUsd(credit), at: 0 })
    return id
  })

export const price = 10

/** Charges an account by the call of a number. */
export const charge = ({ ledger }: Opened, account: number, call: number, at: number, micros = price) =>
  ledger.charge(
    settlementOf({ accountId: accountOf(account), keyId: keyOf(account), requestId: requestOf(call), micros, at }),
  )

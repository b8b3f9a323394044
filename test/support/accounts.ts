import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { trustMs } from "../../adapters/store/account/postgres/Keyring.ts"
import type { AccountStore } from "../../core/account/AccountStore.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import type { NewKey } from "../../core/account/KeyRequest.ts"
import { Keyring } from "../../core/account/Keyring.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import type { Failure } from "../../core/Failure.ts"
import { anyAccounts } from "./anyStore.ts"
import { isPostgres } from "./postgres.ts"
import { charge as settle } from "./settlement.ts"

/** A test over a store without files. */
export const inMemory = <A, E>(
  effect: Effect.Effect<A, E, Accounts | AccountStore | Keyring | PlatformCrypto | SqlClient.SqlClient | Ledger>,
) => Effect.provide(effect, anyAccounts)

/** An account with money and a live key, as most tests need it. */
export const funded = (name: string, micros: number) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create(name)
    if (micros > 0) yield* accounts.credit(id, MicroUsd(micros))
    const { key } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
    return { id, keyId: key.id }
  })

export const charge = (
  { id, keyId }: { readonly id: string; readonly keyId: string },
  requestId: string,
  micros: number,
  at = 1_000,
) => settle({ accountId: id, keyId, requestId, micros, at })

/** The caller of a key as it is now. On PostgreSQL what was read counts for a while of real time. */
export const callerOf = ({ plaintext }: NewKey) =>
  Effect.gen(function* () {
    if (isPostgres) yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, trustMs)))
    const hash = yield* (yield* PlatformCrypto).sha256(Redacted.value(plaintext))
    return yield* (yield* Keyring).find(hash)
  })

export const balanceOf = (account: string) => Effect.flatMap(Ledger, (ledger) => ledger.balance(account))

/** The balance of each ledger: credits less debits. */
export const ledgers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ ledger: string; micros: number }>`
      SELECT ledger, SUM(micros) AS micros FROM (
        SELECT credit AS ledger, micros FROM postings UNION ALL SELECT debit AS ledger, -micros AS micros FROM postings
      ) GROUP BY ledger`,
    (rows): Readonly<Record<string, number>> => Object.fromEntries(rows.map(({ ledger, micros }) => [ledger, micros])),
  ),
)

export const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

export const charges = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM postings WHERE kind = 'charge'`, ([row]) => row!.n),
)

export const suggestionsOf = (failure: Failure): string =>
  (failure.hints ?? []).map(({ suggestion }) => suggestion).join()

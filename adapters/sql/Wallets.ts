import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MicroUsd, zero } from "../../core/account/Money.ts"
import { Wallets } from "../../core/account/Wallet.ts"
import { inTransaction, orUnavailable } from "./storage.ts"

/** The ledger of an account's money. */
export const walletLedger = (accountId: string): string => `wallet:${accountId}`

export const layer: Layer.Layer<Wallets, never, SqlClient.SqlClient> = Layer.effect(
  Wallets,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    balance: (accountId) =>
      orUnavailable(
        Effect.map(
          sql<{ balance_micros: number }>`SELECT balance_micros FROM wallets WHERE account_id = ${accountId}`,
          ([row]) => (row === undefined ? zero : MicroUsd(row.balance_micros)),
        ),
      ),
    charge: ({ accountId, keyId, requestId, endpoint, micros, at }) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
          // The conditional UPDATE decides; the journal row follows in the same transaction. The request id is the
          // row's primary key: one request can never be billed twice.
          const [paid] = yield* sql`
            UPDATE wallets SET balance_micros = balance_micros - ${micros}
            WHERE account_id = ${accountId} AND balance_micros >= ${micros}
            RETURNING account_id`
          if (paid === undefined) return false
          yield* sql`INSERT INTO journal ${sql.insert({
            id: requestId,
            at,
            kind: "charge",
            account_id: accountId,
            debit: walletLedger(accountId),
            credit: "revenue",
            micros,
            key_id: keyId,
            endpoint,
          })}`
          return true
        }),
      ),
  })),
)

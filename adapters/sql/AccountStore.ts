import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Account, AccountStore, type KeyRecord } from "../../core/account/AccountStore.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import type { Tier } from "../../core/account/Tier.ts"

import { changing } from "./changes.ts"
import * as journal from "./journal.ts"
import * as keyReads from "./keyReads.ts"
import { type KeyRow, keyColumns, toKey } from "./keyReads.ts"
import { mapStorageErrors } from "./storage.ts"

export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly tier: Tier
  readonly per_minute: number
  readonly created_at: number
  readonly suspended_at: number | null
}

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  tier: row.tier,
  perMinute: row.per_minute,
  createdAt: row.created_at,
  ...(row.suspended_at === null ? {} : { suspendedAt: row.suspended_at }),
})

const insertKey = (sql: SqlClient.SqlClient, key: KeyRecord, hash: string) =>
  Effect.map(
    sql`INSERT INTO api_keys ${sql.insert({
      id: key.id,
      account_id: key.accountId,
      hash,
      last_four: key.lastFour,
      name: key.name ?? null,
      environment: key.environment,
      tier: key.tier,
      per_minute: key.perMinute,
      agent_id: key.agentId ?? null,
      scopes: key.scopes?.join(",") ?? null,
      created_at: key.createdAt,
      expires_at: key.expiresAt ?? null,
    })} ON CONFLICT (hash) DO NOTHING RETURNING id`,
    (rows) => rows.length === 1,
  )

export const layer: Layer.Layer<AccountStore, never, SqlClient.SqlClient> = Layer.effect(
  AccountStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    insertAccount: (account) =>
      changing(
        sql,
        Effect.gen(function* () {
          const [inserted] = yield* sql`
            INSERT INTO accounts ${sql.insert({
              id: account.id,
              name: account.name,
              tier: account.tier,
              per_minute: account.perMinute,
              created_at: account.createdAt,
            })}
            ON CONFLICT (name) DO NOTHING RETURNING id`
          if (inserted === undefined) return false
          yield* sql`INSERT INTO wallets ${sql.insert({ account_id: account.id, balance_micros: 0 })}`
          return true
        }),
      ),
    findAccount: (idOrName) =>
      mapStorageErrors(
        Effect.map(sql<AccountRow>`SELECT * FROM accounts WHERE id = ${idOrName} OR name = ${idOrName}`, ([row]) =>
          row === undefined ? undefined : toAccount(row),
        ),
      ),
    accounts: mapStorageErrors(
      Effect.map(sql<AccountRow>`SELECT * FROM accounts ORDER BY id`, (rows) => rows.map(toAccount)),
    ),
    setTier: (accountId, tier, perMinute) =>
      changing(
        sql,
        Effect.asVoid(sql`UPDATE accounts SET tier = ${tier}, per_minute = ${perMinute} WHERE id = ${accountId}`),
      ),
    setSuspended: (accountId, at) =>
      changing(
        sql,
        Effect.map(
          at === undefined
            ? sql`UPDATE accounts SET suspended_at = NULL WHERE id = ${accountId} AND suspended_at IS NOT NULL RETURNING id`
            : sql`UPDATE accounts SET suspended_at = ${at} WHERE id = ${accountId} AND suspended_at IS NULL RETURNING id`,
          (rows) => rows.length === 1,
        ),
      ),
    insertKey: (key, hash) => changing(sql, insertKey(sql, key, hash), undefined, key.id),
    findKey: (keyId) =>
      mapStorageErrors(
        Effect.map(sql<KeyRow>`SELECT ${keyColumns(sql)} FROM api_keys WHERE id = ${keyId}`, ([row]) =>
          row === undefined ? undefined : toKey(row),
        ),
      ),
    replaceKey: (keyId, overlapEndsAt, next, hash) =>
      changing(
        sql,
        Effect.gen(function* () {
          const now = next.createdAt
          const [ended] = yield* sql`
            UPDATE api_keys SET overlap_ends_at =
              CASE WHEN overlap_ends_at < ${overlapEndsAt} THEN overlap_ends_at ELSE ${overlapEndsAt} END
            WHERE id = ${keyId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
              AND (overlap_ends_at IS NULL OR overlap_ends_at > ${now}) RETURNING id`
          if (ended === undefined) return false
          if (!(yield* insertKey(sql, next, hash))) return yield* Effect.dieMessage("Two keys have one hash.")
          return true
        }),
      ),
    revokeKey: (keyId, at) =>
      changing(
        sql,
        Effect.map(
          sql`UPDATE api_keys SET revoked_at = ${at} WHERE id = ${keyId} AND revoked_at IS NULL RETURNING id`,
          (rows) => rows.length === 1,
        ),
      ),
    keys: (accountId) =>
      mapStorageErrors(
        Effect.map(
          sql<KeyRow>`SELECT ${keyColumns(sql)} FROM api_keys WHERE account_id = ${accountId} ORDER BY id`,
          (rows) => rows.map(toKey),
        ),
      ),
    keyPage: (accountId, filter) => mapStorageErrors(keyReads.page(sql, accountId, filter)),
    keysNamed: (accountId, ids) => mapStorageErrors(keyReads.named(sql, accountId, ids)),
    keySummary: (accountId, at) => mapStorageErrors(keyReads.summary(sql, accountId, at)),
    credit: (credit) => changing(sql, journal.credit(sql, credit), (balance) => balance !== undefined),
    lowBalance: (accountId) =>
      mapStorageErrors(
        Effect.map(
          sql<{ low_micros: number | null }>`SELECT low_micros FROM wallets WHERE account_id = ${accountId}`,
          ([row]) => (row === undefined || row.low_micros === null ? undefined : MicroUsd(row.low_micros)),
        ),
      ),
    setLowBalance: (accountId, micros) =>
      changing(
        sql,
        Effect.asVoid(sql`UPDATE wallets SET low_micros = ${micros ?? null} WHERE account_id = ${accountId}`),
      ),
    reverse: (reversal) =>
      changing(sql, journal.reverse(sql, reversal), (reversed) => reversed !== undefined && reversed.taken > 0),
    journal: (accountId, limit, before) => mapStorageErrors(journal.postings(sql, accountId, limit, before)),
  })),
)

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type Account,
  AccountStore,
  type KeyFilter,
  type KeyRecord,
  type KeySummary,
  PerAccount,
  playground,
} from "../../../core/account/AccountStore.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { boundedCount, maxCounted } from "../../../core/BoundedCount.ts"
import { runChange } from "../engine/changes.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { checkRoom } from "../engine/locks.ts"
import { hasWritten, likePattern, mapStorageErrors, readAll, readFirst } from "../engine/storage.ts"
import { type Folds, folds } from "../money/folds.ts"
import * as journal from "../money/journal.ts"

/** All columns except the hash and the scopes, which are stored as one text. */
const key = columns<KeyRecord>()([
  ...(["id", "accountId", "environment", "tier", "perMinute", "lastFour", "name", "agentId", "createdAt"] as const),
  ...(["expiresAt", "overlapEndsAt", "lastUsedAt", "revokedAt"] as const),
])

type KeyRow = RowOf<typeof key> & { readonly scopes: string | null }

const toKey = (row: KeyRow): KeyRecord => ({
  ...key.fromRow(row),
  ...(row.scopes === null ? {} : { scopes: row.scopes.split(",") }),
})

const keyColumns = (sql: SqlClient.SqlClient) => sql.literal(`${key.list}, scopes`)

/** SQL: the key may be used at this time. */
const isUsable = (sql: SqlClient.SqlClient, at: number) => sql`
  revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at})
  AND (overlap_ends_at IS NULL OR overlap_ends_at > ${at})`

/** SQL: the service made the key for itself, for the dashboard's playground or an alert. */
const isInternal = (sql: SqlClient.SqlClient, accountId: string) => sql`
  (name IS NOT NULL AND name = ${playground.name}
    AND expires_at IS NOT NULL AND expires_at - created_at <= ${playground.lifetimeMs}
    OR id IN (SELECT key_id FROM alerts WHERE account_id = ${accountId} AND status <> 'deleted'))`

/** The newest keys of an account that pass a filter, newest first: their ids ascend with time. */
export const keyPage = (
  sql: SqlClient.SqlClient,
  accountId: string,
  { text = "", open: isOpen, at, agentId, internal, cursor, limit }: KeyFilter,
): Effect.Effect<ReadonlyArray<KeyRecord>, SqlError> => {
  // Also finds a key by the form in which pages show it, such as `svk_live_…rWca`.
  const lastFour = /…(\w{1,4})\)?$/.exec(text)?.[1] ?? text
  const columnContains = (column: string) => sql`${sql.literal(column)} LIKE ${likePattern(text)} ESCAPE '\\'`
  // Names match in the case in which they are typed, or in small letters.
  const matches = sql.or([
    sql`last_four LIKE ${likePattern(lastFour)} ESCAPE '\\'`,
    columnContains("id"),
    columnContains("environment"),
    columnContains("name"),
    sql`lower(name) LIKE ${likePattern(text.toLowerCase())} ESCAPE '\\'`,
    sql`agent_id IN (
      SELECT a.id FROM agents a WHERE a.account_id = ${accountId}
        AND (a.name LIKE ${likePattern(text)} ESCAPE '\\' OR lower(a.name) LIKE ${likePattern(text.toLowerCase())} ESCAPE '\\'))`,
  ])
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(isOpen === undefined ? [] : [isOpen ? sql`(${isUsable(sql, at)})` : sql`NOT (${isUsable(sql, at)})`]),
    ...(agentId === undefined ? [] : [sql`agent_id = ${agentId}`]),
    ...(internal === undefined ? [] : [internal ? isInternal(sql, accountId) : sql`NOT ${isInternal(sql, accountId)}`]),
    ...(cursor === undefined ? [] : [sql`id < ${cursor}`]),
    ...(text === "" ? [] : [matches]),
  ]
  return Effect.map(
    sql<KeyRow>`
      SELECT ${keyColumns(sql)} FROM api_keys WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit}`,
    (rows) => rows.map(toKey),
  )
}

/** The keys of an account with some ids; others are left out. */
export const findKeys = (sql: SqlClient.SqlClient, accountId: string, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.succeed([])
    : Effect.map(
        sql<KeyRow>`
          SELECT ${keyColumns(sql)} FROM api_keys WHERE id IN ${sql.in(ids)} AND account_id = ${accountId} ORDER BY id`,
        (rows) => rows.map(toKey),
      )

export const keySummary = (
  sql: SqlClient.SqlClient,
  accountId: string,
  at: number,
): Effect.Effect<KeySummary, SqlError> =>
  Effect.zipWith(
    sql<{ count: number }>`
      SELECT COUNT(*) AS count FROM (
        SELECT 1 FROM api_keys WHERE account_id = ${accountId} AND ${isUsable(sql, at)} AND NOT ${isInternal(sql, accountId)}
        LIMIT ${maxCounted + 1}
      ) bounded`,
    sql`SELECT 1 FROM api_keys WHERE account_id = ${accountId} AND last_used_at IS NOT NULL LIMIT 1`,
    ([row], used) => ({ open: boundedCount(row!.count), isUsed: used.length > 0 }),
  )

export const account = columns<Account>()(["id", "name", "tier", "perMinute", "createdAt", "suspendedAt"])
export type AccountRow = RowOf<typeof account>

/** Makes all cached keys of an account be read again, since each has the limit of the account's largest key. */
const invalidateCallers = (sql: SqlClient.SqlClient, accountId: string | Statement.Fragment) =>
  sql`UPDATE accounts SET suspended_at = suspended_at WHERE id = ${accountId}`

const insertKey = (sql: SqlClient.SqlClient, { scopes, ...record }: KeyRecord, hash: string, most: number) => {
  const row = { ...key.toRow(record), scopes: scopes?.join(",") ?? null, hash }
  const open = sql`
    SELECT 1 FROM api_keys WHERE account_id = ${record.accountId} AND ${isUsable(sql, record.createdAt)} LIMIT ${most}`
  return invalidateCallers(sql, record.accountId).pipe(
    Effect.zipRight(checkRoom(sql, record.accountId, most, "usable keys: revoke one, rotate without overlap", open)),
    Effect.zipRight(
      hasWritten(sql`INSERT INTO api_keys ${sql.insert(row)} ON CONFLICT (hash) DO NOTHING RETURNING id`),
    ),
  )
}

const makeAccounts = (
  sql: SqlClient.SqlClient,
): Pick<AccountStore["Type"], "insertAccount" | "findAccount" | "accounts" | "setTier" | "setSuspended"> => ({
  insertAccount: (made) =>
    runChange(
      sql,
      Effect.gen(function* () {
        const isNew = yield* hasWritten(
          sql`INSERT INTO accounts ${sql.insert(account.toRow(made))} ON CONFLICT (name) DO NOTHING RETURNING id`,
        )
        if (!isNew) return false
        yield* sql`INSERT INTO wallets ${sql.insert({ account_id: made.id, balance_micros: 0 })}`
        return true
      }),
    ),
  findAccount: (idOrName) =>
    readFirst(sql<AccountRow>`SELECT * FROM accounts WHERE id = ${idOrName} OR name = ${idOrName}`, account.fromRow),
  accounts: ({ cursor, limit }) =>
    readAll(
      sql<AccountRow>`
          SELECT * FROM accounts WHERE ${sql.and(cursor === undefined ? [] : [sql`id < ${cursor}`])}
          ORDER BY id DESC LIMIT ${limit}`,
      account.fromRow,
    ),
  setTier: (accountId, tier, perMinute) =>
    runChange(
      sql,
      Effect.asVoid(sql`UPDATE accounts SET tier = ${tier}, per_minute = ${perMinute} WHERE id = ${accountId}`),
    ),
  setSuspended: (accountId, at) =>
    runChange(
      sql,
      hasWritten(
        at === undefined
          ? sql`UPDATE accounts SET suspended_at = NULL WHERE id = ${accountId} AND suspended_at IS NOT NULL RETURNING id`
          : sql`UPDATE accounts SET suspended_at = ${at} WHERE id = ${accountId} AND suspended_at IS NULL RETURNING id`,
      ),
    ),
})

const makeKeys = (
  sql: SqlClient.SqlClient,
  { flush }: Folds,
  most: number,
): Pick<
  AccountStore["Type"],
  "insertKey" | "findKey" | "replaceKey" | "revokeKey" | "keyPage" | "keysNamed" | "keySummary"
> => {
  /** Reads keys after writing their last uses, which are accurate to a minute. */
  const readKeys = <A>(accountId: string, read: Effect.Effect<A, SqlError>) =>
    Effect.zipRight(flush(accountId), mapStorageErrors(read))
  return {
    insertKey: (made, hash) => runChange(sql, insertKey(sql, made, hash, most), undefined, made.id),
    findKey: (keyId) => {
      const read = readFirst(sql<KeyRow>`SELECT ${keyColumns(sql)} FROM api_keys WHERE id = ${keyId}`, toKey)
      return Effect.flatMap(read, (key) =>
        key === undefined ? Effect.succeed(key) : Effect.zipRight(flush(key.accountId), read),
      )
    },
    replaceKey: (keyId, overlapEndsAt, next, hash) =>
      runChange(
        sql,
        Effect.gen(function* () {
          const now = next.createdAt
          const [ended] = yield* sql`
            UPDATE api_keys SET overlap_ends_at =
              CASE WHEN overlap_ends_at < ${overlapEndsAt} THEN overlap_ends_at ELSE ${overlapEndsAt} END
            WHERE id = ${keyId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
              AND (overlap_ends_at IS NULL OR overlap_ends_at > ${now}) RETURNING id`
          if (ended === undefined) return false
          if (!(yield* insertKey(sql, next, hash, most))) return yield* Effect.dieMessage("Two keys have one hash.")
          return true
        }),
      ),
    revokeKey: (keyId, at) =>
      runChange(
        sql,
        Effect.zipLeft(
          hasWritten(
            sql`UPDATE api_keys SET revoked_at = ${at} WHERE id = ${keyId} AND revoked_at IS NULL RETURNING id`,
          ),
          invalidateCallers(sql, sql`(SELECT account_id FROM api_keys WHERE id = ${keyId})`),
        ),
      ),
    keyPage: (accountId, filter) => readKeys(accountId, keyPage(sql, accountId, filter)),
    keysNamed: (accountId, ids) => readKeys(accountId, findKeys(sql, accountId, ids)),
    keySummary: (accountId, at) => readKeys(accountId, keySummary(sql, accountId, at)),
  }
}

export const layer: Layer.Layer<AccountStore, never, SqlClient.SqlClient> = Layer.effect(
  AccountStore,
  Effect.map(Effect.all([SqlClient.SqlClient, folds, PerAccount]), ([sql, tables, most]) => ({
    ...makeAccounts(sql),
    ...makeKeys(sql, tables, most),
    credit: (credit) => runChange(sql, journal.credit(sql, tables, credit), (balance) => balance !== undefined),
    lowBalance: (accountId) =>
      readFirst(
        sql<{ low_micros: number | null }>`SELECT low_micros FROM wallets WHERE account_id = ${accountId}`,
        ({ low_micros }) => (low_micros === null ? undefined : MicroUsd(low_micros)),
      ),
    setLowBalance: (accountId, micros) =>
      runChange(
        sql,
        Effect.asVoid(sql`UPDATE wallets SET low_micros = ${micros ?? null} WHERE account_id = ${accountId}`),
      ),
    reverse: (reversal) =>
      runChange(
        sql,
        journal.reverse(sql, tables, reversal),
        (reversed) => reversed !== undefined && reversed.taken > 0,
      ),
    journal: (accountId, limit, cursor, part) =>
      Effect.zipRight(
        tables.flush(accountId),
        mapStorageErrors(journal.readPostings(sql, accountId, limit, cursor, part)),
      ),
    transfers: (accountId) => mapStorageErrors(journal.readTransfers(sql, accountId)),
  })),
)

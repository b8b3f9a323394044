import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { type KeyFilter, type KeyRecord, type KeySummary, playground } from "../../../core/account/AccountStore.ts"
import { boundedCount, maxCounted } from "../../../core/BoundedCount.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { containsPattern } from "../engine/storage.ts"

/** All columns but the hash, and the scopes, which are text. */
export const key = columns<KeyRecord>()([
  ...(["id", "accountId", "environment", "tier", "perMinute", "lastFour", "name", "agentId", "createdAt"] as const),
  ...(["expiresAt", "overlapEndsAt", "lastUsedAt", "revokedAt"] as const),
])

export type KeyRow = RowOf<typeof key> & { readonly scopes: string | null }

export const toKey = (row: KeyRow): KeyRecord => ({
  ...key.fromRow(row),
  ...(row.scopes === null ? {} : { scopes: row.scopes.split(",") }),
})

export const keyColumns = (sql: SqlClient.SqlClient) => sql.literal(`${key.list}, scopes`)

/** A key that may be used at a time. */
export const open = (sql: SqlClient.SqlClient, at: number) => sql`
  revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at})
  AND (overlap_ends_at IS NULL OR overlap_ends_at > ${at})`

/** A key of the dashboard's playground. */
const ofPlayground = (sql: SqlClient.SqlClient) => sql`
  (name IS NOT NULL AND name = ${playground.name}
    AND expires_at IS NOT NULL AND expires_at - created_at <= ${playground.lifetimeMs})`

/** The newest keys of an account that pass a filter, newest first: their ids ascend with time. */
export const page = (
  sql: SqlClient.SqlClient,
  accountId: string,
  { text = "", open: isOpen, at, agentId, playground: isOfPlayground, cursor, limit }: KeyFilter,
): Effect.Effect<ReadonlyArray<KeyRecord>, SqlError> => {
  // A key is found by what pages show of it too, such as `svk_live_…rWca`.
  const shown = /…(\w{1,4})\)?$/.exec(text)?.[1] ?? text
  const has = (column: string) => sql`${sql.literal(column)} LIKE ${containsPattern(text)} ESCAPE '\\'`
  // Names are found in the case in which they are typed, or in small letters.
  const matches = sql.or([
    sql`last_four LIKE ${containsPattern(shown)} ESCAPE '\\'`,
    has("id"),
    has("environment"),
    has("name"),
    sql`lower(name) LIKE ${containsPattern(text.toLowerCase())} ESCAPE '\\'`,
    sql`agent_id IN (
      SELECT a.id FROM agents a WHERE a.account_id = ${accountId}
        AND (a.name LIKE ${containsPattern(text)} ESCAPE '\\' OR lower(a.name) LIKE ${containsPattern(text.toLowerCase())} ESCAPE '\\'))`,
  ])
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(isOpen === undefined ? [] : [isOpen ? sql`(${open(sql, at)})` : sql`NOT (${open(sql, at)})`]),
    ...(agentId === undefined ? [] : [sql`agent_id = ${agentId}`]),
    ...(isOfPlayground === undefined ? [] : [isOfPlayground ? ofPlayground(sql) : sql`NOT ${ofPlayground(sql)}`]),
    ...(cursor === undefined ? [] : [sql`id < ${cursor}`]),
    ...(text === "" ? [] : [matches]),
  ]
  return Effect.map(
    sql<KeyRow>`
      SELECT ${keyColumns(sql)} FROM api_keys WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit}`,
    (rows) => rows.map(toKey),
  )
}

/** Those of some ids that are keys of the account. */
export const keysNamed = (sql: SqlClient.SqlClient, accountId: string, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.succeed([])
    : Effect.map(
        sql<KeyRow>`
          SELECT ${keyColumns(sql)} FROM api_keys WHERE id IN ${sql.in(ids)} AND account_id = ${accountId} ORDER BY id`,
        (rows) => rows.map(toKey),
      )

export const summary = (sql: SqlClient.SqlClient, accountId: string, at: number): Effect.Effect<KeySummary, SqlError> =>
  Effect.zipWith(
    sql<{ count: number }>`
      SELECT COUNT(*) AS count FROM (
        SELECT 1 FROM api_keys WHERE account_id = ${accountId} AND ${open(sql, at)} AND NOT ${ofPlayground(sql)}
        LIMIT ${maxCounted + 1}
      ) bounded`,
    sql`SELECT 1 FROM api_keys WHERE account_id = ${accountId} AND last_used_at IS NOT NULL LIMIT 1`,
    ([row], used) => ({ open: boundedCount(row!.count), isUsed: used.length > 0 }),
  )

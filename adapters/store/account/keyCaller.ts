import type { Caller } from "../../../core/account/Keyring.ts"

export interface KeyRow {
  readonly id: string
  readonly account_id: string
  readonly environment: string
  readonly per_minute: number
  readonly account_per_minute: number
  readonly scopes: string | null
  readonly ends_at: number | null
  readonly agent_id: string | null
  readonly status: string | null
  readonly suspended_at: number | null
}

/** SQL that finds a key by the parameter `hash`; `ends_at` is the earlier of its two ends. */
export const keyQuery = (hash: string): string => `
  SELECT k.id, k.account_id, k.environment, k.per_minute, k.scopes,
         (SELECT max(m.per_minute) FROM api_keys m WHERE m.account_id = k.account_id AND m.revoked_at IS NULL)
           AS account_per_minute,
         CASE WHEN k.overlap_ends_at < k.expires_at THEN k.overlap_ends_at
              ELSE coalesce(k.expires_at, k.overlap_ends_at) END AS ends_at,
         k.agent_id, a.status, o.suspended_at
  FROM api_keys k JOIN accounts o ON o.id = k.account_id LEFT JOIN agents a ON a.id = k.agent_id
  WHERE k.hash = ${hash} AND k.revoked_at IS NULL AND (a.status IS NULL OR a.status <> 'revoked')`

export const maxCachedKeys = 100_000

/** The caller of a key, and when the key ends, epoch milliseconds. */
export interface Key {
  readonly caller: Caller
  readonly endsAt: number
}

const toCaller = (row: KeyRow): Caller => ({
  accountId: row.account_id,
  keyId: row.id,
  livemode: row.environment === "live",
  perMinute: row.per_minute,
  ...(row.account_per_minute > row.per_minute ? { accountPerMinute: row.account_per_minute } : {}),
  ...(row.suspended_at === null ? {} : { suspended: true }),
  ...(row.scopes === null ? {} : { scopes: row.scopes.split(",") }),
  ...(row.agent_id === null ? {} : { agent: { id: row.agent_id, paused: row.status === "paused" } }),
})

/** @param row undefined: there is no such key */
export const toKey = (row: KeyRow | undefined, now: number): Key | undefined =>
  row === undefined || (row.ends_at !== null && row.ends_at <= now)
    ? undefined
    : { caller: toCaller(row), endsAt: row.ends_at ?? Number.POSITIVE_INFINITY }

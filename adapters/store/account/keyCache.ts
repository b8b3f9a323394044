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

/**
 * SQL for a key that may be used, until `ends_at`, the earlier of its two ends.
 *
 * @param hash the parameter
 */
export const keyText = (hash: string): string => `
  SELECT k.id, k.account_id, k.environment, k.per_minute, k.scopes,
         (SELECT max(m.per_minute) FROM api_keys m WHERE m.account_id = k.account_id AND m.revoked_at IS NULL)
           AS account_per_minute,
         CASE WHEN k.overlap_ends_at < k.expires_at THEN k.overlap_ends_at
              ELSE coalesce(k.expires_at, k.overlap_ends_at) END AS ends_at,
         k.agent_id, a.status, o.suspended_at
  FROM api_keys k JOIN accounts o ON o.id = k.account_id LEFT JOIN agents a ON a.id = k.agent_id
  WHERE k.hash = ${hash} AND k.revoked_at IS NULL AND (a.status IS NULL OR a.status <> 'revoked')`

export const maxKeys = 100_000

/** A key that may be used until its end. */
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

/** SQL for the version of keys on PostgreSQL, and the changes after one, which triggers write. */
export const changesText = `
  SELECT v.version, c.id FROM versions v LEFT JOIN access_changes c ON c.version > $1::bigint WHERE v.name = 'access'`

/** A row of the changes; without `id` there are none. */
export interface ChangeRow {
  readonly version: number
  readonly id: string | null
}

interface Entry extends Key {
  readonly version: number
}

/**
 * Keys by hash on PostgreSQL. What was read counts until a change of the key, its agent or its account. Unknown keys are
 * not cached, so that a new key works at once.
 */
export const make = () => {
  const entries = new Map<string, Entry>()
  let seen = -1

  const forget = (changed: ReadonlySet<string>, version: number): void => {
    for (const [hash, { caller, version: readAt }] of entries) {
      // Read after the change.
      if (readAt >= version) continue
      const { keyId, accountId, agent } = caller
      if (changed.has(keyId) || changed.has(accountId) || (agent !== undefined && changed.has(agent.id))) {
        entries.delete(hash)
      }
    }
  }

  return {
    /** The version that was seen last; -1: none. */
    seen: (): number => seen,
    /** Takes note of the changes after a version. */
    note: (rows: ReadonlyArray<ChangeRow>, after: number): void => {
      const { version } = rows[0]!
      const changed = new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])))
      // Changes that are forgotten, or of a store that was restored.
      if (version - after !== rows.filter(({ id }) => id !== null).length) entries.clear()
      else if (changed.size > 0) forget(changed, version)
      seen = version
    },
    /** A key as it was read before the version that was seen. */
    get: (hash: string, now: number): Caller | undefined => {
      const entry = entries.get(hash)
      return entry !== undefined && entry.version <= seen && now < entry.endsAt ? entry.caller : undefined
    },
    /** Takes in a key that was read at a version. */
    put: (hash: string, row: KeyRow | undefined, version: number, now: number): Caller | undefined => {
      entries.delete(hash)
      const key = toKey(row, now)
      // A change since then may have been passed on already.
      if (key === undefined || version < seen) return key?.caller
      if (entries.size >= maxKeys) entries.delete(entries.keys().next().value!)
      entries.set(hash, { ...key, version })
      return key.caller
    },
  }
}

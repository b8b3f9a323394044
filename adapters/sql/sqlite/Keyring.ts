import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { type Caller, Keyring } from "../../../core/account/Keyring.ts"
import * as Step from "../../../core/Step.ts"
import { Sqlite } from "./client.ts"
import type { Statement } from "./Database.ts"
import { reader } from "./reader.ts"

export interface Row {
  readonly id: string
  readonly account_id: string
  readonly environment: string
  readonly per_minute: number
  readonly scopes: string | null
  readonly ends_at: number | null
  readonly agent_id: string | null
  readonly status: string | null
  readonly suspended_at: number | null
}

export const toCaller = (row: Row): Caller => ({
  accountId: row.account_id,
  keyId: row.id,
  livemode: row.environment === "live",
  perMinute: row.per_minute,
  ...(row.suspended_at === null ? {} : { suspended: true }),
  ...(row.scopes === null ? {} : { scopes: row.scopes.split(",") }),
  ...(row.agent_id === null ? {} : { agent: { id: row.agent_id, paused: row.status === "paused" } }),
})

/**
 * SQL for a key that may be used, until `ends_at`, the earlier of its two ends.
 *
 * @param hash the parameter
 */
export const find = (hash: string): string => `
  SELECT k.id, k.account_id, k.environment, k.per_minute, k.scopes,
         CASE WHEN k.overlap_ends_at < k.expires_at THEN k.overlap_ends_at
              ELSE coalesce(k.expires_at, k.overlap_ends_at) END AS ends_at,
         k.agent_id, a.status, o.suspended_at
  FROM api_keys k JOIN accounts o ON o.id = k.account_id LEFT JOIN agents a ON a.id = k.agent_id
  WHERE k.hash = ${hash} AND k.revoked_at IS NULL AND (a.status IS NULL OR a.status <> 'revoked')`

/** How long a found key is cached: below the one second in which a pause, suspension or revocation takes effect everywhere. */
export const cacheTtlMs = 500
const maxEntries = 100_000

/** Keeps an entry; the oldest goes when there are too many. */
export const remember = <A>(entries: Map<string, A>, most: number, name: string, entry: A): void => {
  entries.delete(name)
  if (entries.size >= most) entries.delete(entries.keys().next().value!)
  entries.set(name, entry)
}

interface Known {
  readonly caller: Caller | undefined
  readonly until: number
}

/** Keys by hash. Unknown keys are not cached, so that a new key works at once. */
export const layer: Layer.Layer<Keyring, never, Sqlite> = Layer.effect(
  Keyring,
  Effect.gen(function* () {
    const { db, ...sqlite } = yield* Sqlite
    const read = reader(sqlite)
    const clock = yield* Effect.clock
    const found: Statement = db.prepare(find("?"))
    const known = new Map<string, Known>()

    const look = (hash: string, now: number): Caller | undefined => {
      const row = found.get(hash) as Row | undefined
      if (row === undefined || (row.ends_at !== null && row.ends_at <= now)) {
        known.delete(hash)
        return undefined
      }
      const caller = toCaller(row)
      const until = Math.min(now + cacheTtlMs, row.ends_at ?? Number.POSITIVE_INFINITY)
      remember(known, maxEntries, hash, { caller, until })
      return caller
    }

    return {
      find: Step.methodOf((hash) => {
        const now = clock.unsafeCurrentTimeMillis()
        const before = known.get(hash)
        // A clock that stepped back must not extend an entry.
        return before !== undefined && now < before.until && before.until - now <= cacheTtlMs
          ? Exit.succeed(before.caller)
          : read(() => look(hash, now))
      }),
    }
  }),
)

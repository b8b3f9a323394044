import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Accounts } from "../../core/account/Accounts.ts"
import type { Agents } from "../../core/account/Agents.ts"
import type { Keyring } from "../../core/account/Keyring.ts"
import type { Ledger } from "../../core/account/Ledger.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import type { Failure } from "../../core/Failure.ts"
import { anyAccounts } from "./anyStore.ts"
import { isPostgres } from "./postgres.ts"

type Everything = Accounts | Agents | Keyring | Ledger | PlatformCrypto | SqlClient.SqlClient

export const inMemory = <A, E>(effect: Effect.Effect<A, E, Everything>): Effect.Effect<A, unknown> =>
  Effect.provide(effect, anyAccounts)

export const hour = 3_600_000
export const day = 24 * hour
export const start = Date.parse("2026-11-21T12:00:00Z")

export const refusal = <A>(effect: Effect.Effect<A, Failure>) =>
  Effect.map(Effect.flip(effect), ({ code, hints = [] }) => [code, ...hints.map(({ field }) => field)])

/** On PostgreSQL a row is read when every older transaction of the server has ended, those of other tests too. */
export const complete = isPostgres
  ? Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.repeat(
        Effect.zipRight(
          Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10))),
          sql`SELECT 1 FROM audit WHERE tx >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_shift()`,
        ),
        { until: (rows) => rows.length === 0 },
      ),
    )
  : Effect.void

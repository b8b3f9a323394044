import type * as SqlClient from "@effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as accountStore from "../../adapters/store/account/AccountStore.ts"
import * as agentStore from "../../adapters/store/account/AgentStore.ts"
import * as keyring from "../../adapters/store/account/postgres/Keyring.ts"
import * as rateLimits from "../../adapters/store/account/postgres/RateLimits.ts"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import * as ledger from "../../adapters/store/money/postgres/Ledger.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import type { Keyring } from "../../core/account/Keyring.ts"
import type { Ledger } from "../../core/account/Ledger.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import type { RateLimits } from "../../core/account/RateLimits.ts"

export type Node = Accounts | Agents | Keyring | Ledger | PlatformCrypto | RateLimits | SqlClient.SqlClient

/** A node of its own over a database: its pool, its batches, its caches. */
export const node = (url: Redacted.Redacted) =>
  Layer.build(
    Layer.fresh(
      Agents.layer.pipe(
        Layer.provideMerge(Accounts.layer),
        Layer.provideMerge(
          Layer.mergeAll(
            accountStore.layer,
            agentStore.layer,
            keyring.layer,
            rateLimits.layer,
            Layer.provide(ledger.layer, hasher.layer),
          ),
        ),
        Layer.provideMerge(Layer.merge(secrets.layer, Postgres.layer(url))),
      ),
    ),
  )

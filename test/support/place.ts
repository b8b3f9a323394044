import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as accountStore from "../../adapters/store/account/AccountStore.ts"
import * as agentStore from "../../adapters/store/account/AgentStore.ts"
import type { StoreError } from "../../adapters/store/engine/opening.ts"
import { serverRole, takeAlone } from "../../adapters/store/engine/sqlite/owner.ts"
import * as stores from "../../adapters/store/open.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { tablesAtOnce } from "./store.ts"

/** Whether it names a database of PostgreSQL, not a file of SQLite. */
export const isUrl = (place: string): boolean => place.startsWith("postgres:")

/** The store of an argument: the URL of a PostgreSQL database, or a file of SQLite, which this program owns as a server does. */
export const storeAt = (place: string): Layer.Layer<stores.Store, StoreError> =>
  isUrl(place)
    ? stores.layer({ _tag: "Postgres", url: Redacted.make(place) })
    : Layer.unwrapScoped(
        Effect.as(takeAlone(place, { role: serverRole, version: "1" }), stores.layer({ _tag: "Sqlite", file: place })),
      )

/** The same with everything that handles money and keys, and all charges in the tables unless it is told otherwise. */
export const moneyAt = (place: string, folding: Layer.Layer<never> = tablesAtOnce) =>
  Agents.layer.pipe(
    Layer.provideMerge(Accounts.layer),
    Layer.provideMerge(
      Layer.mergeAll(accountStore.layer, agentStore.layer, stores.keyring, Layer.provide(stores.ledger, hasher.layer)),
    ),
    Layer.provideMerge(Layer.merge(secrets.layer, storeAt(place))),
    Layer.provide(folding),
  )

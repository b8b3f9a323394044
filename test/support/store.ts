import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as secrets from "../../adapters/node/secrets.ts"
import * as accountStore from "../../adapters/sql/AccountStore.ts"
import * as keyring from "../../adapters/sql/Keyring.ts"
import * as sqlite from "../../adapters/sql/sqlite.ts"
import * as wallets from "../../adapters/sql/Wallets.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import type { Keyring } from "../../core/account/Keyring.ts"
import type { Secrets } from "../../core/account/Secrets.ts"
import type { Wallets } from "../../core/account/Wallet.ts"

/** A folder under the system's temporary one. */
export const makeFolder = (): string => mkdtempSync(join(tmpdir(), "market-signals-"))

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** A folder that goes with the scope. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(makeFolder),
  (path) => Effect.sync(() => removeFolder(path)),
)

/** The path of a store that does not exist yet; it goes with the scope. */
export const storeFile: Effect.Effect<string, never, Scope.Scope> = Effect.map(folder, (path) => join(path, "store.db"))

/** Everything that handles money and keys, over one store. */
export const accountsOver = (
  filename: string,
): Layer.Layer<Accounts | Keyring | Secrets | SqlClient.SqlClient | Wallets, sqlite.StoreError> =>
  Accounts.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(accountStore.layer, keyring.layer, wallets.layer)),
    Layer.provideMerge(Layer.merge(secrets.layer, sqlite.layer(filename))),
  )

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as accountStore from "../../adapters/store/account/AccountStore.ts"
import * as agentStore from "../../adapters/store/account/AgentStore.ts"
import * as keyring from "../../adapters/store/account/sqlite/Keyring.ts"
import type { DiskSpace } from "../../adapters/store/engine/diskGuard.ts"
import { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import { FoldRows } from "../../adapters/store/money/folds.ts"
import * as ledger from "../../adapters/store/money/sqlite/Ledger.ts"
import type { AccountStore } from "../../core/account/AccountStore.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import type { Keyring } from "../../core/account/Keyring.ts"
import type { Ledger } from "../../core/account/Ledger.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"

/** A folder under the system's temporary one. */
export const makeFolder = (): string => mkdtempSync(join(tmpdir(), "market-signals-"))

/** A file that is being opened may come while the folder goes: Node's own retries leave it there. */
export const removeFolder = (folder: string): void => {
  const options = { recursive: true, force: true, maxRetries: 5 }
  try {
    rmSync(folder, options)
  } catch {
    rmSync(folder, options)
  }
}

/** A folder that goes with the scope. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(makeFolder),
  (path) => Effect.sync(() => removeFolder(path)),
)

/** The folder of temporary files that lies in memory, where the system has one. */
const inMemory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

/**
 * A store as `fill` leaves it, made once in a process: whoever builds the layer gets a copy of its own, in the time that
 * opening a file takes.
 */
export const copiesOf = <E>(
  fill: Effect.Effect<unknown, E, SqlClient.SqlClient | Sqlite | Transactions>,
): Layer.Layer<DiskSpace | SqlClient.SqlClient | Sqlite | Transactions, E | sqlite.StoreError> => {
  let image: Uint8Array | undefined
  const made = Effect.zipRight(
    fill,
    Effect.map(Effect.zip(Sqlite, storeFile), ([{ db }, file]) => {
      db.prepare("VACUUM INTO ?").run(file)
      return readFileSync(file)
    }),
  ).pipe(Effect.provide(Layer.fresh(sqlite.layer(":memory:"))))
  return Layer.unwrapScoped(
    Effect.gen(function* () {
      image ??= yield* made
      const path = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(inMemory, "market-signals-"))),
        (at) => Effect.sync(() => removeFolder(at)),
      )
      const file = join(path, "store.db")
      writeFileSync(file, image, { mode: 0o600 })
      return sqlite.layer(file)
    }),
  )
}

/** The path of a store that does not exist yet; it goes with the scope. */
export const storeFile: Effect.Effect<string, never, Scope.Scope> = Effect.map(folder, (path) => join(path, "store.db"))

/** Tables of a SQLite store have every charge at once, for tests that read them. */
export const tablesAtOnce: Layer.Layer<never> = Layer.succeed(FoldRows, 0) as Layer.Layer<never>

/** They have none until somebody folds. */
export const tablesNever: Layer.Layer<never> = Layer.succeed(FoldRows, Number.POSITIVE_INFINITY) as Layer.Layer<never>

/** Everything that handles money and keys, over one store. */
export const accountsOver = (
  filename: string,
  options: Parameters<typeof sqlite.layer>[1] = {},
  folding: Layer.Layer<never> = tablesAtOnce,
): Layer.Layer<
  | DiskSpace
  | Accounts
  | AccountStore
  | Agents
  | Keyring
  | Ledger
  | PlatformCrypto
  | SqlClient.SqlClient
  | Sqlite
  | Transactions,
  sqlite.StoreError
> =>
  Agents.layer.pipe(
    Layer.provideMerge(Accounts.layer),
    Layer.provideMerge(
      Layer.mergeAll(accountStore.layer, agentStore.layer, keyring.layer, Layer.provide(ledger.layer, hasher.layer)),
    ),
    Layer.provideMerge(Layer.merge(secrets.layer, sqlite.layer(filename, options))),
    Layer.provide(folding),
  )

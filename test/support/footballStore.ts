import { createReadStream } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { readCsv } from "../../adapters/lanes/football/nflverse/releases.ts"
import * as footballArchive from "../../adapters/lanes/football/store/Archive.ts"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import type { DiskSpace } from "../../adapters/store/engine/diskGuard.ts"
import type { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import { FootballArchive } from "../../core/lanes/football/data/archive.ts"
import type { FormatName } from "../../core/lanes/football/data/formats.ts"
import type { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { copiesOf } from "./store.ts"

export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/football/${name}`, import.meta.url))

/** Our own samples, by the feed that they are of. */
export const samples: ReadonlyArray<readonly [FormatName, string]> = [
  ["games", fixture("games.csv")],
  ["team_weeks", fixture("team_week_2024.csv")],
  ["quarterbacks", fixture("player_weeks_old_2015.csv")],
  ["quarterbacks", fixture("player_weeks_2024.csv")],
  ["injuries", fixture("injuries_2024.csv")],
  ["rosters", fixture("roster_weekly_2024.csv")],
  ["top100", fixture("top100.csv")],
]

async function* bytesOf(text: string) {
  yield new TextEncoder().encode(text)
}

/** Reads a file, or a text that stands for one, and keeps it; fails with what is wrong. */
export const ingest = (feed: FormatName, file: string | { readonly name: string; readonly text: string }, at: number) =>
  Effect.gen(function* () {
    const archive = yield* FootballArchive
    const isPath = typeof file === "string"
    const read = yield* readCsv(feed, isPath ? createReadStream(file) : bytesOf(file.text))
    if (Either.isLeft(read)) return yield* Effect.fail(read.left)
    const { values, sha256, seasons } = read.right
    const name = isPath ? basename(file) : file.name
    return yield* archive.store({ feed, name, sha256, fetchedAt: at, values, seasons })
  })

type Store = DiskSpace | SyncSha256 | PlatformCrypto | SqlClient.SqlClient | Sqlite | Transactions

/** A store in memory with what handles its record; empty. */
export const emptyStore: Layer.Layer<Store, sqlite.StoreError> = Layer.mergeAll(
  sqlite.layer(":memory:"),
  hasher.layer,
  secrets.layer,
)

/** A store filled from files at an instant, once; each use has a copy. */
export const storeOf = (
  files: ReadonlyArray<readonly [FormatName, string]>,
  at: number,
): Layer.Layer<Store, sqlite.StoreError> => {
  const filled = Effect.forEach(files, ([feed, file]) => ingest(feed, file, at)).pipe(
    Effect.provide([footballArchive.layer.pipe(Layer.provide([hasher.layer, secrets.layer]))]),
    Effect.orDie,
  )
  return Layer.mergeAll(copiesOf(filled), hasher.layer, secrets.layer)
}

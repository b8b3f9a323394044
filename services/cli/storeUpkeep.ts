import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { serverLock } from "../../adapters/store/engine/sqlite/open.ts"
import * as stores from "../../adapters/store/engine/stores.ts"
import { check as checkStore } from "../../adapters/store/upkeep/copy/checks.ts"
import * as End from "../../adapters/store/upkeep/copy/End.ts"
import { advance } from "../../core/Progress.ts"
import * as App from "../app.ts"
import { config as environment } from "../Config.ts"
import { watched } from "../progress.ts"
import { configured, runNow } from "./jobs.ts"
import { make } from "./parser.ts"
import { json, print, readable } from "./shared.ts"
import { megabytes, storeCheckText } from "./storeCheckText.ts"

/** `store check`. */
export const check = make(
  "check",
  "Verify books, record and scoreboard of the store; on SQLite the server must be stopped (backup verifies a copy).",
  { json },
  (options) =>
    Effect.gen(function* () {
      const place = App.placeOf(yield* environment)
      const checked = yield* readable(
        watched(Effect.scoped(Effect.flatMap(End.open("DATABASE_URL", place), checkStore))),
      )
      const { settled, ...found } = checked
      yield* print(options.json, { ...found, settled_rows: settled }, storeCheckText(checked).join("\n"))
    }),
)

/** The bytes of the database, and what gives space back to the disk. */
const sizes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () => sql<{ bytes: number }>`
      SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
    orElse: () => sql<{ bytes: number }>`SELECT pg_database_size(current_database())::bigint AS bytes`,
  }),
).pipe(Effect.map(([row]) => row!.bytes))

const vacuum = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () => Effect.zipRight(sql.unsafe("VACUUM"), sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")),
    orElse: () => sql.unsafe("VACUUM (ANALYZE)"),
  }),
)

/** The jobs that delete what the retention rules give up. */
const sweeps = ["retention", "prune-runs"] as const

/** `store compact`. */
export const compact = make(
  "compact",
  "Delete what the retention rules give up, and return the space. On SQLite the server must be stopped.",
  { json },
  (options) =>
    Effect.gen(function* () {
      const place = App.placeOf(yield* environment)
      // SQLite writes the whole file anew, and callers would wait for it.
      if (place._tag === "Sqlite") yield* Layer.build(serverLock(place.file))
      const opened = yield* Layer.build(stores.layer(place))
      const before = yield* Effect.provide(sizes, opened)
      const said: Array<readonly [string, string]> = []
      const steps = sweeps.length + 1
      for (const [at, name] of sweeps.entries()) {
        yield* advance(name, at, steps)
        const { outcome, detail } = yield* Effect.provide(runNow(name), configured)
        if (outcome === "failed") return yield* Effect.fail(new Error(`${name} failed: ${detail}`))
        said.push([name, detail])
      }
      yield* advance("return the space", steps - 1, steps)
      yield* Effect.provide(vacuum, opened)
      const after = yield* Effect.provide(sizes, opened)
      yield* print(
        options.json,
        { before_bytes: before, after_bytes: after, ...Object.fromEntries(said) },
        [
          ...said.map(([name, detail]) => `${name}: ${detail}`),
          `${megabytes(before)} before, ${megabytes(after)} now.`,
        ].join("\n"),
      )
    }).pipe(Effect.scoped, watched),
)

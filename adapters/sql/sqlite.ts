import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { make, type Options, type Sqlite } from "./client.sqlite.ts"
import { migrate, newest, oldest, versionOf } from "./migrations/mod.ts"
import { makeFolder, makePrivate } from "./privacy.ts"
import { isBusy } from "./storage.ts"

/** The store cannot be opened, migrated or locked. The message tells an operator the remedy. */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly reason: "open" | "readable" | "newer" | "older" | "migrate" | "in-use"
  readonly message: string
  readonly cause?: unknown
}> {}

const memory = ":memory:"

/**
 * Set at every open, since they are properties of the connection. FULL: a commit that returned is durable; a reopened WAL
 * file starts at NORMAL. Busy: SQLite's own wait blocks the event loop, so it is short and the client waits instead.
 * Recursive triggers: without them INSERT OR REPLACE deletes rows of append-only tables.
 */
const pragmas = [
  "synchronous = FULL",
  "foreign_keys = ON",
  "recursive_triggers = ON",
  "busy_timeout = 10",
  "temp_store = MEMORY",
]

/** The innermost error message, from SQLite, the file system or a migration. */
const why = (cause: unknown): string =>
  typeof cause !== "object" || cause === null
    ? String(cause)
    : "cause" in cause && cause.cause !== undefined
      ? why(cause.cause)
      : "message" in cause
        ? String(cause.message)
        : String(cause)

const cannot =
  (what: string, reason: StoreError["reason"] = "open") =>
  (cause: unknown): StoreError =>
    new StoreError({ reason, message: `Cannot ${what}: ${why(cause)}.`, cause })

const privately = (filename: string): Effect.Effect<void, StoreError> =>
  Effect.try({ try: () => makeFolder(filename), catch: cannot(`create the folder of ${filename}`) }).pipe(
    Effect.zipRight(Effect.try({ try: () => makePrivate(filename), catch: cannot(`open ${filename}`) })),
    Effect.flatMap((message) =>
      message === undefined ? Effect.void : Effect.fail(new StoreError({ reason: "readable", message })),
    ),
  )

const client = (filename: string, options: Options = {}) =>
  Effect.if(filename === memory, { onTrue: () => Effect.void, onFalse: () => privately(filename) }).pipe(
    Effect.zipRight(Effect.mapError(make(filename, options), cannot(`open ${filename}`))),
  )

/**
 * Rejects a store of a newer program, whose tables may have another meaning, and one from before the first release, which
 * has no migrations.
 */
const refuseUnknown = (filename: string, sql: SqlClient.SqlClient): Effect.Effect<void, SqlError | StoreError> =>
  Effect.flatMap(Effect.provideService(versionOf, SqlClient.SqlClient, sql), (found) => {
    if (found > newest) {
      const message = `${filename} was written by a newer version of this program: its schema is ${found}, this one supports ${newest}. Start the newer version, or set another store in DATABASE_URL.`
      return Effect.fail(new StoreError({ reason: "newer", message }))
    }
    if (found > 0 && found < oldest) {
      const message = `${filename} was made before the first release: its schema is ${found}, and only ${oldest} and later can be migrated. Move it away, with its -wal and -shm files, or set another store in DATABASE_URL; the next start creates a new one.`
      return Effect.fail(new StoreError({ reason: "older", message }))
    }
    return Effect.void
  })

/** The SQLite store, opened with durable commits and migrated to the newest schema. One per process. */
export const layer = (filename: string, options: Options = {}): Layer.Layer<SqlClient.SqlClient | Sqlite, StoreError> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const context = yield* client(filename, options)
      const sql = Context.get(context, SqlClient.SqlClient)
      yield* refuseUnknown(filename, sql)
      yield* sql.unsafe("PRAGMA journal_mode = WAL")
      yield* Effect.forEach(pragmas, (pragma) => sql.unsafe(`PRAGMA ${pragma}`))
      yield* Effect.provideService(migrate, SqlClient.SqlClient, sql)
      return context
    }).pipe(
      Effect.catchTags({
        SqlError: (cause) => Effect.fail(cannot(`use ${filename}`)(cause)),
        MigrationError: (cause) => Effect.fail(cannot(`migrate ${filename}`, "migrate")(cause)),
      }),
    ),
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * Allows one server per store while the scope is open. The lock is the operating system's (an exclusive lock on a separate
 * file), so a killed server releases it. The command line does not take it.
 */
export const serverLock = (filename: string): Layer.Layer<never, StoreError> =>
  filename === memory
    ? Layer.empty
    : Layer.scopedDiscard(
        Effect.gen(function* () {
          const sql = Context.get(yield* client(`${filename}.server-lock`, { busyTimeoutMs: 0 }), SqlClient.SqlClient)
          yield* sql.unsafe("PRAGMA busy_timeout = 0")
          yield* sql.unsafe("BEGIN EXCLUSIVE")
        }).pipe(
          Effect.catchTag("SqlError", (cause) =>
            Effect.fail(
              isBusy(cause)
                ? new StoreError({
                    reason: "in-use",
                    message: `Another server is running on ${filename}. Stop it, or give this one its own DATABASE_URL.`,
                    cause,
                  })
                : cannot(`lock ${filename}`)(cause),
            ),
          ),
        ),
      ).pipe(Layer.provide(Reactivity.layer))

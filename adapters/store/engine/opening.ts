import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { hasTable, newest, readVersion } from "../schema/migrate.ts"
import { damaged } from "./storage.ts"

/** Where a store is. */
export type Place =
  | { readonly _tag: "Sqlite"; readonly file: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

/** The store cannot be opened, migrated or locked. The message tells an operator the remedy. */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly reason: "open" | "server" | "readable" | "newer" | "older" | "migrate" | "roles" | "in-use" | "moved"
  readonly message: string
  readonly cause?: unknown
}> {}

/** Whether the store says, somewhere among the causes of an error, that its pages are destroyed. */
export const isDamage = (cause: unknown): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  (("code" in cause && damaged.test(String(cause.code))) || ("cause" in cause && isDamage(cause.cause)))

/** The innermost error message, from SQLite, the file system or a migration. */
const why = (cause: unknown): string =>
  typeof cause !== "object" || cause === null
    ? String(cause)
    : "cause" in cause && cause.cause !== undefined
      ? why(cause.cause)
      : "message" in cause
        ? `${isDamage(cause) ? "the store is damaged: restore a backup. " : ""}${cause.message}`
        : String(cause)

export const cannot =
  (what: string, reason: StoreError["reason"] = "open") =>
  (cause: unknown): StoreError =>
    new StoreError({ reason, message: `Cannot ${what}: ${why(cause)}.`, cause })

/**
 * Rejects a store of a newer program, whose tables may have another meaning, and one that was made before there was a release.
 *
 * @param remedy what an operator does about the latter
 * @param use reading: it is not migrated, so that an older one is rejected too
 */
export const refuseUnknown = (
  name: string,
  remedy: string,
  use: "reading" | "writing" = "writing",
): Effect.Effect<void, SqlError | StoreError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    if (yield* hasTable("migrations")) {
      const message = `${name} was made before 0.4.0, which was never published, and cannot be read. ${remedy}`
      return yield* new StoreError({ reason: "older", message })
    }
    const version = yield* readVersion
    if (version > newest) {
      const message = `${name} was written by a newer version of this program: its schema is ${version}, this one supports ${newest}. Start the newer version, or set another store in DATABASE_URL.`
      return yield* new StoreError({ reason: "newer", message })
    }
    if (use === "reading" && version < newest) {
      const message = `The schema of ${name} is ${version}, this program's is ${newest}. Run: market-signals store migrate`
      return yield* new StoreError({ reason: "older", message })
    }
  })

import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { newest, oldest, readVersion } from "../migrations/mod.ts"
import { damaged } from "./storage.ts"

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
 * Rejects a store of a newer program, whose tables may have another meaning, and one from before the first release, which
 * has no migrations.
 *
 * @param remedy what an operator does about the latter
 */
export const refuseUnknown = (
  name: string,
  remedy: string,
): Effect.Effect<void, SqlError | StoreError, SqlClient.SqlClient> =>
  Effect.flatMap(readVersion, (found) => {
    if (found > newest) {
      const message = `${name} was written by a newer version of this program: its schema is ${found}, this one supports ${newest}. Start the newer version, or set another store in DATABASE_URL.`
      return Effect.fail(new StoreError({ reason: "newer", message }))
    }
    if (found > 0 && found < oldest) {
      const message = `${name} was made before the first release: its schema is ${found}, and only ${oldest} and later can be migrated. ${remedy}`
      return Effect.fail(new StoreError({ reason: "older", message }))
    }
    return Effect.void
  })

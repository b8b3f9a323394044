import * as Data from "effect/Data"
import type * as Redacted from "effect/Redacted"

export type Place =
  | { readonly _tag: "Sqlite"; readonly file: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

/** The store cannot be opened, migrated, locked, checked or archived. The message tells an operator the remedy. */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly reason:
    | "open"
    | "server"
    | "readable"
    | "newer"
    | "older"
    | "migrate"
    | "roles"
    | "in-use"
    | "moved"
    | "refused"
  readonly message: string
  readonly cause?: unknown
}> {}

/** Codes of both kinds for a store whose pages are destroyed. */
export const damagePattern = /^(SQLITE_(CORRUPT|NOTADB)|XX00[12]$)/

/** Whether an error, or one of its causes, says that the store's pages are destroyed. */
export const isDamage = (cause: unknown): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  (("code" in cause && damagePattern.test(String(cause.code))) || ("cause" in cause && isDamage(cause.cause)))

/** The innermost error message, from SQLite, the file system or a migration. */
const findMessage = (cause: unknown): string =>
  typeof cause !== "object" || cause === null
    ? String(cause)
    : "cause" in cause && cause.cause !== undefined
      ? findMessage(cause.cause)
      : "message" in cause
        ? `${isDamage(cause) ? "the store is damaged: restore a backup. " : ""}${cause.message}`
        : String(cause)

export const toStoreError =
  (what: string, reason: StoreError["reason"] = "open") =>
  (cause: unknown): StoreError =>
    new StoreError({ reason, message: `Cannot ${what}: ${findMessage(cause)}.`, cause })

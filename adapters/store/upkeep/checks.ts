import { statSync } from "node:fs"
import * as fs from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Database } from "../engine/sqlite/client.ts"
import { open } from "../engine/sqlite/driver.ts"
import { makePrivate } from "../engine/sqlite/files.ts"
import { newest, versionTable } from "../schema/migrate.ts"
import { inSqlite } from "./damage.ts"

/** The result of a check. A note needs no action; a finding has a remedy. */
export type CheckResult =
  | { readonly state: "ok" | "note"; readonly detail: string }
  | { readonly state: "finding"; readonly detail: string; readonly remedy: string }

/** One check of an installation. Its result contains no secret. */
export interface Check<R = never> {
  readonly name: string
  readonly look: Effect.Effect<CheckResult, unknown, R>
}

export const ok = (detail: string): CheckResult => ({ state: "ok", detail })
export const note = (detail: string): CheckResult => ({ state: "note", detail })
export const finding = (detail: string, remedy: string): CheckResult => ({ state: "finding", detail, remedy })

/** Compares a store's schema with this program's. */
export const judgeSchema = (found: number): CheckResult =>
  found === newest
    ? ok(String(found))
    : found < newest
      ? finding(`The schema is ${found}, this program's is ${newest}.`, "Run: market-signals store migrate")
      : finding(`The schema is ${found}, this program's is ${newest}.`, "Start the newer program.")

const mode = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mode

/** Checks a key file, which only its owner may read. */
export const checkKeyFile = (name: string, file: string): Check => ({
  name,
  look: Effect.sync(() => {
    const fileMode = mode(file)
    if (fileMode === undefined)
      return note(`${file} does not exist; the first start over a new store makes it, and other nodes need a copy.`)
    if (process.platform === "win32" || (fileMode & 0o077) === 0) return ok(`${file} is its owner's alone.`)
    return finding(`${file} can be read by others.`, `Run: chmod 600 ${file}`)
  }),
})

const read = <A>(file: string, work: (db: Database) => A) =>
  Effect.acquireUseRelease(
    Effect.try(() => open(file, { readonly: true, fileMustExist: true })),
    (db) => Effect.try(() => work(db)),
    (db) => Effect.sync(() => db.close()),
  )

export const judgeDamage = (damage: string | undefined): CheckResult =>
  damage === undefined ? ok("All can be read.") : finding(`The store is damaged: ${damage}.`, "Restore a backup.")

/** Checks of a SQLite store; nothing is written. */
export const checkSqlite = (file: string, reserveBytes: number): ReadonlyArray<Check> => {
  if (file === ":memory:") return [{ name: "file", look: Effect.succeed(note("The store is in memory.")) }]
  if (mode(file) === undefined) {
    return [{ name: "file", look: Effect.succeed(note(`${file} does not exist; the first start makes it.`)) }]
  }
  return [
    {
      name: "file",
      look: Effect.sync(() => {
        const open = makePrivate(file)
        if (open === undefined) return ok(`${file} is its owner's alone.`)
        const [detail, remedy] = open.split(/(?<=\.) (?=Make)/)
        return finding(detail!, remedy!)
      }),
    },
    {
      name: "pages",
      look: Effect.map(
        read(file, (db) => inSqlite(db, "quick_check")),
        judgeDamage,
      ),
    },
    {
      name: "journal mode",
      look: Effect.map(
        read(file, (db) => String(db.pragma("journal_mode", { simple: true }))),
        (found) =>
          found === "wal"
            ? ok(found)
            : finding(
                `The journal mode is ${found}; writers would block readers.`,
                "Start the server, which sets WAL; a network drive cannot have it.",
              ),
      ),
    },
    {
      name: "schema",
      look: Effect.map(
        read(file, (db) => {
          const has = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(versionTable)
          if (has === undefined) return 0
          return Number(db.prepare(`SELECT coalesce(max(version), 0) FROM ${versionTable}`).pluck().get())
        }),
        judgeSchema,
      ),
    },
    {
      name: "disk",
      look: Effect.map(
        Effect.tryPromise(() => fs.statfs(dirname(file))),
        ({ bavail, bsize }) => {
          const free = bavail * bsize
          const shown = `${Math.floor(free / 1_048_576)} MB free`
          return free >= reserveBytes
            ? ok(shown)
            : finding(
                `${shown}, less than DISK_RESERVE_MB: free calls are only counted, and with none paid calls answer 503.`,
                "Make room on the store's disk.",
              )
        },
      ),
    },
  ]
}

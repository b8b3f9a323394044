import { closeSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { makeFolders } from "../../../runtime/node/folders.ts"
import { StoreError, toStoreError } from "../opening.ts"

export const memory = ":memory:"

/** Suffixes of the database file and of the files that SQLite and the server's lock put next to it. */
const suffixes = ["", "-wal", "-shm", "-journal", ".server-lock", ".server-lock-journal", ".owner"]

/** Whether a file exists and others can read it. SQLite itself rejects anything that is not a file. */
const isReadableByOthers = (file: string): boolean => {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() === true && (stats.mode & 0o077) !== 0
}

/** Files of a store that users other than the owner may read or write. */
const listReadableByOthers = (store: string): ReadonlyArray<string> =>
  process.platform === "win32" ? [] : suffixes.map((suffix) => store + suffix).filter(isReadableByOthers)

/** Creates a store's folder with mode 0700. An existing folder is left as it is, since it may be shared. */
export const makeFolder = (file: string): void => makeFolders(dirname(file), 0o700)

/**
 * Creates a store's file with mode 0600 if there is none. SQLite gives its other files the same mode.
 *
 * @param file the database, or its lock file
 * @returns the error for the operator; undefined if the store is private
 */
export const makePrivate = (file: string): string | undefined => {
  const shared = listReadableByOthers(file.replace(/\.server-lock$/, ""))
  if (shared.length > 0) {
    const them = shared.length === 1 ? "it" : "them"
    return `Others can read ${shared.join(", ")}. Make ${them} private: chmod 600 ${shared.join(" ")}`
  }
  if (statSync(file, { throwIfNoEntry: false }) === undefined) closeSync(openSync(file, "a", 0o600))
  return undefined
}

/** Creates a store's folder and file for this user alone, or says who else can read it. */
export const createPrivate = (filename: string): Effect.Effect<void, StoreError> =>
  Effect.try({ try: () => makeFolder(filename), catch: toStoreError(`create the folder of ${filename}`) }).pipe(
    Effect.zipRight(Effect.try({ try: () => makePrivate(filename), catch: toStoreError(`open ${filename}`) })),
    Effect.flatMap((message) =>
      message === undefined ? Effect.void : Effect.fail(new StoreError({ reason: "readable", message })),
    ),
  )

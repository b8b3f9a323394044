import { closeSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { makeFolders } from "../../runtime/node/folders.ts"

/** Suffixes of the database file and of the files that SQLite and the server's lock put next to it. */
const suffixes = ["", "-wal", "-shm", "-journal", ".server-lock", ".server-lock-journal"]

/** Whether a file exists that others can read. SQLite itself rejects anything that is not a file. */
const isOpen = (file: string): boolean => {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && (found.mode & 0o077) !== 0
}

/** Files of a store that users other than the owner may read or write. */
const readableByOthers = (store: string): ReadonlyArray<string> =>
  process.platform === "win32" ? [] : suffixes.map((suffix) => store + suffix).filter(isOpen)

/** Creates a store's folder with mode 0700. An existing folder is left as it is, since it may be shared. */
export const makeFolder = (file: string): void => makeFolders(dirname(file), 0o700)

/**
 * Creates a store's file with mode 0600 if there is none. SQLite gives its other files the same mode.
 *
 * @param file the database, or its lock file
 * @returns the error for the operator; undefined if the store is private
 */
export const makePrivate = (file: string): string | undefined => {
  const found = readableByOthers(file.replace(/\.server-lock$/, ""))
  if (found.length > 0) {
    const them = found.length === 1 ? "it" : "them"
    return `Others can read ${found.join(", ")}. Make ${them} private: chmod 600 ${found.join(" ")}`
  }
  if (statSync(file, { throwIfNoEntry: false }) === undefined) closeSync(openSync(file, "a", 0o600))
  return undefined
}

import { closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** The database file and what SQLite and the server's lock keep beside it. */
const beside = ["", "-wal", "-shm", "-journal", ".server-lock", ".server-lock-journal"]

/** Whether a file is there that others can read. What stands in its place and is no file SQLite refuses. */
const isOpen = (file: string): boolean => {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && (found.mode & 0o077) !== 0
}

/** Files of a store that others than their owner may read or write. */
const openOf = (store: string): ReadonlyArray<string> =>
  process.platform === "win32" ? [] : beside.map((suffix) => store + suffix).filter(isOpen)

/** Makes a store's folder, for its owner alone. One that is there is the operator's, for it may be shared. */
export const makeFolder = (file: string): void => void mkdirSync(dirname(file), { recursive: true, mode: 0o700 })

/**
 * Makes a store's file for its owner alone where there is none. SQLite gives what it puts beside a file the file's mode.
 *
 * @param file the database, or the lock beside it
 * @returns what the operator has to mend; undefined where the store is private
 */
export const makePrivate = (file: string): string | undefined => {
  const found = openOf(file.replace(/\.server-lock$/, ""))
  if (found.length > 0) {
    const them = found.length === 1 ? "it" : "them"
    return `Others can read ${found.join(", ")}. Make ${them} private: chmod 600 ${found.join(" ")}`
  }
  if (statSync(file, { throwIfNoEntry: false }) === undefined) closeSync(openSync(file, "a", 0o600))
  return undefined
}

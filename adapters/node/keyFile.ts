import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"

/** A key file that must not be used as it is. Says what an operator can do about it, and nothing of the key. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError"
}

const isCode = (cause: unknown, ...codes: ReadonlyArray<string>): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && codes.includes(String(cause.code))

/**
 * The text of a file that only its owner can read; undefined where there is no file.
 *
 * @throws {KeyFileError} where others can read it
 */
export const read = (file: string): string | undefined => {
  try {
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
      throw new KeyFileError(`${file} can be read by others. Make it private: chmod 600 ${file}`)
    }
    return readFileSync(file, "utf8")
  } catch (cause) {
    if (isCode(cause, "ENOENT")) return undefined
    throw cause
  }
}

/** After a power cut the name is there too, not just what it names. Windows cannot open a folder, and need not. */
const syncFolder = (folder: string): void => {
  if (process.platform === "win32") return
  const descriptor = openSync(folder, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** What volumes without hard links say of one. */
const linkless = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]

/** Puts a draft in a place that is free, where no link can: one process at a time, whoever has the lock file. */
const renameOnce = (draft: string, file: string): void => {
  const lock = `${file}.making`
  try {
    closeSync(openSync(lock, "wx", 0o600))
  } catch (cause) {
    if (!isCode(cause, "EEXIST")) throw cause
    if (existsSync(file)) return
    throw new KeyFileError(`Another process is making ${file}, or was stopped while it did: then remove ${lock}.`)
  }
  try {
    if (!existsSync(file)) renameSync(draft, file)
  } finally {
    unlinkSync(lock)
  }
}

/**
 * Makes a key file unless it is there: whole or not at all, never overwritten, for its owner alone, and on disk once
 * this returns. Whichever of several processes is first, its text is everybody's: read the file afterwards.
 *
 * @param link in place of the file system's own, in tests
 */
export const createOnce = (file: string, text: string, link: typeof linkSync = linkSync): void => {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Written whole under another name first.
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  const descriptor = openSync(draft, "wx", 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
    try {
      link(draft, file)
    } catch (cause) {
      if (isCode(cause, ...linkless)) renameOnce(draft, file)
      else if (!isCode(cause, "EEXIST")) throw cause
    }
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
  syncFolder(folder)
}

import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { makeFolders, syncFolder } from "./folders.ts"

/** A key file is not usable. The message tells an operator the remedy and contains nothing of the key. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError"
}

const isCode = (cause: unknown, ...codes: ReadonlyArray<string>): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && codes.includes(String(cause.code))

/**
 * The text of a file that only its owner can read; undefined if there is no file.
 *
 * @throws {KeyFileError} if others can read it
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

/** Error codes of volumes without hard links. */
const noLinkCodes = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]

/** Renames a draft to a free name on volumes without hard links; a lock file admits one process at a time. */
const renameOnce = (draft: string, file: string): void => {
  const lock = `${file}.making`
  try {
    closeSync(openSync(lock, "wx", 0o600))
  } catch (cause) {
    if (!isCode(cause, "EEXIST")) throw cause
    if (existsSync(file)) return
    throw new KeyFileError(`Another process is creating ${file}, or was killed while it did: then remove ${lock}.`)
  }
  try {
    if (!existsSync(file)) renameSync(draft, file)
  } finally {
    unlinkSync(lock)
  }
}

/**
 * Creates a key file unless it exists: complete, with mode 0600, durable when this returns, never overwritten. Another
 * process may have been first, so read the file afterwards.
 *
 * @param link replaces the file system's own in tests
 */
export const createOnce = (file: string, text: string, link: typeof linkSync = linkSync): void => {
  const folder = dirname(file)
  makeFolders(folder, 0o700)
  // A draft under another name, so that the file is never incomplete.
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  const descriptor = openSync(draft, "wx", 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
    try {
      link(draft, file)
    } catch (cause) {
      if (isCode(cause, ...noLinkCodes)) renameOnce(draft, file)
      else if (!isCode(cause, "EEXIST")) throw cause
    }
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
  syncFolder(folder)
}

/** Creates a key file unless it exists, and reads it. */
export const createAndRead = <Key>(file: string, text: string, read: (file: string) => Key | undefined): Key => {
  createOnce(file, text)
  const key = read(file)
  if (key === undefined) throw new KeyFileError(`${file} was removed right after it was created.`)
  return key
}

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Creates a folder and its missing parents. Node 20's own `recursive` never ends on a file system that reports each parent as
 * missing, as /proc does.
 *
 * @param mode of the new folders; absent: by the process's umask
 */
export const makeFolders = (folder: string, mode?: number): void => {
  if (existsSync(folder) || folder === dirname(folder)) return
  makeFolders(dirname(folder), mode)
  try {
    mkdirSync(folder, mode)
  } catch (cause) {
    // Another process created it first.
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  }
}

/** Syncs a folder, so that a new file's name survives a power cut. Windows cannot open a folder and does not need it. */
export const syncFolder = (folder: string): void => {
  if (process.platform === "win32") return
  const descriptor = openSync(folder, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

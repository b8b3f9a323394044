import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Creates a folder and those above it that are missing. Node's own `recursive` never ends where a file system says of each
 * new folder that there is none above it, as /proc does.
 *
 * @param mode of the new folders; without one the process decides
 */
export const makeFolders = (folder: string, mode?: number): void => {
  const missing: Array<string> = []
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at)
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, mode)
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code === "ENOENT") throw new Error(`${dirname(each)} takes no new folders`)
      // Another process was first.
      if (code !== "EEXIST") throw cause
    }
  }
}

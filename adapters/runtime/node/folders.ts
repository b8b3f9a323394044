import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Creates a folder and its missing parents. Node's own `recursive` never ends on a file system that reports each parent as
 * missing, as /proc does.
 *
 * @param mode of the new folders; absent: by the process's umask
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
      // EEXIST: another process created it first.
      if (code !== "EEXIST") throw cause
    }
  }
}

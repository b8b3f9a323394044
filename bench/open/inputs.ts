import { existsSync } from "node:fs"
import { join } from "node:path"

/** An option's path; if it does not exist, the program ends with an error. */
export const present = (option: string, path: string): string => {
  if (existsSync(path)) return path
  process.stderr.write(`${option}: ${path} does not exist.\n`)
  process.exit(2)
}

/** A lane's folder of recorded data, given directly or by its parent folder. */
export const folderOf = (lane: string, path: string): string => {
  const inside = join(path, lane)
  return existsSync(inside) ? inside : path
}

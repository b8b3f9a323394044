import { existsSync } from "node:fs"
import { join } from "node:path"

/** The path that an option names. What is not there ends the program with a sentence. */
export const present = (option: string, path: string): string => {
  if (existsSync(path)) return path
  process.stderr.write(`${option}: there is no ${path}.\n`)
  process.exit(2)
}

/** A lane's folder of recorded data, named itself or by the folder that holds every lane's. */
export const folderOf = (lane: string, path: string): string => {
  const inside = join(path, lane)
  return existsSync(inside) ? inside : path
}

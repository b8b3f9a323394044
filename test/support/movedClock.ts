import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** The library of Debian's package `faketime`, which shows a program another time; undefined where it is not installed. */
export const library: string | undefined = (existsSync("/usr/lib") ? readdirSync("/usr/lib") : [])
  .map((folder) => join("/usr/lib", folder, "faketime/libfaketime.so.1"))
  .find((file) => existsSync(file))

/** A clock that was moved: epoch milliseconds that it shows less those of this machine, and what its programs need. */
export interface Moved {
  readonly byMs: number
  readonly environment: Readonly<Record<string, string>>
}

/** A clock that now shows `at`. */
export const movedTo = (at: number): Moved => {
  const byMs = Math.round((at - Date.now()) / 1_000) * 1_000
  const seconds = byMs / 1_000
  return {
    byMs,
    environment: { LD_PRELOAD: library!, FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s` },
  }
}

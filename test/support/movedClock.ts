import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** The library of Debian's package `faketime`, which shows a program another time; undefined where it is not installed. */
export const library: string | undefined = ["/usr/lib", "/usr/lib/faketime"]
  .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
  .map((folder) => join(folder, "faketime/libfaketime.so.1"))
  .find((file) => existsSync(file))

/** A clock that was moved: epoch milliseconds that it shows less those of this machine, and how fast it runs. */
export interface Moved {
  readonly byMs: number
  readonly environment: Readonly<Record<string, string>>
}

/** The environment of programs for which it is now `at`. Each begins there: with a speed, start them together. */
export const movedTo = (at: number, speed = 1): Moved => {
  const byMs = Math.round((at - Date.now()) / 1_000) * 1_000
  const seconds = byMs / 1_000
  return {
    byMs,
    environment: {
      LD_PRELOAD: library!,
      FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s${speed === 1 ? "" : ` x${speed}`}`,
    },
  }
}

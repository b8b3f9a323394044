import { versions } from "node:process"
import type Sqlite from "better-sqlite3"

const older = "better-sqlite3-node20"

/**
 * Version 13 of better-sqlite3 has one native part for every Node since 22, and brings it along; Node 20 ends with a
 * segmentation fault in it. Version 12 is the last one for Node 20. Compiled with the headers of Node 24.19 and later, it
 * aborts the process when statements are collected.
 */
const loaded: typeof Sqlite | Error = await (Number.parseInt(versions.node, 10) < 22
  ? import("better-sqlite3-node20")
  : import("better-sqlite3")
).then(
  (module) => module.default,
  (cause: unknown) => new Error(`SQLite cannot be opened: ${String(cause)}`, { cause }),
)

const missing = `Node ${versions.node} needs version 12 of better-sqlite3 beside the package: npm install ${older}@npm:better-sqlite3@12.11.1. Node 22 and later need nothing.`

/**
 * Opens a database file.
 *
 * @throws when the file cannot be opened, or the native part does not load
 */
export const open = (file: string, options?: Sqlite.Options): Sqlite.Database => {
  if (!(loaded instanceof Error)) return new loaded(file, options)
  throw Number.parseInt(versions.node, 10) < 22 ? new Error(missing, { cause: loaded }) : loaded
}

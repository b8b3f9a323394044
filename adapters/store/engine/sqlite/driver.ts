/// <reference path="./better-sqlite3-node20.d.ts" />
import { versions } from "node:process"
import type Sqlite from "better-sqlite3"

const isOld = Number.parseInt(versions.node, 10) < 22

const missing = `Node ${versions.node} needs version 12 of better-sqlite3 beside the package: npm install better-sqlite3-node20@npm:better-sqlite3@12.11.1 (with --global where the package was installed so). Node 22 and later need nothing`

/**
 * Version 13 of better-sqlite3 has one native part for every Node since 22, and brings it along; Node 20 ends with a
 * segmentation fault in it. Version 12 is the last one for Node 20. Compiled with the headers of Node 24.19 and later, it
 * aborts the process when statements are collected.
 *
 * A failure is kept for the first opening: verbs and servers without a file, such as those of PostgreSQL, go without.
 */
const loaded: typeof Sqlite | Error = await (isOld ? import("better-sqlite3-node20") : import("better-sqlite3")).then(
  (module) => module.default,
  (error: NodeJS.ErrnoException) => (isOld && error.code === "ERR_MODULE_NOT_FOUND" ? new Error(missing) : error),
)

/**
 * Opens a database file.
 *
 * @throws when the file cannot be opened, or there is no driver for this Node
 */
export const open = (file: string, options?: Sqlite.Options): Sqlite.Database => {
  if (loaded instanceof Error) throw loaded
  return new loaded(file, options)
}

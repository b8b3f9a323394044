/// <reference path="./better-sqlite3-node20.d.ts" />

import { versions } from "node:process"
import { unpublishedTable, versionTable } from "../../schema/migrate.ts"
import type { Database, OpenOptions } from "./client.ts"
import { findNodeDriver } from "./nodeSqlite.ts"

type Open = (file: string, options?: OpenOptions) => Database

const isOld = Number.parseInt(versions.node, 10) < 22

const install = isOld ? "better-sqlite3-node20@npm:better-sqlite3@12.11.1" : "better-sqlite3@13.2.0"

const missingMessage = `Node ${versions.node} has no SQLite of its own that is complete: npm install ${install} (with --global where the package was installed so), or take Node 24.21 or later, which needs nothing`

const unbuiltMessage =
  "SQLite's native part is not there, as after npm ci --ignore-scripts: npm rebuild better-sqlite3-node20, or take Node 22 or later, whose package needs no script"

/**
 * Version 13 of better-sqlite3 ships one native part for every Node since 22; on Node 20 it crashes. Version 12 is the last one
 * for Node 20; compiled with the headers of Node 24.19 and later, it aborts the process when statements are collected.
 *
 * An error is returned and thrown at the first opening: verbs and servers without a file, such as those of PostgreSQL, need no
 * driver.
 */
const loadPackage = (): Promise<Open | Error> =>
  (isOld ? import("better-sqlite3-node20") : import("better-sqlite3")).then(
    ({ default: Sqlite }): Open =>
      (file, options) => {
        try {
          return new Sqlite(file, options)
        } catch (error) {
          // The package `bindings` lists in `tries` the paths at which it looked for the native part.
          throw (error as { readonly tries?: unknown }).tries === undefined ? error : new Error(unbuiltMessage)
        }
      },
    (error: NodeJS.ErrnoException) => (error.code === "ERR_MODULE_NOT_FOUND" ? new Error(missingMessage) : error),
  )

const driver: Open | Error = findNodeDriver() ?? (await loadPackage())

/**
 * Opens a database file, with Node's own SQLite where it is complete and with better-sqlite3 elsewhere.
 *
 * @throws if the file cannot be opened, or there is no driver for this Node
 */
export const open: Open = (file, options) => {
  if (driver instanceof Error) throw driver
  return driver(file, options)
}

/** Whether a file is the database of a store. Nothing is written. */
export const isStore = (file: string): boolean => {
  const db = open(file, { readonly: true, fileMustExist: true })
  try {
    // A store from before the first release counts too: it is refused, with its own message, when it is opened.
    const tables = db.prepare("SELECT 1 FROM sqlite_master WHERE name IN (?, ?)")
    return tables.get(versionTable, unpublishedTable) !== undefined
  } finally {
    db.close()
  }
}

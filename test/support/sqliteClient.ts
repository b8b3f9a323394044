import { versions } from "node:process"

const [major = 0, minor = 0] = versions.node.split(".").map(Number)

/** Version 12 of better-sqlite3, which `@effect/sql-sqlite-node` loads, ends Node 24.19 and later. */
export const loadsSqliteClient: boolean = major < 24 || (major === 24 && minor < 19)

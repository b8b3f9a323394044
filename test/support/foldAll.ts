import type { Database } from "better-sqlite3"
import { makeTail } from "../../adapters/store/money/sqlite/Tail.ts"

/** Brings the tables of a store that nobody has open up to its last call. */
export const foldAll = (db: Database): void => db.transaction(() => makeTail(db).foldAll())()

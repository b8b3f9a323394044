import type { Database } from "../../adapters/store/engine/sqlite/client.ts"
import { makeTail } from "../../adapters/store/money/sqlite/Tail.ts"

/** Brings the tables of a store that nobody has open up to its last call. */
export const foldAll = (db: Database): void => {
  db.exec("BEGIN")
  makeTail(db).foldAll()
  db.exec("COMMIT")
}

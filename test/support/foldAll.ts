import type { Database } from "../../adapters/store/engine/sqlite/client.ts"
import { getCharges } from "../../adapters/store/money/charge.ts"

/** Brings the tables of a store that nobody has open up to its last call. */
export const foldAll = (db: Database): void => {
  db.exec("BEGIN")
  getCharges(db).foldAll()
  db.exec("COMMIT")
}

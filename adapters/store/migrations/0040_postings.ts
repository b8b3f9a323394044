import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { createViewsSql, lastSeqSql, posted } from "../audit/months.ts"
import { type Database, Sqlite } from "../engine/sqlite/client.ts"

/** Makes all charges of the trail rows of the journal, as those that are folded are already. */
export const postAll = (db: Database): void => {
  db.exec("CREATE TABLE IF NOT EXISTS journal_places (month TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID")
  const folded = db.prepare("SELECT coalesce(max(seq), 0) FROM audit_folds WHERE month = ? AND account = 0").pluck()
  for (const month of db.prepare("SELECT month FROM audit_months").pluck().all() as ReadonlyArray<string>) {
    const [charges, place] = posted(month)
    const last = db.prepare(lastSeqSql(month)).pluck().get() as number
    db.prepare(place).run(folded.get(month) as number)
    // Some accounts are folded further than all are.
    db.prepare(charges.replace("INSERT", "INSERT OR IGNORE")).run(last)
    db.prepare(place).run(last)
  }
}

/**
 * A charge is written once: the journal has credits and reversals, and charges of before. The view `postings` has all. Accounts
 * have their numbers in the trail from their beginning on, in the order of their ids, so that folds write to one page after
 * another.
 */
const onSqlite = (db: Database): void => {
  // A program of before that has the store open would post charges a second time: from here on its folds fail.
  if (db.prepare("SELECT 1 FROM pragma_table_info('audit_folds') WHERE name = 'slice'").get() !== undefined) {
    db.exec("ALTER TABLE audit_folds RENAME COLUMN slice TO part")
  }
  postAll(db)
  const months = db.prepare("SELECT month FROM audit_months WHERE dropping = 0").pluck().all() as ReadonlyArray<string>
  for (const statement of createViewsSql(months)) db.exec(statement)
  db.exec(`
    CREATE TRIGGER accounts_number AFTER INSERT ON accounts
    BEGIN INSERT OR IGNORE INTO audit_accounts (account_id) VALUES (NEW.id); END`)
  db.exec("INSERT OR IGNORE INTO audit_accounts (account_id) SELECT id FROM accounts ORDER BY id")
}

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sqlite = yield* Effect.serviceOption(Sqlite)
  yield* sql.onDialectOrElse({
    sqlite: () => Effect.sync(() => onSqlite(Option.getOrThrow(sqlite).db)),
    orElse: () => Effect.asVoid(sql`CREATE VIEW postings AS SELECT * FROM journal`),
  })
})

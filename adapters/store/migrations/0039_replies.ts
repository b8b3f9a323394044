import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { countAll } from "../audit/Usage.ts"
import { Sqlite } from "../engine/sqlite/client.ts"
import { sqliteQueries, valueOrThrow } from "../engine/Transactions.ts"
import { nameAll } from "../money/sqlite/replyLog.ts"
import { makeTail } from "../money/sqlite/Tail.ts"
import { postAll } from "./0040_postings.ts"

/** What each change of keys concerns, as on PostgreSQL (`released/sharedTables.ts`): the last thousand changes. */
const accessChanges = [
  "CREATE TABLE versions (name TEXT PRIMARY KEY, version BIGINT NOT NULL) WITHOUT ROWID",
  "INSERT INTO versions (name, version) VALUES ('access', 0)",
  "CREATE TABLE access_changes (version INTEGER PRIMARY KEY, id TEXT NOT NULL)",
  ...[
    ["keys_deleted", "DELETE ON api_keys"],
    [
      "keys",
      "UPDATE OF agent_id, environment, per_minute, scopes, expires_at, overlap_ends_at, revoked_at ON api_keys",
    ],
    ["agents", "UPDATE OF status ON agents"],
    ["accounts", "UPDATE OF suspended_at ON accounts"],
  ].map(
    ([name, change]) => `
      CREATE TRIGGER count_${name} AFTER ${change}
      BEGIN
        UPDATE versions SET version = version + 1 WHERE name = 'access';
        INSERT INTO access_changes (version, id) SELECT version, OLD.id FROM versions WHERE name = 'access';
        DELETE FROM access_changes WHERE version <= (SELECT version FROM versions WHERE name = 'access') - 1000;
      END`,
  ),
]

/** On SQLite replies stand in the order of arrival, and the index of their keys is a fold (`money/sqlite/replyLog.ts`). */
const replies = [
  `CREATE TABLE replies (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    at BIGINT NOT NULL,
    request_hash TEXT NOT NULL,
    stored BLOB,
    charged INTEGER NOT NULL DEFAULT 1
  )`,
  `INSERT INTO replies (key_id, idempotency_key, at, request_hash, stored, charged)
    SELECT key_id, idempotency_key, at, request_hash, stored, stored IS NOT NULL FROM idempotency ORDER BY at`,
  "DROP TABLE idempotency",
  "ALTER TABLE replies RENAME TO idempotency",
  "CREATE INDEX idempotency_at ON idempotency (at)",
  "ALTER TABLE audit_folds ADD COLUMN part INTEGER NOT NULL DEFAULT 0",
  "CREATE TABLE idempotency_names (name INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (name, seq)) WITHOUT ROWID",
]

/** Sums of usage are folds of the ledger from now on: all rows that are there are in them, and are folded. */
const counted = Effect.flatMap(Effect.serviceOption(Sqlite), (sqlite) =>
  Effect.sync(() => {
    if (Option.isNone(sqlite)) throw new Error("A store on SQLite is migrated by its own connection.")
    const { db } = sqlite.value
    valueOrThrow(countAll({ prepare: sqliteQueries({ db }), dialect: "sqlite" }))
    postAll(db)
    makeTail(db).foldAll(true)
  }),
)

/** `charged` of a stored reply: whether its call was, so that its bytes count as such. */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.zipRight(
        Effect.forEach([...accessChanges, ...replies], (statement) => sql.unsafe(statement), { discard: true }),
        Effect.zipRight(nameAll, counted),
      ),
    orElse: () => Effect.asVoid(sql`ALTER TABLE idempotency ADD COLUMN charged INTEGER NOT NULL DEFAULT 1`),
  }),
)

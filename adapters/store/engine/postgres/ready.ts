import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { type Connection, migrate, newest, readVersion } from "../../schema/migrate.ts"
import { refuseMoved } from "../movedStore.ts"
import { StoreError, toStoreError } from "../opening.ts"
import { transaction } from "../storage.ts"
import { refuseUnknown } from "../unknownStore.ts"
import * as Roles from "./roles.ts"

export const minServerVersion = 150_000

interface Server {
  readonly version: number
  readonly shown: string
  readonly encoding: string
  readonly collation: string
  readonly readOnly: string
  readonly commits: string
}

/**
 * Refuses a server on which the program would not be correct: ids and pages need comparison byte by byte, texts are UTF-8, and
 * a charge must be on disk when the call is answered.
 */
const refuseServer: Effect.Effect<void, SqlError | StoreError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<Server>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS shown,
      pg_encoding_to_char(encoding) AS encoding, datcollate AS collation,
      current_setting('transaction_read_only') AS "readOnly", current_setting('synchronous_commit') AS commits
    FROM pg_database WHERE datname = current_database()`
  const { version, shown, encoding, collation, readOnly, commits } = found!
  const remake = "Create it with TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'."
  const refusals: ReadonlyArray<readonly [boolean, string]> = [
    [version < minServerVersion, `The server is PostgreSQL ${shown}; version 15 or newer is needed.`],
    [encoding !== "UTF8", `The database's encoding is ${encoding}; UTF8 is needed. ${remake}`],
    [collation !== "C", `The database's collation is ${collation}; C is needed. ${remake}`],
    [readOnly === "on", "The server is read-only: DATABASE_URL must name the primary."],
    [
      commits === "off",
      "The server answers before a commit is on disk (synchronous_commit = off), so that a crash would lose charges. Set it to on.",
    ],
  ]
  const refused = refusals.find(([isRefused]) => isRefused)
  if (refused !== undefined) return yield* Effect.fail(new StoreError({ reason: "server", message: refused[1] }))
})

const remedy = "Set another database in DATABASE_URL; the next start creates the tables there."

const refused = (message: string) => Effect.fail(new StoreError({ reason: "migrate", message }))

/** How this engine's schema is changed. */
export const connection = (sql: SqlClient.SqlClient): Connection => ({
  script: (text) => Effect.asVoid(sql.unsafe(text)),
  transaction: (work) => transaction(sql, work),
})

/** Migrates as the tables' owner. A node's role may not: its error names the command for the owner. */
const migrateIfOwner = Effect.gen(function* () {
  const { role, reads, changes } = yield* Roles.readOwnRole
  if (!reads) {
    return yield* refused(
      `Role ${role} has no rights on this store. As its owner, run: market-signals store roles --node ${role}`,
    )
  }
  yield* refuseUnknown("The database", remedy)
  yield* refuseMoved("The database")
  const version = yield* readVersion
  if (version === newest) return
  if (!changes) {
    return yield* refused(
      `The database's schema is ${version}, this program needs ${newest}, and role ${role} may not change it. As its owner, run: market-signals store migrate`,
    )
  }
  yield* Effect.mapError(
    migrate(connection(yield* SqlClient.SqlClient)),
    toStoreError("migrate the database", "migrate"),
  )
  yield* Roles.grantAgain
})

/** The trail goes on after rows that another server has numbered. */
const followTrail = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT audit_follow()`)

/** Refuses an unsuitable server or database, and migrates the tables to the newest schema. */
export const makeReady: Effect.Effect<void, SqlError | StoreError, SqlClient.SqlClient> = Effect.zipRight(
  refuseServer,
  Effect.zipRight(migrateIfOwner, followTrail),
)

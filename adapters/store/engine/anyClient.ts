import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { migrate } from "../schema/migrate.ts"
import { engine } from "./Dialect.ts"
import { refuseMoved } from "./movedStore.ts"
import { cannot, StoreError } from "./opening.ts"
import { ready } from "./postgres/ready.ts"
import { exactness } from "./sqlite/pragmas.ts"
import { transaction } from "./storage.ts"
import { overClient, Transactions } from "./Transactions.ts"
import { refuseUnknown } from "./unknownStore.ts"

const remedy = "Give the client another one; the next start creates the tables there."

/** The statements of a schema, for clients that take one at a time: each begins a line, and a trigger's body does not. */
const statements = (text: string): ReadonlyArray<string> =>
  text
    .replace(/--.*$/gm, "")
    .split(/;\s*\n(?!\s|END)/)
    .filter((statement) => statement.trim() !== "")

const sqlite = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* Effect.zipRight(refuseUnknown("The store", remedy), refuseMoved("The store"))
    yield* Effect.forEach(exactness, (pragma) => sql.unsafe(`PRAGMA ${pragma}`))
    const script = (text: string) =>
      Effect.forEach(statements(text), (statement) => sql.unsafe(statement), { discard: true })
    yield* migrate({ script, transaction: (work) => transaction(sql, work) })
  })

/** By default a driver of PostgreSQL gives whole numbers of 64 bits as text, which would compare and add as such. */
const refuseTexts = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError | StoreError> =>
  Effect.flatMap(sql<{ whole: unknown; sum: unknown }>`SELECT 1::int8 AS whole, 1::numeric AS sum`, ([row]) =>
    row?.whole === 1 && row.sum === 1
      ? Effect.void
      : new StoreError({
          reason: "open",
          message:
            "The client gives int8 and numeric as texts: give PgClient.layer the types of numberTypes(pg.types).",
        }),
  )

/**
 * What the lanes' stores, the record and the register of feeds need, over a client of one's own: of `@effect/sql-sqlite-node`,
 * `@effect/sql-pg`, or another one of `@effect/sql` for either engine. Creates the tables, or brings them to the newest schema.
 * The ledger and the keys need `layerSqlite`.
 */
export const layer: Layer.Layer<Transactions, StoreError, SqlClient.SqlClient> = Layer.effect(
  Transactions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* engine(sql) === "sqlite" ? sqlite(sql) : Effect.zipRight(refuseTexts(sql), ready)
    return overClient(sql)
  }).pipe(Effect.catchTag("SqlError", (cause) => Effect.fail(cannot("use the store")(cause)))),
)

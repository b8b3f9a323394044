import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { migrate } from "../schema/migrate.ts"
import { findEngine } from "./Dialect.ts"
import { refuseMoved } from "./movedStore.ts"
import { StoreError, toStoreError } from "./opening.ts"
import { makeReady } from "./postgres/ready.ts"
import { exactness } from "./sqlite/pragmas.ts"
import { transaction } from "./storage.ts"
import { overClient, Transactions } from "./Transactions.ts"
import { refuseUnknown } from "./unknownStore.ts"

const remedy = "Give the client another one; the next start creates the tables there."

/** Splits a schema for clients that take one statement at a time: statements begin a line, and a trigger's body is indented. */
const splitStatements = (text: string): ReadonlyArray<string> =>
  text
    .replace(/--.*$/gm, "")
    .split(/;\s*\n(?!\s|END)/)
    .filter((statement) => statement.trim() !== "")

const openSqlite = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* Effect.zipRight(refuseUnknown("The store", remedy), refuseMoved("The store"))
    yield* Effect.forEach(exactness, (pragma) => sql.unsafe(`PRAGMA ${pragma}`))
    const script = (text: string) =>
      Effect.forEach(splitStatements(text), (statement) => sql.unsafe(statement), { discard: true })
    yield* migrate({ script, transaction: (work) => transaction(sql, work) })
  })

/** Refuses a client that gives 64-bit integers as text, as PostgreSQL's driver does by default: they would compare as text. */
const refuseTextNumbers = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError | StoreError> =>
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
 * What the lanes' stores, the record and the register of feeds need, over an embedder's client of `@effect/sql` for either
 * engine, such as `@effect/sql-sqlite-node` or `@effect/sql-pg`. Creates the tables, or migrates them to the newest schema. The
 * ledger and the keys need `layerSqlite`.
 */
export const layer: Layer.Layer<Transactions, StoreError, SqlClient.SqlClient> = Layer.effect(
  Transactions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* findEngine(sql) === "sqlite" ? openSqlite(sql) : Effect.zipRight(refuseTextNumbers(sql), makeReady)
    return overClient(sql)
  }).pipe(Effect.catchTag("SqlError", (cause) => Effect.fail(toStoreError("use the store")(cause)))),
)

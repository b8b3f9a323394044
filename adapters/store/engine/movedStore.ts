import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { iso } from "../../../core/time.ts"
import { hasTable } from "../schema/migrate.ts"
import { findEngine } from "./Dialect.ts"
import { StoreError } from "./opening.ts"

/** Whether the store was moved: then the table says into which archive, and when. */
export const isMoved = hasTable("moved")

/** Whether a store that was moved may be opened, to export it again. */
export class MayOpenMoved extends Context.Reference<MayOpenMoved>()("market-signals/adapters/store/OpensMoved", {
  defaultValue: () => false,
}) {}

/** Refuses a store that was moved: what it still took would be missing in the new one. */
export const refuseMoved = (name: string): Effect.Effect<void, SqlError | StoreError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    if ((yield* MayOpenMoved) || !(yield* isMoved)) return
    const sql = yield* SqlClient.SqlClient
    const [moved] = yield* sql<{ archive: string; at: number }>`SELECT archive, at FROM moved`
    const { archive, at } = moved!
    return yield* new StoreError({
      reason: "moved",
      message: `${name} was moved into the archive ${archive} at ${iso(at)} and takes nothing more. Name the store into which that was imported in DATABASE_URL.`,
    })
  })

/**
 * Marks the store as moved, in the current transaction. On PostgreSQL triggers also refuse the writes of a node that was cut off
 * and comes back without opening the store again. SQLite's file has no other owner.
 */
export const markMoved = (tables: ReadonlyArray<{ readonly name: string }>, archive: string, at: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE moved (archive TEXT NOT NULL, at BIGINT NOT NULL)`
    yield* sql`INSERT INTO moved (archive, at) VALUES (${archive}, ${at})`
    if (findEngine(sql) === "sqlite") return
    yield* sql`CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'This store was moved to another one.'; END $$`
    for (const { name } of tables) {
      yield* sql`CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${sql(name)}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()`
    }
  })

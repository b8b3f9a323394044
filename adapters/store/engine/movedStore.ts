import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { iso } from "../../../core/time.ts"
import { hasTable } from "../schema/migrate.ts"
import { StoreError } from "./opening.ts"

/** Exists only in a store that was moved: where to, without a password, and when. */
export const movedTable = "moved"

const message = "This store was moved to another one."

/** Rejects a store that was moved: what it would still take would be missing in the other one. */
export const refuseMoved = (name: string): Effect.Effect<void, SqlError | StoreError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if (!(yield* hasTable(movedTable))) return
    const [moved] = yield* sql<{ target: string; at: number }>`SELECT target, at FROM moved`
    const { target, at } = moved!
    return yield* Effect.fail(
      new StoreError({
        reason: "moved",
        message: `${name} was moved to ${target} at ${iso(at)} and takes nothing more. Name that store in DATABASE_URL.`,
      }),
    )
  })

const verbs = ["INSERT", "UPDATE", "DELETE"] as const

/**
 * Marks the store of the transaction as moved. Programs that have it open are refused too: every table refuses changes.
 *
 * @param tables all of the store's
 */
export const markMoved = (tables: ReadonlyArray<string>, target: string, at: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE moved (target TEXT NOT NULL, at BIGINT NOT NULL)`
    yield* sql`INSERT INTO moved (target, at) VALUES (${target}, ${at})`
    const refusing = sql.onDialectOrElse({
      sqlite: () =>
        tables.flatMap((table) =>
          verbs.map(
            (verb) => `
              CREATE TRIGGER "${table}_moved_no_${verb.toLowerCase()}" BEFORE ${verb} ON "${table}"
              BEGIN SELECT RAISE(ABORT, '${message}'); END`,
          ),
        ),
      orElse: () => [
        `CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION '${message}'; END $$`,
        ...tables.map(
          (table) => `
            CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "${table}"
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()`,
        ),
      ],
    })
    yield* Effect.forEach(refusing, (statement) => sql.unsafe(statement), { discard: true })
  })

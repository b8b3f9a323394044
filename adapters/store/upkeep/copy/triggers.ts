import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Table } from "./catalogue.ts"
import type { End } from "./End.ts"

const run = ({ sql, within }: End, statements: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  within(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))

/**
 * Suspends the triggers of the target, which would refuse copied rows or write others in addition, such as deliveries of
 * copied events. On PostgreSQL this needs the tables' owner, and foreign keys remain; SQLite's triggers are created again
 * from the texts that the store has. Nobody else sees the change, since it is the transaction's.
 *
 * @returns puts them back
 */
export const suspendTriggers = (
  target: End,
  tables: ReadonlyArray<Table>,
): Effect.Effect<Effect.Effect<void, SqlError>, SqlError> => {
  if (target.db === undefined) {
    const all = (verb: string) =>
      run(
        target,
        tables.map(({ name }) => `ALTER TABLE "${name}" ${verb} TRIGGER USER`),
      )
    return Effect.as(all("DISABLE"), all("ENABLE"))
  }
  return Effect.gen(function* () {
    const found = yield* target.within(
      target.sql.unsafe<{ name: string; text: string }>(
        "SELECT name, sql AS text FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
      ),
    )
    yield* run(
      target,
      found.map(({ name }) => `DROP TRIGGER "${name}"`),
    )
    return run(
      target,
      found.map(({ text }) => text),
    )
  })
}

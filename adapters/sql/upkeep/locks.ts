import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Step from "../../../core/Step.ts"
import type { Transactions } from "../engine/Transactions.ts"

/** Waits for the transaction that has the lock of a name; a transaction has it until its end. */
const take = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))"

/**
 * Lets the transactions of the same names run one after another on PostgreSQL, where no row stands for what they write.
 * Call it first in the transaction: what is read after it stays true. SQLite has one writer anyway.
 */
export const oneAtATime = (sql: SqlClient.SqlClient, ...names: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    sqlite: () => Effect.void,
    // In one order everywhere, so that no two transactions wait for each other.
    orElse: () =>
      Effect.forEach(
        [...new Set(names)].sort(),
        (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`,
        {
          discard: true,
        },
      ),
  })

/** The same as a step, for one name. */
export const lockStep = (
  { prepare, dialect }: Pick<Transactions["Type"], "prepare" | "dialect">,
  name: string,
): (() => Step.Step<void, SqlError>) => {
  if (dialect === "sqlite") return () => Exit.void
  const lock = prepare(take)
  return Step.fn(function* () {
    yield* lock.get(name)
  })
}

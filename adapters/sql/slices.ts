import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { breath } from "../../core/breath.ts"
import type { Failure } from "../../core/Failure.ts"
import { inTransaction } from "./storage.ts"

/** Rows of one transaction: a few milliseconds. Charges go in between. */
export const slice = 200

/** Rows in slices of that many, the last one shorter. */
export const slicesOf = <A>(rows: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / slice) }, (_, at) => rows.slice(at * slice, (at + 1) * slice))

/**
 * Writes many rows, a slice in each transaction, and lets others in between. Who reads meanwhile sees some of them written
 * and others not yet; what breaks off is to be written again from its beginning.
 */
export const inSlices = <A, E>(
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<A>,
  write: (some: ReadonlyArray<A>) => Effect.Effect<void, E>,
): Effect.Effect<void, Exclude<E, SqlError> | Failure> =>
  Effect.forEach(slicesOf(rows), (some) => Effect.zipLeft(inTransaction(sql, write(some)), breath), { discard: true })

/**
 * Deletes in slices until one is not full, and lets others in between.
 *
 * @param some deletes up to `size` rows and says how many
 * @returns how many in all
 */
export const deletedInSlices = <E, R>(size: number, some: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> => {
  const from = (done: number): Effect.Effect<number, E, R> =>
    Effect.flatMap(some, (count) =>
      count < size ? Effect.succeed(done + count) : Effect.zipRight(breath, from(done + count)),
    )
  return Effect.suspend(() => from(0))
}

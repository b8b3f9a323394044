import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { inTurns, yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { inTransaction, mapStorageErrors } from "./storage.ts"

/** Rows of one transaction, which takes a few milliseconds; charges run in between. */
export const rowsPerSlice = 200

/**
 * Writes many rows, one slice per transaction, and yields in between. Readers may see a part of the rows; after a failure
 * the caller has to write all of them again.
 */
export const writeInSlices = <A, E>(
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<A>,
  write: (some: ReadonlyArray<A>) => Effect.Effect<void, E>,
): Effect.Effect<void, Exclude<E, SqlError> | Failure> =>
  inTurns(Arr.chunksOf(rows, rowsPerSlice), (some) => inTransaction(sql, write(some)))

/**
 * Deletes in slices until one is not full, and yields in between.
 *
 * @param some deletes up to `size` rows and returns their number
 * @returns the total
 */
export const deleteInSlices = <E, R>(size: number, some: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    for (let deleted = 0; ; yield* yieldToEventLoop) {
      const count = yield* some
      deleted += count
      if (count < size) return deleted
    }
  })

/** Deletes in slices by a statement that returns a row for each one that it deletes. */
export const deleteRowsInSlices = (
  size: number,
  statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>,
): Effect.Effect<number, Failure> =>
  deleteInSlices(size, mapStorageErrors(Effect.map(statement, (rows) => rows.length)))

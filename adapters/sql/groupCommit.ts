import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { Failure } from "../../core/endpoint/Failure.ts"
import { Sqlite } from "./client.sqlite.ts"
import { isBusy, orUnavailable } from "./storage.ts"

/** A synchronous step on the bare connection. It decides before it writes: what it throws undoes it whole. */
interface Unit {
  readonly work: () => unknown
  readonly done: (result: Effect.Effect<never, unknown> | { readonly value: unknown }) => void
}

export interface GroupCommit {
  /** Runs a step in the next batch; answers when the batch has reached the disk. */
  readonly submit: <A>(work: () => A) => Effect.Effect<A, Failure>
  /** The same, without waiting: what goes wrong is given to `lost`. */
  readonly post: (work: () => void, lost: (error: unknown) => void) => void
}

/**
 * Charges that arrive together commit together: one transaction and one fsync for many. A batch begins at the end of
 * the event loop's turn, so a lone call waits for nobody; while one batch is on its way to the disk the next gathers.
 */
export const make: Effect.Effect<GroupCommit, never, Sqlite | Scope.Scope> = Effect.gen(function* () {
  const { db, alone, isFree } = yield* Sqlite
  const fork = Runtime.runFork(yield* Effect.runtime<never>())
  const begin = db.prepare("BEGIN IMMEDIATE")
  const commit = db.prepare("COMMIT")
  const rollback = db.prepare("ROLLBACK")
  let waiting: Array<Unit> = []
  let asked = false

  /** One transaction over all of them; throws with nothing written. */
  const together = (units: ReadonlyArray<Unit>): ReadonlyArray<unknown> => {
    begin.run()
    try {
      const values = units.map(({ work }) => work())
      commit.run()
      return values
    } catch (error) {
      if (db.inTransaction) rollback.run()
      throw error
    }
  }

  const settle = (units: ReadonlyArray<Unit>): Effect.Effect<void> =>
    Effect.matchEffect(
      alone(() => together(units)),
      {
        onSuccess: (values) =>
          Effect.sync(() => units.forEach(({ done }, index) => void done({ value: values[index] }))),
        onFailure: (error: SqlError) =>
          // One step that throws must not fail its neighbours: each gets a transaction of its own. A store that stayed
          // locked is all of theirs, and nobody is to wait for it once more.
          units.length === 1 || isBusy(error)
            ? Effect.sync(() => units.forEach(({ done }) => void done(Effect.fail(error))))
            : Effect.forEach(units, (unit) => settle([unit]), { discard: true }),
      },
    )

  const taken = (): ReadonlyArray<Unit> => {
    const units = waiting
    waiting = []
    asked = false
    return units
  }

  /** At once where nothing is in the way. A batch that throws has written nothing, and is settled the patient way. */
  const flush = (): void => {
    const units = taken()
    if (isFree()) {
      try {
        const values = together(units)
        units.forEach(({ done }, index) => void done({ value: values[index] }))
        return
      } catch {
        // Another process holds the lock, or one of the steps is bad: `settle` finds out which.
      }
    }
    fork(settle(units))
  }

  const enqueue = (unit: Unit): void => {
    waiting.push(unit)
    if (asked) return
    asked = true
    setImmediate(flush)
  }

  yield* Effect.addFinalizer(() => Effect.suspend(() => settle(taken())))

  return {
    submit: <A>(work: () => A) =>
      orUnavailable(
        Effect.async<A, SqlError>((resume) => {
          enqueue({
            work,
            done: (result) =>
              resume(
                "value" in result ? Effect.succeed(result.value as A) : (result as Effect.Effect<never, SqlError>),
              ),
          })
        }),
      ),
    post: (work, lost) =>
      enqueue({
        work,
        done: (result) => {
          if (!("value" in result)) fork(Effect.catchAll(result, (error) => Effect.sync(() => lost(error))))
        },
      }),
  }
})

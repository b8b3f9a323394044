import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { Failure } from "../../core/Failure.ts"
import { Sqlite } from "./client.sqlite.ts"
import { isPassing, orUnavailable } from "./storage.ts"

/** A synchronous step on the bare connection. It decides before it writes: what it throws undoes it whole. */
interface Unit {
  readonly work: () => unknown
  /** Nobody waits for it. */
  readonly posted: boolean
  readonly done: (result: Effect.Effect<never, unknown> | { readonly value: unknown }) => void
}

/** More of them would be a leak. */
const mostLater = 10_000

export interface GroupCommit {
  /** Runs a step in the next batch; answers when the batch has reached the disk. */
  readonly submit: <A>(work: () => A) => Effect.Effect<A, Failure>
  /** The same, without waiting, and again while the store is locked or full: what goes wrong is given to `lost`. */
  readonly post: (work: () => void, lost: (error: unknown) => void) => void
  /** Told when a batch was undone: what its steps remembered of what they wrote is not there. */
  readonly onUndone: (forget: () => void) => void
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
  /** Steps that nobody waits for and that the store did not take: they go with the next batch. */
  let later: Array<Unit> = []
  const forgetful: Array<() => void> = []
  let closing = false
  let asked = false
  /** A batch is waiting for another process; one at a time, for every try stops the event loop. */
  let patient = false

  /** One transaction over all of them; throws with nothing written. */
  const together = (units: ReadonlyArray<Unit>): ReadonlyArray<unknown> => {
    begin.run()
    try {
      const values = units.map(({ work }) => work())
      commit.run()
      return values
    } catch (error) {
      if (db.inTransaction) rollback.run()
      for (const forget of forgetful) forget()
      throw error
    }
  }

  const refuse = (units: ReadonlyArray<Unit>, error: SqlError): Effect.Effect<void> =>
    Effect.sync(() => {
      for (const unit of units) {
        if (unit.posted && isPassing(error) && !closing && later.length < mostLater) later.push(unit)
        else unit.done(Effect.fail(error))
      }
    })

  const settle = (units: ReadonlyArray<Unit>): Effect.Effect<void> =>
    Effect.matchEffect(
      alone(() => together(units)),
      {
        onSuccess: (values) =>
          Effect.sync(() => units.forEach(({ done }, index) => void done({ value: values[index] }))),
        onFailure: (error: SqlError) =>
          // A store that is locked or full is so for those too who have gathered meanwhile: nobody waits for it twice.
          isPassing(error)
            ? refuse([...units, ...taken()], error)
            : units.length === 1
              ? refuse(units, error)
              : // One step that throws must not fail its neighbours: each gets a transaction of its own.
                Effect.forEach(units, (unit) => settle([unit]), { discard: true }),
      },
    )

  const taken = (): ReadonlyArray<Unit> => {
    const units = later.concat(waiting)
    later = []
    waiting = []
    asked = false
    return units
  }

  /** At once where nothing is in the way. A batch that throws has written nothing, and is settled the patient way. */
  const flush = (): void => {
    const units = taken()
    // The last batch may have taken them along.
    if (units.length === 0) return
    if (isFree()) {
      try {
        const values = together(units)
        units.forEach(({ done }, index) => void done({ value: values[index] }))
        return
      } catch {
        // Another process holds the lock, or one of the steps is bad: `settle` finds out which.
      }
    }
    patient = true
    fork(
      Effect.ensuring(
        settle(units),
        Effect.sync(() => {
          patient = false
          if (waiting.length > 0) ask()
        }),
      ),
    )
  }

  const ask = (): void => {
    if (asked || patient) return
    asked = true
    setImmediate(flush)
  }

  const enqueue = (unit: Unit): void => {
    waiting.push(unit)
    ask()
  }

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      closing = true
      return settle(taken())
    }),
  )

  return {
    onUndone: (forget) => void forgetful.push(forget),
    submit: <A>(work: () => A) =>
      orUnavailable(
        Effect.async<A, SqlError>((resume) => {
          enqueue({
            work,
            posted: false,
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
        posted: true,
        done: (result) => {
          if (!("value" in result)) fork(Effect.catchAll(result, (error) => Effect.sync(() => lost(error))))
        },
      }),
  }
})

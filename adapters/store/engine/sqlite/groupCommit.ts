import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { Failure } from "../../../../core/Failure.ts"
import * as Step from "../../../../core/Step.ts"
import { Meter } from "../../../../core/telemetry/Meter.ts"
import { isTransient, mapStorageErrors } from "../storage.ts"
import { Sqlite } from "./client.ts"

/** A synchronous step on the bare connection. If it throws, its transaction is rolled back. */
interface Unit {
  readonly work: () => unknown
  /** No caller waits for it. */
  readonly posted: boolean
  readonly done: (result: Effect.Effect<never, unknown> | { readonly value: unknown }) => void
}

/** Maximum posted steps that wait for a locked or full store. */
const maxRetryQueue = 10_000

/** Calls around each batch. */
export interface Hooks {
  /** Before a batch is committed: writes the sums that its steps have gathered. */
  readonly beforeCommit: () => void
  /** After the batch is durable. */
  readonly onCommit: () => void
  /** After a batch was rolled back: clears the caches of its writes. */
  readonly onRollback: () => void
}

export interface GroupCommit {
  /** Runs a step in the next batch; done when the batch is durable. */
  readonly submit: <A>(work: () => A) => Step.Step<A, Failure>
  /** The same without waiting; retried while the store is locked or full. `lost` receives the final error. */
  readonly post: (work: () => void, lost: (error: unknown) => void) => void
  readonly addHooks: (hooks: Hooks) => void
}

/**
 * Group commit: charges that arrive together share one transaction and one fsync. A batch starts at the end of the event
 * loop's turn, so a single call does not wait for others.
 */
export const make: Effect.Effect<GroupCommit, never, Sqlite | Scope.Scope> = Effect.gen(function* () {
  const { db, exclusive, isFree } = yield* Sqlite
  const meter = yield* Meter
  const fork = Runtime.runFork(yield* Effect.runtime<never>())
  const begin = db.prepare("BEGIN IMMEDIATE")
  const commit = db.prepare("COMMIT")
  const rollback = db.prepare("ROLLBACK")
  let waiting: Array<Unit> = []
  /** Posted steps that failed because the store was locked or full; retried with the next batch. */
  let retryQueue: Array<Unit> = []
  const hooks: Array<Hooks> = []
  let isClosing = false
  let isFlushScheduled = false
  /** A batch is waiting for a transaction of the SQL client. Steps that arrive meanwhile form the next one. */
  let isWaiting = false

  /** Runs steps in one transaction. If it throws, nothing was written. */
  const commitTogether = (units: ReadonlyArray<Unit>): ReadonlyArray<unknown> => {
    const since = meter.now()
    begin.run()
    try {
      const values = units.map(({ work }) => work())
      for (const each of hooks) each.beforeCommit()
      commit.run()
      for (const each of hooks) each.onCommit()
      meter.committed(units.length, since, true)
      return values
    } catch (error) {
      meter.committed(units.length, since, false)
      for (const each of hooks) each.onRollback()
      if (db.inTransaction) rollback.run()
      throw error
    }
  }

  const rejectBatch = (units: ReadonlyArray<Unit>, error: SqlError): Effect.Effect<void> =>
    Effect.sync(() => {
      for (const unit of units) {
        if (unit.posted && isTransient(error) && !isClosing && retryQueue.length < maxRetryQueue) retryQueue.push(unit)
        else unit.done(Effect.fail(error))
      }
    })

  const commitBatch = (units: ReadonlyArray<Unit>): Effect.Effect<void> =>
    Effect.matchEffect(
      exclusive(() => commitTogether(units)),
      {
        onSuccess: (values) =>
          Effect.sync(() => units.forEach(({ done }, index) => void done({ value: values[index] }))),
        onFailure: (error: SqlError) =>
          isTransient(error) || units.length === 1
            ? rejectBatch(units, error)
            : // One step that throws must not fail the others: each is retried in its own transaction.
              Effect.forEach(units, (unit) => commitBatch([unit]), { discard: true }),
      },
    )

  const takeBatch = (): ReadonlyArray<Unit> => {
    const units = retryQueue.concat(waiting)
    retryQueue = []
    waiting = []
    isFlushScheduled = false
    return units
  }

  /** Commits at once if no transaction is open. A batch that throws has written nothing: `commitBatch` tries it again. */
  const flush = (): void => {
    const units = takeBatch()
    if (isFree()) {
      try {
        const values = commitTogether(units)
        units.forEach(({ done }, index) => void done({ value: values[index] }))
        return
      } catch {
        // The store is locked or full, or a step threw: `commitBatch` handles both.
      }
    }
    isWaiting = true
    fork(
      Effect.ensuring(
        commitBatch(units),
        Effect.sync(() => {
          isWaiting = false
          if (waiting.length > 0) scheduleFlush()
        }),
      ),
    )
  }

  const scheduleFlush = (): void => {
    if (isFlushScheduled || isWaiting) return
    isFlushScheduled = true
    setImmediate(flush)
  }

  const enqueue = (unit: Unit): void => {
    waiting.push(unit)
    scheduleFlush()
  }

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosing = true
      const last = takeBatch()
      return last.length === 0 ? Effect.void : commitBatch(last)
    }),
  )

  return {
    addHooks: (each) => void hooks.push(each),
    submit: <A>(work: () => A) =>
      new Step.Pending<A, Failure>((done) =>
        enqueue({
          work,
          posted: false,
          done: (result) =>
            done(
              "value" in result
                ? Exit.succeed(result.value as A)
                : mapStorageErrors(result as Effect.Effect<never, SqlError>),
            ),
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

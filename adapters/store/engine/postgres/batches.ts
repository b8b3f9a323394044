import { randomUUID } from "node:crypto"
import { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Failure } from "../../../../core/Failure.ts"
import * as Step from "../../../../core/Step.ts"
import { isLocked, isTransient, mapStorageErrors } from "../storage.ts"

/** Most items of a batch: one takes the store some 10 ms. */
const maxItems = 256

/** Batches under way at the same time; items that arrive meanwhile form the next one. */
const concurrentBatches = 2

/** Pause before a batch is sent again, milliseconds. */
const pauseMs = 50

/** Pause before another attempt to cancel a batch, for which nobody waits, milliseconds. */
const cancelPauseMs = 200

/** Extra wait for an answer, so that the statement's own failure is reported instead of this time-out, milliseconds. */
const graceMs = 500

/** The least time that a batch has, however long its items have waited, milliseconds. */
const minBatchMs = 1_000

/** How long after its arrival an item of a locked group is tried, milliseconds: its caller is answered within 3 s. */
const maxLockedMs = 2_300

/** Real time, even if a test has stopped the clock, since the wait is for the server. */
const clock = Clock.make()

interface Unit<Item, Result> {
  readonly item: Item
  readonly since: number
  readonly done: (result: Exit.Exit<Result, SqlError>) => void
}

/** Groups of items that share a lock, such as the calls of an account. */
export interface Locks<Item, Result> {
  readonly toGroup: (item: Item) => string
  /** Whether the item was refused because another transaction holds the lock of its group. */
  readonly isLocked: (result: Result) => boolean
}

export interface Options<Item, Result> {
  /** How long a batch without an answer is sent again, milliseconds; 5,000 by default. */
  readonly patienceMs?: number
  /**
   * Writes a batch in one transaction. Sent again with the same id, it returns the same results. With `skips`, items of
   * locked groups are refused; without, it waits for their locks for a short time and then fails as a whole.
   */
  readonly send: (
    id: string,
    items: ReadonlyArray<Item>,
    skips: boolean,
  ) => Effect.Effect<ReadonlyArray<Result>, SqlError>
  /** Cancels a batch whose answer was lost: it is never written, or what was written is given back. */
  readonly cancel: (id: string, items: ReadonlyArray<Item>) => Effect.Effect<unknown, SqlError>
  /** Absent: items have no locks of their own. */
  readonly locks?: Locks<Item, Result>
}

const timeoutError = (code: string, message: string): SqlError =>
  new SqlError({ cause: Object.assign(new Error(message), { code }), message })

/**
 * The group commit over a connection: items that arrive together share one round trip, one transaction and one fsync. A
 * batch whose answer is lost is sent again, with its id, for 5 s; then its items fail and the batch is cancelled, however
 * long that takes. Other batches are sent meanwhile, so that each fails in time while the store is away.
 *
 * A held lock delays only its own group: its items are set aside and tried separately, without waiting in the store, until they
 * are done or have waited too long. While a group is locked, its new items are set aside too.
 */
export const make = <Item, Result>({
  send,
  cancel,
  locks,
  patienceMs = 5_000,
}: Options<Item, Result>): Effect.Effect<(item: Item) => Step.Step<Result, Failure>, never, Scope> =>
  Effect.gen(function* () {
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    let waiting: Array<Unit<Item, Result>> = []
    let setAsideUnits: Array<Unit<Item, Result>> = []
    /** Groups whose lock was held when they were last tried. */
    const lockedGroups = new Set<string>()
    let isFlushScheduled = false
    let trying: Fiber.RuntimeFiber<void> | undefined
    let underWay = 0
    let onIdle: () => void = () => undefined
    const cancelling = new Set<Fiber.RuntimeFiber<unknown>>()

    const cancelLater = (id: string, items: ReadonlyArray<Item>): void => {
      const fiber = fork(
        cancel(id, items).pipe(
          Effect.retry({ while: isTransient, schedule: Schedule.spaced(cancelPauseMs) }),
          Effect.withClock(clock),
          Effect.catchAllCause((cause) => Effect.logError("A batch of charges could not be cancelled", cause)),
        ),
      )
      cancelling.add(fiber)
      fiber.addObserver(() => void cancelling.delete(fiber))
    }

    /** Limits the wait: a server that is gone may never answer. */
    const withTimeout = <A>(asked: Effect.Effect<A, SqlError>, duration: number) =>
      patienceMs === 0
        ? asked
        : Effect.timeoutFail(Effect.disconnect(asked), {
            duration,
            onTimeout: () => timeoutError("ETIMEDOUT", "No answer"),
          })

    const failUnits = (units: ReadonlyArray<Unit<Item, Result>>, error: SqlError): void => {
      for (const { done } of units) done(Exit.fail(error))
    }

    const setAside = (unit: Unit<Item, Result>): void => {
      lockedGroups.add(locks!.toGroup(unit.item))
      setAsideUnits.push(unit)
    }

    const answerUnit = (unit: Unit<Item, Result>, result: Result): void => {
      if (locks?.isLocked(result)) {
        setAside(unit)
        return
      }
      if (lockedGroups.size > 0) lockedGroups.delete(locks!.toGroup(unit.item))
      try {
        unit.done(Exit.succeed(result))
      } catch (defect) {
        // The rest of the batch is answered all the same.
        fork(Effect.logError("A call failed after its charge", defect))
      }
    }

    /** Handles a batch that met a held lock, so that nothing of it was done. */
    const handleLocked = (units: ReadonlyArray<Unit<Item, Result>>, skips: boolean): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!skips) return commit(units, true)
        const groups = Object.values(Arr.groupBy(units, ({ item }) => locks!.toGroup(item)))
        if (groups.length === 1) return Effect.sync(() => units.forEach(setAside))
        // The lock is not that of a group: each group is tried alone.
        return Effect.forEach(groups, (group) => commit(group, true), { discard: true })
      })

    /** Fails the items that have waited too long for a lock; returns the others. */
    const dropLate = (all: ReadonlyArray<Unit<Item, Result>>): ReadonlyArray<Unit<Item, Result>> => {
      const end = performance.now() - maxLockedMs
      const [units, late] = Arr.partition(all, ({ since }) => since < end)
      failUnits(late, timeoutError("55P03", "Another program holds a lock"))
      return units
    }

    const commit = (all: ReadonlyArray<Unit<Item, Result>>, skips = false): Effect.Effect<void> =>
      Effect.suspend(() => {
        const units = skips ? dropLate(all) : all
        if (units.length === 0) return Effect.void
        const id = randomUUID()
        const items = units.map(({ item }) => item)
        // An item may already have waited for another batch, and its time is counted from its arrival.
        const end = Math.min(...units.map(({ since }) => since)) + patienceMs
        const left = Math.max(Math.min(minBatchMs, patienceMs), end - performance.now())
        // A batch that may be under way in the store is only sent again with its own id.
        let isUnsure = false
        const isPlainlyLocked = (error: SqlError) => locks !== undefined && !isUnsure && isLocked(error)
        const tried = Effect.suspend(() => send(id, items, skips)).pipe(
          Effect.catchAllDefect((cause) => Effect.fail(new SqlError({ cause, message: "A batch failed" }))),
          Effect.mapError((error) => {
            isUnsure ||= !isLocked(error)
            return error
          }),
          Effect.retry({
            while: (error) => left > 0 && isTransient(error) && !isPlainlyLocked(error),
            schedule: Schedule.spaced(pauseMs).pipe(Schedule.upTo(left)),
          }),
        )
        return withTimeout(tried, left + graceMs).pipe(
          Effect.withClock(clock),
          Effect.matchEffect({
            onSuccess: (results) => Effect.sync(() => units.forEach((unit, at) => void answerUnit(unit, results[at]!))),
            onFailure: (error) => {
              if (isPlainlyLocked(error)) return handleLocked(units, skips)
              if (isTransient(error)) {
                return Effect.sync(() => {
                  failUnits(units, error)
                  cancelLater(id, items)
                })
              }
              // An item that the store refuses must not fail the others: each is sent alone.
              return units.length === 1
                ? Effect.sync(() => failUnits(units, error))
                : Effect.forEach(units, (unit) => commit([unit], skips), { discard: true })
            },
          }),
        )
      })

    /** Tries the items that were set aside until none is left. */
    const tryAside: Effect.Effect<void> = Effect.gen(function* () {
      for (let first = true; setAsideUnits.length > 0; first = false) {
        if (!first) yield* Effect.sleep(pauseMs)
        const units = setAsideUnits
        setAsideUnits = []
        for (const some of Arr.chunksOf(units, maxItems)) yield* commit(some, true)
      }
    }).pipe(Effect.withClock(clock))

    const begin = (units: ReadonlyArray<Unit<Item, Result>>): void => {
      underWay++
      fork(commit(units)).addObserver(() => {
        underWay--
        flush()
      })
    }

    const flush = (): void => {
      isFlushScheduled = false
      while (waiting.length > 0 && underWay < concurrentBatches) {
        const units = waiting.slice(0, maxItems)
        waiting = waiting.slice(maxItems)
        begin(units)
      }
      if (setAsideUnits.length > 0 && trying === undefined) {
        trying = fork(tryAside)
        trying.addObserver(() => {
          trying = undefined
          flush()
        })
      }
      if (underWay === 0 && trying === undefined) onIdle()
    }

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        yield* Effect.async<void>((resume) => {
          onIdle = () => resume(Effect.void)
          flush()
        })
        yield* Effect.forEach([...cancelling], Fiber.await, { discard: true })
      }),
    )

    return (item) =>
      new Step.Pending<Result, Failure>((done) => {
        const unit = {
          item,
          since: performance.now(),
          done: (result: Exit.Exit<Result, SqlError>) => done(mapStorageErrors(result)),
        }
        if (lockedGroups.size > 0 && lockedGroups.has(locks!.toGroup(item))) setAsideUnits.push(unit)
        else waiting.push(unit)
        if (isFlushScheduled) return
        isFlushScheduled = true
        setImmediate(flush)
      })
  })

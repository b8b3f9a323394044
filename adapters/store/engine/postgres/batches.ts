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

/** Batches under way at a time; what arrives meanwhile is the next one. */
const concurrentBatches = 2

/** Pause before a batch is asked again, milliseconds. */
const pauseMs = 50

/** The same before it is handed over to be cancelled again: nobody waits for that. */
const cancelPauseMs = 200

/** Extra wait for an answer, so that the failure of the statement is reported and not this limit. */
const graceMs = 500

/** The least time that a batch has, whatever its items have waited. */
const leastMs = 1_000

/** How long an item of a locked group is tried again from its arrival, milliseconds: its caller has an answer within 3 s. */
const lockedMs = 2_300

/** Real time, even if a test has stopped the clock, since the wait is for the server. */
const clock = Clock.make()

interface Unit<Item, Result> {
  readonly item: Item
  readonly since: number
  readonly done: (result: Exit.Exit<Result, SqlError>) => void
}

/** Groups of items that share a lock, such as the calls of an account. */
export interface Locks<Item, Result> {
  readonly groupOf: (item: Item) => string
  /** The item was refused because somebody else holds the lock of its group. */
  readonly isLocked: (result: Result) => boolean
}

export interface Options<Item, Result> {
  /** How long a batch without an answer is asked again, milliseconds; 5,000 by default. */
  readonly patienceMs?: number
  /**
   * Writes a batch in one transaction. Asked again with the same id, it returns what it returned before. With
   * `skips`, items of locked groups are refused; without, it waits for them a little and then fails as a whole.
   */
  readonly send: (
    id: string,
    items: ReadonlyArray<Item>,
    skips: boolean,
  ) => Effect.Effect<ReadonlyArray<Result>, SqlError>
  /** Sees to it that a batch whose answer was lost is never written, and that what was written is given back. */
  readonly cancel: (id: string, items: ReadonlyArray<Item>) => Effect.Effect<unknown, SqlError>
  /** Absent: items have no locks of their own. */
  readonly locks?: Locks<Item, Result>
}

const timedOut = (code: string, message: string): SqlError =>
  new SqlError({ cause: Object.assign(new Error(message), { code }), message })

/**
 * The group commit over a connection: items that arrive together share one round trip, one transaction and one fsync. A
 * batch whose answer is lost is asked again, with its id, for 5 s; then its items fail and the batch is cancelled, however
 * long that takes. Meanwhile others are sent, so that each fails in time while the store is away.
 *
 * A lock that somebody else holds delays its own group alone: such items are set aside and tried apart, without waiting in
 * the store, until they are done or have waited too long. While a group is locked its new items go there directly.
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
    let aside: Array<Unit<Item, Result>> = []
    /** Groups whose lock somebody else held when they were last tried. */
    const held = new Set<string>()
    let asked = false
    let trying: Fiber.RuntimeFiber<void> | undefined
    let underWay = 0
    let onQuiet: () => void = () => undefined
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

    /** A server that is gone may never answer. */
    const inTime = <A>(asked: Effect.Effect<A, SqlError>, duration: number) =>
      patienceMs === 0
        ? asked
        : Effect.timeoutFail(Effect.disconnect(asked), {
            duration,
            onTimeout: () => timedOut("ETIMEDOUT", "No answer"),
          })

    const failed = (units: ReadonlyArray<Unit<Item, Result>>, error: SqlError): void => {
      for (const { done } of units) done(Exit.fail(error))
    }

    const setAside = (unit: Unit<Item, Result>): void => {
      held.add(locks!.groupOf(unit.item))
      aside.push(unit)
    }

    const answered = (unit: Unit<Item, Result>, result: Result): void => {
      if (locks?.isLocked(result)) {
        setAside(unit)
        return
      }
      if (held.size > 0) held.delete(locks!.groupOf(unit.item))
      try {
        unit.done(Exit.succeed(result))
      } catch (defect) {
        // The others of the batch have their answers all the same.
        fork(Effect.logError("A call failed after its charge", defect))
      }
    }

    /** A lock was in the way, and nothing of the batch was done. */
    const apart = (units: ReadonlyArray<Unit<Item, Result>>, skips: boolean): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!skips) return commit(units, true)
        const groups = Object.values(Arr.groupBy(units, ({ item }) => locks!.groupOf(item)))
        if (groups.length === 1) return Effect.sync(() => units.forEach(setAside))
        // Another lock than that of a group: each is tried alone.
        return Effect.forEach(groups, (group) => commit(group, true), { discard: true })
      })

    /** Fails those that have waited too long for a lock; returns the others. */
    const inPatience = (all: ReadonlyArray<Unit<Item, Result>>): ReadonlyArray<Unit<Item, Result>> => {
      const end = performance.now() - lockedMs
      const [units, late] = Arr.partition(all, ({ since }) => since < end)
      failed(late, timedOut("55P03", "Another program holds a lock"))
      return units
    }

    const commit = (all: ReadonlyArray<Unit<Item, Result>>, skips = false): Effect.Effect<void> =>
      Effect.suspend(() => {
        const units = skips ? inPatience(all) : all
        if (units.length === 0) return Effect.void
        const id = randomUUID()
        const items = units.map(({ item }) => item)
        // An item may have waited for another batch: its caller waits for all together.
        const end = Math.min(...units.map(({ since }) => since)) + patienceMs
        const left = Math.max(Math.min(leastMs, patienceMs), end - performance.now())
        // A batch that may be under way in the store is asked again under its id alone.
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
        return inTime(tried, left + graceMs).pipe(
          Effect.withClock(clock),
          Effect.matchEffect({
            onSuccess: (results) => Effect.sync(() => units.forEach((unit, at) => void answered(unit, results[at]!))),
            onFailure: (error) => {
              if (isPlainlyLocked(error)) return apart(units, skips)
              if (isTransient(error)) {
                return Effect.sync(() => {
                  failed(units, error)
                  cancelLater(id, items)
                })
              }
              // An item that the store refuses must not fail the others: each is sent alone.
              return units.length === 1
                ? Effect.sync(() => failed(units, error))
                : Effect.forEach(units, (unit) => commit([unit], skips), { discard: true })
            },
          }),
        )
      })

    /** Tries what was set aside until nothing is. */
    const tryAside: Effect.Effect<void> = Effect.gen(function* () {
      for (let first = true; aside.length > 0; first = false) {
        if (!first) yield* Effect.sleep(pauseMs)
        const units = aside
        aside = []
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
      asked = false
      while (waiting.length > 0 && underWay < concurrentBatches) {
        const units = waiting.slice(0, maxItems)
        waiting = waiting.slice(maxItems)
        begin(units)
      }
      if (aside.length > 0 && trying === undefined) {
        trying = fork(tryAside)
        trying.addObserver(() => {
          trying = undefined
          flush()
        })
      }
      if (underWay === 0 && trying === undefined) onQuiet()
    }

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        yield* Effect.async<void>((resume) => {
          onQuiet = () => resume(Effect.void)
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
        if (held.size > 0 && held.has(locks!.groupOf(item))) aside.push(unit)
        else waiting.push(unit)
        if (asked) return
        asked = true
        setImmediate(flush)
      })
  })

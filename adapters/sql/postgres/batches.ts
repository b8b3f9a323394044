import { randomUUID } from "node:crypto"
import { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Failure } from "../../../core/Failure.ts"
import * as Step from "../../../core/Step.ts"
import { isTransient, mapStorageErrors } from "../storage.ts"

/** Most items of a batch: one takes the store some 10 ms. */
const most = 256

/** Batches under way at a time; what arrives meanwhile is the next one. */
const atOnce = 2

/** Pause before a batch is asked again, milliseconds. */
const pauseMs = 50

/** The same before it is cancelled again: nobody waits for that. */
const cancelPauseMs = 200

/** Extra wait for an answer, so that the failure of the statement is reported and not this limit. */
const graceMs = 500

/** Real time, even if a test has stopped the clock, since the wait is for the server. */
const clock = Clock.make()

interface Unit<Item, Result> {
  readonly item: Item
  readonly done: (result: Exit.Exit<Result, SqlError>) => void
}

export interface Options<Item, Result> {
  /** How long a batch without an answer is asked again, milliseconds; 5,000 by default. */
  readonly patienceMs?: number
  /** Writes a batch in one transaction. Asked again with the same id, it returns what it returned before. */
  readonly send: (id: string, items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result>, SqlError>
  /** Ends a batch whose answer was lost: it can then never be settled, and what was settled is given back. */
  readonly cancel: (id: string, items: ReadonlyArray<Item>) => Effect.Effect<void, SqlError>
}

/**
 * The group commit over a connection: items that arrive together share one round trip, one transaction and one fsync. A
 * batch whose answer is lost is asked again, with its id, for 5 s; then its items fail and the batch is cancelled, however
 * long that takes. Meanwhile others are sent, so that each fails in time while the store is away.
 */
export const make = <Item, Result>({
  send,
  cancel,
  patienceMs = 5_000,
}: Options<Item, Result>): Effect.Effect<(item: Item) => Step.Step<Result, Failure>, never, Scope> =>
  Effect.gen(function* () {
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    let waiting: Array<Unit<Item, Result>> = []
    let asked = false
    const underWay = new Set<Fiber.RuntimeFiber<void>>()
    const cancelling = new Set<Fiber.RuntimeFiber<void>>()
    const oneAtATime = (yield* Effect.makeSemaphore(1)).withPermits(1)

    const cancelLater = (id: string, items: ReadonlyArray<Item>): void => {
      const fiber = fork(
        cancel(id, items).pipe(
          Effect.retry({ while: isTransient, schedule: Schedule.spaced(cancelPauseMs) }),
          Effect.withClock(clock),
          Effect.catchAllCause((cause) => Effect.logError("A batch of charges could not be cancelled", cause)),
          oneAtATime,
        ),
      )
      cancelling.add(fiber)
      fiber.addObserver(() => void cancelling.delete(fiber))
    }

    /** A server that is gone may never answer. */
    const inTime =
      patienceMs === 0
        ? <A>(asked: Effect.Effect<A, SqlError>) => asked
        : <A>(asked: Effect.Effect<A, SqlError>) =>
            Effect.timeoutFail(Effect.disconnect(asked), {
              duration: patienceMs + graceMs,
              onTimeout: () =>
                new SqlError({
                  cause: Object.assign(new Error("No answer"), { code: "ETIMEDOUT" }),
                  message: "No answer",
                }),
            })

    const failed = (units: ReadonlyArray<Unit<Item, Result>>, error: SqlError): void => {
      for (const { done } of units) done(Exit.fail(error))
    }

    const commit = (units: ReadonlyArray<Unit<Item, Result>>): Effect.Effect<void> =>
      Effect.suspend(() => {
        const id = randomUUID()
        const items = units.map(({ item }) => item)
        return send(id, items).pipe(
          Effect.retry({
            while: isTransient,
            schedule: Schedule.spaced(pauseMs).pipe(Schedule.upTo(patienceMs)),
          }),
          inTime,
          Effect.withClock(clock),
          Effect.matchEffect({
            onSuccess: (results) =>
              Effect.sync(() => units.forEach(({ done }, at) => void done(Exit.succeed(results[at]!)))),
            onFailure: (error) => {
              if (isTransient(error)) {
                return Effect.sync(() => {
                  failed(units, error)
                  cancelLater(id, items)
                })
              }
              // An item that the store refuses must not fail the others: each is sent alone.
              return units.length === 1
                ? Effect.sync(() => failed(units, error))
                : Effect.forEach(units, (unit) => commit([unit]), { discard: true })
            },
          }),
          Effect.catchAllDefect((defect) =>
            Effect.sync(() => failed(units, new SqlError({ cause: defect, message: "A batch failed" }))),
          ),
        )
      })

    const flush = (): void => {
      asked = false
      while (waiting.length > 0 && underWay.size < atOnce) {
        const units = waiting.slice(0, most)
        waiting = waiting.slice(most)
        const fiber = fork(commit(units))
        underWay.add(fiber)
        fiber.addObserver(() => {
          underWay.delete(fiber)
          flush()
        })
      }
    }

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        while (waiting.length > 0 || underWay.size > 0) {
          flush()
          yield* Effect.forEach([...underWay], Fiber.await, { discard: true })
        }
        yield* Effect.forEach([...cancelling], Fiber.await, { discard: true })
      }),
    )

    return (item) =>
      new Step.Pending<Result, Failure>((done) => {
        waiting.push({ item, done: (result) => done(mapStorageErrors(result)) })
        if (asked) return
        asked = true
        setImmediate(flush)
      })
  })

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Failure } from "../../../core/Failure.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { Sqlite } from "../engine/sqlite/client.ts"
import { mapStorageErrors } from "../engine/storage.ts"
import { chargesIn } from "./charge.ts"

/** What others than the ledger ask, on either engine: PostgreSQL writes all with the charge. */
export interface Folds {
  /** Charges of an account that its wallet does not have; in the transaction that reads the wallet. */
  readonly charges: (accountId: string) => number
  /** Folds all rows of an account, so that its tables are exact up to this moment. */
  readonly flush: (accountId: string) => Effect.Effect<void, Failure>
  /** The same for all accounts, and for stored replies. */
  readonly all: Effect.Effect<void, Failure>
}

const none: Folds = { charges: () => 0, flush: () => Effect.void, all: Effect.void }

/** Folds in slices, between which batches are committed. */
const foldsIn = ({ db, exclusive }: Sqlite["Type"]) => {
  const { charges, folding, foldingReplies, takeLong } = chargesIn(db)
  const slices = (next: () => boolean): Effect.Effect<void, Failure> =>
    Effect.flatMap(mapStorageErrors(exclusive(next)), (hasMore) =>
      hasMore ? Effect.zipRight(yieldToEventLoop, slices(next)) : Effect.void,
    )
  const fold = (accountIds?: ReadonlyArray<string>) => Effect.suspend(() => slices(folding(accountIds)))
  return {
    charges,
    flush: (accountId: string) => fold([accountId]),
    all: Effect.zipRight(
      fold(),
      Effect.suspend(() => slices(foldingReplies())),
    ),
    long: Effect.suspend(() => fold(takeLong())),
  }
}

/** Of the store of the context. */
export const folds: Effect.Effect<Folds> = Effect.map(Effect.serviceOption(Sqlite), (sqlite) =>
  Option.match(sqlite, { onNone: () => none, onSome: foldsIn }),
)

/**
 * Rows from which on all are folded; a start reads them in some tenths of a second. Tests fold at once (0), or never
 * (infinity).
 */
export class FoldRows extends Context.Reference<FoldRows>()("market-signals/adapters/store/FoldRows", {
  defaultValue: (): number => 150_000,
}) {}

/** Time between two folds of few rows, and after one that failed, such as on a full disk; milliseconds. */
const foldMs = 300_000
const failedMs = 10_000

/** Real time, even if a test has stopped the clock. */
const clock = Clock.make()

/**
 * Folds when there are many rows, every five minutes, and at the end of the scope; and the rows of an account that has many.
 *
 * @returns to be called after each batch
 */
export const keepFolded = (sqlite: Sqlite["Type"]): Effect.Effect<() => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { size, hasLong, foldAll } = chargesIn(sqlite.db)
    const foldRows = yield* FoldRows
    if (foldRows === 0) {
      foldAll()
      return foldAll
    }
    if (foldRows === Number.POSITIVE_INFINITY) return () => undefined
    const { all, long } = foldsIn(sqlite)
    const signals = yield* Queue.sliding<void>(1)
    // Rows that are left stay here, and are exact all the same.
    const logged = (fold: Effect.Effect<void, Failure>) =>
      Effect.map(
        Effect.exit(Effect.tapErrorCause(fold, (cause) => Effect.logError("Charges are not folded", cause))),
        Exit.isSuccess,
      )
    yield* Effect.addFinalizer(() => logged(all))
    yield* Effect.timeoutOption(Queue.take(signals), foldMs).pipe(
      Effect.flatMap((signal) => logged(Option.isNone(signal) || size() >= foldRows ? all : long)),
      Effect.flatMap((isFolded) => (isFolded ? Effect.void : Effect.sleep(failedMs))),
      Effect.forever,
      Effect.withClock(clock),
      Effect.interruptible,
      Effect.forkScoped,
    )
    return () => {
      if (size() >= foldRows || hasLong()) Queue.unsafeOffer(signals, undefined)
    }
  })

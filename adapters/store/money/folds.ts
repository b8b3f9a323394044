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
import { getCharges } from "./charge.ts"

/** Folding for users other than the ledger. On PostgreSQL there is nothing to fold: all is written with the charge. */
export interface Folds {
  /** The unfolded charges of an account. Call it in the transaction that reads the wallet. */
  readonly charges: (accountId: string) => number
  /** Folds all rows of an account, so that its tables are exact up to this moment. */
  readonly flush: (accountId: string) => Effect.Effect<void, Failure>
  /** Folds the rows of all accounts, and stored replies. */
  readonly all: Effect.Effect<void, Failure>
}

const none: Folds = { charges: () => 0, flush: () => Effect.void, all: Effect.void }

/** Folds in slices, between which batches are committed. */
const makeFolds = ({ db, exclusive }: Sqlite["Type"]) => {
  const { charges, folding, foldingReplies, takeLong } = getCharges(db)
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

/** The folds of the store in the context. */
export const folds: Effect.Effect<Folds> = Effect.map(Effect.serviceOption(Sqlite), (sqlite) =>
  Option.match(sqlite, { onNone: () => none, onSome: makeFolds }),
)

/**
 * The number of rows at which all are folded; a start reads as many in some tenths of a second. Tests fold at once (0), or
 * never (infinity).
 */
export class FoldRows extends Context.Reference<FoldRows>()("market-signals/adapters/store/FoldRows", {
  defaultValue: (): number => 150_000,
}) {}

/** Pause between two folds of few rows, and after one that failed, such as on a full disk; milliseconds. */
const foldMs = 300_000
const retryMs = 10_000

/** Real time, even if a test has stopped the clock. */
const clock = Clock.make()

/**
 * Folds all rows when there are many, every five minutes and at the end of the scope; and those of an account that has many.
 *
 * @returns to be called after each batch
 */
export const startFolding = (sqlite: Sqlite["Type"]): Effect.Effect<() => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { size, hasLong, foldAll } = getCharges(sqlite.db)
    const foldRows = yield* FoldRows
    if (foldRows === 0) {
      foldAll()
      return foldAll
    }
    if (foldRows === Number.POSITIVE_INFINITY) return () => undefined
    const { all, long } = makeFolds(sqlite)
    const signals = yield* Queue.sliding<void>(1)
    // After a failure the rows stay in memory, so that sums stay exact.
    const logFailure = (fold: Effect.Effect<void, Failure>) =>
      Effect.map(
        Effect.exit(Effect.tapErrorCause(fold, (cause) => Effect.logError("Charges are not folded", cause))),
        Exit.isSuccess,
      )
    yield* Effect.addFinalizer(() => logFailure(all))
    yield* Effect.timeoutOption(Queue.take(signals), foldMs).pipe(
      Effect.flatMap((signal) => logFailure(Option.isNone(signal) || size() >= foldRows ? all : long)),
      Effect.flatMap((isFolded) => (isFolded ? Effect.void : Effect.sleep(retryMs))),
      Effect.forever,
      Effect.withClock(clock),
      Effect.interruptible,
      Effect.forkScoped,
    )
    return () => {
      if (size() >= foldRows || hasLong()) Queue.unsafeOffer(signals, undefined)
    }
  })

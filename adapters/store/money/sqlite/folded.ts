import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Failure } from "../../../../core/Failure.ts"
import type * as Step from "../../../../core/Step.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { Sqlite } from "../../engine/sqlite/client.ts"
import { mapStorageErrors } from "../../engine/storage.ts"
import { valueOrThrow } from "../../engine/Transactions.ts"
import { makeTail } from "./Tail.ts"
import type { Ends } from "./tailRows.ts"

/**
 * Rows of the tail from which on it is folded; a start reads it in some tenths of a second. 0: with each batch; tests
 * fold never.
 */
export class FoldRows extends Context.Reference<FoldRows>()("market-signals/adapters/store/FoldRows", {
  defaultValue: (): number => 150_000,
}) {}

/** Exact reads over tables that are folded. */
export interface Folded {
  /** Charges of an account that its wallet does not have yet; in the transaction that reads the wallet. */
  readonly charges: (accountId: string) => number
  /** Whether an account has rows in the tail. */
  readonly isUsed: (accountId: string) => boolean
  /** The last use of a key whose rows are in the tail, or were; epoch milliseconds. */
  readonly lastUsed: (keyId: string) => number | undefined
  /** Folds all rows of an account, so that its tables are exact up to this moment. */
  readonly account: (accountId: string) => Effect.Effect<void, Failure>
  /** The same for all accounts; returns the number of rows. */
  readonly all: Effect.Effect<number, Failure>
  /** The same for accounts with many rows. */
  readonly long: Effect.Effect<void, Failure>
  /** A month was dropped: its rows are read anew if it begins again. */
  readonly dropped: Effect.Effect<void>
  /** Reads of rows with their folds; undefined where all is written with the charge. */
  readonly rows:
    | {
        /** Reads tables and tail as they are at one moment. */
        readonly read: <A>(work: () => Step.Step<A, SqlError>) => Effect.Effect<A, Failure>
        /** Rows of an account up to this one are folded, and those after it are not. */
        readonly place: (accountId: string, month: string) => number
        /** Changes with each fold of the account. */
        readonly version: (accountId: string) => string
      }
    | undefined
}

const nothing: Folded = {
  charges: () => 0,
  isUsed: () => false,
  lastUsed: () => undefined,
  account: () => Effect.void,
  all: Effect.succeed(0),
  long: Effect.void,
  dropped: Effect.void,
  rows: undefined,
}

const makeFolded = ({ db, exclusive }: Sqlite["Type"]): Folded => {
  const tail = makeTail(db)
  const write = <A>(work: () => A) => mapStorageErrors(exclusive(() => tail.writing(work)))
  const fresh = mapStorageErrors(exclusive(tail.refresh))
  const refreshed =
    <A>(read: (id: string) => A) =>
    (id: string): A => {
      tail.refresh()
      return read(id)
    }
  const each = (ids: ReadonlyArray<string>, ends: Ends, from = 0): Effect.Effect<void, Failure> =>
    from === ids.length
      ? Effect.void
      : Effect.flatMap(
          write(() => tail.foldFrom(ids, from, ends)),
          (at) => Effect.zipRight(at === ids.length ? Effect.void : yieldToEventLoop, each(ids, ends, at)),
        )
  const replies = Effect.suspend(() => {
    const next = tail.foldingReplies()
    const slices: Effect.Effect<void, Failure> = Effect.flatMap(write(next), (hasMore) =>
      hasMore ? Effect.zipRight(yieldToEventLoop, slices) : Effect.void,
    )
    return slices
  })
  return {
    charges: refreshed(tail.charges),
    isUsed: refreshed(tail.has),
    lastUsed: refreshed(tail.lastUsed),
    account: (accountId) =>
      Effect.zipRight(
        fresh,
        Effect.suspend(() => (tail.has(accountId) ? each([accountId], tail.ends()) : Effect.void)),
      ),
    long: Effect.zipRight(
      fresh,
      Effect.suspend(() => each([...tail.takeLong()].sort(), tail.ends())),
    ),
    dropped: Effect.sync(tail.forget),
    all: Effect.zipRight(
      fresh,
      Effect.suspend(() => {
        const [ends, rows] = [tail.ends(), tail.rowCount()]
        return each(tail.accountIds(), ends).pipe(
          Effect.zipRight(write(() => tail.finish(ends))),
          Effect.zipRight(replies),
          Effect.as(rows),
        )
      }),
    ),
    rows: {
      read: (work) => mapStorageErrors(exclusive(() => tail.consistent(() => valueOrThrow(work())))),
      place: tail.place,
      version: tail.version,
    },
  }
}

/** Of the store of the context; PostgreSQL writes all with the charge. */
export const folded: Effect.Effect<Folded> = Effect.map(Effect.serviceOption(Sqlite), (sqlite) =>
  Option.match(sqlite, { onNone: () => nothing, onSome: makeFolded }),
)

/** Time between two folds of a short tail, and after one that failed, such as on a full disk; milliseconds. */
const foldMs = 300_000
const failedMs = 10_000

/** Real time, even if a test has stopped the clock. */
const clock = Clock.make()

/**
 * Folds the tail when it is long, every five minutes, and at the end of the scope; and the rows of an account that has many.
 *
 * @param isLong whether all is to be folded
 * @returns to be called when the tail, or that of an account, is long
 */
export const folding = ({ all, long }: Folded, isLong: () => boolean): Effect.Effect<() => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked = yield* Queue.sliding<void>(1)
    // Rows that are left stay in the tail, and are exact all the same.
    const logged = (fold: Effect.Effect<unknown, Failure>) =>
      Effect.isSuccess(
        Effect.tapErrorCause(fold, (cause) => Effect.logError("The tail of the ledger is not folded", cause)),
      )
    yield* Effect.addFinalizer(() => logged(all))
    yield* Effect.timeoutOption(Queue.take(asked), foldMs).pipe(
      Effect.flatMap((signal) => logged(Option.isNone(signal) || isLong() ? all : long)),
      Effect.flatMap((isFolded) => (isFolded ? Effect.void : Effect.sleep(failedMs))),
      Effect.forever,
      Effect.withClock(clock),
      Effect.interruptible,
      Effect.forkScoped,
    )
    return () => void Queue.unsafeOffer(asked, undefined)
  })

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import type { Scope } from "effect/Scope"
import type { Failure } from "../../../../core/Failure.ts"
import type { Read } from "./reading.ts"
import { diffValues } from "./values.ts"

/** Somebody who watches an account. */
export interface Watcher {
  /** Gets a JSON object: all values at first, later those that have changed. */
  readonly changed: (values: string) => void
  /** Nothing more comes: the store did not answer, or the server stops. */
  readonly failed: () => void
}

/** An account that is watched. */
interface Watched {
  readonly watchers: Set<Watcher>
  /** Undefined: not read yet. */
  values: ReadonlyMap<string, string> | undefined
}

/** Time from one reading to the next, milliseconds. */
export const everyMs = 1_000

/** The pause after a reading is so many times as long as the reading, so that a busy store is asked less often. */
const restFactor = 10

/** Longest pause, milliseconds: one slow reading does not silence a page. */
const mostRestMs = 5_000

const none: ReadonlyMap<string, string> = new Map()

/**
 * Reads each watched account once a second, however many watch it, and no account that nobody watches.
 *
 * @param readOf the reading of an account
 * @returns begins to watch; what it returns ends that
 */
export const make = (
  readOf: (accountId: string) => Read,
): Effect.Effect<(accountId: string, watcher: Watcher) => () => void, never, Scope> =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.runtime(yield* FiberSet.make<never, Failure>())<never>()
    // One reading at a time, however many accounts are watched.
    const turn = yield* Effect.makeSemaphore(1)
    const all = new Map<string, Watched & { readonly fiber: Fiber.RuntimeFiber<never, Failure> }>()

    /** Reads until it is interrupted, which it is between two readings. */
    const following = (accountId: string, watched: Watched): Effect.Effect<never, Failure> => {
      const read = turn.withPermits(1)(Effect.uninterruptible(readOf(accountId)))
      const once = Effect.gen(function* () {
        const begun = yield* Clock.currentTimeMillis
        const values = yield* read
        const changes = diffValues(watched.values ?? none, values)
        watched.values = values
        if (changes !== undefined) for (const { changed } of watched.watchers) changed(changes)
        const taken = (yield* Clock.currentTimeMillis) - begun
        yield* Effect.sleep(Math.max(everyMs - taken, Math.min(restFactor * taken, mostRestMs)))
      })
      // Not in this turn of the loop: the first watcher is told of it before anything happens.
      return Effect.zipRight(Effect.yieldNow(), Effect.forever(once)).pipe(
        Effect.tapErrorCause((cause) => Effect.logWarning(`The values of ${accountId} were not read`, cause)),
      )
    }

    const begin = (accountId: string) => {
      const watched: Watched = { watchers: new Set(), values: undefined }
      const fiber = fork(following(accountId, watched))
      const begun = Object.assign(watched, { fiber })
      all.set(accountId, begun)
      fiber.addObserver(() => {
        if (all.get(accountId) === begun) all.delete(accountId)
        for (const { failed } of watched.watchers) failed()
      })
      return begun
    }

    return (accountId, watcher) => {
      const watched = all.get(accountId) ?? begin(accountId)
      const { watchers, values, fiber } = watched
      watchers.add(watcher)
      if (values !== undefined) watcher.changed(diffValues(none, values) ?? "{}")
      return () => {
        watchers.delete(watcher)
        if (watchers.size > 0 || all.get(accountId) !== watched) return
        all.delete(accountId)
        fiber.unsafeInterruptAsFork(FiberId.none)
      }
    }
  })

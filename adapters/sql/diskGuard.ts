import * as fs from "node:fs/promises"
import { dirname } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"

/** What there is on the store's volume. */
export interface State {
  /** Below the reserve: what costs nothing writes nothing, so that what was paid for still can. */
  readonly low: boolean
  /** Absent where nobody can tell, as for a store in memory. */
  readonly freeBytes?: number
  readonly totalBytes?: number
}

/** How much room the store has left. */
export class DiskSpace extends Context.Tag("adapters/sql/DiskSpace")<
  DiskSpace,
  {
    /** What was seen last. Looks again when that is older than a second; nobody waits for it. */
    readonly isLow: () => boolean
    /** The same, no older than a second. */
    readonly state: Effect.Effect<State>
  }
>() {}

type Statfs = (path: string) => Promise<{ readonly bavail: number; readonly bsize: number; readonly blocks: number }>

export interface Options {
  /** Free bytes that are left to paid calls, journal and record; 0: no guard. */
  readonly reserveBytes: number
  /** For tests. */
  readonly statfs?: Statfs
}

const staleMs = 1_000
const unknown: State = { low: false }

/** The guard of the volume on which a store lies. */
export const layer = (filename: string, { reserveBytes, statfs = fs.statfs }: Options): Layer.Layer<DiskSpace> =>
  filename === ":memory:" || reserveBytes === 0
    ? Layer.succeed(DiskSpace, { isLow: () => false, state: Effect.succeed(unknown) })
    : Layer.effect(
        DiskSpace,
        Effect.gen(function* () {
          const clock = yield* Effect.clock
          const fork = Runtime.runFork(yield* Effect.runtime<never>())
          let seen = unknown
          let seenAt = Number.NEGATIVE_INFINITY
          let isTold = false

          const tell = (before: State): Effect.Effect<void> =>
            before.low === seen.low
              ? Effect.void
              : (seen.low
                  ? Effect.logWarning("The disk is nearly full: calls that cost nothing are counted, not kept")
                  : Effect.logInfo("The disk has room again")
                ).pipe(
                  Effect.annotateLogs({
                    free_bytes: seen.freeBytes,
                    total_bytes: seen.totalBytes,
                    reserve_bytes: reserveBytes,
                  }),
                )

          const look = Effect.suspend(() => {
            const before = seen
            seenAt = clock.unsafeCurrentTimeMillis()
            return Effect.matchEffect(
              Effect.tryPromise(() => statfs(dirname(filename))),
              {
                onFailure: (error) => {
                  const first = !isTold
                  isTold = true
                  return first
                    ? Effect.logWarning("The room on the store's disk is not known", error.cause)
                    : Effect.void
                },
                onSuccess: ({ bavail, bsize, blocks }) => {
                  const freeBytes = bavail * bsize
                  // A quarter more before it is over, or it would come and go with every checkpoint.
                  const low = freeBytes < (before.low ? reserveBytes * 1.25 : reserveBytes)
                  seen = { low, freeBytes, totalBytes: blocks * bsize }
                  return tell(before)
                },
              },
            )
          })

          const isStale = (): boolean => Math.abs(clock.unsafeCurrentTimeMillis() - seenAt) >= staleMs
          yield* look
          return {
            isLow: () => {
              if (isStale()) fork(look)
              return seen.low
            },
            state: Effect.suspend(() => Effect.map(isStale() ? look : Effect.void, () => seen)),
          }
        }),
      )

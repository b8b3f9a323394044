import * as fs from "node:fs/promises"
import { dirname } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"

export interface State {
  /** Below the reserve: free calls write nothing, so that paid calls still can. */
  readonly low: boolean
  /** Absent if unknown, as for a store in memory or on a server. Also known without a guard. */
  readonly freeBytes?: number
  readonly totalBytes?: number
}

export class DiskSpace extends Context.Tag("market-signals/adapters/store/DiskSpace")<
  DiskSpace,
  {
    /** The last known state. If it is older than 1 s, it is refreshed in the background. */
    readonly isLow: () => boolean
    /** The state, at most 1 s old. */
    readonly state: Effect.Effect<State>
  }
>() {
  /**
   * Never low: a store in memory has no disk, and that of a PostgreSQL store is its server's. When it is full, writes fail,
   * and readiness with them.
   */
  static readonly layerNone: Layer.Layer<DiskSpace> = Layer.succeed(DiskSpace, {
    isLow: () => false,
    state: Effect.succeed({ low: false }),
  })
}

type Statfs = (path: string) => Promise<{ readonly bavail: number; readonly bsize: number; readonly blocks: number }>

export interface Options {
  /** Free bytes reserved for paid calls, journal and record; 0: no guard. */
  readonly reserveBytes: number
  readonly statfs?: Statfs
}

const staleMs = 1_000
const unknown: State = { low: false }

/**
 * Watches the volume of a store.
 *
 * @param filename `:memory:` has no disk
 */
export const layer = (filename: string, { reserveBytes, statfs = fs.statfs }: Options): Layer.Layer<DiskSpace> =>
  filename === ":memory:"
    ? DiskSpace.layerNone
    : Layer.effect(
        DiskSpace,
        Effect.gen(function* () {
          const clock = yield* Effect.clock
          const fork = Runtime.runFork(yield* Effect.runtime<never>())
          let lastState = unknown
          let seenAt = Number.NEGATIVE_INFINITY
          let isLogged = false

          const logChange = (before: State): Effect.Effect<void> =>
            before.low === lastState.low
              ? Effect.void
              : (lastState.low
                  ? Effect.logWarning("Disk nearly full: free calls are counted, not stored")
                  : Effect.logInfo("Disk space is sufficient again")
                ).pipe(
                  Effect.annotateLogs({
                    free_bytes: lastState.freeBytes,
                    total_bytes: lastState.totalBytes,
                    reserve_bytes: reserveBytes,
                  }),
                )

          const refresh = Effect.suspend(() => {
            const previous = lastState
            seenAt = clock.unsafeCurrentTimeMillis()
            return Effect.matchEffect(
              Effect.tryPromise(() => statfs(dirname(filename))),
              {
                onFailure: (error) => {
                  const first = !isLogged
                  isLogged = true
                  return first ? Effect.logWarning("Free disk space of the store is unknown", error.cause) : Effect.void
                },
                onSuccess: ({ bavail, bsize, blocks }) => {
                  const freeBytes = bavail * bsize
                  // 25 % hysteresis, so that the state does not change with every checkpoint of the WAL.
                  const low = freeBytes < (previous.low ? reserveBytes * 1.25 : reserveBytes)
                  lastState = { low, freeBytes, totalBytes: blocks * bsize }
                  return logChange(previous)
                },
              },
            )
          })

          const isStale = (): boolean => Math.abs(clock.unsafeCurrentTimeMillis() - seenAt) >= staleMs
          yield* refresh
          return {
            isLow: () => {
              if (reserveBytes === 0) return false
              if (isStale()) fork(refresh)
              return lastState.low
            },
            state: Effect.suspend(() => Effect.map(isStale() ? refresh : Effect.void, () => lastState)),
          }
        }),
      )

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"

/** Most of what the protocol's library objects to is a client's fault, and no client may fill the log. */
const quietMs = 60_000

/** Writes what the protocol's library met into the log: the first at once, then one a minute with how many it stands for. */
export const make: Effect.Effect<(error: Error) => void> = Effect.map(Effect.runtime<never>(), (runtime) => {
  let last = Number.NEGATIVE_INFINITY
  let suppressed = 0
  const told = (error: Error): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - last < quietMs && now >= last) {
        suppressed++
        return Effect.void
      }
      const left = suppressed
      last = now
      suppressed = 0
      return Effect.annotateLogs(
        Effect.logWarning("The protocol's library met an error", error),
        left === 0 ? {} : { suppressed: left },
      )
    })
  return (error) => void Runtime.runFork(runtime)(told(error))
})

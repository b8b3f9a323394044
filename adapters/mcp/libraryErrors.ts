import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Quiet from "../../core/gateway/quiet.ts"

/** Most of what the protocol's library objects to is a client's fault, and no client may fill the log. */
const quietMs = 60_000

/** Writes what the protocol's library met into the log: the first at once, then one a minute with how many it stands for. */
export const make: Effect.Effect<(error: Error) => void> = Effect.map(Effect.runtime<never>(), (runtime) => {
  const lineOf = Quiet.make(quietMs)
  const told = (error: Error): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const suppressed = lineOf("library", now)
      if (suppressed === undefined) return Effect.void
      return Effect.annotateLogs(
        Effect.logWarning("The protocol's library met an error", error),
        suppressed === 0 ? {} : { suppressed },
      )
    })
  return (error) => void Runtime.runFork(runtime)(told(error))
})

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as LogThrottle from "../../../core/gateway/logThrottle.ts"

/** Most errors of the MCP library are caused by clients, which must not fill the log. */
const quietMs = 60_000

/** Logs errors of the MCP library: the first at once, then one a minute with the number suppressed. */
export const make: Effect.Effect<(error: Error) => void> = Effect.map(Effect.runtime<never>(), (runtime) => {
  const throttle = LogThrottle.make(quietMs)
  const logged = (error: Error): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const suppressed = throttle("library", now)
      if (suppressed === undefined) return Effect.void
      return Effect.annotateLogs(Effect.logWarning("MCP library error", error), suppressed === 0 ? {} : { suppressed })
    })
  return (error) => void Runtime.runFork(runtime)(logged(error))
})

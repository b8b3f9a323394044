import * as Effect from "effect/Effect"
import { UpstreamError } from "./upstream.ts"

/** Lets one try of a request through when it is its turn. */
export type Turn = <A>(attempt: Effect.Effect<A, UpstreamError>) => Effect.Effect<A, UpstreamError>

/**
 * Turns at an upstream: so many tries at once, and beyond `atMost` none is kept waiting. A request that waits before its
 * next try has no turn meanwhile.
 */
export const turns = (
  upstream: string,
  { atOnce, atMost }: { readonly atOnce: number; readonly atMost: number },
): Turn => {
  const places = Effect.unsafeMakeSemaphore(atOnce)
  const busy = new UpstreamError({ upstream, reason: "busy", message: "Too many requests wait." })
  let begun = 0
  return (attempt) =>
    Effect.suspend(() => {
      if (begun >= atMost) return Effect.fail(busy)
      begun++
      return Effect.ensuring(
        places.withPermits(1)(attempt),
        Effect.sync(() => begun--),
      )
    })
}

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BoundedMap } from "../BoundedMap.ts"
import type { Failure } from "../Failure.ts"
import * as Step from "../Step.ts"
import * as Bucket from "./Bucket.ts"

/** A bucket is dropped only after 50,000 other names were used since its last use; a bucket refills within a minute. */
const maxEntries = 100_000

/** Store port of the token buckets. */
export class RateLimits extends Context.Tag("market-signals/core/account/RateLimits")<
  RateLimits,
  {
    readonly take: (name: string, perMinute: number) => Effect.Effect<Bucket.RateLimitState, Failure>
    readonly peek: (name: string, perMinute: number) => Effect.Effect<Bucket.RateLimitState, Failure>
  }
>() {
  /** Buckets of this process. */
  static readonly layerMemory: Layer.Layer<RateLimits> = Layer.effect(
    RateLimits,
    Effect.map(Effect.clock, (clock) => {
      /** When each bucket is full again. */
      const fullAt = new BoundedMap<string, number>(maxEntries)
      /** A clock that never goes back: setting the system's clock back would take calls out of every bucket. */
      let [last, ahead] = [0, 0]
      const now = (): number => {
        const time = clock.unsafeCurrentTimeMillis()
        ahead += Math.max(0, last - time)
        last = time
        return time + ahead
      }
      return {
        take: Step.methodSync((name, perMinute) => {
          const [next, taken] = Bucket.take(fullAt.get(name), perMinute, now())
          fullAt.set(name, next)
          return taken
        }),
        peek: Step.methodSync((name, perMinute) => Bucket.peek(fullAt.get(name), perMinute, now())),
      }
    }),
  )
}

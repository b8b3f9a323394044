import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../Failure.ts"
import * as Step from "../Step.ts"
import * as Bucket from "./Bucket.ts"

/** Most buckets of one generation; memory holds two generations. */
const maxEntries = 50_000

/** Store port of the token buckets. */
export class RateLimits extends Context.Tag("market-signals/core/account/RateLimits")<
  RateLimits,
  {
    /** Takes one call out of the bucket `name`. */
    readonly take: (name: string, perMinute: number) => Effect.Effect<Bucket.RateLimitState, Failure>
    /** The state of the bucket `name`; takes nothing. */
    readonly peek: (name: string, perMinute: number) => Effect.Effect<Bucket.RateLimitState, Failure>
  }
>() {
  /** Buckets of this process. */
  static readonly layerMemory: Layer.Layer<RateLimits> = Layer.effect(
    RateLimits,
    Effect.map(Effect.clock, (clock) => {
      /**
       * When each bucket is full again, in two generations: names used since the current one began, and those of the one
       * before. A name moves to the current generation when used. So memory is bounded, and a flood of names drops only
       * buckets that were not used while 50,000 other names came; a bucket refills by itself within a minute.
       */
      let young = new Map<string, number>()
      let old = young
      const fullAt = (name: string): number | undefined => young.get(name) ?? old.get(name)
      /** Goes on where a clock is set back, which would else leave less in each bucket than there was. */
      let [last, ahead] = [0, 0]
      const now = (): number => {
        const time = clock.unsafeCurrentTimeMillis()
        ahead += Math.max(0, last - time)
        last = time
        return time + ahead
      }
      return {
        take: Step.methodSync((name, perMinute) => {
          const [next, taken] = Bucket.take(fullAt(name), perMinute, now())
          if (young.size >= maxEntries && !young.has(name)) {
            old = young
            young = new Map()
          }
          young.set(name, next)
          return taken
        }),
        peek: Step.methodSync((name, perMinute) => Bucket.peek(fullAt(name), perMinute, now())),
      }
    }),
  )
}

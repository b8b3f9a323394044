import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Bucket from "./Bucket.ts"

/** Beyond so many buckets those that are full again are forgotten: a full bucket is as good as none. */
const kept = 100_000

/** Store port of the token buckets. */
export class RateLimits extends Context.Tag("core/account/RateLimits")<
  RateLimits,
  {
    /** Takes one call out of the bucket `name`. */
    readonly take: (name: string, perMinute: number) => Effect.Effect<Bucket.Taken>
    /** What the bucket `name` holds. */
    readonly look: (name: string, perMinute: number) => Effect.Effect<Bucket.Taken>
  }
>() {
  /** Buckets of this process. */
  static readonly layerMemory: Layer.Layer<RateLimits> = Layer.sync(RateLimits, () => {
    const full = new Map<string, number>()
    const forget = (now: number) => {
      for (const [name, at] of full) if (at <= now) full.delete(name)
    }
    return {
      take: (name, perMinute) =>
        Clock.clockWith((clock) =>
          Effect.sync(() => {
            const now = clock.unsafeCurrentTimeMillis()
            if (full.size > kept) forget(now)
            const [next, taken] = Bucket.take(full.get(name), perMinute, now)
            full.set(name, next)
            return taken
          }),
        ),
      look: (name, perMinute) =>
        Effect.map(Clock.currentTimeMillis, (now) => Bucket.look(full.get(name), perMinute, now)),
    }
  })
}

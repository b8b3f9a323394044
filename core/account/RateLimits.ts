import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Bucket from "./Bucket.ts"

/** So many buckets are kept, and so many of the longest unused are looked at to find which to forget. */
const kept = 100_000
const sampled = 16

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
    /** When each bucket is full again; the longest unused first. */
    const full = new Map<string, number>()
    /**
     * Of the longest unused those that are full are forgotten, for they are as good as none; else the one that is
     * nearest to it. So a flood of names costs little time, and to forget the state of one that is in use it has to
     * bring as many as are kept within the minute in which that bucket fills by itself.
     */
    const forget = (now: number) => {
      let nearest: string | undefined
      let least = Number.POSITIVE_INFINITY
      let seen = 0
      for (const [name, at] of full) {
        if (seen++ === sampled) break
        if (at <= now) full.delete(name)
        else if (at < least) [nearest, least] = [name, at]
      }
      if (full.size >= kept && nearest !== undefined) full.delete(nearest)
    }
    return {
      take: (name, perMinute) =>
        Clock.clockWith((clock) =>
          Effect.sync(() => {
            const now = clock.unsafeCurrentTimeMillis()
            const before = full.get(name)
            if (before !== undefined) full.delete(name)
            else if (full.size >= kept) forget(now)
            const [next, taken] = Bucket.take(before, perMinute, now)
            full.set(name, next)
            return taken
          }),
        ),
      look: (name, perMinute) =>
        Effect.map(Clock.currentTimeMillis, (now) => Bucket.look(full.get(name), perMinute, now)),
    }
  })
}

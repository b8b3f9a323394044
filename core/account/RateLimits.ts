import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Bucket from "./Bucket.ts"

/** Buckets of one generation; two of them are kept. */
const kept = 50_000

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
    /**
     * When each bucket is full again. The names that were used since the last generation began, and those of the one
     * before it, from which a name is taken over when it is used. So what is kept is bounded, a flood of names costs
     * little time, and it forgets no bucket that is in use: only one that lies still while the flood brings as many
     * names as are kept, within the minute in which a bucket fills by itself.
     */
    let young = new Map<string, number>()
    let old = young
    const fullAt = (name: string): number | undefined => young.get(name) ?? old.get(name)
    return {
      take: (name, perMinute) =>
        Clock.clockWith((clock) =>
          Effect.sync(() => {
            const [next, taken] = Bucket.take(fullAt(name), perMinute, clock.unsafeCurrentTimeMillis())
            if (young.size >= kept && !young.has(name)) {
              old = young
              young = new Map()
            }
            young.set(name, next)
            return taken
          }),
        ),
      look: (name, perMinute) =>
        Effect.map(Clock.currentTimeMillis, (now) => Bucket.look(fullAt(name), perMinute, now)),
    }
  })
}

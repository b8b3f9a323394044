import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../Failure.ts"
import type { Attempt, Coverage, Due, FeedStatus } from "./Due.ts"

/**
 * Port: the register of feeds, the one place that decides whether a source's data has come when it was due. An answer asks
 * for the coverage of the feeds that it reads; a job reports its attempts.
 */
export class Feeds extends Context.Tag("market-signals/core/feeds/Feeds")<
  Feeds,
  {
    /** Undefined: no source (generated data), so nothing is due. */
    readonly coverage: (feed: Due) => Effect.Effect<Coverage | undefined, Failure>
    /** Every feed of this process, in the order of its lanes. */
    readonly all: Effect.Effect<ReadonlyArray<FeedStatus>, Failure>
    readonly attempted: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void, Failure>
  }
>() {
  /** Nothing is due: for generated data, and for an embedder whose ports vouch for their data themselves. */
  static readonly layerNone: Layer.Layer<Feeds> = Layer.succeed(Feeds, {
    coverage: () => Effect.succeed(undefined),
    all: Effect.succeed([]),
    attempted: () => Effect.void,
  })
}

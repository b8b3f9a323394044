import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How well this process knows the store's time. */
export class StoreTime extends Context.Tag("market-signals/adapters/store/StoreTime")<
  StoreTime,
  {
    /** Why the store's time is not known well enough; undefined if it is. */
    readonly doubt: Effect.Effect<string | undefined>
  }
>() {
  /** A store without a clock of its own: its time is this machine's. */
  static readonly layerProcessClock: Layer.Layer<StoreTime> = Layer.succeed(StoreTime, {
    doubt: Effect.succeed(undefined),
  })
}

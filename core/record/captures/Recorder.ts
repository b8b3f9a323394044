import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Recordable } from "../../call/Recordable.ts"
import type { Failure } from "../../Failure.ts"
import type { Bought, Captured } from "./Captures.ts"

/** Makes the capture of a signal before it is charged. `Ledger.charge` writes it together with the charge. */
export class Recorder extends Context.Tag("market-signals/core/record/Recorder")<
  Recorder,
  {
    /** Undefined if nothing is recorded. A failure fails the call before the charge. */
    readonly capture: (record: Recordable<unknown>, bought: Bought) => Effect.Effect<Captured | undefined, Failure>
  }
>() {
  /** Records nothing: for a service without a record. */
  static readonly layerNone: Layer.Layer<Recorder> = Layer.succeed(Recorder, {
    capture: () => Effect.succeed(undefined),
  })
}

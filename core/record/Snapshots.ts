import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import type { Failure } from "../endpoint/Failure.ts"
import type { Capture } from "./Captures.ts"
import type { KeptInputs } from "./RecordInputs.ts"

/** What a call was answered with, before anyone has looked for a venue that asks for a price on it. */
export interface Answered extends Omit<Capture, "id" | "kind" | "quotes" | "inputsHash"> {
  /** Everything that the output was computed from. */
  readonly inputs: KeptInputs
}

const listening = FiberRef.unsafeMake<Array<Answered> | undefined>(undefined)

/** Write port: signals on demand. Which of them are captured, and which scored, is the record's to say. */
export class Snapshots extends Context.Tag("core/record/Snapshots")<
  Snapshots,
  {
    /**
     * How many contracts of venues the call is to be scored on; none of a call that is not sold. A failure fails the call.
     */
    readonly take: (answered: Answered) => Effect.Effect<number, Failure>
  }
>() {
  /** No venue is known, or the answer is not to be recorded: generated data, test keys. */
  static readonly layerNone: Layer.Layer<Snapshots> = Layer.succeed(Snapshots, { take: () => Effect.succeed(0) })

  /** Keeps nothing, and tells whoever asked through `overheard`. */
  static readonly layerOverheard: Layer.Layer<Snapshots> = Layer.succeed(Snapshots, {
    take: (answered) =>
      Effect.map(FiberRef.get(listening), (heard) => {
        heard?.push(answered)
        return 0
      }),
  })
}

/** An effect's result beside what lanes over `Snapshots.layerOverheard` would have recorded of it. */
export const overheard = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<readonly [result: A, answered: ReadonlyArray<Answered>], E, R> =>
  Effect.suspend(() => {
    const heard: Array<Answered> = []
    return Effect.map(Effect.locally(effect, listening, heard), (result) => [result, heard] as const)
  })

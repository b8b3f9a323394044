import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../endpoint/Failure.ts"
import type { Capture } from "./Captures.ts"

/** What a call was answered with, before anyone has looked for a venue that asks for a price on it. */
export interface Answered extends Omit<Capture, "id" | "kind" | "quotes" | "inputsHash"> {
  /** Everything that the output was computed from. JSON. */
  readonly inputs: unknown
}

/**
 * Write port: signals on demand. A snapshot is a capture beside a venue's price; where no venue lists what the signal is
 * about, there is nothing to score it against, and none is taken.
 */
export class Snapshots extends Context.Tag("core/record/Snapshots")<
  Snapshots,
  {
    /** How many captures the call has left: one per contract of a venue. A failure fails the call: it is not sold. */
    readonly take: (answered: Answered) => Effect.Effect<number, Failure>
  }
>() {
  /** No venue is known, or the answer is not to be recorded: generated data, test keys. */
  static readonly layerNone: Layer.Layer<Snapshots> = Layer.succeed(Snapshots, { take: () => Effect.succeed(0) })
}

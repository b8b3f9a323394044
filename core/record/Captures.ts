import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../endpoint/Failure.ts"
import { present } from "../endpoint/Field.ts"
import type { Leaf } from "./leaf.ts"

type JsonObject = Readonly<Record<string, unknown>>

/** What a signal that can be scored leaves behind: enough to score it later and to compute it again. */
export interface Capture {
  /** A ULID. */
  readonly id: string
  readonly lane: string
  /** The endpoint's id. */
  readonly endpoint: string
  /** What the signal is about: `BTC/60`, a game's id, a station and its day. */
  readonly subject: string
  readonly modelVersion: string
  /** `scheduled`: made by a job for its slot. `on_demand`: made by a call. */
  readonly kind: "scheduled" | "on_demand"
  /** Epoch milliseconds: of the slot when scheduled, of the answer when on demand. */
  readonly at: number
  readonly params: JsonObject
  /** What is scored. JSON. */
  readonly output: unknown
  /** The venue's quotes at that moment. JSON; empty where no venue was looked at. */
  readonly quotes: ReadonlyArray<unknown>
  /** Hex digest of everything the output was computed from. */
  readonly inputsHash: string
  /** Epoch milliseconds at which the first of the quoted contracts is to close; absent where none was looked at. */
  readonly closeTime?: number
}

/**
 * Two captures with the same key are one: a slot has one scheduled capture, whatever it was computed from, and a call
 * that is repeated with the same inputs in the same millisecond adds nothing.
 */
export const keyOf = ({ lane, endpoint, subject, kind, at, inputsHash }: Capture): string =>
  JSON.stringify([kind, lane, endpoint, subject, at, kind === "scheduled" ? "" : inputsHash])

/** What a capture is on the record. */
export const leafOf = (capture: Capture): Leaf => ({
  id: capture.id,
  kind: "capture",
  at: capture.at,
  lane: capture.lane,
  subject: capture.subject,
  body: {
    endpoint: capture.endpoint,
    model_version: capture.modelVersion,
    taken: capture.kind,
    params: capture.params,
    output: capture.output,
    quotes: capture.quotes,
    inputs_hash: capture.inputsHash,
    ...present("close_time", capture.closeTime),
  },
})

/** Write port: append-only. What is kept is a leaf of the record too, from the same step. */
export class Captures extends Context.Tag("core/record/Captures")<
  Captures,
  {
    /** Keeps all of them or none; those that are there already are left as they are. The number that was new. */
    readonly take: (captures: ReadonlyArray<Capture>) => Effect.Effect<number, Failure>
  }
>() {
  /** Captures that live as long as the layer, for embedders and tests. `taken` grows as they come. */
  static layerMemory(taken: Array<Capture> = []): Layer.Layer<Captures> {
    return Layer.sync(Captures, () => {
      const keys = new Set(taken.flatMap((capture) => [capture.id, keyOf(capture)]))
      return {
        take: (captures) =>
          Effect.sync(() => {
            const before = taken.length
            for (const capture of captures) {
              if (keys.has(capture.id) || keys.has(keyOf(capture))) continue
              keys.add(capture.id).add(keyOf(capture))
              taken.push(capture)
            }
            return taken.length - before
          }),
      }
    })
  }
}

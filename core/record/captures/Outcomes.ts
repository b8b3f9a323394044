import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../Failure.ts"
import type { Leaf } from "../log/leaf.ts"
import type { JsonObject } from "./Recordable.ts"

/** What came true of the subject of a capture, and how the capture that counts did. */
export interface Outcome {
  readonly captureId: string
  /** 1 for the first final; a corrected final is another one, both stay. */
  readonly revision: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly outcome: JsonObject
  /** Scores by name: errors, Brier scores. */
  readonly scores: Readonly<Record<string, number>>
}

/** What an outcome is on the record: the first settles the capture, later ones correct that. */
export const outcomeLeafOf = (
  { captureId, revision, at, outcome, scores }: Outcome,
  { lane, subject }: Pick<Leaf, "lane" | "subject">,
): Leaf => ({
  id: `${captureId}/${revision}`,
  kind: revision === 1 ? "settlement" : "correction",
  at,
  lane,
  subject,
  body: { capture: captureId, revision, outcome, scores },
})

/** The capture of a subject that counts, with its newest outcome where there is one. */
export interface Scorable {
  readonly captureId: string
  readonly output: unknown
  /** What the market said at that moment; empty where there was no line. */
  readonly market: JsonObject
  readonly outcome?: Outcome
}

/** A subject that was captured and has no outcome yet. */
export interface Pending {
  readonly subject: string
  /** Epoch milliseconds of its first capture. */
  readonly firstAt: number
}

/** Sums over the newest outcomes of one lane. */
export interface Tally {
  /** Subjects with an outcome. */
  readonly scored: number
  /** Subjects that were captured and have none yet; some may never have one. */
  readonly pending: ReadonlyArray<Pending>
  /** Mean of each score over the subjects that have it. */
  readonly means: Readonly<Record<string, number>>
}

/** Read port: how the captures of a lane did whose outcome is known by the lane's own source. */
export class TrackRecord extends Context.Tag("core/record/TrackRecord")<
  TrackRecord,
  { readonly tally: (lane: string) => Effect.Effect<Tally, Failure> }
>() {
  /** Of generated data there is no record. */
  static readonly layerNone: Layer.Layer<TrackRecord> = Layer.succeed(TrackRecord, {
    tally: () => Effect.succeed({ scored: 0, pending: [], means: {} }),
  })
}

/**
 * Store of outcomes for whoever scores captures by a lane's own source: append-only. Of several captures of one subject the
 * last one before the event counts. Captures without a `market` of their own are scored beside a venue's contracts alone.
 */
export class Outcomes extends Context.Tag("core/record/Outcomes")<
  Outcomes,
  {
    /** Every subject of a lane that was captured with a market. */
    readonly subjects: (lane: string) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** The last capture of a subject that was made before an instant; undefined when there is none. */
    readonly scorable: (lane: string, subject: string, before: number) => Effect.Effect<Scorable | undefined, Failure>
    /** Keeps all of them or none; a revision that is there already is left as it is. The number that was new. */
    readonly append: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<number, Failure>
  }
>() {}

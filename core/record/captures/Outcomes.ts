import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { JsonObject } from "../../call/Recordable.ts"
import type { Failure } from "../../Failure.ts"
import * as Step from "../../Step.ts"
import type { Leaf } from "../log/leaf.ts"

/** The outcome of a subject, and the scores of the capture that counts. */
export interface Outcome {
  readonly captureId: string
  /** 1 for the first final; each corrected final is the next revision. All revisions stay stored. */
  readonly revision: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly outcome: JsonObject
  /** Scores by name: errors, Brier scores. */
  readonly scores: Readonly<Record<string, number>>
}

/** The log leaf of an outcome: a settlement for the first revision, a correction for later ones. */
export const toOutcomeLeaf = (
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

/** The capture of a subject that counts, with its newest outcome, if any. */
interface Scorable {
  readonly captureId: string
  readonly output: unknown
  /** The market's price at that moment; empty if there was no line. */
  readonly market: JsonObject
  readonly outcome?: Outcome
}

/** A captured subject without an outcome yet. */
export interface Pending {
  readonly subject: string
  /** Epoch milliseconds of its first capture. */
  readonly firstAt: number
}

/** Sums over the newest outcomes of one lane. */
interface Tally {
  /** Number of subjects with an outcome. */
  readonly scored: number
  /** Captured subjects without an outcome; some may never have one. */
  readonly pending: ReadonlyArray<Pending>
  /** Mean of each score over the subjects that have it. */
  readonly means: Readonly<Record<string, number>>
}

/** Read port: scores of a lane's captures with an outcome from the lane's own source. */
export class TrackRecord extends Context.Tag("market-signals/core/record/TrackRecord")<
  TrackRecord,
  { readonly tally: (lane: string) => Effect.Effect<Tally, Failure> }
>() {
  /** For mock data, which has no record. */
  static readonly layerNone: Layer.Layer<TrackRecord> = Layer.succeed(TrackRecord, {
    tally: Step.methodSync(() => ({ scored: 0, pending: [], means: {} })),
  })
}

/**
 * Append-only store of outcomes, for scoring captures by a lane's own source. Of several captures of one subject, the
 * last one before the event counts. Captures without `market` are scored on a venue's contracts only.
 */
export class Outcomes extends Context.Tag("market-signals/core/record/Outcomes")<
  Outcomes,
  {
    /** All subjects of a lane that were captured with a market price. */
    readonly subjects: (lane: string) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** The last capture of a subject before an instant; undefined if there is none. */
    readonly scorable: (lane: string, subject: string, before: number) => Effect.Effect<Scorable | undefined, Failure>
    /** Appends all or none, skipping revisions that exist already; returns the number of new ones. */
    readonly append: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<number, Failure>
  }
>() {}

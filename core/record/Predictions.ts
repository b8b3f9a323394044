import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../endpoint/Failure.ts"
import type { Leaf } from "./leaf.ts"
import type { KeptInputs } from "./RecordInputs.ts"
import { whenRecording } from "./Recording.ts"

type JsonObject = Readonly<Record<string, unknown>>

/** What a model said of an event before it began. */
export interface Prediction {
  /** A ULID. */
  readonly id: string
  readonly lane: string
  /** The endpoint's id. */
  readonly endpoint: string
  /** The event: a game's id. */
  readonly subject: string
  readonly modelVersion: string
  /** Epoch milliseconds of the answer. */
  readonly at: number
  /** Epoch milliseconds at which the event begins, as known then: what is said from there on is no prediction. */
  readonly closesAt: number
  readonly params: JsonObject
  /** What is scored. JSON. */
  readonly output: JsonObject
  /** What the market said at that moment; empty where there was no line. JSON. */
  readonly market: JsonObject
  /** The hash under which everything is kept that the output was computed from. */
  readonly inputsHash: string
}

/** What came true of an event, and how the prediction that counts did. */
export interface Outcome {
  readonly predictionId: string
  /** 1 for the first final; a corrected final is another one, both stay. */
  readonly revision: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly outcome: JsonObject
  /** Scores by name: errors, Brier scores. */
  readonly scores: Readonly<Record<string, number>>
}

/** What a prediction is on the record. */
export const leafOf = (prediction: Prediction): Leaf => ({
  id: prediction.id,
  kind: "prediction",
  at: prediction.at,
  lane: prediction.lane,
  subject: prediction.subject,
  body: {
    endpoint: prediction.endpoint,
    model_version: prediction.modelVersion,
    params: prediction.params,
    output: prediction.output,
    market: prediction.market,
    inputs_hash: prediction.inputsHash,
    close_time: prediction.closesAt,
  },
})

/** What an outcome is on the record: the first settles the prediction, later ones correct that. */
export const outcomeLeafOf = (
  { predictionId, revision, at, outcome, scores }: Outcome,
  { lane, subject }: Pick<Prediction, "lane" | "subject">,
): Leaf => ({
  id: `${predictionId}/${revision}`,
  kind: revision === 1 ? "settlement" : "correction",
  at,
  lane,
  subject,
  body: { prediction: predictionId, revision, outcome, scores },
})

/** A prediction that counts with the newest outcome of its event, where there is one. */
export interface Standing {
  readonly prediction: Prediction
  readonly outcome?: Outcome
}

/** An event that was predicted and has no outcome yet. */
export interface Pending {
  readonly subject: string
  /** Epoch milliseconds of its first prediction. */
  readonly firstAt: number
}

/** Sums over the newest outcomes of one lane. */
export interface Tally {
  /** Events with an outcome. */
  readonly scored: number
  /** Events that were predicted and have none yet; some may never have one. */
  readonly pending: ReadonlyArray<Pending>
  /** Mean of each score over the events that have it. */
  readonly means: Readonly<Record<string, number>>
}

export const noTally: Tally = { scored: 0, pending: [], means: {} }

/**
 * The track record: predictions are appended, never changed, each with its leaf in the record. Of several about one event
 * the last one before it began counts.
 */
export class Predictions extends Context.Tag("core/record/Predictions")<
  Predictions,
  {
    /**
     * Keeps a prediction; one from the same inputs and beside the same market as the event's last one is there already
     * and is left as it is.
     *
     * @param inputs what it was computed from: kept before it, and only where it is
     * @returns whether it is on the record; false where the record is not for such data, and for a call that is not sold
     */
    readonly append: (prediction: Prediction, inputs: KeptInputs) => Effect.Effect<boolean, Failure>
    readonly tally: (lane: string) => Effect.Effect<Tally, Failure>
  }
>() {
  /** Keeps nothing: for generated data, which no record is made of. */
  static readonly layerNone: Layer.Layer<Predictions> = Layer.succeed(Predictions, {
    append: () => Effect.succeed(false),
    tally: () => Effect.succeed(noTally),
  })

  /** Predictions that live as long as the layer, for embedders and tests. `kept` grows as they come. */
  static layerMemory(kept: Array<Prediction> = []): Layer.Layer<Predictions> {
    return Layer.succeed(Predictions, {
      append: (prediction) =>
        whenRecording(
          Effect.sync(() => {
            const { lane, endpoint, subject, inputsHash, market } = prediction
            const last = kept.findLast(
              (one) => one.lane === lane && one.endpoint === endpoint && one.subject === subject,
            )
            const isSame = last?.inputsHash === inputsHash && JSON.stringify(last.market) === JSON.stringify(market)
            if (!isSame) kept.push(prediction)
            return true
          }),
          false,
        ),
      tally: (lane) =>
        Effect.sync(() => {
          const first = new Map<string, Pending>()
          for (const { lane: of, subject, at } of kept) {
            if (of === lane && !first.has(subject)) first.set(subject, { subject, firstAt: at })
          }
          return { ...noTally, pending: [...first.values()] }
        }),
    })
  }
}

/** Store of the record for whoever scores it: append-only. */
export class PredictionOutcomes extends Context.Tag("core/record/PredictionOutcomes")<
  PredictionOutcomes,
  {
    /** Every event of a lane that was predicted. */
    readonly subjects: (lane: string) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** The last prediction of an event that was made before an instant; undefined when there is none. */
    readonly standing: (lane: string, subject: string, before: number) => Effect.Effect<Standing | undefined, Failure>
    /** Keeps all of them or none; a revision that is there already is left as it is. The number that was new. */
    readonly append: (outcomes: ReadonlyArray<Outcome>) => Effect.Effect<number, Failure>
  }
>() {}

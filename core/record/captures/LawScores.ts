import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { Pit } from "../../math/pit.ts"
import type { Capture } from "./Captures.ts"

/** The scores of a distribution ("law") against its outcome. All figures of a track record follow from these three numbers. */
export interface LawJudgement extends Pit {
  /** In the units of the outcome. */
  readonly crps: number
}

/** A captured distribution with its outcome and scores. It is no leaf of the record, since anybody can compute it. */
export interface LawScore extends LawJudgement {
  /** A station or an asset. */
  readonly instrument: string
  /** The day or instant that was forecast. */
  readonly target: string
  readonly variable: string
  /** In the lane's unit. */
  readonly lead: number
  readonly captureId: string
  readonly modelVersion: string
  readonly outcome: number
}

/** The new scores of a target; an empty list removes the stored ones. */
export interface Rescored extends Pick<LawScore, "instrument" | "target"> {
  readonly scores: ReadonlyArray<LawScore>
}

/** Read access to a lane's scored distributions. */
export interface LawRecord {
  /** When scores were last written, epoch milliseconds, and how many there are; both stay the same while nothing changes. */
  readonly newest: () => Effect.Effect<{ readonly at: number; readonly rows: number } | undefined, Failure>
  /** The scores of an instrument whose target is `first` or later, by target. */
  readonly scores: (instrument: string, first: string) => Effect.Effect<ReadonlyArray<LawScore>, Failure>
}

/** A record without distributions. */
export const noLaws: LawRecord = { newest: () => Effect.succeed(undefined), scores: () => Effect.succeed([]) }

/** Read and write port of scored distributions, for the jobs that score them. */
export class LawScores extends Context.Tag("market-signals/core/record/LawScores")<
  LawScores,
  {
    /** The scheduled captures of a subject from `from` up to `to`, excluded, oldest first. */
    readonly captures: (
      of: Pick<Capture, "endpoint" | "lane" | "subject">,
      from: number,
      to: number,
    ) => Effect.Effect<ReadonlyArray<Pick<Capture, "at" | "id">>, Failure>
    readonly output: (id: string) => Effect.Effect<Pick<Capture, "modelVersion" | "output">, Failure>
    readonly scores: (lane: string, ...args: Parameters<LawRecord["scores"]>) => ReturnType<LawRecord["scores"]>
    /** Replaces the scores of targets, all or none. */
    readonly replace: (lane: string, targets: ReadonlyArray<Rescored>, at: number) => Effect.Effect<void, Failure>
  }
>() {}

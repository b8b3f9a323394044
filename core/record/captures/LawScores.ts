import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { Pit } from "../../math/pit.ts"
import type { Capture } from "./Captures.ts"

/** How a law did on its outcome: everything that a record of laws says follows from these three numbers of each. */
export interface Judged extends Pit {
  /** In the units of the outcome. */
  readonly crps: number
}

/** A captured law with its outcome. Not on the record: everybody can compute it from the capture and the outcome. */
export interface LawScore extends Judged {
  /** A station, an asset. */
  readonly instrument: string
  /** Day or instant that the law is of. */
  readonly target: string
  readonly variable: string
  /** In the lane's unit. */
  readonly lead: number
  readonly captureId: string
  readonly modelVersion: string
  readonly outcome: number
}

/** The scores of a target; none takes the stored ones back. */
export interface Rescored extends Pick<LawScore, "instrument" | "target"> {
  readonly scores: ReadonlyArray<LawScore>
}

/** What a lane reads of its scored laws. */
export interface LawRecord {
  /** The last scoring, epoch milliseconds, and the number of rows: both stay the same while no row changes. */
  readonly newest: () => Effect.Effect<{ readonly at: number; readonly rows: number } | undefined, Failure>
  /** The scores of an instrument whose target is `first` or later, by target. */
  readonly scores: (instrument: string, first: string) => Effect.Effect<ReadonlyArray<LawScore>, Failure>
}

/** A record without a law. */
export const noLaws: LawRecord = { newest: () => Effect.succeed(undefined), scores: () => Effect.succeed([]) }

/** Read and write port of scored laws, for the jobs that score them. */
export class LawScores extends Context.Tag("market-signals/core/record/LawScores")<
  LawScores,
  {
    /** Scheduled captures of a subject from an instant up to, not including, another, oldest first. */
    readonly captures: (
      of: Pick<Capture, "endpoint" | "lane" | "subject">,
      from: number,
      to: number,
    ) => Effect.Effect<ReadonlyArray<Pick<Capture, "at" | "id">>, Failure>
    /** What a capture says. */
    readonly output: (id: string) => Effect.Effect<Pick<Capture, "modelVersion" | "output">, Failure>
    /** As in `LawRecord`. */
    readonly scores: (lane: string, ...args: Parameters<LawRecord["scores"]>) => ReturnType<LawRecord["scores"]>
    /** Replaces the scores of targets, all or none. */
    readonly replace: (lane: string, targets: ReadonlyArray<Rescored>, at: number) => Effect.Effect<void, Failure>
  }
>() {}

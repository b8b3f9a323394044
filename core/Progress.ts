import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Reports the progress of long work.
 *
 * @param what the work, or the part of it that is done now
 * @param at how much of it is done
 * @param of how much there is; absent: nobody knows
 */
export type Tell = (what: string, at: number, of?: number) => Effect.Effect<void>

/** The receiver of progress. By default there is none: only a person at a terminal wants one. */
export class Progress extends Context.Reference<Progress>()("market-signals/core/Progress", {
  defaultValue: (): Tell => () => Effect.void,
}) {}

/** Tells how far the work is. */
export const advance: Tell = (what, at, of) => Effect.flatMap(Progress, (tell) => tell(what, at, of))

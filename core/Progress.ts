import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Reports the progress of long work.
 *
 * @param what the work, or its current part
 * @param at how much is done
 * @param of how much there is; absent: unknown
 */
export type Tell = (what: string, at: number, of?: number) => Effect.Effect<void>

/** The callback for progress reports. The default ignores them; on a terminal the program prints a line. */
export class Progress extends Context.Reference<Progress>()("market-signals/core/Progress", {
  defaultValue: (): Tell => () => Effect.void,
}) {}

/** Reports how far the work is. */
export const advance: Tell = (what, at, of) => Effect.flatMap(Progress, (tell) => tell(what, at, of))

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * When long work starts, such as the scoreboard of the first page. Undefined: with the first call. Else: when this effect has
 * ended, ahead of the calls.
 */
export class WarmUp extends Context.Reference<WarmUp>()("market-signals/core/WarmUp", {
  defaultValue: (): Effect.Effect<void> | undefined => undefined,
}) {}

/** Runs work in the background ahead of the calls, if the program asks for that. */
export const warmUp = <A, R>(work: Effect.Effect<A, never, R>): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.flatMap(WarmUp, (begins) =>
    begins === undefined ? Effect.void : Effect.asVoid(Effect.forkScoped(Effect.zipRight(begins, work))),
  )

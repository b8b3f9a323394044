import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"

/** A figure that is read periodically, independent of collection. */
interface Sampled {
  /** Undefined: the last read failed, or there was none yet. */
  readonly value: number | undefined
  readonly failures: number
}

/** Reads a figure now and then every `every`, while the scope is open. */
export const sample = <E>(
  read: Effect.Effect<number, E>,
  every: Duration.DurationInput,
): Effect.Effect<() => Sampled, never, Scope.Scope> =>
  Effect.suspend(() => {
    let last: Sampled = { value: undefined, failures: 0 }
    const once = Effect.match(read, {
      onFailure: () => {
        last = { value: undefined, failures: last.failures + 1 }
      },
      onSuccess: (value) => {
        last = { ...last, value }
      },
    })
    return Effect.as(Effect.forkScoped(Effect.repeat(once, Schedule.spaced(every))), () => last)
  })

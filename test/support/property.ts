import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Runtime from "effect/Runtime"

/**
 * Checks a property whose runs share the services around it, such as one store: to open one for each run takes longer than
 * the run. `run` counts the runs, those that shrink a counterexample included, so that each can name its own rows.
 */
export const everyRun = <A, E, R>(
  values: fc.Arbitrary<A>,
  numRuns: number,
  holds: (value: A, run: number) => Effect.Effect<void, E, R>,
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) => {
    let runs = 0
    const property = fc.asyncProperty(values, (value) => Runtime.runPromise(runtime)(holds(value, ++runs)))
    return Effect.promise(() => fc.assert(property, { numRuns }))
  })

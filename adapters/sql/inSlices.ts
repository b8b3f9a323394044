import * as Effect from "effect/Effect"

/** Lets the event loop take its turn. */
export const turn: Effect.Effect<void> = Effect.async((resume) => void setImmediate(() => resume(Effect.void)))

/**
 * Deletes in slices until one is not full, so that no call waits long for the write lock or the event loop.
 *
 * @param slice deletes up to `size` and says how many
 * @returns how many in all
 */
export const inSlices = <E, R>(size: number, slice: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> => {
  const from = (done: number): Effect.Effect<number, E, R> =>
    Effect.flatMap(slice, (count) =>
      count < size ? Effect.succeed(done + count) : Effect.zipRight(turn, from(done + count)),
    )
  return Effect.suspend(() => from(0))
}

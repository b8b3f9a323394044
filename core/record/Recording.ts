import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

/** Whether what is answered goes on the record, where the record is for it. */
const recording = FiberRef.unsafeMake(true)

/** An effect that leaves nothing on the record, whatever it answers: a call that is not sold. */
export const unrecorded = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.locally(effect, recording, false)

/**
 * For whoever puts answers on the record.
 *
 * @param otherwise what the caller is told where nothing is to be put there
 */
export const whenRecording = <A, E, R>(put: Effect.Effect<A, E, R>, otherwise: A): Effect.Effect<A, E, R> =>
  Effect.flatMap(FiberRef.get(recording), (isOn) => (isOn ? put : Effect.succeed(otherwise)))

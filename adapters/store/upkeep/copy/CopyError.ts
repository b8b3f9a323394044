import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** A store cannot be copied. The message tells an operator why, with the option if one of the two stores is the cause. */
export class CopyError extends Data.TaggedError("CopyError")<{ readonly message: string; readonly cause?: unknown }> {}

export const refuse = (message: string): Effect.Effect<never, CopyError> => Effect.fail(new CopyError({ message }))

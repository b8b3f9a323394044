import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Failure } from "./Failure.ts"

/**
 * The log of a loop whose turns may fail for hours, for example while the store cannot be reached: one line when the
 * trouble begins, changes or ends. Only a bug is logged with its stack.
 *
 * @param late the consequence meanwhile, as a sentence
 * @param resumed the line when the trouble ends
 */
export const make = (late: string, resumed: string) => {
  let trouble: string | undefined
  const change = (now: string | undefined, line: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const isNew = trouble !== now
      trouble = now
      return isNew ? line : Effect.void
    })
  return {
    failed: (cause: Cause.Cause<Failure>): Effect.Effect<void> =>
      Option.match(Cause.failureOption(cause), {
        onNone: () => change("Internal error.", Effect.logError(`${late} Internal error.`, cause)),
        onSome: ({ message }) => change(message, Effect.logError(`${late} ${message}`)),
      }),
    recovered: change(undefined, Effect.logInfo(resumed)),
  }
}

export type TroubleLog = ReturnType<typeof make>

import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Failure } from "./Failure.ts"

/**
 * The log of a loop whose turns may fail for hours, as where the store is away: one line when the trouble begins, changes
 * or ends. A stack is that of a bug.
 *
 * @param waits what is late meanwhile
 * @param goesOn the line of the end
 */
export const make = (waits: string, goesOn: string) => {
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
        onNone: () => change("Internal error.", Effect.logError(`${waits} Internal error.`, cause)),
        onSome: ({ message }) => change(message, Effect.logError(`${waits} ${message}`)),
      }),
    went: change(undefined, Effect.logInfo(goesOn)),
  }
}

export type TroubleLog = ReturnType<typeof make>

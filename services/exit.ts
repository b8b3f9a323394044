import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { isDamage, toStoreError } from "../adapters/store/engine/opening.ts"
import { OwnerLost } from "../adapters/store/engine/sqlite/owner.ts"

/** The command line is wrong; nothing was done. */
export class UsageError extends Error {}

/** The invalid variables with their messages, without duplicates. */
const variables = (error: ConfigError.ConfigError): ReadonlyArray<string> => {
  if (error._op === "And" || error._op === "Or") return [...variables(error.left), ...variables(error.right)]
  return [`${error.path.at(-1) ?? "The configuration"}: ${error.message}`]
}

const messageIn = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error && error.message !== ""
    ? String(error.message)
    : String(error)

/** The message of a known error, or the whole cause of a bug. */
const explain = (cause: Cause.Cause<unknown>): string => {
  const failures = [...Cause.failures(cause)]
  const defect = Cause.squash(cause)
  if (failures.length === 0)
    return isDamage(defect) ? toStoreError("use the store")(defect).message : Cause.pretty(cause)
  return [
    ...new Set(failures.flatMap((error) => (ConfigError.isConfigError(error) ? variables(error) : [messageIn(error)]))),
  ].join("\n")
}

/** Prints a program's failure to standard error; the runtime sets the exit code. */
export const exitWith = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapErrorCause(program, (cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.void : Console.error(explain(cause)),
  )

/** 2 if the command line is wrong, 75 (EX_TEMPFAIL) if it is unknown whether the task was done, 1 for any other failure. */
export const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return 0
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  return error instanceof UsageError ? 2 : error instanceof OwnerLost ? 75 : 1
}

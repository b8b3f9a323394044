import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The invalid variables with their messages, without duplicates. */
const variables = (error: ConfigError.ConfigError): ReadonlyArray<string> => {
  if (error._op === "And" || error._op === "Or") return [...variables(error.left), ...variables(error.right)]
  return [`${error.path.at(-1) ?? "The configuration"}: ${error.message}`]
}

const sentence = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error && error.message !== ""
    ? String(error.message)
    : String(error)

/** The message of a known error, or the whole cause of a bug. */
const explain = (cause: Cause.Cause<unknown>): string => {
  const failures = [...Cause.failures(cause)]
  if (failures.length === 0) return Cause.pretty(cause)
  return [
    ...new Set(failures.flatMap((error) => (ConfigError.isConfigError(error) ? variables(error) : [sentence(error)]))),
  ].join("\n")
}

/**
 * Prints a program's failure to standard error; the runtime sets the exit code.
 *
 * @param printed errors that were already printed
 */
export const exitWith = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  printed: (error: unknown) => boolean = () => false,
): Effect.Effect<A, E, R> =>
  Effect.tapErrorCause(program, (cause) =>
    Cause.isInterruptedOnly(cause) || Option.exists(Cause.failureOption(cause), printed)
      ? Effect.void
      : Console.error(explain(cause)),
  )

import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The variables that a configuration is refused for, each with its sentence, once. */
const variables = (error: ConfigError.ConfigError): ReadonlyArray<string> => {
  if (error._op === "And" || error._op === "Or") return [...variables(error.left), ...variables(error.right)]
  return [`${error.path.at(-1) ?? "The configuration"}: ${error.message}`]
}

const sentence = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error && error.message !== ""
    ? String(error.message)
    : String(error)

/** What a person reads when a program ends badly: the sentence of a known error, the whole cause of a bug. */
const explain = (cause: Cause.Cause<unknown>): string => {
  const failures = [...Cause.failures(cause)]
  if (failures.length === 0) return Cause.pretty(cause)
  return [
    ...new Set(failures.flatMap((error) => (ConfigError.isConfigError(error) ? variables(error) : [sentence(error)]))),
  ].join("\n")
}

/**
 * Prints why a program failed to standard error; the runtime sets the exit code.
 *
 * @param printed errors that were printed where they arose
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

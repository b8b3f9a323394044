import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Failure } from "../../../core/Failure.ts"
import type { Heard } from "../../../core/lanes/markets/ports.ts"
import { toFailure, type UpstreamError } from "../../upstream/upstream.ts"

/** An upstream that fails so often in a row is down, and is not asked for what is left. */
const mostInARow = 2

/** Whether a failure is one of the whole upstream, not of what was asked for. */
const isDown = ({ reason, status = 0 }: UpstreamError): boolean =>
  reason === "timeout" || reason === "transport" || status === 403 || status === 429 || status >= 500

/**
 * Asks for the parts of a question, one after the other. A part that fails costs the others nothing; the whole fails
 * where every part does.
 */
export const partByPart = <Part, A>(
  parts: ReadonlyArray<Part>,
  nameOf: (part: Part) => string,
  ask: (part: Part) => Effect.Effect<ReadonlyArray<A>, UpstreamError>,
): Effect.Effect<Heard<A>, Failure> =>
  Effect.gen(function* () {
    const heard: Array<A> = []
    const failed: Array<{ readonly part: string; readonly error: UpstreamError }> = []
    let inARow = 0
    for (const part of parts) {
      const last = failed.at(-1)?.error
      const answer: Either.Either<ReadonlyArray<A>, UpstreamError> = last !== undefined && inARow >= mostInARow
        ? Either.left(last)
        : yield* Effect.either(ask(part))
      if (Either.isRight(answer)) {
        heard.push(...answer.right)
        inARow = 0
      } else {
        failed.push({ part: nameOf(part), error: answer.left })
        inARow = isDown(answer.left) ? inARow + 1 : 0
      }
    }
    const [first] = failed
    if (first !== undefined && failed.length === parts.length) return yield* Effect.fail(toFailure(first.error))
    return { heard, unheard: failed.map(({ part, error }) => ({ part, failure: toFailure(error) })) }
  })

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Failure } from "../../../core/Failure.ts"
import type { PartialResult } from "../../../core/lanes/markets/ports.ts"
import { toFailure, type UpstreamError } from "../../runtime/upstream/upstream.ts"

/** After this many failures in a row the upstream counts as down; the remaining parts are not requested. */
const maxFailuresInARow = 2

/** Whether a failure concerns the whole upstream, not one request. */
const isDown = ({ reason, status = 0 }: UpstreamError): boolean =>
  reason === "timeout" ||
  reason === "paused" ||
  reason === "transport" ||
  status === 403 ||
  status === 429 ||
  status >= 500

/**
 * Requests parts one after the other. A failed part does not affect the others; the whole fails only when every part
 * fails.
 */
export const partByPart = <Part, A>(
  parts: ReadonlyArray<Part>,
  nameOf: (part: Part) => string,
  ask: (part: Part) => Effect.Effect<ReadonlyArray<A>, UpstreamError>,
): Effect.Effect<PartialResult<A>, Failure> =>
  Effect.gen(function* () {
    const items: Array<A> = []
    const failed: Array<{ readonly part: string; readonly error: UpstreamError }> = []
    let inARow = 0
    for (const part of parts) {
      const last = failed.at(-1)?.error
      const answer: Either.Either<ReadonlyArray<A>, UpstreamError> = last !== undefined && inARow >= maxFailuresInARow
        ? Either.left(last)
        : yield* Effect.either(ask(part))
      if (Either.isRight(answer)) {
        items.push(...answer.right)
        inARow = 0
      } else {
        failed.push({ part: nameOf(part), error: answer.left })
        inARow = isDown(answer.left) ? inARow + 1 : 0
      }
    }
    const [first] = failed
    if (first !== undefined && failed.length === parts.length) return yield* Effect.fail(toFailure(first.error))
    return { items, failed: failed.map(({ part, error }) => ({ part, failure: toFailure(error) })) }
  })

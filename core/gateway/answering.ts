import * as Effect from "effect/Effect"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import * as Cursor from "../endpoint/Cursor.ts"
import type { Decoded } from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import type { Failure } from "../endpoint/Failure.ts"
import type { Extra } from "../endpoint/Options.ts"
import type { Call } from "./Call.ts"
import * as Deadline from "./Deadline.ts"
import type { EntityTags } from "./EntityTags.ts"

/** What the lane said, written down but for what is known last. */
export interface Answered {
  readonly answer: Answer<unknown>
  readonly prepared: Envelope.Prepared
  /** Absent for signals, which are new with every call. */
  readonly etag?: string
}

export type Ask = (params: unknown) => Effect.Effect<Answer<unknown>, Failure>

/** Asks for an answer and writes it down before it is charged: what cannot be written is a bug, and a bug is not billed. */
export const make = (catalogue: Catalogue.Any, tags: EntityTags["Type"]) => {
  const extrasOf = (answer: Answer<unknown>, include: ReadonlyArray<Extra>): Effect.Effect<Envelope.Extras, Failure> =>
    include.length === 0
      ? Effect.succeed({})
      : Effect.all({
          ...(include.includes("_alternatives")
            ? { _alternatives: answer.extras?.alternatives ?? Effect.succeed([]) }
            : {}),
          ...(include.includes("_counterfactual")
            ? { _counterfactual: answer.extras?.counterfactual ?? Effect.succeed({}) }
            : {}),
          ...(include.includes("_suggestions")
            ? { _suggestions: Effect.sync(() => Envelope.suggestions(catalogue, answer)) }
            : {}),
        })

  /**
   * What a tag names. What `fields` leaves may be the same on another day: the default shape, which says what the results
   * are of, stands behind it.
   */
  const named = (
    endpoint: Endpoint.Any,
    answer: Answer<unknown>,
    { options, slim }: Decoded,
    results: string,
  ): string =>
    options.fields === undefined ? results : `${results}\n${Envelope.resultsOf(endpoint, answer, slim, undefined)}`

  /** @param question the hash of endpoint, parameters and options */
  return (
    { startedAt }: Call,
    endpoint: Endpoint.Any,
    decoded: Decoded,
    ask: Ask,
    question: string,
  ): Effect.Effect<Answered, Failure> =>
    Effect.flatMap(Deadline.within(ask(decoded.params), startedAt), (answer) =>
      Effect.flatMap(extrasOf(answer, decoded.options.include ?? []), (extras) => {
        const cursor = answer.next === undefined ? undefined : Cursor.encode(endpoint.id, decoded.params, answer.next)
        const results = Envelope.resultsOf(endpoint, answer, decoded.mask, cursor)
        const prepared = Envelope.prepare(endpoint, answer, results, extras, cursor)
        return endpoint.kind === "Signal"
          ? Effect.succeed({ answer, prepared })
          : Effect.map(tags.of(question, named(endpoint, answer, decoded, results)), (etag) => ({
              answer,
              prepared,
              etag,
            }))
      }),
    )
}

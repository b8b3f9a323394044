import * as Effect from "effect/Effect"
import * as Deadline from "../Deadline.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import * as Cursor from "../endpoint/Cursor.ts"
import type { Decoded } from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import { present } from "../endpoint/Field.ts"
import type { Extra } from "../endpoint/Options.ts"
import type { Failure } from "../Failure.ts"
import type { Captured } from "../record/captures/Captures.ts"
import type { Recordable } from "../record/captures/Recordable.ts"
import type { Call } from "./Call.ts"
import type { EntityTags } from "./EntityTags.ts"

/** What the lane said, written down but for what is known last. */
export interface Answered {
  readonly answer: Answer<unknown>
  readonly prepared: Envelope.Prepared
  /** Absent for signals, which are new with every call. */
  readonly etag?: string
  /** What goes on the record if the answer is charged. */
  readonly captured?: Captured
}

/** Decides what of a live signal goes on the record. */
export type Offer = (record: Recordable<unknown>) => Effect.Effect<Captured | undefined, Failure>

export type Ask = (params: unknown) => Effect.Effect<Answer<unknown>, Failure>

/** What no call pays for must not keep those waiting that do: HEAD, or a client that any answer is as good to as none. */
const rankOf = ({ caller, context: { head, ifNoneMatch } }: Call, endpoint: Endpoint.Any): Deadline.Rank => {
  if (caller === undefined || head === true || endpoint.priceMicros === 0 || ifNoneMatch?.trim() === "*")
    return "unpaid"
  // The same answer again is free.
  return ifNoneMatch === undefined ? "paid" : "behind"
}

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
    options.fields === undefined ? results : `${results}\n${Envelope.resultsOf(endpoint, answer, slim, undefined).text}`

  /** The answer as it is told where it goes on the record, and what goes there. Nothing generated does. */
  const recorded = (
    answer: Answer<unknown>,
    offer: Offer | undefined,
  ): Effect.Effect<readonly [Answer<unknown>, Captured | undefined], Failure> => {
    const { record, freshness, billable } = answer
    if (offer === undefined || record === undefined || freshness !== "live" || billable === false) {
      return Effect.succeed([answer, undefined])
    }
    return Effect.map(offer(record), (captured) =>
      captured === undefined || record.recorded === undefined
        ? [answer, captured]
        : [{ ...answer, results: record.recorded(captured.contracts.length) }, captured],
    )
  }

  /**
   * @param question the hash of endpoint, parameters and options
   * @param offer left out where nothing is to be recorded
   */
  return (
    call: Call,
    endpoint: Endpoint.Any,
    decoded: Decoded,
    ask: Ask,
    question: string,
    offer?: Offer,
  ): Effect.Effect<Answered, Failure> =>
    Effect.flatMap(
      Deadline.within(
        Effect.flatMap(ask(decoded.params), (answer) => recorded(answer, offer)),
        call.startedAt,
        rankOf(call, endpoint),
      ),
      ([answer, captured]) =>
        Effect.flatMap(extrasOf(answer, decoded.options.include ?? []), (extras) => {
          const cursor = answer.next === undefined ? undefined : Cursor.encode(endpoint.id, decoded.params, answer.next)
          const results = Envelope.resultsOf(endpoint, answer, decoded.mask, cursor)
          const prepared = Envelope.prepare(endpoint, answer, results, extras, cursor)
          return endpoint.kind === "Signal"
            ? Effect.succeed({ answer, prepared, ...present("captured", captured) })
            : Effect.map(tags.of(question, named(endpoint, answer, decoded, results.text)), (etag) => ({
                answer,
                prepared,
                etag,
                ...present("captured", captured),
              }))
        }),
    )
}

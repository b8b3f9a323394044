import * as Effect from "effect/Effect"
import * as CallContext from "../CallContext.ts"
import type { Recordable } from "../call/Recordable.ts"
import { MarketQuotes } from "../contracts/MarketQuotes.ts"
import type { Answer, Counterfactual } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import * as Cursor from "../endpoint/Cursor.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import type { Handler } from "../endpoint/LaneSets.ts"
import type { Extra } from "../endpoint/Options.ts"
import type { Failure } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import type { Captured } from "../record/captures/Captures.ts"
import * as Step from "../Step.ts"
import * as anchoring from "./anchoring.ts"
import type { Question } from "./Call.ts"
import * as EntityTags from "./EntityTags.ts"

/** A lane's answer, serialised except for `_meta`. */
export interface PreparedAnswer {
  readonly answer: Answer<unknown>
  readonly prepared: Envelope.Prepared
  /** In the requested format. Absent for signals, which are new with every call, and for calls that write. */
  readonly etag?: string
  /** The client has these results already. */
  readonly unchanged: boolean
  /** Goes on the record if the answer is charged. */
  readonly captured?: Captured
}

/** Selects the capture of a live signal; undefined: nothing is recorded. */
export type Capture = (record: Recordable<unknown>) => Step.Step<Captured | undefined, Failure>

/** Free calls must not delay paid ones: calls without a price, HEAD, and `If-None-Match: *`. */
const callRank = ({ caller, call, endpoint }: Question): CallContext.Rank => {
  const { head, ifNoneMatch } = call.context
  if (caller === undefined || head === true || endpoint.priceMicros === 0 || ifNoneMatch?.trim() === "*")
    return "unpaid"
  // Free if the results are unchanged.
  return ifNoneMatch === undefined ? "paid" : "behind"
}

const noCounterfactual: Effect.Effect<Counterfactual | Record<string, never>, Failure> = Effect.succeed({})

const makeComputeExtras =
  (catalogue: Catalogue.Any, anchor: anchoring.Anchor) =>
  (answer: Answer<unknown>, include: ReadonlyArray<Extra>): Effect.Effect<Envelope.Extras, Failure> =>
    include.length === 0
      ? Effect.succeed({})
      : Effect.all({
          ...(include.includes("_alternatives")
            ? { _alternatives: answer.extras?.alternatives ?? Effect.succeed([]) }
            : {}),
          ...(include.includes("_counterfactual")
            ? { _counterfactual: answer.extras?.counterfactual ?? noCounterfactual }
            : {}),
          ...(include.includes("_suggestions")
            ? { _suggestions: Effect.sync(() => Envelope.suggestions(catalogue, answer)) }
            : {}),
          ...(include.includes("_market_anchored") ? { _market_anchored: anchor(answer) } : {}),
        })

/** Calls the lane and serialises the answer before the charge: a value that is not JSON is a bug and is not charged. */
const makePrepare = (
  catalogue: Catalogue.Any,
  tags: EntityTags.EntityTags["Type"],
  anchor: anchoring.Anchor,
  beside: ReturnType<typeof anchoring.beside>,
) => {
  const computeExtras = makeComputeExtras(catalogue, anchor)

  /**
   * The tag of an answer. With `fields` it covers the default shape too: the selected fields alone may be equal on
   * another day.
   */
  const computeEtag = (
    { call, endpoint, decoded: { options, slim }, paramsHash }: Question,
    answer: Answer<unknown>,
    results: string,
  ): Step.Step<string> => {
    const named =
      options.fields === undefined
        ? results
        : `${results}\n${Envelope.writeResults(endpoint, answer, slim, undefined).text}`
    return Step.map(tags.of(paramsHash, named), (etag) => EntityTags.inFormat(etag, call.context.format ?? "json"))
  }

  /** Calls the lane and captures its signal for the record. Mock and shadow answers are never recorded. */
  const askLane = Step.fn(function* (handler: Handler, params: unknown, capture: Capture | undefined) {
    const answer = yield* handler(params)
    const { record, freshness, billable } = answer
    if (capture === undefined || record === undefined || freshness !== "live" || billable === false) {
      return { answer, captured: undefined }
    }
    const captured = yield* capture(record)
    return captured === undefined || record.recorded === undefined
      ? { answer, captured }
      : { answer: { ...answer, results: record.recorded(captured.contracts.length) }, captured }
  })

  /** @param capture absent: nothing is recorded */
  return Step.fn(function* (question: Question, handler: Handler, capture?: Capture) {
    const { call, endpoint, decoded } = question
    const { answer: alone, captured } = yield* Step.mapRemaining(askLane(handler, decoded.params, capture), (rest) =>
      CallContext.within(rest, call.startedAt, callRank(question)),
    )
    const answer = yield* beside(alone)
    const extras = yield* computeExtras(answer, decoded.options.include ?? [])
    const cursor = Cursor.next(endpoint, decoded.params, answer)
    const results = Envelope.writeResults(endpoint, answer, decoded.mask, cursor)
    const prepared = Envelope.prepare(endpoint, answer, results, extras, cursor, captured?.capture.id)
    const common = { answer, prepared, ...ifDefined("captured", captured) }
    if (endpoint.kind === "Signal" || endpoint.writes !== undefined) {
      const prepared: PreparedAnswer = { ...common, unchanged: false }
      return prepared
    }
    const etag = yield* computeEtag(question, answer, results.text)
    const { ifNoneMatch } = call.context
    const unchanged = ifNoneMatch !== undefined && EntityTags.isNamed(ifNoneMatch, etag)
    const found: PreparedAnswer = { ...common, etag, unchanged }
    return found
  })
}

export const make = (catalogue: Catalogue.Any) =>
  Effect.zipWith(EntityTags.EntityTags, MarketQuotes, (tags, quotes) =>
    makePrepare(catalogue, tags, anchoring.make(quotes), anchoring.beside(quotes)),
  )

export type Prepare = Effect.Effect.Success<ReturnType<typeof make>>

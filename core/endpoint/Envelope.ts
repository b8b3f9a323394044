import { display, type MicroUsd } from "../account/Money.ts"
import type { Alternative, Answer, Counterfactual } from "./Answer.ts"
import type * as Catalogue from "./Catalogue.ts"
import * as Endpoint from "./Endpoint.ts"
import type { Failure } from "./Failure.ts"
import * as Select from "./Select.ts"

/** The API version, in the path and in `_meta.version`. */
export const version = "v1"

export interface Meta {
  readonly requestId: string
  readonly latencyMs: number
  readonly charged: MicroUsd
  readonly nextCursor: string | undefined
}

/** What `include=` asked for, computed. */
export interface Extras {
  readonly _alternatives?: ReadonlyArray<Alternative>
  readonly _counterfactual?: Counterfactual | Record<string, never>
  readonly _suggestions?: ReadonlyArray<unknown>
}

const ascii = /^[\x20-\x7e]*$/
const encoder = new TextEncoder()
/** UTF-8 length. `JSON.stringify` escapes control characters, so most bodies are plain ASCII. */
export const byteLength = (text: string): number => (ascii.test(text) ? text.length : encoder.encode(text).length)

/**
 * The body of a 2xx answer in two steps. What the lane said is serialised in the first, so that a value that is no JSON
 * fails before the charge; `_meta`, last in the body, is put in by the second.
 */
export const prepare = (
  endpoint: Endpoint.Any,
  answer: Answer<unknown>,
  mask: Select.Mask,
  extras: Extras,
): ((meta: Meta) => string) => {
  const results = JSON.stringify(Select.apply(mask, answer.results))
  if (Endpoint.isPlain(endpoint)) return () => results
  const rest = JSON.stringify({
    _reasoning: answer.reasoning,
    _citations: answer.citations,
    _confidence: answer.confidence,
    _links: answer.links,
    ...extras,
  })
  const tokens = Math.ceil(byteLength(results) / 4)
  return ({ requestId, latencyMs, nextCursor, charged }) => {
    const meta = JSON.stringify({
      request_id: requestId,
      latency_ms: latencyMs,
      data_freshness: answer.freshness,
      tokens_estimated: tokens,
      version,
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
      price: { display: display(endpoint.priceMicros), charged_micros: charged },
    })
    return `{"results":${results},${rest.slice(1, -1)},"_meta":${meta}}`
  }
}

/** The body of a 2xx answer in one step. */
export const success = (
  endpoint: Endpoint.Any,
  answer: Answer<unknown>,
  mask: Select.Mask,
  extras: Extras,
  meta: Meta,
): string => prepare(endpoint, answer, mask, extras)(meta)

/** The body of every other answer. */
export const failure = (error: Failure, requestId: string, baseUrl: string): string =>
  JSON.stringify({
    error: {
      code: error.code,
      message: error.message,
      recoverable: error.recoverable,
      retry_after_ms: error.retryAfterMs ?? null,
      docs_url: `${baseUrl}/errors/${error.code}`,
      request_id: requestId,
      hints: error.hints ?? [],
      ...(error.quote === undefined ? {} : { quote: error.quote }),
    },
  })

/** A lane names endpoint and parameters; path and price come from the catalogue. */
export const suggestions = (catalogue: Catalogue.Any, answer: Answer<unknown>): ReadonlyArray<unknown> =>
  (answer.extras?.suggestions ?? []).slice(0, 3).flatMap(({ endpoint: id, params, why }) => {
    const endpoint = catalogue.byId.get(id)?.endpoint
    return endpoint === undefined
      ? []
      : [
          {
            endpoint: endpoint.path,
            params,
            why,
            price: { display: display(endpoint.priceMicros), micros: endpoint.priceMicros },
          },
        ]
  })

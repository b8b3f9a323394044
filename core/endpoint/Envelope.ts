import { display, type MicroUsd } from "../account/Money.ts"
import type { Failure } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import type { Alternative, Answer, Counterfactual, Freshness, MarketAnchored } from "./Answer.ts"
import type * as Catalogue from "./Catalogue.ts"
import * as Endpoint from "./Endpoint.ts"
import { errorPath } from "./path.ts"
import * as Select from "./Select.ts"

/** The API version, in the path and in `_meta.version`. */
export const version = "v1"

/** The parts of `_meta` that are known only at the end of a call. */
export interface Meta {
  readonly requestId: string
  readonly latencyMs: number
  readonly charged: MicroUsd
}

/** Envelope fields requested by `include=`. */
export interface Extras {
  readonly _alternatives?: ReadonlyArray<Alternative>
  readonly _counterfactual?: Counterfactual | Record<string, never>
  readonly _suggestions?: ReadonlyArray<unknown>
  readonly _market_anchored?: MarketAnchored
}

const encoder = new TextEncoder()
/** Buffer for measuring texts; its content is never read. */
const scratch = new Uint8Array(65_536)

/** UTF-8 length, found by encoding the text. */
export const lengthWritten = (text: string): number => {
  let bytes = 0
  for (let at = 0; at < text.length; ) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), scratch)
    bytes += written
    at += read
  }
  return bytes
}

/** Node, Deno 2 and Bun count without encoding. */
const { Buffer: counting } = globalThis as { readonly Buffer?: { readonly byteLength: (text: string) => number } }

/** UTF-8 length. */
export const byteLength: (text: string) => number = counting?.byteLength ?? lengthWritten

/** Estimated tokens of a text, from its UTF-8 length. */
export const tokens = (bytes: number): number => Math.ceil(bytes / 4)

/** Estimated tokens of a text that contains this very number; `bytes`: its UTF-8 length without the number. */
const tokensWith = (bytes: number): number => {
  let digits = 1
  // The number's own digits count too: more digits never make it smaller, so this ends.
  while (String(tokens(bytes + digits)).length > digits) digits++
  return tokens(bytes + digits)
}

/** A JSON body, as text or as a value. */
export interface Body {
  readonly toText: () => string
  readonly toValue: () => unknown
  /** UTF-8 length of the text, where it is known without the text. */
  readonly bytes?: number
}

export const empty: Body = { toText: () => "", toValue: () => undefined }

/** A body that is serialised when it is sent. */
export const body = (value: unknown): Body => ({ toText: () => JSON.stringify(value), toValue: () => value })

export interface Written {
  readonly value: unknown
  readonly text: string
}

/**
 * The results on the wire. Without an envelope, `next_cursor` is one of their fields.
 *
 * @param mask the selected fields
 */
export const writeResults = (
  endpoint: Endpoint.Any,
  answer: Answer<unknown>,
  mask: Select.Mask,
  nextCursor: string | undefined,
): Written => {
  const results = Select.apply(mask, answer.results)
  const value =
    Endpoint.isKeyless(endpoint) && nextCursor !== undefined
      ? { ...(results as object), next_cursor: nextCursor }
      : results
  return { value, text: JSON.stringify(value) }
}

type Content = Readonly<Record<string, unknown>>

/** The text of a 2xx answer without the last parts of `_meta`. */
interface Stored {
  /** Without an envelope the whole body, else everything before `_meta`. */
  readonly head: string
  readonly meta?: {
    readonly data_freshness: Freshness
    readonly tokens_estimated: number
    readonly next_cursor?: string
    readonly record?: string
    readonly display: string
  }
}

/**
 * The body of a 2xx answer without the last parts of `_meta`. Its text is written before the charge, so that a value that
 * is not JSON is not charged.
 */
export interface Prepared extends Stored {
  /** The value of `head`. */
  readonly content: () => Content
  /** UTF-8 length of `head`, where it is known. */
  readonly bytes?: number
}

type Last = Omit<Meta, "charged"> & { readonly charged: number }

const writeMeta = (
  { display: price, ...rest }: NonNullable<Stored["meta"]>,
  { requestId, latencyMs, charged }: Last,
) => ({
  request_id: requestId,
  latency_ms: latencyMs,
  ...rest,
  version,
  price: { display: price, charged_micros: charged },
})

/** Numbers that no other part of `_meta` has, in the order of their fields: the text around them is the same every time. */
const marks = { latencyMs: 8_000_000_001, tokens_estimated: 8_000_000_002, charged: 8_000_000_003 }
const markedId = "req_8000000004"
const between = new RegExp([JSON.stringify(markedId), ...Object.values(marks)].join("|"))

/** The texts around id, duration, tokens and charge, by freshness and price. */
const frames = new Map<string, ReadonlyArray<string>>()

/** The text of `_meta`: `JSON.stringify(writeMeta(meta, last))`. */
const metaText = (meta: NonNullable<Stored["meta"]>, last: Last): string => {
  const { data_freshness, tokens_estimated, display: price } = meta
  // A cursor or an entry's address differs from answer to answer, so these texts are not cached.
  if (meta.next_cursor !== undefined || meta.record !== undefined) return JSON.stringify(writeMeta(meta, last))
  const name = `${data_freshness} ${price}`
  let around = frames.get(name)
  if (around === undefined) {
    around = JSON.stringify(
      writeMeta(
        { data_freshness, tokens_estimated: marks.tokens_estimated, display: price },
        { ...marks, requestId: markedId },
      ),
    ).split(between)
    frames.set(name, around)
  }
  const id = JSON.stringify(last.requestId)
  return `${around[0]}${id}${around[1]}${last.latencyMs}${around[2]}${tokens_estimated}${around[3]}${last.charged}${around[4]}`
}

/**
 * `tokens_estimated` is the size of the whole body, from the lengths of its parts: nothing is serialised twice. Duration and
 * charge are not known yet, and a stored answer must say the same when it is sent again: they count as a quick call at
 * list price, so that the number is right to two tokens.
 */
const nominal = { requestId: `req_${"0".repeat(26)}`, latencyMs: 0 }

/** The length of `_meta`, which is ASCII. The body's closing brace takes the place of the 0. */
const metaLength = (endpoint: Endpoint.Any, meta: NonNullable<Stored["meta"]>): number =>
  metaText(meta, { ...nominal, charged: endpoint.priceMicros }).length

/** The text around the results and the other fields. */
const frame = ['{"results":', ",", ',"_meta":'] as const
const frameBytes = frame.join("").length

/** @param entryId of the entry that the answer gets on the record */
export const prepare = (
  endpoint: Endpoint.Any,
  answer: Answer<unknown>,
  results: Written,
  extras: Extras,
  nextCursor: string | undefined,
  entryId?: string,
): Prepared => {
  if (Endpoint.isKeyless(endpoint)) return { head: results.text, content: () => results.value as Content }
  const fields = {
    _reasoning: answer.reasoning,
    _citations: answer.citations,
    _confidence: answer.confidence,
    _links: answer.links,
    ...extras,
  }
  const others = JSON.stringify(fields).slice(1, -1)
  // The parts are counted, since the whole would be copied for it.
  const bytes = frameBytes + byteLength(results.text) + byteLength(others)
  const meta = {
    data_freshness: answer.freshness,
    tokens_estimated: 0,
    ...ifDefined("next_cursor", nextCursor),
    ...(entryId === undefined ? {} : { record: `/record?leaf=${entryId}` }),
    display: display(endpoint.priceMicros),
  }
  return {
    head: `${frame[0]}${results.text}${frame[1]}${others}${frame[2]}`,
    meta: { ...meta, tokens_estimated: tokensWith(bytes + metaLength(endpoint, meta)) },
    content: () => ({ results: results.value, ...fields }),
    bytes,
  }
}

export const tokenSize = ({ head, meta }: Prepared): number => meta?.tokens_estimated ?? tokens(byteLength(head))

/** The stored reply of an idempotent call: a line with the parts of `_meta`, and the text, which is not quoted again. */
export const toStored = ({ head, meta }: Prepared): string => `${JSON.stringify(meta ?? null)}\n${head}`

const parseStored = (text: string): Stored => {
  const end = text.indexOf("\n")
  const meta = JSON.parse(text.slice(0, end)) as Stored["meta"] | null
  return { head: text.slice(end + 1), ...ifDefined("meta", meta ?? undefined) }
}

/** Restores a stored reply. Only its text is stored; `content` parses it on demand. */
export const fromStored = (text: string): Prepared => {
  const stored = parseStored(text)
  return {
    ...stored,
    content: () => JSON.parse(stored.meta === undefined ? stored.head : `${stored.head}null}`) as Content,
  }
}

/** The rows of a list and the next cursor, for answers in CSV or NDJSON. */
export const listRows = (
  { content, meta }: Prepared,
  field: string,
): { readonly rows: ReadonlyArray<unknown>; readonly nextCursor: string | undefined } => {
  const body = content()
  const results = (meta === undefined ? body : body["results"]) as Content
  return {
    rows: (results[field] ?? []) as ReadonlyArray<unknown>,
    nextCursor: meta === undefined ? (results["next_cursor"] as string | undefined) : meta.next_cursor,
  }
}

/** The body of a 2xx answer, with `_meta` completed. */
export const finish = ({ head, meta, content, bytes }: Prepared, last: Meta): Body => {
  if (meta === undefined) return { toText: () => head, toValue: content }
  const tail = `${metaText(meta, last)}}`
  return {
    toText: () => head + tail,
    toValue: () => ({ ...content(), _meta: writeMeta(meta, last) }),
    ...ifDefined("bytes", bytes && bytes + byteLength(tail)),
  }
}

/**
 * The body of every other answer.
 *
 * @param errorsUrl where all codes are explained; absent: each has a page below the base URL
 */
export const failure = (error: Failure, requestId: string, baseUrl: string, errorsUrl?: string) => ({
  error: {
    code: error.code,
    message: error.message,
    recoverable: error.recoverable,
    retry_after_ms: error.retryAfterMs ?? null,
    docs_url: errorsUrl ?? baseUrl + errorPath(error.code),
    request_id: requestId,
    hints: error.remedies,
    ...ifDefined("quote", error.quote),
  },
})

/** At most three suggestions. A lane gives endpoint id and parameters; path and price come from the catalogue. */
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

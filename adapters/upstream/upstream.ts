import type * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { present } from "../../core/endpoint/Field.ts"
import { type Failure, fail } from "../../core/Failure.ts"

/** How patient we are with an upstream. */
export interface Manners {
  /** Of one try. */
  readonly timeoutMs?: number
  /** Of all tries together, the pauses between them included. */
  readonly allMs?: number
  readonly maxBytes?: number
  /** Before the second try; the third comes after three times as long. */
  readonly pauseMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Where an upstream lives and how patient we are with it. */
export interface Upstream extends Manners {
  readonly name: string
  readonly baseUrl: string
  /** Lets one try through when it is its turn; what it waits for that is no time of the try. */
  readonly turn?: <A>(attempt: Effect.Effect<A, UpstreamError>) => Effect.Effect<A, UpstreamError>
}

/** An upstream did not give what was asked. What it said goes to the log; callers learn that it does not answer. */
export class UpstreamError extends Data.TaggedError("UpstreamError")<{
  readonly upstream: string
  readonly reason: "timeout" | "busy" | "transport" | "status" | "too-large" | "not-json" | "shape" | "said-error"
  readonly message: string
  readonly status?: number
  readonly retryAfterMs?: number
  /** How the body of an error status begins: some upstreams tell there what is wrong. */
  readonly body?: string
  readonly cause?: unknown
}> {}

/** At the edge of the core every trouble of an upstream is one failure; nothing of its text reaches the caller. */
export const toFailure = (error: UpstreamError): Failure =>
  fail("upstream_unavailable", {
    detail: `${error.upstream} does not answer as it should (${error.reason}).`,
    retryAfterMs: error.retryAfterMs ?? 5_000,
    cause: error,
  })

const passing = (error: UpstreamError): boolean =>
  error.reason === "timeout" ||
  error.reason === "transport" ||
  (error.reason === "status" &&
    (error.status === 429 || (error.status ?? 0) >= 500) &&
    (error.retryAfterMs ?? 0) <= 2_000)

/** Three tries with growing, jittered pauses, none shorter than the upstream asks for. */
const patience = ({ pauseMs = 250 }: Upstream) =>
  Schedule.exponential(Duration.millis(pauseMs), 3).pipe(
    Schedule.jittered,
    Schedule.intersect(Schedule.recurs(2)),
    Schedule.zipRight(Schedule.identity<UpstreamError>()),
    Schedule.modifyDelay(({ retryAfterMs = 0 }, pause) => Duration.max(pause, Duration.millis(retryAfterMs))),
  )

const retryAfter = (headers: Readonly<Record<string, string>>): { readonly retryAfterMs?: number } => {
  const seconds = Number(headers["retry-after"])
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: Math.min(seconds, 3_600) * 1_000 } : {}
}

const joined = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const longestExcuse = 4_096

/** How the body of an error begins, if it comes within a second: what matters is the status, and that is known. */
const excuse = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<{ readonly body?: string }> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  return response.stream.pipe(
    Stream.runForEachWhile((chunk) =>
      Effect.sync(() => {
        chunks.push(chunk)
        size += chunk.length
        return size < longestExcuse
      }),
    ),
    Effect.timeoutOption("1 second"),
    Effect.ignore,
    Effect.map(() => (size === 0 ? {} : { body: textOf(joined(chunks, size)).slice(0, longestExcuse) })),
  )
}

/** Reads a body up to a limit: an upstream that never stops costs that much and no more. */
const bounded = (
  upstream: Upstream,
  response: HttpClientResponse.HttpClientResponse,
): Effect.Effect<Uint8Array, UpstreamError | HttpClientError.ResponseError> => {
  const limit = upstream.maxBytes ?? 8 * 1_048_576
  const chunks: Array<Uint8Array> = []
  let size = 0
  return response.stream.pipe(
    Stream.runForEach((chunk) => {
      size += chunk.length
      if (size > limit) {
        return Effect.fail(
          new UpstreamError({ upstream: upstream.name, reason: "too-large", message: `More than ${limit} bytes.` }),
        )
      }
      chunks.push(chunk)
      return Effect.void
    }),
    Effect.map(() => joined(chunks, size)),
  )
}

/** One exchange: bounded in time and size, tried again where that can help. */
const exchange = <A>(
  client: HttpClient.HttpClient,
  upstream: Upstream,
  request: HttpClientRequest.HttpClientRequest,
  read: (
    response: HttpClientResponse.HttpClientResponse,
  ) => Effect.Effect<A, UpstreamError | HttpClientError.ResponseError> | undefined,
): Effect.Effect<A, UpstreamError> => {
  const late = () => new UpstreamError({ upstream: upstream.name, reason: "timeout", message: "No answer in time." })
  const attempt = client.execute(request).pipe(
    Effect.flatMap(
      (response) =>
        read(response) ??
        Effect.flatMap(excuse(response), (said) =>
          Effect.fail(
            new UpstreamError({
              upstream: upstream.name,
              reason: "status",
              message: `Status ${response.status}.`,
              status: response.status,
              ...retryAfter(response.headers),
              ...said,
            }),
          ),
        ),
    ),
    Effect.catchTags({
      RequestError: (cause) =>
        Effect.fail(
          new UpstreamError({ upstream: upstream.name, reason: "transport", message: "No connection.", cause }),
        ),
      ResponseError: (cause) =>
        Effect.fail(
          new UpstreamError({ upstream: upstream.name, reason: "transport", message: "The answer broke off.", cause }),
        ),
    }),
    Effect.scoped,
    Effect.timeoutFail({ duration: upstream.timeoutMs ?? 8_000, onTimeout: late }),
  )
  const tries = Effect.retry(upstream.turn?.(attempt) ?? attempt, { schedule: patience(upstream), while: passing })
  return upstream.allMs === undefined ? tries : Effect.timeoutFail(tries, { duration: upstream.allMs, onTimeout: late })
}

const isGood = ({ status }: HttpClientResponse.HttpClientResponse): boolean => status >= 200 && status < 300

const get = ({ baseUrl, headers }: Upstream, path: string, accept: string) =>
  HttpClientRequest.get(`${baseUrl.replace(/\/+$/, "")}${path}`).pipe(
    HttpClientRequest.setHeaders({ accept, ...headers }),
  )

/** What stands behind the question mark; a list is its key again and again. */
type Query = Readonly<Record<string, string | ReadonlyArray<string>>>

/** GET of a text. */
export const getText = (
  client: HttpClient.HttpClient,
  upstream: Upstream,
  path: string,
  query: Query = {},
): Effect.Effect<string, UpstreamError> =>
  exchange(
    client,
    upstream,
    HttpClientRequest.setUrlParams(get(upstream, path, "application/json"), query),
    (response) => (isGood(response) ? Effect.map(bounded(upstream, response), textOf) : undefined),
  )

/** What a server said of a file, to be sent back with the next request for it. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

export interface Download extends Validators {
  readonly bytes: Uint8Array
}

/** GET of a file unless it is still the one that is known: undefined then. */
export const getFile = (
  client: HttpClient.HttpClient,
  upstream: Upstream,
  path: string,
  { etag: knownEtag, lastModified: knownDate }: Validators = {},
): Effect.Effect<Download | undefined, UpstreamError> =>
  exchange(
    client,
    upstream,
    HttpClientRequest.setHeaders(get(upstream, path, "*/*"), {
      ...present("if-none-match", knownEtag),
      ...present("if-modified-since", knownDate),
    }),
    (response): Effect.Effect<Download | undefined, UpstreamError | HttpClientError.ResponseError> | undefined => {
      if (response.status === 304) return Effect.succeed(undefined)
      if (!isGood(response)) return undefined
      const { etag, "last-modified": lastModified } = response.headers
      return Effect.map(bounded(upstream, response), (bytes) => ({
        bytes,
        ...present("etag", etag),
        ...present("lastModified", lastModified),
      }))
    },
  )

/** GET of JSON that must have a shape. */
export const getJson = <A, I>(
  client: HttpClient.HttpClient,
  upstream: Upstream,
  schema: Schema.Schema<A, I>,
  path: string,
  query: Query = {},
): Effect.Effect<A, UpstreamError> => {
  const decode = ParseResult.decodeUnknown(schema)
  return getText(client, upstream, path, query).pipe(
    Effect.flatMap((text) =>
      Effect.try({
        try: () => JSON.parse(text) as unknown,
        catch: (cause) =>
          new UpstreamError({ upstream: upstream.name, reason: "not-json", message: "The answer is no JSON.", cause }),
      }),
    ),
    Effect.flatMap((value) =>
      Effect.mapError(
        decode(value),
        (issue) =>
          new UpstreamError({
            upstream: upstream.name,
            reason: "shape",
            message: ParseResult.TreeFormatter.formatIssueSync(issue).slice(0, 500),
          }),
      ),
    ),
  )
}

import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as CallContext from "../../../core/CallContext.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { observe } from "../telemetry/observed.ts"
import { type Breaker, defaultRestMs, maxAwaitedRestMs, patienceMs, Sources, type Ticket } from "./breaker.ts"
import { parseRetryAfter } from "./retryAfter.ts"
import { makeError, type UpstreamError, type UpstreamName, undecodable } from "./UpstreamError.ts"

const decodeText = (chunks: ReadonlyArray<Uint8Array>): string => {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
}

const maxErrorBodyBytes = 4_096

/** The first characters of an error response's body, as far as they arrive within a second. */
const readErrorBody = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<{ readonly body?: string }> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const readChunks = response.stream.pipe(
    Stream.runForEachWhile((chunk) =>
      Effect.suspend(() => {
        chunks.push(chunk)
        size += chunk.length
        return Effect.as(yieldToEventLoop, size < maxErrorBodyBytes)
      }),
    ),
    Effect.timeoutOption("1 second"),
    Effect.ignore,
  )
  // Yields, since the first failure of a process runs much code that is not yet compiled.
  return Effect.zipRight(yieldToEventLoop, Effect.zipRight(readChunks, yieldToEventLoop)).pipe(
    Effect.map(() => (size === 0 ? {} : { body: decodeText(chunks).slice(0, maxErrorBodyBytes) })),
  )
}

/** Bytes of a body that are read in one turn of the event loop; a socket may deliver up to 2 MiB in a turn. */
const bytesPerTurn = 131_072

/**
 * Reads a body's chunks up to a limit, since an upstream may never stop sending. Yields between parts of a long body, so
 * that a fast upstream does not occupy the thread.
 */
const readBounded = (
  upstream: UpstreamName & { readonly maxBytes?: number },
  response: HttpClientResponse.HttpClientResponse,
): Effect.Effect<ReadonlyArray<Uint8Array>, UpstreamError | HttpClientError.ResponseError> => {
  const limit = upstream.maxBytes ?? 8 * 1_048_576
  const chunks: Array<Uint8Array> = []
  let [size, read] = [0, 0]
  return response.stream.pipe(
    Stream.runForEach((chunk) => {
      size += chunk.length
      read += chunk.length
      if (size > limit) {
        return Effect.fail(makeError(upstream, { reason: "too-large", message: `More than ${limit} bytes.` }))
      }
      chunks.push(chunk)
      if (read < bytesPerTurn) return Effect.void
      read = 0
      return yieldToEventLoop
    }),
    Effect.as(chunks),
  )
}

export { implausible, misshapen, toFailure, UpstreamError, undecodable, withPath } from "./UpstreamError.ts"

/** Timeouts, size limit and headers of requests. */
export interface RequestPolicy {
  /** Timeout of one attempt, ms. */
  readonly timeoutMs?: number
  /** Timeout of all attempts and pauses together, ms. */
  readonly allMs?: number
  readonly maxBytes?: number
  /** Pause before the second attempt, ms; before the third it is three times as long. */
  readonly pauseMs?: number
  /** Silence after which the breaker opens although the request goes on, ms; default: at the request's end. */
  readonly patienceMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The policy of requests for which a call may wait, and which may delay a job no longer. */
export const callBudget = { allMs: CallContext.upstreamDeadlineMs, patienceMs } as const satisfies RequestPolicy

/** An upstream's address and request policy. */
export interface Upstream extends RequestPolicy {
  readonly name: string
  /** Its name in a sentence, such as "The Iowa archive"; default: `name`. */
  readonly title?: string
  readonly baseUrl: string
  /** The domain to whose hosts redirects are followed, besides its own host; default: none is followed. */
  readonly redirects?: false | string
  /** The concurrency limit; time in its queue does not count towards the attempt's timeout. */
  readonly slot?: <A>(attempt: Effect.Effect<A, UpstreamError>) => Effect.Effect<A, UpstreamError>
  /** Shared by all callers of the process: refuses requests at once while the upstream does not answer. */
  readonly breaker?: Breaker
  /**
   * Whether an error asks all callers for a pause, as long as its `Retry-After` or 5 s; default: 429, and 503 with
   * `Retry-After`.
   */
  readonly isOverload?: (error: UpstreamError) => boolean
}

export const isOverload = ({ status, retryAfterMs }: UpstreamError): boolean =>
  status === 429 || (status === 503 && retryAfterMs !== undefined)

const makeTimeout = (upstream: Upstream, waitedMs: number) => (): UpstreamError =>
  makeError(upstream, { reason: "timeout", message: `No response within ${waitedMs} ms.`, waitedMs })

const isTransient = (error: UpstreamError): boolean =>
  error.reason === "timeout" ||
  error.reason === "transport" ||
  (error.reason === "status" &&
    (error.status === 429 || (error.status ?? 0) >= 500) &&
    (error.retryAfterMs ?? 0) <= maxAwaitedRestMs)

/** Three attempts with growing, jittered pauses, none shorter than the upstream's `Retry-After`. */
const retrySchedule = ({ pauseMs = 250 }: Upstream) =>
  Schedule.exponential(Duration.millis(pauseMs), 3).pipe(
    Schedule.jittered,
    Schedule.intersect(Schedule.recurs(2)),
    Schedule.zipRight(Schedule.identity<UpstreamError>()),
    Schedule.modifyDelay(({ retryAfterMs = 0 }, pause) => Duration.max(pause, Duration.millis(retryAfterMs))),
  )

/** Reads a response; undefined: its status is an error. */
type Read<A> = (
  response: HttpClientResponse.HttpClientResponse,
) => Effect.Effect<A, UpstreamError | HttpClientError.ResponseError> | undefined

/** The target of a redirect. */
const redirectLocation = ({
  headers: { location },
  status,
}: HttpClientResponse.HttpClientResponse): string | undefined =>
  status >= 300 && status < 400 ? location?.slice(0, 2_000) : undefined

const maxRedirects = 3

/** Sends a request, and follows the redirects that the upstream declares. */
const follow = (
  client: HttpClient.HttpClient,
  upstream: Upstream,
  request: HttpClientRequest.HttpClientRequest,
  left = maxRedirects,
): ReturnType<HttpClient.HttpClient["execute"]> =>
  client.execute(request).pipe(
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    Effect.flatMap((response) => {
      const { redirects = false } = upstream
      const location = redirectLocation(response)
      if (redirects === false || location === undefined || left === 0 || !URL.canParse(location, request.url)) {
        return Effect.succeed(response)
      }
      const [{ host, hostname, href, protocol }, asked] = [new URL(location, request.url), new URL(request.url)]
      const isDeclared = protocol === asked.protocol && (host === asked.host || hostname.endsWith(`.${redirects}`))
      return isDeclared
        ? follow(client, upstream, HttpClientRequest.get(href, { headers: request.headers }), left - 1)
        : Effect.succeed(response)
    }),
  )

/** One attempt. */
const respond = <A>(
  client: HttpClient.HttpClient,
  upstream: Upstream,
  request: HttpClientRequest.HttpClientRequest,
  read: Read<A>,
): Effect.Effect<A, UpstreamError> => {
  const { timeoutMs = 8_000 } = upstream
  const broken = (message: string) => (cause: HttpClientError.HttpClientError) =>
    Effect.fail(makeError(upstream, { reason: "transport", message, cause }))
  return follow(client, upstream, request).pipe(
    Effect.flatMap(
      (response) =>
        read(response) ??
        Effect.flatMap(Effect.all([Clock.currentTimeMillis, readErrorBody(response)]), ([now, said]) => {
          const location = redirectLocation(response)
          return Effect.fail(
            makeError(upstream, {
              reason: "status",
              message: `Status ${response.status}${location === undefined ? "" : `, a redirect to ${location}`}.`,
              status: response.status,
              ...parseRetryAfter(response.headers, now),
              ...said,
            }),
          )
        }),
    ),
    Effect.catchTags({
      RequestError: broken("Could not connect."),
      ResponseError: broken("The response ended early."),
    }),
    Effect.scoped,
    Effect.timeoutFail({ duration: timeoutMs, onTimeout: makeTimeout(upstream, timeoutMs) }),
    observe(upstream.name),
  )
}

/** Sends a request, with timeout, size limit and retries of transient errors, as far as its breaker permits. */
const exchange: typeof respond = (client, upstream, request, read) => {
  const { allMs, patienceMs, slot, isOverload: asksForPause = isOverload } = upstream
  const attempt = respond(client, upstream, request, read)
  const tries = (guarded: typeof attempt, permits: () => boolean): typeof attempt => {
    const all = Effect.retry(slot?.(guarded) ?? guarded, {
      schedule: retrySchedule(upstream),
      while: (error) => isTransient(error) && permits(),
    })
    return allMs === undefined
      ? all
      : Effect.timeoutFail(all, { duration: allMs, onTimeout: makeTimeout(upstream, allMs) })
  }
  if (upstream.breaker === undefined) return tries(attempt, () => true)
  const own = upstream.breaker
  return Effect.flatMap(Sources, (sources) => {
    const breaker = sources.share(own)
    /** A stated pause begins at once, an unstated one when the last attempt has failed. */
    const rest = (isStated: boolean) => (error: UpstreamError) =>
      asksForPause(error) && (error.retryAfterMs !== undefined) === isStated
        ? breaker.rest(error.retryAfterMs ?? defaultRestMs)
        : Effect.void
    const request = (ticket: Ticket) =>
      Effect.tapError(
        tries(breaker.attempt(ticket, Effect.tapError(attempt, rest(true))), () => breaker.permits(ticket)),
        rest(false),
      )
    return breaker.request(request, patienceMs)
  })
}

const isGood = ({ status }: HttpClientResponse.HttpClientResponse): boolean => status >= 200 && status < 300

const get = ({ baseUrl, headers }: Upstream, path: string, accept: string) =>
  HttpClientRequest.get(`${baseUrl.replace(/\/+$/, "")}${path}`).pipe(
    HttpClientRequest.setHeaders({ accept, ...headers }),
  )

/** Query parameters; a list repeats its key. */
export type Query = Readonly<Record<string, string | ReadonlyArray<string>>>

const getRaw = (
  client: HttpClient.HttpClient,
  upstream: Upstream,
  path: string,
  query: Query,
): Effect.Effect<string, UpstreamError> =>
  exchange(
    client,
    upstream,
    HttpClientRequest.setUrlParams(get(upstream, path, "application/json"), query),
    (response) => (isGood(response) ? Effect.map(readBounded(upstream, response), decodeText) : undefined),
  )

/** Replaces NUL characters of upstreams, which PostgreSQL cannot store. */
const replacement = "\uFFFD"

/** Parses JSON, with escaped NUL characters replaced; a backslash that is itself escaped begins no escape. */
const parse = (text: string): unknown =>
  JSON.parse(text.includes("\\u0000") ? text.replace(/(?<!\\)((?:\\\\)*)\\u0000/g, `$1${replacement}`) : text)

/** GET of a text; NUL characters are replaced. */
export const getText = (
  client: HttpClient.HttpClient,
  upstream: Upstream,
  path: string,
  query: Query = {},
): Effect.Effect<string, UpstreamError> =>
  Effect.map(getRaw(client, upstream, path, query), (text) => text.replaceAll("\u0000", replacement))

/** Validators of a file, sent with the next conditional request. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

export interface Download extends Validators {
  /** As received: joining a season's file would block for 15 ms. */
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly status: number
}

/** Conditional GET of a file; undefined if it has not changed. */
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
      ...ifDefined("if-none-match", knownEtag),
      ...ifDefined("if-modified-since", knownDate),
    }),
    (response): Effect.Effect<Download | undefined, UpstreamError | HttpClientError.ResponseError> | undefined => {
      if (response.status === 304) return Effect.succeed(undefined)
      if (!isGood(response)) return undefined
      const { etag, "last-modified": lastModified } = response.headers
      return Effect.map(readBounded(upstream, response), (chunks) => ({
        chunks,
        status: response.status,
        ...ifDefined("etag", etag),
        ...ifDefined("lastModified", lastModified),
      }))
    },
  )

/** GET of JSON, validated by a schema; NUL characters are replaced. */
export const getJson = <A, I>(
  client: HttpClient.HttpClient,
  upstream: Upstream,
  schema: Schema.Schema<A, I>,
  path: string,
  query: Query = {},
): Effect.Effect<A, UpstreamError> => {
  const decode = ParseResult.decodeUnknown(schema)
  return getRaw(client, upstream, path, query).pipe(
    Effect.flatMap((text) =>
      Effect.try({
        try: () => parse(text),
        catch: (cause) => makeError(upstream, { reason: "not-json", message: "The response is not JSON.", cause }),
      }),
    ),
    Effect.flatMap((value) => Effect.mapError(decode(value), (issue) => undecodable(upstream, issue))),
  )
}

import * as Data from "effect/Data"
import * as ParseResult from "effect/ParseResult"
import { type Failure, fail } from "../../../core/Failure.ts"
import { second } from "../../../core/time.ts"

/** The name of an upstream, and the one in a sentence. */
export interface Named {
  readonly name: string
  readonly title?: string | undefined
}

/** A request failed. Only the log gets the details. */
export class UpstreamError extends Data.TaggedError("UpstreamError")<{
  readonly upstream: string
  readonly title?: string | undefined
  /** Not sent: `paused`, since the upstream did not answer lately; `throttled`, since it asked for a pause. */
  readonly reason:
    | "timeout"
    | "busy"
    | "paused"
    | "throttled"
    | "transport"
    | "status"
    | "too-large"
    | "not-json"
    | "shape"
    | "implausible"
  readonly message: string
  readonly status?: number
  /** Of the request. */
  readonly path?: string
  readonly retryAfterMs?: number
  /** Of a `timeout`: milliseconds waited. */
  readonly waitedMs?: number
  /** The first characters of an error response's body. */
  readonly body?: string
  readonly cause?: unknown
}> {}

export const errorOf = (
  { name: upstream, title }: Named,
  error: Omit<ConstructorParameters<typeof UpstreamError>[0], "upstream" | "title">,
): UpstreamError =>
  // Where it was made tells an operator nothing.
  Object.assign(new UpstreamError({ upstream, title, ...error }), { stack: `${upstream}: ${error.message}` })

/** The same error of a request for a path. */
export const located =
  (path: string) =>
  (error: UpstreamError): UpstreamError => {
    const { message, stack, cause, ...rest } = error
    return error.path === undefined
      ? Object.assign(new UpstreamError({ ...rest, message, cause, path }), { stack })
      : error
  }

/** The response is not what the upstream's documentation promises. */
export const misshapen = (upstream: Named, message: string): UpstreamError =>
  errorOf(upstream, { reason: "shape", message })

/**
 * The response has the documented shape, and cannot be true.
 *
 * @param message the field and its value, in our words: callers read it
 */
export const implausible = (upstream: Named, message: string): UpstreamError =>
  errorOf(upstream, { reason: "implausible", message })

/** The same as `misshapen`, with the first 500 characters of the decoder's issue. */
export const undecodable = (upstream: Named, issue: ParseResult.ParseIssue): UpstreamError =>
  misshapen(upstream, ParseResult.TreeFormatter.formatIssueSync(issue).slice(0, 500))

const seconds = (ms: number): string => `${Math.ceil(ms / second)} s`

/** The sentence of an upstream that has not answered for some milliseconds. */
export const silent = (title: string, waitedMs: number): string => `${title} did not answer in ${seconds(waitedMs)}.`

/** The ends of a sentence that begins with the upstream's name. */
const ends: Readonly<Record<UpstreamError["reason"], (error: UpstreamError) => string>> = {
  timeout: ({ waitedMs }) => `did not answer${waitedMs === undefined ? "" : ` in ${seconds(waitedMs)}`}.`,
  busy: () => "has too many requests of this service waiting.",
  paused: ({ retryAfterMs = 0 }) => `does not answer. It is asked again in ${seconds(retryAfterMs)}.`,
  throttled: ({ retryAfterMs = 0 }) => `asked for a pause. It is asked again in ${seconds(retryAfterMs)}.`,
  transport: () => "cannot be reached, or broke its answer off.",
  status: ({ status }) => `answered with an error${status === undefined ? "" : ` (status ${status})`}.`,
  "too-large": () => "sent a longer answer than is accepted.",
  "not-json": () => "sent an answer that cannot be read.",
  shape: () => "sent an answer of another form than expected.",
  implausible: ({ message }) => `sent an answer that cannot be true: ${message}.`,
}

/** Maps an upstream's error to the core's failure, without any text of the upstream but a value as `shown`. */
export const toFailure = (error: UpstreamError): Failure =>
  fail("upstream_unavailable", {
    detail: `${error.title ?? error.upstream} ${ends[error.reason](error)}`,
    retryAfterMs: error.retryAfterMs ?? 5_000,
    cause: error,
  })

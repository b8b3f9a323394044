import * as Data from "effect/Data"
import * as ParseResult from "effect/ParseResult"
import { type Failure, fail } from "../../../core/Failure.ts"
import { second } from "../../../core/time.ts"

/** The name of an upstream, and its name in a sentence. */
export interface UpstreamName {
  readonly name: string
  readonly title?: string | undefined
}

/** The failure of a request. Its details are only for the log. */
export class UpstreamError extends Data.TaggedError("UpstreamError")<{
  readonly upstream: string
  readonly title?: string | undefined
  /** Not sent: `busy`, too many wait; `paused`, the upstream did not answer lately; `throttled`, it asked for a pause. */
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
  readonly path?: string
  readonly retryAfterMs?: number
  /** For a `timeout`: milliseconds waited. */
  readonly waitedMs?: number
  /** The first characters of an error response's body. */
  readonly body?: string
  readonly cause?: unknown
}> {}

export const makeError = (
  { name: upstream, title }: UpstreamName,
  error: Omit<ConstructorParameters<typeof UpstreamError>[0], "upstream" | "title">,
): UpstreamError =>
  // The place in our code would tell an operator nothing.
  Object.assign(new UpstreamError({ upstream, title, ...error }), { stack: `${upstream}: ${error.message}` })

/** Adds the path of the request to an error. */
export const withPath =
  (path: string) =>
  (error: UpstreamError): UpstreamError => {
    const { message, stack, cause, ...rest } = error
    return error.path === undefined
      ? Object.assign(new UpstreamError({ ...rest, message, cause, path }), { stack })
      : error
  }

/** The response does not have the documented form. */
export const misshapen = (upstream: UpstreamName, message: string): UpstreamError =>
  makeError(upstream, { reason: "shape", message })

/**
 * The response has the documented form, but cannot be true.
 *
 * @param message the field and its value, in our words, for callers
 */
export const implausible = (upstream: UpstreamName, message: string): UpstreamError =>
  makeError(upstream, { reason: "implausible", message })

/** A `misshapen` error with the first 500 characters of the decoder's message. */
export const undecodable = (upstream: UpstreamName, issue: ParseResult.ParseIssue): UpstreamError =>
  misshapen(upstream, ParseResult.TreeFormatter.formatIssueSync(issue).slice(0, 500))

const seconds = (ms: number): string => `${Math.ceil(ms / second)} s`

/** The sentence for an upstream that has not answered for some milliseconds. */
export const silenceText = (title: string, waitedMs: number): string =>
  `${title} did not answer in ${seconds(waitedMs)}.`

/** The sentence for each reason, after the upstream's name. */
const endings: Readonly<Record<UpstreamError["reason"], (error: UpstreamError) => string>> = {
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

/** Maps an upstream's error to the core's failure, without the upstream's text, except for values made by `shown`. */
export const toFailure = (error: UpstreamError): Failure =>
  fail("upstream_unavailable", {
    detail: `${error.title ?? error.upstream} ${endings[error.reason](error)}`,
    retryAfterMs: error.retryAfterMs ?? 5_000,
    cause: error,
  })

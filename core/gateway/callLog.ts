import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import * as Endpoint from "../endpoint/Endpoint.ts"
import type { Failure } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import { AccessLog } from "./AccessLog.ts"
import type { Call, Progress, RequestContext, Stage } from "./Call.ts"
import * as LogThrottle from "./logThrottle.ts"

/** Most characters of a client's own request id in the log. */
const maxRequestIdLength = 128

/** The printable part of the request id that a client sent. It is not verified and identifies nothing. */
const printableClientId = (given: string | undefined): string | undefined => {
  const printable = given
    ?.slice(0, 2 * maxRequestIdLength)
    .replace(/[^\x20-\x7e]/g, "")
    .slice(0, maxRequestIdLength)
  return printable === "" ? undefined : printable
}

interface CallEnd {
  readonly status: number
  readonly code?: string
  readonly micros?: number
}

/** The known part of a call when it ended. */
type CallFacts = Pick<Call, "requestId"> &
  Partial<Pick<Call, "startedAt">> &
  Pick<Stage, "caller"> & { readonly context?: Pick<RequestContext, "clientRequestId" | "head"> }

/** A request for a path that is no endpoint's, such as a health probe; it has no parameters. */
export interface UnmatchedRequest {
  readonly method: string
  readonly route: string
  /** Epoch milliseconds. */
  readonly startedAt: number
}

/** The target of a call: an endpoint, an unmatched path, or a named part of the service; undefined if nothing is at the path. */
type CallTarget = Endpoint.Any | UnmatchedRequest | string | undefined

const isUnmatched = (target: CallTarget): target is UnmatchedRequest => typeof target === "object" && "route" in target

const callerName = (target: CallTarget): string | undefined =>
  typeof target !== "object" ? target : isUnmatched(target) ? undefined : target.id

/** Logs the endpoint's path, since the request's may contain parameters. */
const routeName = (target: CallTarget, isHead: boolean | undefined) => {
  if (typeof target !== "object") return {}
  if (isUnmatched(target)) return { method: target.method, route: target.route }
  return { method: isHead === true ? "HEAD" : Endpoint.methodOf(target), route: target.path }
}

const logFields = (
  { requestId, context, caller, startedAt }: CallFacts,
  target: CallTarget,
  { status, code, micros }: CallEnd,
  now: number,
): Readonly<Record<string, unknown>> => {
  const clientRequestId = printableClientId(context?.clientRequestId)
  return {
    request_id: requestId,
    ...ifDefined("client_request_id", clientRequestId),
    ...(caller === undefined ? {} : { key_id: caller.keyId, account_id: caller.accountId }),
    ...ifDefined("endpoint", callerName(target)),
    ...routeName(target, context?.head),
    status,
    ...ifDefined("code", code),
    ...(startedAt === undefined ? {} : { ms: Math.max(0, now - startedAt) }),
    ...ifDefined("micros", micros),
  }
}

/** At most one error line per code and endpoint in this time, since a failing store or upstream fails every call. */
const quietMs = 1_000

/**
 * The operator's log of requests. It never contains a key, a token, a parameter or a body.
 *
 * A server error (status 500 and above) is logged with its cause: the first at once, then one a second per code and
 * endpoint, with the number of suppressed lines. At level `debug`, or at `info` with `AccessLog`, every request has a line.
 */
export const make = Effect.gen(function* () {
  const throttle = LogThrottle.make(quietMs)
  const level = (yield* AccessLog) ? LogLevel.Info : LogLevel.Debug
  const hasLine = LogLevel.lessThanEqual(yield* FiberRef.get(FiberRef.currentMinimumLogLevel), level)

  const failed = (
    facts: CallFacts,
    target: CallTarget,
    { status, code, message }: Failure,
    cause: Cause.Cause<unknown>,
  ): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const suppressed = throttle(`${code} ${callerName(target) ?? (isUnmatched(target) ? target.route : "")}`, now)
      if (suppressed === undefined) return Effect.void
      const level = code === "internal_error" ? LogLevel.Error : LogLevel.Warning
      return Effect.annotateLogs(Effect.logWithLevel(level, `Call failed: ${message}`, cause), {
        ...logFields(facts, target, { status, code }, now),
        ...(suppressed === 0 ? {} : { suppressed }),
      })
    })

  const ended = (facts: CallFacts, target: CallTarget, end: CallEnd): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.annotateLogs(Effect.logWithLevel(level, "Call"), logFields(facts, target, end, now)),
    )

  return {
    /** @param defect logged instead of the failure's own cause */
    refused: (
      facts: CallFacts,
      target: CallTarget,
      failure: Failure,
      defect?: Cause.Cause<unknown>,
    ): Effect.Effect<void> => {
      const { status, code, cause } = failure
      const line = hasLine ? ended(facts, target, { status, code, micros: 0 }) : Effect.void
      if (status < 500) return line
      const why = defect ?? (cause === undefined ? Cause.empty : Cause.fail(cause))
      return Effect.zipRight(line, failed(facts, target, failure, why))
    },
    paidCall: (
      { call, stage: { caller } }: Progress,
      endpoint: Endpoint.Any,
      status: number,
      micros: number,
    ): Effect.Effect<void> => (hasLine ? ended({ ...call, caller }, endpoint, { status, micros }) : Effect.void),
  }
})

export type CallLog = Effect.Effect.Success<typeof make>

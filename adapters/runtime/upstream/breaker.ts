import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Random from "effect/Random"
import * as CallContext from "../../../core/CallContext.ts"
import { iso, second } from "../../../core/time.ts"
import { UpstreamError } from "./UpstreamError.ts"

/** Silence of an upstream that calls wait for, ms, after which further calls are refused: less than a call's deadline. */
export const patienceMs = CallContext.upstreamDeadlineMs - second

/** The first pause of an open breaker and the longest, ms; each is twice as long as the one before. */
const [shortest, longest] = [5 * second, 30 * second]

/** Pauses differ by so much, so that many processes do not ask at once. */
const jitter = 0.2

/** How long calls wait for the one that is let through, ms: a source that is back answers many of them at once. */
const probeMs = second

/** An upstream does not answer. */
export interface Outage {
  /** Epoch milliseconds. */
  readonly since: number
  /** No request is sent before, epoch milliseconds. */
  readonly nextAt: number
}

/** An upstream as operators see it. */
export interface Source {
  readonly name: string
  readonly title: string
  /** Undefined: it answers, as far as is known. */
  readonly outage: () => Outage | undefined
}

interface Watched {
  readonly add: (source: Source) => void
  /** Those that were asked so far. */
  readonly all: () => ReadonlyArray<Source>
}

/** The sources that this process requests. By default none is listed: right for a command, which ends before anyone looks. */
export class Sources extends Context.Reference<Sources>()("adapters/runtime/upstream/Sources", {
  defaultValue: (): Watched => ({ add: () => {}, all: () => [] }),
}) {}

export const watching = (): Watched => {
  const found = new Map<string, Source>()
  return { add: (source) => void found.set(source.name, source), all: () => [...found.values()] }
}

/** A request with its attempts. */
export interface Ticket {
  /** Answers of the upstream before the request. */
  readonly answers: number
  /** Its attempts are made although the breaker is open. */
  isProbe: boolean
  isCounted: boolean
}

export interface Breaker extends Source {
  /**
   * Runs a request. Without an answer at its end, or after `patience` ms, it opens the breaker, unless others had an answer
   * meanwhile: one slow path of a source that answers is no outage.
   *
   * @param patience undefined: only the request's end counts
   */
  readonly request: <A>(
    request: (ticket: Ticket) => Effect.Effect<A, UpstreamError>,
    patience: number | undefined,
  ) => Effect.Effect<A, UpstreamError>
  /** Runs an attempt of a request. */
  readonly attempt: <A>(ticket: Ticket, attempt: Effect.Effect<A, UpstreamError>) => Effect.Effect<A, UpstreamError>
  /** Whether a request may make a further attempt. */
  readonly permits: (ticket: Ticket) => boolean
}

const isSilence = ({ reason }: UpstreamError): boolean => reason === "timeout" || reason === "transport"

/**
 * The circuit breaker of an upstream. While it is open, requests fail at once with the time of the next attempt; then one
 * request is let through. Calls wait for it for a second, jobs until its end. Any answer closes the breaker.
 */
const make = (name: string, title: string): Breaker => {
  let answers = 0
  let running = 0
  let outage: Outage | undefined
  let pauses = 0
  let probedAt = Number.NEGATIVE_INFINITY
  let settled = Deferred.unsafeMake<void>(FiberId.none)

  const permits = (ticket: Ticket): boolean => outage === undefined || ticket.isProbe

  const paused = (now: number) =>
    new UpstreamError({
      upstream: name,
      title,
      reason: "paused",
      message: "It does not answer.",
      retryAfterMs: outage !== undefined && outage.nextAt > now ? outage.nextAt - now : shortest,
    })

  const refuse = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(paused(now)))

  const open = (ticket: Ticket): Effect.Effect<void> =>
    Effect.suspend(() => {
      ticket.isProbe = false
      if (ticket.isCounted || ticket.answers !== answers) return Effect.void
      ticket.isCounted = true
      return Effect.flatMap(Effect.all([Clock.currentTimeMillis, Random.next]), ([now, drawn]) => {
        const pause = Math.min(longest, shortest * 2 ** pauses++) * (1 + jitter * (2 * drawn - 1))
        const before = outage
        outage = { since: before?.since ?? now, nextAt: Math.ceil(now + pause) }
        return before === undefined
          ? Effect.logWarning(`${title} does not answer: calls that need it are refused until it does`).pipe(
              Effect.annotateLogs({ upstream: name, next_attempt_at: iso(outage.nextAt) }),
            )
          : Effect.void
      })
    })

  /** Lets those ask again that wait for the request that was let through. */
  const settle = Effect.suspend(() => {
    const waited = settled
    settled = Deferred.unsafeMake<void>(FiberId.none)
    return Deferred.succeed(waited, undefined)
  })

  const close = Effect.suspend(() => {
    answers++
    const before = outage
    outage = undefined
    pauses = 0
    return before === undefined
      ? Effect.void
      : Effect.zipRight(
          settle,
          Effect.logInfo(`${title} answers again`).pipe(
            Effect.annotateLogs({ upstream: name, away_since: iso(before.since) }),
          ),
        )
  })

  const enter: Effect.Effect<Ticket, UpstreamError> = Effect.gen(function* () {
    const { deadline } = yield* CallContext.CallContext
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      if (outage === undefined || (running === 0 && now >= outage.nextAt)) {
        running++
        if (outage !== undefined) probedAt = now
        return { answers, isProbe: outage !== undefined, isCounted: false }
      }
      const wait = deadline === Number.POSITIVE_INFINITY ? deadline : probedAt + probeMs - now
      if (now < outage.nextAt || wait <= 0) return yield* Effect.fail(paused(now))
      yield* Effect.timeoutOption(Effect.interruptible(Deferred.await(settled)), wait)
    }
  })

  const leave = Effect.suspend(() => {
    running--
    return running > 0 ? Effect.void : settle
  })

  return {
    name,
    title,
    outage: () => outage,
    permits,
    attempt: (ticket, attempt) =>
      Effect.suspend(() => {
        if (!permits(ticket)) return refuse
        return Effect.onExit(attempt, (exit) =>
          Exit.match(exit, {
            onSuccess: () => close,
            onFailure: (cause) => (cause._tag === "Fail" && !isSilence(cause.error) ? close : Effect.void),
          }),
        )
      }),
    request: (request, patience) =>
      Effect.acquireUseRelease(
        enter,
        (ticket) => {
          const whole = Effect.tapError(request(ticket), (error) => (isSilence(error) ? open(ticket) : Effect.void))
          return patience === undefined
            ? whole
            : Effect.acquireUseRelease(
                Effect.fork(Effect.interruptible(Effect.delay(open(ticket), patience))),
                () => whole,
                Fiber.interruptFork,
              )
        },
        () => leave,
      ),
  }
}

/**
 * Name and breaker of an upstream.
 *
 * @param title the name in a sentence
 */
export const breakerNamed = (
  name: string,
  title: string,
): { readonly name: string; readonly title: string; readonly breaker: Breaker } => ({
  name,
  title,
  breaker: make(name, title),
})

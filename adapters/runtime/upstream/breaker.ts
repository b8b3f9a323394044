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

/** Silence of an upstream after which further calls are refused, ms: shorter than a call's deadline. */
export const patienceMs = CallContext.upstreamDeadlineMs - second

/** The first and the longest pause of an open breaker, ms; each is twice as long as the one before. */
const [firstPauseMs, maxPauseMs] = [5 * second, 30 * second]

/** The random share by which pauses differ, so that many processes do not ask at the same time. */
const pauseJitter = 0.2

/** The longest requested pause during which requests wait, ms; during a longer one they are refused. */
export const maxAwaitedRestMs = 2 * second

/** The pause if an upstream asks for one without a length, ms. */
export const defaultRestMs = 5 * second

/** How long calls wait for the probing request, ms: if the source is back, they can then be sent too. */
const probeWaitMs = second

/** A time in which an upstream does not answer. */
interface Outage {
  /** Epoch milliseconds. */
  readonly since: number
  /** When the next request may be sent, epoch milliseconds. */
  readonly nextAt: number
}

/** An upstream as operators see it. */
export interface Source {
  readonly name: string
  readonly title: string
  /** Undefined: it answers, as far as known. */
  readonly outage: () => Outage | undefined
  /** Since when requests have failed, epoch milliseconds; undefined: the last one succeeded. */
  readonly failingSince: () => number | undefined
}

interface SourceList {
  /** The breaker of that name that all clients of the process share: the first one that was passed. */
  readonly share: (breaker: Breaker) => Breaker
  /** The sources that were asked so far. */
  readonly all: () => ReadonlyArray<Source>
}

/**
 * The sources that this process asks. By default none is listed, and each client has a breaker of its own, which suits a command
 * that soon ends.
 */
export class Sources extends Context.Reference<Sources>()("market-signals/adapters/runtime/upstream/Sources", {
  defaultValue: (): SourceList => ({ share: (breaker) => breaker, all: () => [] }),
}) {}

export const makeSourceList = (): SourceList => {
  const breakers = new Map<string, Breaker>()
  return {
    share: (breaker) => {
      const first = breakers.get(breaker.name) ?? breaker
      breakers.set(first.name, first)
      return first
    },
    all: () => [...breakers.values()],
  }
}

/** A request with its attempts. */
export interface Ticket {
  /** Answers of the upstream before the request. */
  readonly answers: number
  /** It is let through although the breaker is open. */
  isProbe: boolean
  isCounted: boolean
}

const isSilence = ({ reason }: UpstreamError): boolean => reason === "timeout" || reason === "transport"

/** Runs `work`, and also `late` if it takes longer than `waitMs`. */
const withPatience = <A>(
  work: Effect.Effect<A, UpstreamError>,
  waitMs: number | undefined,
  late: Effect.Effect<void>,
): Effect.Effect<A, UpstreamError> =>
  waitMs === undefined
    ? work
    : Effect.acquireUseRelease(
        Effect.fork(Effect.interruptible(Effect.delay(late, waitMs))),
        () => work,
        Fiber.interruptFork,
      )

/**
 * The circuit breaker of an upstream. While it is open, requests fail at once with the time of the next attempt. Then one
 * request is let through, a probe, for which calls wait for a second and jobs until its end. Any answer closes the breaker.
 *
 * An upstream that answers may ask for a pause. Until its end requests fail at once, or wait if it is short.
 */
export class Breaker implements Source {
  readonly name: string
  readonly title: string
  #answers = 0
  #running = 0
  #outage: Outage | undefined
  #failingSince: number | undefined
  #refusedSince: number | undefined
  #pauses = 0
  #restsUntil = Number.NEGATIVE_INFINITY
  #probedAt = Number.NEGATIVE_INFINITY
  /** Done at the end of the probe. */
  #settled = Deferred.unsafeMake<void>(FiberId.none)

  constructor(name: string, title: string) {
    this.name = name
    this.title = title
  }

  readonly outage = (): Outage | undefined => this.#outage

  readonly failingSince = (): number | undefined => this.#failingSince ?? this.#refusedSince

  /** Records whether a response answered its question. */
  readonly judge = (isAnswer: boolean, now: number): void => {
    this.#refusedSince = isAnswer ? undefined : (this.#refusedSince ?? now)
  }

  /** Whether a request may make a further attempt. */
  readonly permits = (ticket: Ticket): boolean => this.#outage === undefined || ticket.isProbe

  #paused(now: number): UpstreamError {
    const { name: upstream, title } = this
    const nextAt = this.#outage?.nextAt ?? now
    const retryAfterMs = nextAt > now ? nextAt - now : firstPauseMs
    return new UpstreamError({ upstream, title, reason: "paused", message: "It does not answer.", retryAfterMs })
  }

  /** The refusal of a request during a requested pause; undefined if it may wait for its end. */
  #throttled(now: number): UpstreamError | undefined {
    const { name: upstream, title } = this
    const retryAfterMs = this.#restsUntil - now
    if (retryAfterMs <= maxAwaitedRestMs) return undefined
    return new UpstreamError({ upstream, title, reason: "throttled", message: "It asked for a pause.", retryAfterMs })
  }

  /** Sends nothing for some milliseconds, as the upstream requested. */
  readonly rest = (ms: number): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const previous = this.#restsUntil
      this.#restsUntil = Math.max(previous, now + ms)
      if (previous > now || ms <= maxAwaitedRestMs) return Effect.void
      const log = Effect.logWarning(`${this.title} asked for a pause, and is not asked before its end`)
      return Effect.annotateLogs(log, { upstream: this.name, next_attempt_at: iso(now + ms) })
    })

  #open(ticket: Ticket): Effect.Effect<void> {
    return Effect.suspend(() => {
      ticket.isProbe = false
      if (ticket.isCounted || ticket.answers !== this.#answers) return Effect.void
      ticket.isCounted = true
      return Effect.flatMap(Effect.all([Clock.currentTimeMillis, Random.next]), ([now, drawn]) => {
        const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#pauses++) * (1 + pauseJitter * (2 * drawn - 1))
        const previous = this.#outage
        const nextAt = Math.ceil(now + pause)
        this.#outage = { since: previous?.since ?? now, nextAt }
        if (previous !== undefined) return Effect.void
        const log = Effect.logWarning(`${this.title} does not answer, and is asked again after a while`)
        return Effect.annotateLogs(log, { upstream: this.name, next_attempt_at: iso(nextAt) })
      })
    })
  }

  /** Wakes the requests that wait for the probe. */
  readonly #settle = Effect.suspend(() => {
    const waited = this.#settled
    this.#settled = Deferred.unsafeMake<void>(FiberId.none)
    return Deferred.succeed(waited, undefined)
  })

  readonly #close = Effect.suspend(() => {
    this.#answers++
    const previous = this.#outage
    this.#outage = undefined
    this.#pauses = 0
    if (previous === undefined) return Effect.void
    const log = Effect.logInfo(`${this.title} answers again`)
    return Effect.zipRight(
      this.#settle,
      Effect.annotateLogs(log, { upstream: this.name, away_since: iso(previous.since) }),
    )
  })

  readonly #succeed = Effect.suspend(() => {
    this.#failingSince = undefined
    return this.#close
  })

  /** A 404 is no failure of the source, since callers choose places and days. */
  #fail(error: UpstreamError): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (error.status !== 404) this.#failingSince ??= now
      return isSilence(error) ? Effect.void : this.#close
    })
  }

  readonly #enter: Effect.Effect<Ticket, UpstreamError> = Effect.gen(this, function* () {
    const { deadline } = yield* CallContext.CallContext
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const throttled = this.#throttled(now)
      if (throttled !== undefined) return yield* throttled
      const outage = this.#outage
      if (outage === undefined || (this.#running === 0 && now >= outage.nextAt)) {
        this.#running++
        if (outage !== undefined) this.#probedAt = now
        return { answers: this.#answers, isProbe: outage !== undefined, isCounted: false }
      }
      const wait = deadline === Number.POSITIVE_INFINITY ? deadline : this.#probedAt + probeWaitMs - now
      if (now < outage.nextAt || wait <= 0) return yield* this.#paused(now)
      yield* Effect.timeoutOption(Effect.interruptible(Deferred.await(this.#settled)), wait)
    }
  })

  readonly #leave = Effect.suspend(() => {
    this.#running--
    return this.#running > 0 ? Effect.void : this.#settle
  })

  /** Runs an attempt of a request. */
  readonly attempt = <A>(ticket: Ticket, attempt: Effect.Effect<A, UpstreamError>): Effect.Effect<A, UpstreamError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const refusal = this.permits(ticket) ? this.#throttled(now) : this.#paused(now)
      if (refusal !== undefined) return Effect.fail(refusal)
      const observed = Effect.onExit(attempt, (exit) =>
        Exit.match(exit, {
          onSuccess: () => this.#succeed,
          onFailure: (cause) => (cause._tag === "Fail" ? this.#fail(cause.error) : Effect.void),
        }),
      )
      return this.#restsUntil > now ? Effect.delay(observed, this.#restsUntil - now) : observed
    })

  /**
   * Runs a request. If it has no answer at its end, or after `waitMs`, the breaker opens, unless other requests were answered
   * meanwhile: one slow path is not an outage.
   *
   * @param waitMs undefined: only the request's end counts
   */
  readonly request = <A>(
    request: (ticket: Ticket) => Effect.Effect<A, UpstreamError>,
    waitMs: number | undefined,
  ): Effect.Effect<A, UpstreamError> =>
    Effect.acquireUseRelease(
      this.#enter,
      (ticket) =>
        withPatience(
          Effect.tapError(request(ticket), (error) => (isSilence(error) ? this.#open(ticket) : Effect.void)),
          waitMs,
          this.#open(ticket),
        ),
      () => this.#leave,
    )
}

/**
 * Name and breaker of an upstream.
 *
 * @param title the name in a sentence
 */
export const makeBreaker = (
  name: string,
  title: string,
): { readonly name: string; readonly title: string; readonly breaker: Breaker } => ({
  name,
  title,
  breaker: new Breaker(name, title),
})

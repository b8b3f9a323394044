import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import { Keyring } from "../account/Keyring.ts"
import { Ledger } from "../account/Ledger.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as CallContext from "../CallContext.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import { LaneSets } from "../endpoint/LaneSets.ts"
import * as Pricing from "../endpoint/Pricing.ts"
import type { DataOf, Event } from "../events/Event.ts"
import type { Code, Failure } from "../Failure.ts"
import { Gateway } from "../gateway/Gateway.ts"
import type { Served } from "../gateway/Served.ts"
import { getOrMake } from "../getOrMake.ts"
import { ifDefined } from "../ifDefined.ts"
import * as Rights from "../rights/Rights.ts"
import * as Step from "../Step.ts"
import { iso, second } from "../time.ts"
import * as TroubleLog from "../troubleLog.ts"
import { formatUuid } from "../uuid.ts"
import { yieldToEventLoop } from "../yieldToEventLoop.ts"
import { AlertStore, type Pending, type Watched } from "./AlertStore.ts"
import * as Question from "./question.ts"
import * as Watch from "./Watch.ts"

export interface Options {
  /** Interval between the starts of two turns; a longer turn delays the next one. */
  readonly everyMs?: number
  /** Firings at a time. */
  readonly atOnce?: number
  /**
   * A crossing that another process stored is fired here after this time, in case that process died. Both firings are the
   * same call.
   */
  readonly takenOverMs?: number
}

/**
 * Statuses after which a firing is tried again, as it is after a 5xx. Any other status pauses the alert. 401, 402 and 403
 * are here because the next turn finds an unpayable alert anyway.
 */
const retriedStatuses: ReadonlySet<number> = new Set([401, 402, 403, 408, 409, 429])

interface AnswerBody {
  readonly results: DataOf<"alert.fired">["results"]
  readonly _meta: { readonly request_id: string; readonly price: { readonly charged_micros: number } }
}

/** The event of a firing. Its id follows from the crossing, so that a repeated firing is the same event. */
const toEvent = (
  alert: Watched,
  { watch, params }: Question.Question,
  { at: crossedAt, changes }: Pending,
  id: string,
  at: number,
  { body, replayed }: Served,
): Event<"alert.fired"> => {
  const { results, _meta } = body.toValue() as AnswerBody
  return {
    id,
    type: "alert.fired",
    at,
    livemode: true,
    data: {
      alert_id: alert.id,
      ...ifDefined("name", alert.name),
      ...ifDefined("agent_id", alert.agentId),
      kind: watch.kind,
      call: alert.call,
      ...ifDefined("threshold", alert.threshold),
      ...ifDefined("unit", watch.bar?.(params).unit ?? watch.unit),
      crossing: alert.crossings + 1,
      crossed_at: iso(crossedAt),
      changes,
      key_id: alert.keyId,
      // A call that was answered before a restart is not charged again, and this answer has an id of its own.
      ...(replayed ? {} : { request_id: _meta.request_id, charged_micros: _meta.price.charged_micros }),
      results,
    },
  }
}

const makePause = Effect.map(
  AlertStore,
  (store) =>
    ({ id, accountId }: Watched, reason: Code) =>
      Effect.logWarning(`An alert could not be charged and is paused: ${reason}`).pipe(
        Effect.annotateLogs({ alert: id, account: accountId }),
        Effect.zipRight(store.setStatus(id, "paused", reason)),
      ),
)

/** Whether a firing could be paid now; if not, the alert is paused, but for an agent or an account that is stopped for a time. */
const makePauseUnlessPayable = Effect.gen(function* () {
  const { find } = yield* Keyring
  const ledger = yield* Ledger
  const pause = yield* makePause
  return Effect.fnUntraced(function* (alert: Watched, { entry }: Question.Question, now: number) {
    const caller = yield* find(alert.keyHash)
    if (caller === undefined) return yield* Effect.as(pause(alert, "invalid_api_key"), false)
    const { call, stopped } = Rights.ofKey(caller)
    if (stopped !== undefined) return false
    const price = Pricing.quotePrice(entry.endpoint, caller.livemode)
    const reason = call(entry.lane)?.code ?? Rights.unpayable(yield* ledger.spendStatus(caller, now), price)
    if (reason !== undefined) yield* pause(alert, reason)
    return reason === undefined
  })
})

/** Fires crossings: each is one call of the alert's key, however often it is tried. */
const makeFire = Effect.gen(function* () {
  const gateway = yield* Gateway
  const store = yield* AlertStore
  const pause = yield* makePause
  const { sha256 } = yield* PlatformCrypto

  /** A UUID derived from a crossing: for its event or, with another purpose, the idempotency key of its call. */
  const crossingUuid = (purpose: string, { id, version }: Watched) =>
    Effect.map(sha256(`alert ${purpose} ${id} ${version}`), (hash) =>
      formatUuid(Either.getOrThrow(Encoding.decodeHex(hash)).subarray(0, 16)),
    )

  return Effect.fn("Alerts.fire")(function* (alert: Watched, question: Question.Question, pending: Pending) {
    const served = yield* gateway.serve(question.entry, question.raw, {
      authorization: undefined,
      keyHash: alert.keyHash,
      idempotencyKey: yield* crossingUuid("call", alert),
    })
    if (served.status === 200) {
      const id = yield* crossingUuid("event", alert)
      yield* store.fire(alert, toEvent(alert, question, pending, id, yield* Clock.currentTimeMillis, served))
    } else {
      const { error } = served.body.toValue() as { readonly error: { readonly code: Code } }
      if (served.status < 500 && !retriedStatuses.has(served.status)) yield* pause(alert, error.code)
    }
  })
})

const toBounds = ({ threshold = 0, hysteresis = 0 }: Watched): Watch.Bounds => ({ threshold, hysteresis })

/** Active alerts that watch the same call with the same lower bound. */
interface Group {
  readonly name: string
  readonly question: Question.Question
  readonly alerts: Array<Watched>
}

const groupByCall = (
  alerts: ReadonlyArray<Watched>,
  read: ReturnType<typeof Question.reader>,
  now: number,
): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const [call, ofCall] of Object.entries(Arr.groupBy(alerts, ({ call }) => call))) {
    // A call that is no longer valid, such as one for a past day, has nothing left to watch.
    const question = Either.getOrUndefined(read(call, now))
    if (question === undefined) continue
    for (const alert of ofCall) {
      const { threshold, hysteresis } = toBounds(alert)
      const name = `${call} ${question.watch.bar === undefined ? "" : threshold - hysteresis}`
      getOrMake(groups, name, (): Group => ({ name, question, alerts: [] })).alerts.push(alert)
    }
  }
  return [...groups.values()]
}

/**
 * Checks every active alert that could be paid: each call is answered once for all alerts on it, uncharged and after every
 * paid call. Calls that wait for a source do not delay the others, and later turns skip them until they are answered.
 *
 * A crossing is stored before it is fired, so that a process that dies in between loses nothing. Of two processes only one
 * stores a crossing, and the call and the event of a firing are the same in every process.
 */
export const makeRunner = (
  catalogue: Catalogue.Any,
  watches: ReadonlyArray<Watch.Any>,
  { atOnce = 8, takenOverMs = 5 * second }: Options = {},
) =>
  Effect.gen(function* () {
    const store = yield* AlertStore
    const { live } = yield* LaneSets
    const fire = yield* makeFire
    const isPayable = yield* makePauseUnlessPayable
    const read = Question.reader(catalogue, watches)

    const checkAlert = Effect.fnUntraced(function* (
      question: Question.Question,
      alert: Watched,
      answer: Either.Either<unknown, Failure>,
      now: number,
    ) {
      const { watch } = question
      const seen = Either.match(answer, {
        onLeft: (failure) => Watch.lookAtFailure(watch, failure, alert.memory),
        onRight: (results) => Watch.look(watch, results, question.params, alert.memory, toBounds(alert)),
      })
      if (seen === undefined) return undefined
      const { memory, changes } = seen
      const pending: Pending | undefined = changes.length === 0 ? undefined : { at: now, changes }
      if (!(yield* store.remember(alert, memory, pending)) || pending === undefined) return undefined
      return fire({ ...alert, version: alert.version + 1 }, question, pending)
    })

    const checkGroup = Effect.fnUntraced(function* ({ question, alerts: active }: Group, now: number) {
      const alerts = yield* Effect.filter(active, (alert) => isPayable(alert, question, now))
      const waiting = alerts.flatMap((alert) =>
        alert.pending !== undefined && now - alert.pending.at >= takenOverMs
          ? [fire(alert, question, alert.pending)]
          : [],
      )
      const withoutPending = alerts.filter(({ pending }) => pending === undefined)
      if (withoutPending.length === 0) return waiting
      const handler = live.get(question.entry.endpoint.id)!
      const params = Question.lookParams(question, toBounds(alerts[0]!))
      const answer = yield* Effect.either(CallContext.within(Step.run(handler(params)), now, "unpaid"))
      const results = Either.map(answer, ({ results }) => results)
      const fired = yield* Effect.forEach(withoutPending, (alert) => checkAlert(question, alert, results, now))
      return [...waiting, ...fired.filter((each) => each !== undefined)]
    })

    const groupsInFlight = yield* FiberMap.make<string, void, never>()
    const firings = yield* Effect.makeSemaphore(atOnce)
    const checkAndFire = (group: Group, now: number) =>
      Effect.flatMap(checkGroup(group, now), (fired) =>
        Effect.forEach(
          fired,
          (one) => firings.withPermits(1)(logFailed("An alert was not fired and is tried again", one)),
          { concurrency: "unbounded", discard: true },
        ),
      )
    /** Starts a check of every group that is not being checked. */
    const begin = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const group of groupByCall(yield* store.active, read, now)) {
        const check = logFailed("Alerts were not checked", checkAndFire(group, now))
        yield* FiberMap.run(groupsInFlight, group.name, check, { onlyIfMissing: true })
        yield* yieldToEventLoop
      }
    })
    return { begin, turn: Effect.zipRight(begin, FiberMap.awaitEmpty(groupsInFlight)) }
  })

/** Failed work is retried on a later turn; the rest continues. */
const logFailed = <A>(message: string, work: Effect.Effect<A, Failure>): Effect.Effect<void> =>
  Effect.catchAllCause(work, (cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.logError(message, cause),
  )

/** Checks the alerts of all accounts every second while the scope is open. */
export const layer = (
  catalogue: Catalogue.Any,
  watches: ReadonlyArray<Watch.Any>,
  options: Options = {},
): Layer.Layer<never, never, AlertStore | Gateway | Keyring | LaneSets | Ledger | PlatformCrypto> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { everyMs = second } = options
      const { begin } = yield* makeRunner(catalogue, watches, options)
      const log = TroubleLog.make("Alerts wait.", "Alerts are checked again")
      const once = Effect.gen(function* () {
        const startedAt = yield* Clock.currentTimeMillis
        yield* Effect.matchCauseEffect(begin, {
          onFailure: (cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : log.failed(cause)),
          onSuccess: () => log.recovered,
        })
        yield* Effect.sleep(Math.max(50, everyMs - ((yield* Clock.currentTimeMillis) - startedAt)))
      })
      yield* Effect.forkScoped(Effect.forever(once))
    }),
  )

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
import { Tariff } from "../endpoint/Tariff.ts"
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
  /** From the beginning of a turn to that of the next one, unless it takes longer. */
  readonly everyMs?: number
  /** Firings at a time. */
  readonly atOnce?: number
  /** After this a crossing of another process is fired here too: that process may have died. Both firings are one call. */
  readonly takenOverMs?: number
}

/**
 * Statuses of a firing that is tried again, besides the server's own failures: it waits for something, or the next turn
 * finds that the alert cannot be paid, as it finds it of an alert that has not crossed. Any other one pauses the alert.
 */
const passing: ReadonlySet<number> = new Set([401, 402, 403, 408, 409, 429])

interface Answered {
  readonly results: DataOf<"alert.fired">["results"]
  readonly _meta: { readonly request_id: string; readonly price: { readonly charged_micros: number } }
}

/** The event of a firing. Its id follows from the crossing, so that a repeated firing is the same event. */
const toEvent = (
  alert: Watched,
  { watch }: Question.Question,
  { at: crossedAt, changes }: Pending,
  id: string,
  at: number,
  { body, replayed }: Served,
): Event<"alert.fired"> => {
  const { results, _meta } = body.toValue() as Answered
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
      ...ifDefined("unit", watch.unit),
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

const pausing = Effect.map(
  AlertStore,
  (store) =>
    ({ id, accountId }: Watched, reason: Code) =>
      Effect.logWarning(`An alert could not be charged and is paused: ${reason}`).pipe(
        Effect.annotateLogs({ alert: id, account: accountId }),
        Effect.zipRight(store.setStatus(id, "paused", reason)),
      ),
)

/** Pauses an alert whose firing could not be paid now, and says whether it could. */
const paying = Effect.gen(function* () {
  const { find } = yield* Keyring
  const ledger = yield* Ledger
  const tariff = yield* Tariff
  const pause = yield* pausing
  return Effect.fnUntraced(function* (alert: Watched, { entry }: Question.Question, now: number) {
    const caller = yield* find(alert.keyHash)
    if (caller === undefined) return yield* Effect.as(pause(alert, "invalid_api_key"), false)
    const price = Pricing.quotePrice(tariff.due(entry.endpoint, caller), caller.livemode)
    const reason =
      Rights.ofKey(caller).call(entry.lane)?.code ?? Rights.unpayable(yield* ledger.spendStatus(caller, now), price)
    if (reason !== undefined) yield* pause(alert, reason)
    return reason === undefined
  })
})

/** Fires crossings: each is one call of the alert's key, however often it is tried. */
const firing = Effect.gen(function* () {
  const gateway = yield* Gateway
  const store = yield* AlertStore
  const pause = yield* pausing
  const { sha256 } = yield* PlatformCrypto

  /** A UUID of a crossing: its event's, and with another name the idempotency key of its call. */
  const eventId = (name: string, { id, version }: Watched) =>
    Effect.map(sha256(`alert ${name} ${id} ${version}`), (hash) =>
      formatUuid(Either.getOrThrow(Encoding.decodeHex(hash)).subarray(0, 16)),
    )

  return Effect.fn("Alerts.fire")(function* (alert: Watched, question: Question.Question, pending: Pending) {
    const served = yield* gateway.serve(question.entry, question.raw, {
      authorization: undefined,
      keyHash: alert.keyHash,
      idempotencyKey: yield* eventId("call", alert),
    })
    if (served.status === 200) {
      const id = yield* eventId("event", alert)
      yield* store.fire(alert, toEvent(alert, question, pending, id, yield* Clock.currentTimeMillis, served))
    } else {
      const { error } = served.body.toValue() as { readonly error: { readonly code: Code } }
      if (served.status < 500 && !passing.has(served.status)) yield* pause(alert, error.code)
    }
  })
})

const toBounds = ({ threshold = 0, hysteresis = 0 }: Watched): Watch.Bounds => ({ threshold, hysteresis })

/** The active alerts of one call and of one least value. */
interface Group {
  readonly name: string
  readonly question: Question.Question
  readonly alerts: Array<Watched>
}

const grouped = (
  alerts: ReadonlyArray<Watched>,
  read: ReturnType<typeof Question.reader>,
  now: number,
): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  for (const [call, own] of Object.entries(Arr.groupBy(alerts, ({ call }) => call))) {
    // A call whose parameters have passed, such as a day of the past, has nothing left to watch.
    const question = Either.getOrUndefined(read(call, now))
    if (question === undefined) continue
    for (const alert of own) {
      const { threshold, hysteresis } = toBounds(alert)
      const name = `${call} ${question.watch.bar === undefined ? "" : threshold - hysteresis}`
      getOrMake(groups, name, (): Group => ({ name, question, alerts: [] })).alerts.push(alert)
    }
  }
  return [...groups.values()]
}

/**
 * Looks once at every active alert that could be paid: each call is answered once for all alerts on it, uncharged and
 * behind every paid call.
 * Calls that wait for a source do not delay the others, and a later turn leaves them out until they are answered.
 * A crossing is stored first and fired then, so that a process that dies in between loses nothing; of two processes one
 * stores a crossing, and the call and the event of a firing are the same whoever makes them.
 */
export const turning = (
  catalogue: Catalogue.Any,
  watches: ReadonlyArray<Watch.Any>,
  { atOnce = 8, takenOverMs = 5 * second }: Options = {},
) =>
  Effect.gen(function* () {
    const store = yield* AlertStore
    const { live } = yield* LaneSets
    const fire = yield* firing
    const isPayable = yield* paying
    const read = Question.reader(catalogue, watches)

    const lookAt = Effect.fnUntraced(function* (
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

    const lookAtGroup = Effect.fnUntraced(function* ({ question, alerts: active }: Group, now: number) {
      const alerts = yield* Effect.filter(active, (alert) => isPayable(alert, question, now))
      const waiting = alerts.flatMap((alert) =>
        alert.pending !== undefined && now - alert.pending.at >= takenOverMs
          ? [fire(alert, question, alert.pending)]
          : [],
      )
      const free = alerts.filter(({ pending }) => pending === undefined)
      if (free.length === 0) return waiting
      const handler = live.get(question.entry.endpoint.id)!
      const params = Question.lookParams(question, toBounds(alerts[0]!))
      const answer = yield* Effect.either(CallContext.within(Step.run(handler(params)), now, "unpaid"))
      const results = Either.map(answer, ({ results }) => results)
      const fired = yield* Effect.forEach(free, (alert) => lookAt(question, alert, results, now))
      return [...waiting, ...fired.filter((each) => each !== undefined)]
    })

    const groupsInFlight = yield* FiberMap.make<string, void, never>()
    const firings = yield* Effect.makeSemaphore(atOnce)
    const lookAndFire = (group: Group, now: number) =>
      Effect.flatMap(lookAtGroup(group, now), (fired) =>
        Effect.forEach(
          fired,
          (one) => firings.withPermits(1)(logFailed("An alert was not fired and is tried again", one)),
          { concurrency: "unbounded", discard: true },
        ),
      )
    /** Begins a look at every group whose last one is over. */
    const begin = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const group of grouped(yield* store.active, read, now)) {
        const looked = logFailed("Alerts were not looked at", lookAndFire(group, now))
        yield* FiberMap.run(groupsInFlight, group.name, looked, { onlyIfMissing: true })
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

/** Looks at the alerts of all accounts every second while the scope is open. */
export const layer = (
  catalogue: Catalogue.Any,
  watches: ReadonlyArray<Watch.Any>,
  options: Options = {},
): Layer.Layer<never, never, AlertStore | Gateway | Keyring | LaneSets | Ledger | PlatformCrypto> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { everyMs = second } = options
      const { begin } = yield* turning(catalogue, watches, options)
      const log = TroubleLog.make("Alerts wait.", "Alerts are looked at again")
      const once = Effect.gen(function* () {
        const began = yield* Clock.currentTimeMillis
        yield* Effect.matchCauseEffect(begin, {
          onFailure: (cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : log.failed(cause)),
          onSuccess: () => log.went,
        })
        yield* Effect.sleep(Math.max(50, everyMs - ((yield* Clock.currentTimeMillis) - began)))
      })
      yield* Effect.forkScoped(Effect.forever(once))
    }),
  )

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import {
  type AttemptEnd,
  type AttemptOutcome,
  DeliveryQueue,
  type LeasedDelivery,
} from "../../../core/events/DeliveryQueue.ts"
import * as Retry from "../../../core/events/retry.ts"
import { headers } from "../../../core/events/signature.ts"
import type { ErrorClass } from "../../../core/events/Webhook.ts"
import * as TroubleLog from "../../../core/troubleLog.ts"
import { formatUuid } from "../../../core/uuid.ts"
import { type DeliveryError, type HttpReply, WebhookClient } from "./client.ts"

interface Limits {
  readonly inFlight: number
  /** Maximum attempts in flight to one healthy webhook. */
  readonly perWebhook: number
  /** Maximum attempts started in one turn; API calls are served in between. */
  readonly perTurn: number
}

interface Load {
  /** Attempts in flight by webhook; absent: none. */
  readonly busy: ReadonlyMap<string, number>
  /** Webhooks whose last attempt failed. */
  readonly failing: ReadonlySet<string>
}

/**
 * Allocates the free slots to webhooks with due deliveries: round robin, fewest attempts in flight first, so that a
 * backlog does not affect the others. A failing webhook gets one slot, and all failing ones together at most half of the
 * slots, so that healthy ones always have room.
 */
export const allocate = (
  due: ReadonlyArray<string>,
  { busy, failing }: Load,
  { inFlight, perWebhook, perTurn }: Limits,
): ReadonlyMap<string, number> => {
  let free = inFlight
  let suspect = Math.floor(inFlight / 2)
  for (const [webhook, count] of busy) {
    free -= count
    if (failing.has(webhook)) suspect -= count
  }
  free = Math.min(free, perTurn)
  const given = new Map<string, number>()
  const held = (webhook: string) => (busy.get(webhook) ?? 0) + (given.get(webhook) ?? 0)
  let turn = [...due].sort((a, b) => held(a) - held(b))
  while (free > 0 && turn.length > 0) {
    turn = turn.filter((webhook) => {
      const fails = failing.has(webhook)
      if (free <= 0 || held(webhook) >= (fails ? 1 : perWebhook) || (fails && suspect <= 0)) return false
      given.set(webhook, (given.get(webhook) ?? 0) + 1)
      free--
      if (fails) suspect--
      return true
    })
  }
  return given
}

export interface Options extends Partial<Limits> {
  readonly schedule?: Retry.RetrySchedule
  /** Poll interval for events of other processes. */
  readonly pollMs?: number
  /** Least time between two turns; attempts that end in between are recorded in one transaction. */
  readonly paceMs?: number
  /** Lease of a delivery; longer than the client's timeout. */
  readonly leaseMs?: number
  /** Time for attempts to finish at shutdown. */
  readonly graceMs?: number
}

/** Pause after an error of the store. */
const pauseMs = 1_000

interface Result extends Pick<AttemptEnd, "status" | "detail" | "response"> {
  readonly error?: ErrorClass
  readonly retryAfter?: string
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** The result of an attempt; undefined: it was interrupted. */
const toResult = (exit: Exit.Exit<HttpReply, DeliveryError>): Result | undefined => {
  if (Exit.isSuccess(exit)) {
    const { status, phrase, response, retryAfter } = exit.value
    return {
      status,
      ...(isSuccess(status)
        ? {}
        : { error: status >= 300 && status < 400 ? "redirect" : "status", detail: `${status} ${phrase}`.trim() }),
      ...(response === "" ? {} : { response }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    }
  }
  if (Exit.isInterrupted(exit)) return undefined
  return Option.match(Cause.failureOption(exit.cause), {
    onSome: ({ error, detail }): Result => ({ error, detail }),
    onNone: () => ({ error: "internal" }),
  })
}

/** State and services that the parts of a worker share. */
interface Work {
  readonly queue: DeliveryQueue["Type"]
  readonly client: WebhookClient["Type"]
  readonly secrets: PlatformCrypto["Type"]
  readonly schedule: Retry.RetrySchedule
  readonly attempts: FiberSet.FiberSet<void>
  /** Filled by the end of an attempt. */
  readonly wake: Queue.Queue<void>
  /** Attempts in flight by webhook. */
  readonly busy: Map<string, number>
  /** Webhooks whose last attempt failed. */
  readonly failing: Set<string>
  /** Not yet recorded. */
  ended: Array<AttemptEnd>
  stopping: boolean
}

const decideNext = (
  { schedule, secrets }: Work,
  { failures, expiresAt }: LeasedDelivery,
  result: Result | undefined,
  startedAt: number,
  finishedAt: number,
): Effect.Effect<AttemptOutcome> => {
  if (result === undefined) return Effect.succeed({ _tag: "Released" })
  if (result.error === undefined) return Effect.succeed({ _tag: "Delivered" })
  const dead = (reason: "exhausted" | "gone") =>
    Effect.map(
      secrets.randomBytes(16),
      (bytes): AttemptOutcome => ({ _tag: "Dead", reason, eventId: formatUuid(bytes) }),
    )
  if (result.status === 410) return dead("gone")
  const retryAfterMs = Retry.retryAfter(result.retryAfter, finishedAt)
  const failure = { failures: failures + 1, startedAt, finishedAt, expiresAt, retryAfterMs }
  return Effect.flatMap(Random.next, (random) => {
    const dueAt = Retry.nextAttemptAt(schedule, failure, random)
    return dueAt === undefined ? dead("exhausted") : Effect.succeed<AttemptOutcome>({ _tag: "Retry", dueAt })
  })
}

const logIfDead = ({ webhookId, eventId }: LeasedDelivery, then: AttemptOutcome, detail: string) =>
  then._tag === "Dead"
    ? Effect.logWarning(`Webhook delivery dead-lettered (${then.reason}): ${detail}`).pipe(
        Effect.annotateLogs({ webhook: webhookId, event: eventId, reason: then.reason }),
      )
    : Effect.void

const post = ({ client, secrets }: Work, delivery: LeasedDelivery, at: number) =>
  Effect.flatMap(
    Effect.provideService(headers({ ...delivery, id: delivery.eventId, at }), PlatformCrypto, secrets),
    (signed) =>
      client.post(
        delivery.url,
        { "content-type": "application/json", "user-agent": "market-signals", ...signed },
        delivery.body,
      ),
  )

/** One attempt. If it is interrupted, its delivery is released. */
const attempt = (work: Work, delivery: LeasedDelivery): Effect.Effect<void> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { busy, failing } = work
      const { seq, webhookId, eventId } = delivery
      const startedAt = yield* Clock.currentTimeMillis
      const exit = yield* Effect.exit(restore(post(work, delivery, startedAt)))
      const finishedAt = yield* Clock.currentTimeMillis
      const result = toResult(exit)
      if (result?.error === "internal" && Exit.isFailure(exit)) {
        yield* Effect.logError("Webhook attempt failed: internal error", exit.cause).pipe(
          Effect.annotateLogs({ webhook: webhookId, event: eventId }),
        )
      }
      const { retryAfter: _, ...recorded } = result ?? {}
      const next = yield* decideNext(work, delivery, result, startedAt, finishedAt)
      const durationMs = Math.round(finishedAt - startedAt)
      work.ended.push({ seq, attempt: delivery.attempt, at: finishedAt, durationMs, ...recorded, next })
      yield* logIfDead(delivery, next, recorded.detail ?? "")
      const left = busy.get(webhookId)! - 1
      if (left === 0) busy.delete(webhookId)
      else busy.set(webhookId, left)
      if (result?.error === undefined) failing.delete(webhookId)
      else failing.add(webhookId)
      yield* Queue.offer(work.wake, undefined)
    }),
  )

/** Records ended attempts and starts due ones; returns the time until the next turn, ms. */
const makeTurn = (work: Work, leaseOwner: string, limits: Limits, leaseMs: number, pollMs: number) =>
  Effect.gen(function* () {
    const { queue, busy, failing } = work
    const now = yield* Clock.currentTimeMillis
    const { webhooks, hasExpired, nextAt } = yield* queue.status(now)
    const leases = work.stopping ? new Map<string, number>() : allocate(webhooks, { busy, failing }, limits)
    const wait = nextAt === undefined ? pollMs : Math.min(pollMs, Math.max(1, nextAt - now))
    // A copy: attempts end while it is recorded.
    const ended = [...work.ended]
    if (ended.length === 0 && leases.size === 0 && !hasExpired) return wait
    const { windowMs } = work.schedule
    const leased = yield* queue.recordAndLease({ leaseOwner, now, endedAttempts: ended, leases, leaseMs, windowMs })
    work.ended = work.ended.slice(ended.length)
    for (const each of leased) {
      busy.set(each.webhookId, (busy.get(each.webhookId) ?? 0) + 1)
      yield* FiberSet.run(work.attempts, Effect.interruptible(attempt(work, each)))
    }
    // A due delivery may have to wait for an attempt in flight, whose end wakes the loop.
    return ended.length === 0 && leased.length === 0 ? wait : 0
  })

/**
 * Sends due deliveries while the scope is open. No receiver delays another one, and a killed worker loses nothing: its
 * deliveries become free when their leases end.
 */
export const layer = ({
  schedule = Retry.standard,
  pollMs = 500,
  paceMs = 25,
  leaseMs = 30_000,
  graceMs = 5_000,
  inFlight = 256,
  perWebhook = 8,
  perTurn = 8,
}: Options = {}): Layer.Layer<never, never, DeliveryQueue | PlatformCrypto | WebhookClient> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const secrets = yield* PlatformCrypto
      const work: Work = {
        queue: yield* DeliveryQueue,
        client: yield* WebhookClient,
        secrets,
        schedule,
        attempts: yield* FiberSet.make<void>(),
        wake: yield* Queue.sliding<void>(1),
        busy: new Map(),
        failing: new Set(),
        ended: [],
        stopping: false,
      }
      const leaseOwner = Buffer.from(yield* secrets.randomBytes(12)).toString("hex")
      const turn = makeTurn(work, leaseOwner, { inFlight, perWebhook, perTurn }, leaseMs, pollMs)
      const log = TroubleLog.make("Webhook worker: deliveries wait.", "Webhook worker: deliveries go on")
      const loop = yield* turn.pipe(
        Effect.uninterruptible,
        Effect.zipLeft(log.recovered),
        Effect.catchAllCause((cause) => Effect.zipRight(log.failed(cause), Effect.as(Effect.sleep(pauseMs), 0))),
        Effect.flatMap((wait) =>
          wait === 0 ? Effect.sleep(paceMs) : Effect.raceFirst(Effect.sleep(wait), Queue.take(work.wake)),
        ),
        Effect.forever,
        Effect.forkScoped,
      )
      // Runs before the scope interrupts the loop and the attempts.
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          work.stopping = true
          yield* Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(work.attempts)), graceMs)
          yield* FiberSet.clear(work.attempts)
          yield* Fiber.interrupt(loop)
          if (work.ended.length === 0) return
          yield* Effect.catchAllCause(turn, (cause) =>
            Effect.logError(`Webhook worker: ${work.ended.length} attempt results not stored at shutdown`, cause),
          )
        }),
      )
    }),
  )

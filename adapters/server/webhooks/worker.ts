import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { type AttemptEnd, DeliveryQueue, type LeasedDelivery, type Next } from "../../../core/events/DeliveryQueue.ts"
import * as Retry from "../../../core/events/retry.ts"
import { headers } from "../../../core/events/signature.ts"
import type { ErrorClass } from "../../../core/events/Webhook.ts"
import { type Limits, share } from "./allocateSlots.ts"
import { type DeliveryError, type HttpReply, WebhookClient } from "./client.ts"

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
const resultOf = (exit: Exit.Exit<HttpReply, DeliveryError>): Result | undefined => {
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
      const queue = yield* DeliveryQueue
      const client = yield* WebhookClient
      const secrets = yield* PlatformCrypto
      const leaseOwner = Buffer.from(yield* secrets.randomBytes(12)).toString("hex")
      const attempts = yield* FiberSet.make<void>()
      const wake = yield* Queue.sliding<void>(1)
      const busy = new Map<string, number>()
      const failing = new Set<string>()
      let ended: Array<AttemptEnd> = []
      let stopping = false
      /** The store failed the last turn, for this reason. */
      let trouble: string | undefined

      const next = Effect.fnUntraced(function* (
        taken: LeasedDelivery,
        result: Result,
        startedAt: number,
        finishedAt: number,
      ) {
        if (result.error === undefined) return { _tag: "Delivered" } as const
        if (result.status === 410) return { _tag: "Dead", reason: "gone" } as const
        const dueAt = Retry.next(
          schedule,
          {
            failures: taken.failures + 1,
            startedAt,
            finishedAt,
            expiresAt: taken.expiresAt,
            retryAfterMs: Retry.retryAfter(result.retryAfter, finishedAt),
          },
          yield* Random.next,
        )
        return dueAt === undefined
          ? ({ _tag: "Dead", reason: "exhausted" } as const)
          : ({ _tag: "Retry", dueAt } as const)
      })

      const logIfDead = ({ webhookId, eventId }: LeasedDelivery, then: Next, detail: string) =>
        then._tag === "Dead"
          ? Effect.logWarning(`Webhook delivery dead-lettered (${then.reason}): ${detail}`).pipe(
              Effect.annotateLogs({ webhook: webhookId, event: eventId, reason: then.reason }),
            )
          : Effect.void

      /** One attempt. If it is interrupted, its delivery is released. */
      const attempt = (taken: LeasedDelivery): Effect.Effect<void> =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const startedAt = yield* Clock.currentTimeMillis
            const exit = yield* headers({ ...taken, id: taken.eventId, at: startedAt }).pipe(
              Effect.provideService(PlatformCrypto, secrets),
              Effect.flatMap((signed) =>
                client.post(
                  taken.url,
                  { "content-type": "application/json", "user-agent": "market-signals", ...signed },
                  taken.body,
                ),
              ),
              restore,
              Effect.exit,
            )
            const at = yield* Clock.currentTimeMillis
            const result = resultOf(exit)
            if (result?.error === "internal" && Exit.isFailure(exit)) {
              yield* Effect.logError("Webhook attempt failed: internal error", exit.cause).pipe(
                Effect.annotateLogs({ webhook: taken.webhookId, event: taken.eventId }),
              )
            }
            const { retryAfter: _, ...said } = result ?? {}
            const then: Next = result === undefined ? { _tag: "Released" } : yield* next(taken, result, startedAt, at)
            ended.push({
              seq: taken.seq,
              attempt: taken.attempt,
              at,
              durationMs: Math.round(at - startedAt),
              ...said,
              next: then,
            })
            yield* logIfDead(taken, then, said.detail ?? "")
            const { webhookId } = taken
            const left = busy.get(webhookId)! - 1
            if (left === 0) busy.delete(webhookId)
            else busy.set(webhookId, left)
            if (result?.error === undefined) failing.delete(webhookId)
            else failing.add(webhookId)
            yield* Queue.offer(wake, undefined)
          }),
        )

      /** Records ended attempts and starts due ones; returns the time until the next turn, ms. */
      const turn = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { webhooks, expired, nextAt } = yield* queue.due(now)
        const take = stopping
          ? new Map<string, number>()
          : share(webhooks, { busy, failing }, { inFlight, perWebhook, perTurn })
        const wait = nextAt === undefined ? pollMs : Math.min(pollMs, Math.max(1, nextAt - now))
        const written = ended
        if (written.length === 0 && take.size === 0 && !expired) return wait
        const taken = yield* queue.recordAndLease({
          leaseOwner,
          now,
          ended: written,
          leases: take,
          leaseMs,
          windowMs: schedule.windowMs,
        })
        ended = ended.slice(written.length)
        for (const each of taken) {
          busy.set(each.webhookId, (busy.get(each.webhookId) ?? 0) + 1)
          yield* FiberSet.run(attempts, Effect.interruptible(attempt(each)))
        }
        // A due delivery may have to wait for an attempt in flight, whose end wakes the loop.
        return written.length === 0 && taken.length === 0 ? wait : 0
      })

      /** One line when the store's trouble begins, changes or ends: a store may be away for hours. */
      const log = (now: string | undefined, cause: Cause.Cause<unknown> = Cause.empty) =>
        Effect.suspend(() => {
          const before = trouble
          trouble = now
          if (before === now) return Effect.void
          return now === undefined
            ? Effect.logInfo("Webhook worker: deliveries go on")
            : Effect.logError(`Webhook worker: deliveries wait. ${now}`, cause)
        })

      const loop = yield* turn.pipe(
        Effect.uninterruptible,
        Effect.zipLeft(log(undefined)),
        Effect.catchAllCause((cause) =>
          log(
            Either.match(Cause.failureOrCause(cause), {
              onLeft: ({ message }) => message,
              onRight: () => "Internal error.",
            }),
            cause,
          ).pipe(Effect.zipRight(Effect.sleep(pauseMs)), Effect.as(0)),
        ),
        Effect.flatMap((wait) =>
          wait === 0 ? Effect.sleep(paceMs) : Effect.raceFirst(Effect.sleep(wait), Queue.take(wake)),
        ),
        Effect.forever,
        Effect.forkScoped,
      )

      // Runs before the scope interrupts the loop and the attempts.
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          stopping = true
          yield* Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(attempts)), graceMs)
          yield* FiberSet.clear(attempts)
          yield* Fiber.interrupt(loop)
          yield* Effect.catchAllCause(turn, (cause) =>
            Effect.logError(`Webhook worker: ${ended.length} attempt results not stored at shutdown`, cause),
          )
        }),
      )
    }),
  )

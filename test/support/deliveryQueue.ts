import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { type AttemptEnd, DeliveryQueue, type LeasedDelivery } from "../../core/events/DeliveryQueue.ts"
import type { Delivery } from "../../core/events/Webhook.ts"
import { Webhooks } from "../../core/events/Webhooks.ts"
import { anyAccountsOnDisk } from "./anyStore.ts"
import { webhooksOn } from "./webhooks.ts"

const store = webhooksOn(anyAccountsOnDisk)

export const start = Date.UTC(2026, 6, 9, 12)
export const one = ["https://one.example/"]
export const leaseMs = 30_000

export const inStore = <A, E>(test: Effect.Effect<A, E, Layer.Layer.Success<typeof store>>) =>
  Effect.provide(Effect.zipRight(TestClock.setTime(start), test), store)

/** One round of a worker: it records ended attempts and leases deliveries. */
export const turn = (
  leaseOwner: string,
  now: number,
  take: Readonly<Record<string, number>>,
  ended: ReadonlyArray<AttemptEnd> = [],
) =>
  Effect.flatMap(DeliveryQueue, (queue) =>
    queue.recordAndLease({
      leaseOwner,
      now,
      endedAttempts: ended,
      leases: new Map(Object.entries(take)),
      leaseMs,
      windowMs: 86_400_000,
    }),
  )

export const endOf = (
  { seq, attempt }: LeasedDelivery,
  next: AttemptEnd["next"],
  rest: Partial<AttemptEnd> = {},
): AttemptEnd => ({
  seq,
  attempt,
  at: start + 100,
  durationMs: 100,
  next,
  ...rest,
})

export const delivered = { _tag: "Delivered" } as const
export const retry = (dueAt: number) => ({ _tag: "Retry", dueAt }) as const

export const deliveriesOf = (id: string) =>
  Effect.flatMap(Webhooks, (webhooks) => webhooks.deliveries(id, { limit: 100 }))
export const states = (all: ReadonlyArray<Delivery>) => all.map(({ state }) => state._tag)

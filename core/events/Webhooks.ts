import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Accounts } from "../account/Accounts.ts"
import { monthOf, nextMonth } from "../account/Agent.ts"
import { Secrets } from "../account/Secrets.ts"
import * as Ulid from "../account/Ulid.ts"
import { type Failure, fail, invalid } from "../Failure.ts"
import { day, iso } from "../time.ts"
import { Destinations } from "./Destinations.ts"
import * as Event from "./Event.ts"
import { newSecret } from "./signature.ts"
import type { Delivery, Webhook } from "./Webhook.ts"
import { type DeliveryFilter, WebhookStore } from "./WebhookStore.ts"

/** How many events of an account can be replayed: the newest. */
export const replayable = 100

/** How many webhooks an account may have: each makes the transaction that writes an event a little longer. */
export const most = 16

export const defaultOverlap = day

/** What to replay: one event, the newest ones that the webhook is subscribed to, or everything it never got. */
export type Which =
  | { readonly _tag: "Event"; readonly id: string }
  | { readonly _tag: "Last"; readonly count: number }
  | { readonly _tag: "Dead" }

/** A secret that was just made: the only time it is shown. */
export interface NewSecret {
  readonly webhook: Webhook
  readonly secret: Redacted.Redacted
}

/** What an operator does with webhooks. Delivery is the worker's, in the server. */
export class Webhooks extends Context.Tag("core/events/Webhooks")<
  Webhooks,
  {
    /** `warning`: the host cannot be looked up at the moment. */
    readonly create: (
      account: string,
      url: string,
      events: ReadonlyArray<string>,
    ) => Effect.Effect<NewSecret & { readonly warning?: string }, Failure>
    readonly list: (account: string) => Effect.Effect<ReadonlyArray<Webhook>, Failure>
    /** Nothing is sent while it is paused; what happens meanwhile waits, and nothing runs out of time. */
    readonly pause: (id: string) => Effect.Effect<Webhook, Failure>
    /** Also ends the disablement by a 410. */
    readonly resume: (id: string) => Effect.Effect<Webhook, Failure>
    /** For good. What it was sent stays on record. */
    readonly remove: (id: string) => Effect.Effect<Webhook, Failure>
    /**
     * Makes a new secret; the one before still signs beside it for the overlap.
     *
     * @param overlapMs 0 to `defaultOverlap`
     */
    readonly rotate: (id: string, overlapMs?: number) => Effect.Effect<NewSecret, Failure>
    /** Sends an example of an event, `livemode: false`; its id. */
    readonly test: (id: string, type?: string) => Effect.Effect<string, Failure>
    /** Sends events again under their ids; the ids that were queued. What is under way is not queued twice. */
    readonly replay: (id: string, which: Which) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** The newest first. */
    readonly deliveries: (
      id: string,
      filter: Pick<DeliveryFilter, "eventId" | "type" | "limit">,
    ) => Effect.Effect<ReadonlyArray<Delivery>, Failure>
    /** Deliveries of an account that are not tried any more, the newest first. */
    readonly deadLetters: (account: string, limit: number) => Effect.Effect<ReadonlyArray<Delivery>, Failure>
  }
>() {
  static readonly layer: Layer.Layer<Webhooks, never, Accounts | Destinations | Secrets | WebhookStore> = Layer.suspend(
    () => layer,
  )
}

/** A UUID of version 4 from 16 random bytes. */
const uuid = (bytes: Uint8Array): string => {
  const hex = [...bytes]
    .map((byte, at) => (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte))
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

/** What a test sends: an agent that does not exist, at the line that the type stands for. */
const example = (type: Event.EventType, now: number): Event.BudgetData => {
  const percent = type === "agent.budget_warning" ? 80 : 100
  return {
    agent_id: `agt_${"0".repeat(26)}`,
    agent_name: "example",
    period: monthOf(now),
    cap_micros: 1_000_000,
    spent_micros: percent * 10_000,
    percent,
    resets_at: iso(nextMonth(now)),
  }
}

const layer = Layer.effect(
  Webhooks,
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const destinations = yield* Destinations
    const store = yield* WebhookStore
    const secrets = yield* Secrets
    const secretOf = Effect.provideService(newSecret, Secrets, secrets)

    /** Does not repeat what was asked for: it may be a secret that was pasted in the place of an id. */
    const find = Effect.fnUntraced(function* (id: string) {
      const webhook = yield* store.find(id)
      if (webhook !== undefined) return webhook
      return yield* fail("not_found", {
        detail: "There is no webhook of this id.",
        hints: [{ field: "webhook", action: "change", suggestion: "Use the id of a webhook that is listed." }],
      })
    })

    /** A webhook that something can be sent to. */
    const enabled = Effect.fnUntraced(function* (id: string) {
      const webhook = yield* find(id)
      if (webhook.status !== "disabled") return webhook
      return yield* invalid("webhook", "Its receiver answered 410 Gone and it is disabled: resume it first.")
    })

    const turn = (status: "active" | "paused") =>
      Effect.fn(`Webhooks.${status}`)(function* (id: string) {
        const webhook = yield* find(id)
        if (webhook.status === "disabled" && status === "paused") {
          return yield* invalid("webhook", "A disabled webhook sends nothing already: resume or delete it.")
        }
        yield* store.setStatus(id, status, yield* Clock.currentTimeMillis)
        return { ...webhook, status }
      })

    /** The events to replay, out of those that are kept for it. */
    const chosen = Effect.fnUntraced(function* ({ id, accountId, events: subscribed }: Webhook, which: Which) {
      const kept = yield* store.events(accountId, replayable)
      switch (which._tag) {
        case "Event": {
          const found = kept.filter((event) => event.id === which.id)
          if (found.length > 0) return found
          return yield* fail("not_found", {
            detail: `This event is not among the last ${replayable} of the account.`,
            hints: [{ field: "event", action: "change", suggestion: "Use the id of an event of its deliveries." }],
          })
        }
        case "Last":
          return kept.filter(({ type }) => subscribed.includes(type)).slice(0, which.count)
        case "Dead": {
          const undelivered = yield* store.undelivered(id)
          return kept.filter((event) => undelivered.has(event.id))
        }
      }
    })

    return Webhooks.of({
      create: Effect.fn("Webhooks.create")(function* (account, given, names) {
        const events = yield* Event.subscription(names)
        const { id: accountId } = yield* accounts.get(account)
        const { url, warning } = yield* destinations.check(given)
        const createdAt = yield* Clock.currentTimeMillis
        const id = `whk_${Ulid.encode(createdAt, yield* secrets.randomBytes(10))}`
        const webhook: Webhook = { id, accountId, url, events, status: "active", createdAt }
        const secret = yield* secretOf
        if (!(yield* store.insert(webhook, secret, most))) {
          return yield* invalid("account", `An account has at most ${most} webhooks: delete one first.`)
        }
        return { webhook, secret, ...(warning === undefined ? {} : { warning }) }
      }),
      list: (account) => Effect.flatMap(accounts.get(account), ({ id }) => store.ofAccount(id)),
      pause: turn("paused"),
      resume: turn("active"),
      remove: Effect.fn("Webhooks.remove")(function* (id) {
        const webhook = yield* find(id)
        yield* store.remove(id, yield* Clock.currentTimeMillis)
        return webhook
      }),
      rotate: Effect.fn("Webhooks.rotate")(function* (id, overlapMs = defaultOverlap) {
        if (!(overlapMs >= 0 && overlapMs <= defaultOverlap)) {
          return yield* invalid("overlap_seconds", "The overlap is 0 to 24 hours.")
        }
        const webhook = yield* find(id)
        const previousUntil = (yield* Clock.currentTimeMillis) + overlapMs
        const secret = yield* secretOf
        yield* store.replaceSecret(id, secret, previousUntil)
        return { webhook: { ...webhook, previousUntil }, secret }
      }),
      test: Effect.fn("Webhooks.test")(function* (id, name) {
        const webhook = yield* enabled(id)
        const [type] = name === undefined ? webhook.events : yield* Event.subscription([name])
        const at = yield* Clock.currentTimeMillis
        const eventId = uuid(yield* secrets.randomBytes(16))
        const body = Event.body({ id: eventId, type: type!, at, livemode: false, data: example(type!, at) })
        yield* store.queue([{ webhookId: id, eventId, type: type!, cause: "test", at, body }])
        return eventId
      }),
      replay: Effect.fn("Webhooks.replay")(function* (id, which) {
        const webhook = yield* enabled(id)
        const events = yield* chosen(webhook, which)
        const at = yield* Clock.currentTimeMillis
        // As they happened: the oldest first.
        return yield* store.queue(
          events
            .map((event) => ({ webhookId: id, eventId: event.id, type: event.type, cause: "replay" as const, at }))
            .reverse(),
        )
      }),
      deliveries: Effect.fn("Webhooks.deliveries")(function* (id, filter) {
        yield* find(id)
        return yield* store.deliveries({ ...filter, webhookId: id })
      }),
      deadLetters: Effect.fn("Webhooks.deadLetters")(function* (account, limit) {
        const { id } = yield* accounts.get(account)
        return yield* store.deliveries({ accountId: id, dead: true, limit })
      }),
    })
  }),
)

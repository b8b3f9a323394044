import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Accounts } from "../account/Accounts.ts"
import { findEarlierResult, idBytes } from "../account/idempotentId.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Ulid from "../account/Ulid.ts"
import { change, type Failure, invalid, notFound } from "../Failure.ts"
import type { Page } from "../Page.ts"
import { day } from "../time.ts"
import { formatUuid } from "../uuid.ts"
import { Destinations } from "./Destinations.ts"
import * as Event from "./Event.ts"
import { newSecret } from "./signature.ts"
import type { Delivery, Webhook } from "./Webhook.ts"
import { type DeliveryFilter, WebhookStore } from "./WebhookStore.ts"

/** Only the newest 100 events of an account can be replayed. */
export const replayableEvents = 100

/** Maximum number of webhooks of an account: each lengthens the transaction that writes an event. */
export const maxWebhooks = 16

export const defaultOverlap = day

/** The events to replay: one, the newest of the subscribed types, or every dead-lettered one. */
export type Which =
  | { readonly _tag: "Event"; readonly id: string }
  | { readonly _tag: "Last"; readonly count: number }
  | { readonly _tag: "Dead" }

/** Only operators may name any e-mail address. @param verified the verified address of the person who makes the request */
export const checkOwnMail = (url: string, verified: string | undefined): Effect.Effect<void, Failure> =>
  /^mailto:/i.test(url) && url !== `mailto:${verified}`
    ? invalid("url", "E-mail goes to the address with which you sign in, once your identity provider has verified it.")
    : Effect.void

/** A webhook with its new secret, which is shown only once. */
export interface NewSecret {
  readonly webhook: Webhook
  readonly secret: Redacted.Redacted
}

/** The operator's commands on webhooks. The server's worker delivers. */
export class Webhooks extends Context.Tag("market-signals/core/events/Webhooks")<
  Webhooks,
  {
    /** `warning`: the host does not resolve at the moment. */
    readonly create: (
      account: string,
      url: string,
      events: ReadonlyArray<string>,
      /** Idempotency key. A repeated request returns its webhook with a new secret, since nobody received the first. */
      once?: string,
    ) => Effect.Effect<NewSecret & { readonly warning?: string }, Failure>
    readonly list: (account: string) => Effect.Effect<ReadonlyArray<Webhook>, Failure>
    readonly get: (id: string) => Effect.Effect<Webhook, Failure>
    /** Deliveries queue while it is paused, and the 24-hour retry window is suspended. */
    readonly pause: (id: string) => Effect.Effect<Webhook, Failure>
    /** Also enables a webhook that a 410 disabled. */
    readonly resume: (id: string) => Effect.Effect<Webhook, Failure>
    /** Permanent. Its deliveries stay listed. */
    readonly remove: (id: string) => Effect.Effect<Webhook, Failure>
    /**
     * The previous secret signs too during the overlap.
     *
     * @param overlapMs 0 to `defaultOverlap`
     */
    readonly rotate: (id: string, overlapMs?: number) => Effect.Effect<NewSecret, Failure>
    /** Queues a test event with `livemode: false`; returns its id. */
    readonly test: (id: string, type?: string) => Effect.Effect<string, Failure>
    /** Queues events again under their ids, except those pending already; returns the queued ids. */
    readonly replay: (id: string, which: Which) => Effect.Effect<ReadonlyArray<string>, Failure>
    /** Newest first. */
    readonly deliveries: (
      id: string,
      filter: Omit<DeliveryFilter, "webhookId" | "accountId" | "dead">,
    ) => Effect.Effect<ReadonlyArray<Delivery>, Failure>
    /** Dead-lettered deliveries of an account that were not sent again, newest first. */
    readonly deadLetters: (account: string, page: Page<number>) => Effect.Effect<ReadonlyArray<Delivery>, Failure>
  }
>() {
  static readonly layer: Layer.Layer<Webhooks, never, Accounts | Destinations | PlatformCrypto | WebhookStore> =
    Layer.suspend(() => layer)
}

/** The webhook of an id. Its failure does not repeat the input: it may be a secret pasted in place of an id. */
const makeFind = (store: WebhookStore["Type"]) =>
  Effect.fnUntraced(function* (id: string) {
    const webhook = yield* store.find(id)
    return webhook ?? (yield* notFound("No webhook has this id.", change("webhook", "Use the id of a listed webhook.")))
  })

const subscriptions = (find: Webhooks["Type"]["get"]) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const destinations = yield* Destinations
    const store = yield* WebhookStore
    const secrets = yield* PlatformCrypto
    const makeSecret = Effect.provideService(newSecret, PlatformCrypto, secrets)

    const setStatus = (status: "active" | "paused") =>
      Effect.fn(`Webhooks.${status}`)(function* (id: string) {
        const webhook = yield* find(id)
        if (webhook.status === "disabled" && status === "paused") {
          return yield* invalid("webhook", "A disabled webhook cannot be paused. Resume or delete it.")
        }
        yield* store.setStatus(id, status, yield* Clock.currentTimeMillis)
        return { ...webhook, status }
      })

    return {
      create: Effect.fn("Webhooks.create")(function* (account, given, names, once) {
        const events = yield* Event.subscription(names)
        const { id: accountId } = yield* accounts.get(account)
        const { url, warning } = yield* destinations.check(given)
        const createdAt = yield* Clock.currentTimeMillis
        const bytes = yield* idBytes(secrets, once)
        const previous =
          once === undefined ? undefined : findEarlierResult(yield* store.ofAccount(accountId), bytes, createdAt)
        const id = previous?.id ?? `whk_${Ulid.encode(createdAt, bytes)}`
        const webhook: Webhook = { id, accountId, url, events, status: "active", createdAt }
        const secret = yield* makeSecret
        if (previous !== undefined) yield* store.replaceSecret(id, secret, createdAt)
        else if (!(yield* store.insert(webhook, secret, maxWebhooks))) {
          return yield* invalid("account", `An account can have at most ${maxWebhooks} webhooks. Delete one first.`)
        }
        return { webhook, secret, ...(warning === undefined ? {} : { warning }) }
      }),
      list: (account) => Effect.flatMap(accounts.get(account), ({ id }) => store.ofAccount(id)),
      get: find,
      pause: setStatus("paused"),
      resume: setStatus("active"),
      remove: Effect.fn("Webhooks.remove")(function* (id) {
        const webhook = yield* find(id)
        yield* store.remove(id, yield* Clock.currentTimeMillis)
        return webhook
      }),
      rotate: Effect.fn("Webhooks.rotate")(function* (id, overlapMs = defaultOverlap) {
        if (!(overlapMs >= 0 && overlapMs <= defaultOverlap)) {
          return yield* invalid("overlap_seconds", "overlap_seconds must be 0 to 86400.")
        }
        const webhook = yield* find(id)
        const previousUntil = (yield* Clock.currentTimeMillis) + overlapMs
        const secret = yield* makeSecret
        yield* store.replaceSecret(id, secret, previousUntil)
        return { webhook: { ...webhook, previousUntil }, secret }
      }),
    } satisfies Partial<Webhooks["Type"]>
  })

const deliveries = (find: Webhooks["Type"]["get"]) =>
  Effect.gen(function* () {
    const store = yield* WebhookStore
    const { randomBytes } = yield* PlatformCrypto
    const accounts = yield* Accounts

    const findEnabled = Effect.fnUntraced(function* (id: string) {
      const webhook = yield* find(id)
      if (webhook.status !== "disabled") return webhook
      return yield* invalid("webhook", "The webhook is disabled: its receiver answered 410 Gone. Resume it first.")
    })

    /** The events to replay, out of the account's newest 100. */
    const selectEvents = Effect.fnUntraced(function* ({ id, accountId, events: subscribed }: Webhook, which: Which) {
      const kept = yield* store.events(accountId, replayableEvents)
      switch (which._tag) {
        case "Event": {
          const matching = kept.filter((event) => event.id === which.id)
          if (matching.length > 0) return matching
          return yield* notFound(
            `This event is not among the last ${replayableEvents} of the account.`,
            change("event", "Use an event id from this webhook's deliveries."),
          )
        }
        case "Last":
          return kept.filter(({ type }) => subscribed.includes(type)).slice(0, which.count)
        case "Dead": {
          const undelivered = yield* store.undelivered(id)
          return kept.filter((event) => undelivered.has(event.id))
        }
      }
    })

    return {
      test: Effect.fn("Webhooks.test")(function* (id, name) {
        const webhook = yield* findEnabled(id)
        const [type] = name === undefined ? webhook.events : yield* Event.subscription([name])
        const now = yield* Clock.currentTimeMillis
        const eventId = formatUuid(yield* randomBytes(16))
        const body = Event.toBody(Event.makeTestEvent(type!, eventId, now))
        yield* store.queue([{ webhookId: id, eventId, type: type!, cause: "test", at: now, body }])
        return eventId
      }),
      replay: Effect.fn("Webhooks.replay")(function* (id, which) {
        const webhook = yield* findEnabled(id)
        const events = yield* selectEvents(webhook, which)
        const now = yield* Clock.currentTimeMillis
        // Oldest first, the order of the events.
        return yield* store.queue(
          events
            .map((event) => ({ webhookId: id, eventId: event.id, type: event.type, cause: "replay" as const, at: now }))
            .reverse(),
        )
      }),
      deliveries: Effect.fn("Webhooks.deliveries")(function* (id, filter) {
        yield* find(id)
        return yield* store.deliveries({ ...filter, webhookId: id })
      }),
      deadLetters: Effect.fn("Webhooks.deadLetters")(function* (account, page) {
        const { id } = yield* accounts.get(account)
        return yield* store.deliveries({ accountId: id, dead: true, ...page })
      }),
    } satisfies Partial<Webhooks["Type"]>
  })

const layer = Layer.effect(
  Webhooks,
  Effect.gen(function* () {
    const find = makeFind(yield* WebhookStore)
    return Webhooks.of({ ...(yield* subscriptions(find)), ...(yield* deliveries(find)) })
  }),
)

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { type Failure, fail } from "../../../../core/Failure.ts"
import type { Fact, Order } from "../../../../core/payment/Order.ts"
import { paidDays } from "../../../../core/payment/Payments.ts"
import type { TopUp } from "../../../../core/payment/TopUp.ts"
import {
  type Client,
  client,
  type Load,
  loadPackage,
  type StripeMissing,
  type TimeLimits,
  timeLimits,
  wrongShape,
} from "./client.ts"
import { chargeFacts, disputeFacts, findOrder, orderKey, sessionFacts, toCents } from "./facts.ts"
import * as Proofs from "./proof.ts"
import type { Settings } from "./settings.ts"
import { Disputes, FullSession, OpenedSession } from "./shapes.ts"

export interface Options {
  readonly timeLimits?: TimeLimits
  readonly load?: Load
}

/** The form of secret keys; its first group is the mode. */
export const secretKeyPattern = /^(?:sk|rk)_(test|live)_\w+$/

const pagesOrigin = "https://checkout.stripe.com"

/** How long a page stays open, milliseconds. Stripe allows 30 minutes to 24 hours from its creation, by its own clock. */
const openMs = 12 * 3_600_000

const currency = "usd"

/**
 * Opens pages of Stripe Checkout.
 *
 * @param origin where the pages are
 */
const begin =
  ({ ask: asking }: Client, origin: string, isLive: boolean): TopUp["begin"] =>
  (order, back) =>
    Effect.gen(function* () {
      const cents = toCents(order.micros)
      if (cents === undefined) {
        return yield* fail("invalid_parameter", {
          detail: `Payments by card are in whole cents, and ${order.micros} micro-dollars are none.`,
        })
      }
      const endsAt = order.createdAt + openMs
      if (endsAt <= (yield* Clock.currentTimeMillis)) {
        return yield* fail("invalid_parameter", {
          detail: "The page of this payment has expired. Begin a new payment.",
        })
      }
      const metadata = { [orderKey]: order.id }
      const subject = `Stripe's page of the order ${order.id}`
      const session = yield* asking(subject, OpenedSession, ({ checkout }) =>
        checkout.sessions.create(
          {
            mode: "payment",
            line_items: [
              { quantity: 1, price_data: { currency, unit_amount: cents, product_data: { name: "Wallet credit" } } },
            ],
            client_reference_id: order.id,
            metadata,
            // Charges inherit it, so that refunds name the order too.
            payment_intent_data: { metadata, description: `Wallet credit ${order.id}` },
            // Refunds and disputes of a payment in another currency would be in that currency.
            adaptive_pricing: { enabled: false },
            success_url: back.paid,
            cancel_url: back.cancelled,
            // By the order's time, not by the clock: a repeated request must be the same for its idempotency key.
            expires_at: Math.floor(endsAt / 1_000),
          },
          { idempotencyKey: `order-${order.id}` },
        ),
      )
      // A page that asks for taxes too, or is on a domain of the account's own, would take money that is not credited.
      const asked = [order.id, cents, currency, isLive, origin]
      const { amount_total, livemode, url } = session
      const answered = [
        findOrder(session),
        amount_total,
        session.currency,
        livemode,
        URL.canParse(url) ? new URL(url).origin : url,
      ]
      if (asked.some((value, at) => value !== answered[at])) {
        const reason = `order, cents, currency, live mode and origin are ${answered.join(", ")} instead of ${asked.join(", ")}.`
        return yield* fail("internal_error", { cause: wrongShape(subject, reason) })
      }
      return { kind: "opened", reference: session.id, url, endsAt: session.expires_at * 1_000 }
    })

/** Payments by card, and by whatever else the account accepts, on Stripe's own pages (Checkout). */
export const make = (
  { secretKey, webhookSecrets, apiUrl }: Settings,
  { timeLimits: limits = timeLimits, load }: Options = {},
): Effect.Effect<TopUp, StripeMissing> =>
  Effect.map(loadPackage(load), (Package): TopUp => {
    const isLive = secretKeyPattern.exec(Redacted.value(secretKey))?.[1] === "live"
    const origin = apiUrl === undefined ? pagesOrigin : new URL(apiUrl).origin
    const api = client(Package, secretKey, limits, apiUrl)
    const { ask: asking } = api

    /** The refunds and disputes of a payment. */
    const readReturns = ({
      payment_intent: intent,
    }: typeof FullSession.Type): Effect.Effect<ReadonlyArray<Fact>, Failure> => {
      const charge = intent?.latest_charge ?? null
      if (intent === null || charge === null) return Effect.succeed([])
      if (!charge.disputed) return Effect.succeed(chargeFacts(charge))
      return Effect.map(
        asking(`Stripe's disputes of ${intent.id}`, Disputes, ({ disputes }) =>
          disputes.list({ payment_intent: intent.id, limit: 100 }),
        ),
        ({ data }) => [...chargeFacts(charge), ...data.flatMap((dispute) => disputeFacts(dispute))],
      )
    }

    const look = (order: Order, reference: string): Effect.Effect<ReadonlyArray<Fact>, Failure> =>
      Effect.gen(function* () {
        const subject = `Stripe's session ${reference}`
        const session = yield* asking(subject, FullSession, ({ checkout }) =>
          checkout.sessions.retrieve(reference, { expand: ["payment_intent.latest_charge"] }),
        )
        if (findOrder(session) !== order.id) {
          return yield* fail("internal_error", { cause: wrongShape(subject, `it is not of the order ${order.id}`) })
        }
        const paid = yield* Either.mapLeft(sessionFacts(session), (cause) => fail("internal_error", { cause }))
        return [...paid, ...(yield* readReturns(session))]
      })

    return {
      provider: "stripe",
      // Disputes come within 120 days.
      watchedDays: paidDays,
      label: "Card",
      origin,
      begin: begin(api, origin, isLive),
      proof: Proofs.make(api, webhookSecrets, isLive),
      look: (order, opened) => look(order, opened.reference),
    }
  })

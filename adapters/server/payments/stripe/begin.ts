import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fail } from "../../../../core/Failure.ts"
import type { TopUp } from "../../../../core/payment/TopUp.ts"
import { centsOf } from "./amounts.ts"
import { type Client, misshapen } from "./client.ts"
import { orderKey, orderOf } from "./facts.ts"
import { OpenedSession } from "./shapes.ts"

/** The time for which a page is open. Stripe allows 30 minutes to 24 hours after it was made, by its own clock. */
const openMs = 12 * 3_600_000

const currency = "usd"

/**
 * Opens pages of Stripe Checkout.
 *
 * @param origin where the pages are
 */
export const make =
  ({ asking }: Client, origin: string, isLive: boolean): TopUp["begin"] =>
  (order, back) =>
    Effect.gen(function* () {
      const cents = centsOf(order.micros)
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
            // Charges take it over, so that refunds name the order too.
            payment_intent_data: { metadata, description: `Wallet credit ${order.id}` },
            // Refunds and disputes of a payment in another currency would be in that one.
            adaptive_pricing: { enabled: false },
            success_url: back.paid,
            cancel_url: back.cancelled,
            // Of the order, not of the time: the same request has the same answer.
            expires_at: Math.floor(endsAt / 1_000),
          },
          { idempotencyKey: `order-${order.id}` },
        ),
      )
      // A page that asks for taxes too, or is on a domain of the account's own, would take money that is not credited.
      const asked = [order.id, cents, currency, isLive, origin]
      const { amount_total, livemode, url } = session
      const answered = [
        orderOf(session),
        amount_total,
        session.currency,
        livemode,
        URL.canParse(url) ? new URL(url).origin : url,
      ]
      if (asked.some((value, at) => value !== answered[at])) {
        const reason = `order, cents, currency, live mode and origin are ${answered.join(", ")} instead of ${asked.join(", ")}.`
        return yield* fail("internal_error", { cause: misshapen(subject, reason) })
      }
      return { kind: "opened", reference: session.id, url, endsAt: session.expires_at * 1_000 }
    })

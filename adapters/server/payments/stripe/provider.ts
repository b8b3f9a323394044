import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { type Failure, fail } from "../../../../core/Failure.ts"
import type { Fact, Order } from "../../../../core/payment/Order.ts"
import type { TopUp } from "../../../../core/payment/TopUp.ts"
import * as Begin from "./begin.ts"
import { client, type Load, loaded, misshapen, type StripeMissing, type TimeLimits, timeLimits } from "./client.ts"
import { ofCharge, ofDispute, ofSession, orderOf } from "./facts.ts"
import * as Proofs from "./proof.ts"
import type { Settings } from "./settings.ts"
import { Disputes, FullSession } from "./shapes.ts"

export interface Options {
  readonly timeLimits?: TimeLimits
  readonly load?: Load
}

/** The form of secret keys; its first group is the mode. */
export const keyForm = /^(?:sk|rk)_(test|live)_\w+$/

/** Where Stripe's pages are. */
const pages = "https://checkout.stripe.com"

/** Payments by card and whatever else the account takes, on pages of Stripe's (Checkout). */
export const make = (
  { secretKey, webhookSecrets, apiUrl }: Settings,
  { timeLimits: limits = timeLimits, load }: Options = {},
): Effect.Effect<TopUp, StripeMissing> =>
  Effect.map(loaded(load), (Package): TopUp => {
    const isLive = keyForm.exec(Redacted.value(secretKey))?.[1] === "live"
    const origin = apiUrl === undefined ? pages : new URL(apiUrl).origin
    const api = client(Package, secretKey, limits, apiUrl)
    const { asking } = api

    /** The refunds and disputes of a payment. */
    const returned = ({
      payment_intent: intent,
    }: typeof FullSession.Type): Effect.Effect<ReadonlyArray<Fact>, Failure> => {
      const charge = intent?.latest_charge ?? null
      if (intent === null || charge === null) return Effect.succeed([])
      if (!charge.disputed) return Effect.succeed(ofCharge(charge))
      return Effect.map(
        asking(`Stripe's disputes of ${intent.id}`, Disputes, ({ disputes }) =>
          disputes.list({ payment_intent: intent.id, limit: 100 }),
        ),
        ({ data }) => [...ofCharge(charge), ...data.flatMap((dispute) => ofDispute(dispute))],
      )
    }

    const look = (order: Order, reference: string): Effect.Effect<ReadonlyArray<Fact>, Failure> =>
      Effect.gen(function* () {
        const subject = `Stripe's session ${reference}`
        const session = yield* asking(subject, FullSession, ({ checkout }) =>
          checkout.sessions.retrieve(reference, { expand: ["payment_intent.latest_charge"] }),
        )
        if (orderOf(session) !== order.id) {
          return yield* fail("internal_error", { cause: misshapen(subject, `it is not of the order ${order.id}`) })
        }
        const paid = yield* Either.mapLeft(ofSession(session), (cause) => fail("internal_error", { cause }))
        return [...paid, ...(yield* returned(session))]
      })

    return {
      provider: "stripe",
      mayReturn: true,
      label: "Card",
      origin,
      begin: Begin.make(api, origin, isLive),
      proof: Proofs.make(api, webhookSecrets, isLive),
      look: (order, opened) => look(order, opened.reference),
    }
  })

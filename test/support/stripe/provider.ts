import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as provider from "../../../adapters/server/payments/stripe/provider.ts"
import type { Settings } from "../../../adapters/server/payments/stripe/settings.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import * as Ulid from "../../../core/account/Ulid.ts"
import type { Order } from "../../../core/payment/Order.ts"
import type { TopUp } from "../../../core/payment/TopUp.ts"
import { bodyOf, signed } from "./delivery.ts"
import type { StripeHost } from "./host.ts"

export const secret = "whsec_loopback0000000000000000000000"
export const formerSecret = "whsec_former00000000000000000000000"

/** The settings of a provider that asks the double; the second secret is the former one. */
export const settingsOf = ({ url, key }: Pick<StripeHost, "url" | "key">): Settings => ({
  secretKey: Redacted.make(key),
  webhookSecrets: [Redacted.make(secret), Redacted.make(formerSecret)],
  apiUrl: url,
})

/** A provider that asks the double, with short time limits. */
export const providerOf = (host: Pick<StripeHost, "url" | "key">): Effect.Effect<TopUp> =>
  Effect.orDie(provider.make(settingsOf(host), { timeLimits: { answerMs: 250, totalMs: 1_500 } }))

/** A new order, of five dollars unless said otherwise. */
export const newOrder = (micros = 5_000_000, createdAt = Date.now()): Order => ({
  id: `txn_${Ulid.encode(createdAt, randomBytes(10))}`,
  accountId: "acc_1",
  provider: "stripe",
  micros: MicroUsd(micros),
  createdAt,
})

export const back = { paid: "http://127.0.0.1:1/paid?a=1&b=2", cancelled: "http://127.0.0.1:1/cancelled" }

/** A message as it arrives: signed, and its body as bytes. */
export const messageOf = (event: unknown, key = secret, seconds?: number) => {
  const body = bodyOf(event)
  return { headers: { "stripe-signature": signed(body, key, seconds) }, body: new TextEncoder().encode(body) }
}

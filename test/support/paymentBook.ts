import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as orders from "../../adapters/store/money/Orders.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import { BaseUrl } from "../../core/call/BaseUrl.ts"
import { fail } from "../../core/Failure.ts"
import type { Fact, Order, PaidAmount } from "../../core/payment/Order.ts"
import type { OrderStore } from "../../core/payment/OrderStore.ts"
import { PaymentProviders } from "../../core/payment/PaymentProviders.ts"
import { Payments, paidDays } from "../../core/payment/Payments.ts"
import type { TopUp } from "../../core/payment/TopUp.ts"

/** A story of an order at a provider: facts with references of the story alone, in the order in which they happened. */
export type Story = ReadonlyArray<Fact>

/** The same facts for an order: references name it. */
export const toldOf = ({ id }: Pick<Order, "id">, story: Story): ReadonlyArray<Fact> =>
  story.map((fact) => ({ ...fact, reference: `${id}/${fact.reference}` }))

/** A provider whose books are a map, and whose messages are their own proof unless they say `forged`. */
export const book = (facts: ReadonlyMap<string, ReadonlyArray<Fact>>): TopUp => ({
  provider: "book",
  watchedDays: paidDays,
  label: "Book",
  origin: "https://pay.example",
  begin: (order, { paid }) =>
    Effect.succeed({
      kind: "opened",
      reference: `page/${order.id}`,
      url: `https://pay.example/${order.id}?back=${encodeURIComponent(paid)}`,
      endsAt: order.createdAt + 3_600_000,
    }),
  proof: (_, body) => {
    const text = new TextDecoder().decode(body)
    return text === "forged" ? fail("invalid_request_body") : Effect.succeed([JSON.parse(text)])
  },
  look: ({ id }) => Effect.succeed(facts.get(id) ?? []),
})

/** A message of the book. */
export const message = (orderId: string, fact: Fact): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ orderId, fact }))

/** Payments over a store and the book. */
export const paymentsOver = (
  topUp: TopUp,
): Layer.Layer<OrderStore | Payments, never, PlatformCrypto | SqlClient.SqlClient> =>
  Payments.layer.pipe(
    Layer.provide([BaseUrl.layer("https://api.example"), Layer.succeed(PaymentProviders, { topUps: [topUp] })]),
    Layer.provideMerge(orders.layer),
  )

const usd = (micros: number) => ({ micros, currency: "usd" })

/** Stories of an order of some amount; most are paid as asked for, some never, some wrongly. */
export const stories = (micros: number): fc.Arbitrary<Story> =>
  fc
    .record({
      amounts: fc.constantFrom<ReadonlyArray<PaidAmount>>(
        [usd(micros)],
        [usd(micros)],
        [],
        [usd(micros - 1)],
        [usd(micros + 1)],
        [{ micros, currency: "eur" }],
        [usd(micros - 10_000), usd(micros)],
      ),
      ended: fc.boolean(),
      refunds: fc.array(fc.integer({ min: 1, max: micros }), { maxLength: 3 }),
      disputes: fc.array(fc.integer({ min: 1, max: micros }), { maxLength: 2 }),
    })
    .map(({ amounts, ended, refunds, disputes }) => {
      // Cumulative, as providers report them.
      const refunded = refunds.map((_, at) =>
        Math.min(
          micros,
          refunds.slice(0, at + 1).reduce((sum, one) => sum + one, 0),
        ),
      )
      return [
        ...(ended ? [{ kind: "ended", reference: "end", detail: "expired" } as const] : []),
        ...amounts.map((amount, at) => ({ kind: "paid", reference: `paid${at}`, amount }) as const),
        ...refunded.map((sum, at) => ({ kind: "refunded", reference: `refund${at}`, amount: usd(sum) }) as const),
        ...disputes.map((sum, at) => ({ kind: "disputed", reference: `dispute${at}`, amount: usd(sum) }) as const),
      ]
    })

/** What a story must do to a wallet with nothing else in it, reckoned apart from the code under test. */
export const expectedOf = (micros: number, story: Story) => {
  const addReliability = (kind: Fact["kind"]) =>
    story.flatMap((fact) => (fact.kind === kind && "amount" in fact ? [fact.amount] : []))
  const isPaid = addReliability("paid").some((amount) => amount.micros === micros && amount.currency === "usd")
  const back =
    Math.max(0, ...addReliability("refunded").map((amount) => amount.micros)) +
    addReliability("disputed").reduce((sum, amount) => sum + amount.micros, 0)
  const creditedMicros = isPaid ? micros : 0
  const takenBackMicros = isPaid ? Math.min(micros, back) : 0
  return { creditedMicros, takenBackMicros, balance: creditedMicros - takenBackMicros }
}

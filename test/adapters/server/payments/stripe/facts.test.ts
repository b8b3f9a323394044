import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import {
  chargeFacts,
  disputeFacts,
  findOrder,
  sessionFacts,
  toCents,
  toPaidAmount,
} from "../../../../../adapters/server/payments/stripe/facts.ts"
import type { AnySession, Charge, Dispute } from "../../../../../adapters/server/payments/stripe/shapes.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"

const order = "txn_01HZZZZZZZ0123456789ABCDEF"

const session: AnySession = {
  id: "cs_1",
  object: "checkout.session",
  mode: "payment",
  status: "complete",
  payment_status: "paid",
  amount_total: 1_250,
  currency: "usd",
  metadata: null,
  livemode: false,
  payment_intent: "pi_1",
}

const factsOf = (changes: Partial<AnySession>, hasFailed?: boolean) =>
  Either.getOrThrow(sessionFacts({ ...session, ...changes }, hasFailed))

describe("amounts", () => {
  it("only whole cents of micro-dollars are cents", () => {
    assert.strictEqual(toCents(MicroUsd(1_000_000)), 100)
    assert.strictEqual(toCents(MicroUsd(10_000)), 1)
    assert.isUndefined(toCents(MicroUsd(10_001)))
    assert.isUndefined(toCents(MicroUsd(9_999)))
  })

  it.each([
    ["usd", 1_250, 12_500_000],
    ["jpy", 1_250, 1_250_000_000],
    ["kwd", 1_250, 1_250_000],
    // Stripe counts these two in hundredths although they have no coin below the unit.
    ["isk", 1_250, 12_500_000],
    ["ugx", 1_250, 12_500_000],
  ])("%s: %i units are %i millionths", (currency, units, micros) => {
    assert.deepStrictEqual(toPaidAmount(units, currency), { micros, currency })
  })
})

describe("the order of an object", () => {
  it("is the one that its metadata names", () => {
    assert.strictEqual(findOrder({ id: "cs_1", metadata: { order, other: "x" } }), order)
  })

  it.each([
    undefined,
    { metadata: null },
    { metadata: {} },
    { client_reference_id: order, metadata: {} },
    { metadata: { order: order.toLowerCase() } },
    { metadata: { order: order.slice(0, -1) } },
    { metadata: { order: `${order}0` } },
    { metadata: { order: order.replace("txn_0", "txn_8") } },
    { metadata: { order: order.replace("A", "U") } },
  ])("is none of ours: %j", (object) => {
    assert.isUndefined(findOrder(object))
  })
})

describe("a session", () => {
  const ended = (detail: string) => [{ kind: "ended" as const, reference: "cs_1", detail }]

  it("that is paid names its payment, by its id or by itself", () => {
    const paid = [{ kind: "paid" as const, reference: "pi_1", amount: { micros: 12_500_000, currency: "usd" } }]
    assert.deepStrictEqual(factsOf({}), paid)
    assert.deepStrictEqual(factsOf({ payment_intent: { id: "pi_1", status: "succeeded" } }), paid)
  })

  it("that is paid by nothing is an error", () => {
    const found = sessionFacts({ ...session, payment_intent: null })
    assert.strictEqual(
      Either.getOrThrow(Either.flip(found)).message,
      "Stripe's session cs_1 is paid and names no payment.",
    )
  })

  it("that expired or was free has ended, and an open one says nothing", () => {
    assert.deepStrictEqual(factsOf({ status: "expired", payment_status: "unpaid" }), ended("The page expired."))
    assert.deepStrictEqual(factsOf({ status: "open", payment_status: "unpaid" }), [])
    const free = { payment_status: "no_payment_required" } as const
    assert.deepStrictEqual(factsOf(free), ended("The page was closed without a payment."))
  })

  it("whose slow payment has not arrived ends when the message or the payment says that it failed", () => {
    const unpaid = { payment_status: "unpaid" } as const
    const of = (status: string) => ({ ...unpaid, payment_intent: { id: "pi_1", status } })
    assert.deepStrictEqual(factsOf(unpaid), [])
    assert.deepStrictEqual(factsOf(of("processing")), [])
    assert.deepStrictEqual(factsOf({ ...unpaid, payment_intent: null }), [])
    assert.deepStrictEqual(factsOf(unpaid, true), ended("The payment failed."))
    assert.deepStrictEqual(factsOf(of("requires_payment_method")), ended("The payment failed."))
    assert.deepStrictEqual(factsOf(of("canceled")), ended("The payment failed."))
  })
})

describe("money taken back", () => {
  it("a charge says what was refunded in all, and a further refund has another reference", () => {
    const charge: Charge = {
      id: "ch_1",
      object: "charge",
      amount_refunded: 0,
      currency: "usd",
      disputed: false,
      metadata: null,
    }
    const refunded = (units: number) => chargeFacts({ ...charge, amount_refunded: units })
    assert.deepStrictEqual(refunded(0), [])
    assert.deepStrictEqual(refunded(1), [
      { kind: "refunded", reference: "ch_1:1", amount: { micros: 10_000, currency: "usd" } },
    ])
    assert.strictEqual(refunded(500)[0]?.reference, "ch_1:500")
  })

  it("a dispute counts while its money is gone, whatever a bank only asks", () => {
    const dispute: Dispute = {
      id: "dp_1",
      object: "dispute",
      amount: 700,
      currency: "usd",
      payment_intent: "pi_1",
      balance_transactions: [],
    }
    const taken = [{ kind: "disputed" as const, reference: "dp_1", amount: { micros: 7_000_000, currency: "usd" } }]
    const moved = (...amounts: ReadonlyArray<number>) => ({
      ...dispute,
      balance_transactions: amounts.map((amount) => ({ amount })),
    })
    assert.deepStrictEqual(disputeFacts(dispute), [], "an inquiry")
    assert.deepStrictEqual(disputeFacts(moved(0)), [])
    assert.deepStrictEqual(disputeFacts(moved(-700)), taken)
    assert.deepStrictEqual(disputeFacts(moved(-700, 700)), [], "won")
    assert.deepStrictEqual(disputeFacts(dispute, true), taken, "a message says so before the balance shows it")
  })
})

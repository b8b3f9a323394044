import { assert, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Charge, Disputes, Event, Session } from "../../../../../adapters/server/payments/stripe/shapes.ts"

const charge = {
  id: "ch_1",
  object: "charge",
  amount_refunded: 0,
  currency: "usd",
  disputed: false,
  metadata: null,
}
const session = {
  id: "cs_test_1",
  object: "checkout.session",
  mode: "payment",
  status: "open",
  payment_status: "unpaid",
  amount_total: 500,
  currency: "usd",
  metadata: { order: "x" },
  livemode: false,
  payment_intent: null,
}

const [isCharge, isSession] = [Schema.is(Charge), Schema.is(Session)]

it("amounts are whole units from 0 to nine thousand million", () => {
  for (const units of [0, 1, 9_000_000_000]) assert.isTrue(isCharge({ ...charge, amount_refunded: units }), `${units}`)
  for (const units of [-1, 0.5, 9_000_000_001, "5"]) assert.isFalse(isCharge({ ...charge, amount_refunded: units }))
})

it("a charge has an id of either prefix and a currency in three small letters", () => {
  assert.isTrue(isCharge({ ...charge, id: "py_9aZ" }))
  for (const id of ["pi_1", "ch_", "xch_1", "ch_1-2"]) assert.isFalse(isCharge({ ...charge, id }), id)
  for (const currency of ["USD", "us", "usdc"]) assert.isFalse(isCharge({ ...charge, currency }), currency)
})

it("a session is of the mode payment and names its payment by id or not at all", () => {
  assert.isTrue(isSession(session))
  assert.isTrue(isSession({ ...session, payment_intent: "pi_1" }))
  assert.isFalse(isSession({ ...session, payment_intent: "ch_1" }))
  assert.isFalse(isSession({ ...session, mode: "subscription" }))
  assert.isFalse(isSession({ ...session, status: "closed" }))
})

it("a list of disputes that goes on elsewhere is not read as whole", () => {
  assert.isTrue(Schema.is(Disputes)({ data: [], has_more: false }))
  assert.isFalse(Schema.is(Disputes)({ data: [], has_more: true }))
})

it("a message may lack the account and the API's version, not its object", () => {
  const event = { id: "evt_1", object: "event", type: "x", api_version: null, livemode: true, data: { object: {} } }
  assert.isTrue(Schema.is(Event)(event))
  assert.isTrue(Schema.is(Event)({ ...event, account: "acct_1" }))
  assert.isFalse(Schema.is(Event)({ ...event, data: {} }))
})

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { shaped } from "../../core/endpoint/shaped.ts"
import { firstFact, orderStates, topUpLimits } from "../../core/payment/Order.ts"
import type { OrderWithFacts } from "../../core/payment/OrderStore.ts"
import { Payments } from "../../core/payment/Payments.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { accountParam } from "./inputs.ts"
import { list } from "./list.ts"
import { instant, micros } from "./shapes.ts"

/** The provider's id of the payment, or of its checkout page. */
const findReference = (payment: OrderWithFacts): string | undefined =>
  (firstFact(payment, "paid") ?? firstFact(payment, "opened"))?.reference

/** Schema of an order. */
export const Order = Schema.Struct({
  id: Schema.String.annotations({ description: "The id of its credit in the journal." }),
  account: Schema.String,
  provider: Schema.String,
  state: Schema.Literal(...orderStates),
  micros,
  credited_micros: micros,
  taken_back_micros: micros,
  created_at: instant,
  reference: Param.optional(Schema.String.annotations({ description: "The provider's id of the payment." })),
})

const orderShape = shaped(Order)

export const order = (payment: OrderWithFacts): typeof Order.Type =>
  orderShape({ ...payment, account: payment.accountId, reference: findReference(payment) })

/** Schema of the result of a reconciliation. */
const Reconciled = Schema.Struct({
  looked: Schema.Number,
  added: Schema.Number.annotations({ description: "Facts whose proof had not arrived." }),
  credited_micros: micros,
  taken_back_micros: micros,
  mismatched: Schema.Array(Schema.String).annotations({
    description: "Orders whose payment differs in amount or currency.",
  }),
  unanswered: Schema.Array(Schema.String).annotations({ description: "Orders whose provider did not answer." }),
})

/** Verbs for payments into wallets. */
export const orderVerbs = {
  ordersBegin: AdminOperation.make("orders_begin", "POST accounts/:account/orders", {
    summary: "Begin a payment into a wallet: answers with the page to pay on",
    success: 201,
    leastRole: "owner",
    params: Schema.Struct({
      ...accountParam,
      micros: Param.integer(topUpLimits.least, topUpLimits.most, "Amount, micro-dollars, in whole cents."),
      provider: Param.optional(Param.text(32, "Payment provider (default: the first).")),
      origin: Param.optional(
        Param.pattern(
          /^https?:\/\/[^\s/?#@]{1,200}$/,
          "an origin such as https://api.example.com",
          "Where the browser sees this service (default: its base URL).",
        ),
      ),
    }),
    results: Schema.Struct({ id: Schema.String, provider: Schema.String, micros, pay_url: Schema.String }),
    run: Effect.fnUntraced(function* ({ account, micros, provider, origin }) {
      const { id: accountId } = yield* Effect.flatMap(Accounts, ({ get }) => get(account))
      const { begin } = yield* Payments
      const { order, url } = yield* begin({ accountId, provider, micros: MicroUsd(micros), origin })
      return { id: order.id, provider: order.provider, micros: order.micros, pay_url: url }
    }),
  }),

  ordersList: list("orders_list", "accounts/:account/orders", {
    summary: "List an account's payments, newest first",
    leastRole: "viewer",
    params: accountParam,
    rows: ["orders", Order],
    key: ({ id }) => id,
    read: Effect.fnUntraced(function* ({ account }, page) {
      const { id: accountId } = yield* Effect.flatMap(Accounts, ({ get }) => get(account))
      return yield* (yield* Payments).page({ accountId, ...page })
    }),
    show: order,
  }),

  ordersReconcile: AdminOperation.make("orders_reconcile", "POST orders/reconcile", {
    summary: "Compare orders with the payment providers' books, and credit or take back what they say",
    params: Schema.Struct({
      all: Param.optional(
        Schema.Boolean.annotations({
          description: "Credited orders too, for refunds and disputes (default: unpaid ones).",
        }),
      ),
    }),
    results: Reconciled,
    run: ({ all }) =>
      Effect.flatMap(Payments, ({ reconcile }) =>
        Effect.map(reconcile(all === true ? "all" : "unproven"), shaped(Reconciled)),
      ),
  }),
}

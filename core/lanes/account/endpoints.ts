import * as Schema from "effect/Schema"
import { monthOf, nextMonth } from "../../account/Agent.ts"
import { CurrentCaller } from "../../account/CurrentCaller.ts"
import { Ledger } from "../../account/Ledger.ts"
import { RateLimits } from "../../account/RateLimits.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import { ifDefined } from "../../ifDefined.ts"
import { type Opened, openPayment } from "../../payment/Order.ts"
import type { OrderWithFacts } from "../../payment/OrderStore.ts"
import { Payments } from "../../payment/Payments.ts"
import { PaymentMethod, paymentMethods } from "../../payment/paymentMethods.ts"
import { iso } from "../../time.ts"
import { dataTerms } from "../fields.ts"
import { explainLedger, microsField } from "./accountAnswer.ts"
import { PlannedCatalogue } from "./plan.ts"

export const key = Endpoint.make("/v1/key", {
  ...dataTerms(0),
  summary: "This key's scopes, limits, caps, monthly spend and rate-limit state",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({
    key_id: Field.text(),
    environment: Field.text("`live` or `test`."),
    scopes: Field.optional(
      Schema.Array(Schema.String).annotations({
        description: "The lanes that it may call, and `manage` if it may keep alerts and webhooks.",
      }),
    ),
    rate_limit: Schema.Struct({
      per_minute: Field.integer(),
      remaining: Field.integer(),
      reset_seconds: Field.integer("Until the bucket is full."),
    }),
    month: Field.text("The UTC month, YYYY-MM."),
    month_spent_micros: microsField("Charged to this key in the month."),
    agent: Field.optional(
      Schema.Struct({
        id: Field.text(),
        name: Field.text(),
        monthly_cap_micros: Field.optional(microsField("Per UTC month.")),
        budget_cap_micros: Field.optional(microsField("Lifetime cap.")),
        month_spent_micros: microsField("By all keys of the agent in the month, at list price."),
        total_spent_micros: microsField("By all keys of the agent, at list price."),
        resets_at: Field.instant("Start of the next UTC month."),
      }),
    ),
    wallet: Field.optional(
      Schema.Struct({ balance_micros: microsField("Of the account.") }).annotations({
        description: "Omitted for keys of an agent.",
      }),
    ),
  }).annotations({ identifier: "Key" }),
  ports: { ledger: Ledger, limits: RateLimits, planned: PlannedCatalogue },
  answer: function* (_, { ledger, limits, planned }, give) {
    const { caller, startedAt } = yield* CurrentCaller
    const { agent, balance, month, monthSpent } = yield* ledger.spendStatus(caller, startedAt)
    const { limit, remaining, resetSeconds } = yield* limits.peek(caller.keyId, caller.perMinute)
    return give({
      results: {
        key_id: caller.keyId,
        environment: caller.livemode ? "live" : "test",
        scopes: caller.scopes ?? planned.lanes.map(({ name }) => name),
        rate_limit: { per_minute: limit, remaining, reset_seconds: resetSeconds },
        month,
        month_spent_micros: monthSpent,
        ...(agent === undefined
          ? { wallet: { balance_micros: balance } }
          : {
              agent: {
                id: caller.agent!.id,
                name: agent.name,
                ...ifDefined("monthly_cap_micros", agent.monthlyCap),
                ...ifDefined("budget_cap_micros", agent.budgetCap),
                month_spent_micros: agent.monthSpent,
                total_spent_micros: agent.totalSpent,
                resets_at: iso(nextMonth(startedAt)),
              },
            }),
      },
      ...explainLedger("Read limits, caps and spend of the calling key."),
    })
  },
})

/** Open orders are looked for among this many newest orders. */
const maxOrders = 50

const toOpenOrder = ({ id, provider, micros }: OrderWithFacts, { url, endsAt }: Opened) => ({
  id,
  provider,
  amount_micros: micros,
  ...ifDefined("pay_url", url),
  ...(endsAt === undefined ? {} : { expires_at: iso(endsAt) }),
})

export const wallet = Endpoint.make("/v1/wallet", {
  ...dataTerms(0),
  summary: "The wallet: balance, the month's spend, open orders and the ways to pay",
  use: "How much money is left, and how to add some.",
  example: {},
  params: Schema.Struct({}),
  results: Schema.Struct({
    balance_micros: Field.optional(microsField("Omitted for keys of an agent.")),
    month: Field.text("The UTC month, YYYY-MM."),
    month_spent_micros: Field.optional(
      microsField("By all keys of the account in the month. Omitted for keys of an agent."),
    ),
    open_orders: Field.optional(
      Schema.Array(
        Schema.Struct({
          id: Field.text("The order's id; once it is paid, its credit in the journal has the same id."),
          provider: Field.text(),
          amount_micros: microsField("To be paid and credited."),
          pay_url: Field.optional(Field.text("Where to pay.")),
          expires_at: Field.optional(Field.instant("Until when it can be paid.")),
        }),
      ).annotations({ description: "Orders that are not paid yet. Omitted for keys of an agent." }),
    ),
    ways_to_pay: Schema.Array(PaymentMethod),
  }).annotations({ identifier: "Wallet" }),
  ports: { ledger: Ledger, payments: Payments, waysToPay: paymentMethods },
  answer: function* (_, { ledger, payments, waysToPay }, give) {
    const { caller, startedAt } = yield* CurrentCaller
    const { accountId } = caller
    const month = monthOf(startedAt)
    const orders = caller.agent === undefined ? yield* payments.page({ accountId, limit: maxOrders }) : []
    const accountFields =
      caller.agent !== undefined
        ? {}
        : {
            balance_micros: yield* ledger.balance(accountId),
            month_spent_micros: yield* ledger.accountSpent(accountId, month),
            open_orders: orders.flatMap((order) => {
              const payable = openPayment(order, startedAt)
              return payable === undefined ? [] : [toOpenOrder(order, payable)]
            }),
          }
    return give({
      results: { ...accountFields, month, ways_to_pay: waysToPay },
      ...explainLedger("Read the wallet of the key's account."),
    })
  },
})

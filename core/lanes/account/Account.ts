import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { monthOf, nextMonth } from "../../account/Agent.ts"
import { CurrentCaller } from "../../account/CurrentCaller.ts"
import { Ledger } from "../../account/Ledger.ts"
import { RateLimits } from "../../account/RateLimits.ts"
import type { BaseUrl } from "../../call/BaseUrl.ts"
import * as Catalogue from "../../endpoint/Catalogue.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import type * as Lane from "../../endpoint/Lane.ts"
import { ifDefined } from "../../ifDefined.ts"
import { type Opened, placeOf } from "../../payment/Order.ts"
import type { KnownOrder } from "../../payment/OrderStore.ts"
import type { Paying } from "../../payment/Paying.ts"
import { Payments } from "../../payment/Payments.ts"
import { paymentMethods } from "../../payment/paymentMethods.ts"
import { iso } from "../../time.ts"
import { accountAnswer } from "./accountAnswer.ts"
import type { ExampleTokens } from "./ExampleTokens.ts"
import { type AccountMethods, endpoints } from "./endpoints.ts"
import * as plan from "./plan.ts"

/** Endpoints about the calling key: its limits, caps, spend and wallet, and the price of a plan of calls. */
export class Account extends Context.Tag("market-signals/core/lanes/Account")<Account, AccountMethods>() {
  static readonly lane: Lane.Lane<"account", typeof endpoints, Account, AccountMethods> = {
    name: "account",
    endpoints,
    tag: Account,
    description: "Limits, caps, spend and wallet of the calling key, and the cost of a plan of calls.",
    about: "caller",
  }

  /** @param catalogue endpoints that a plan may contain */
  static readonly layer = (
    catalogue: Catalogue.Any,
  ): Layer.Layer<Account, never, BaseUrl | ExampleTokens | Ledger | Paying | Payments | RateLimits> =>
    Layer.effect(Account, make(catalogue))
}

/** A catalogue plus the account endpoints. */
export const withAccount = (catalogue: Catalogue.Any): Catalogue.Any => Catalogue.make(...catalogue.lanes, Account.lane)

/** The account endpoints: free, so not part of the catalogue for sale. */
export const accountCatalogue: Catalogue.Catalogue<typeof Account.lane> = Catalogue.make(Account.lane)

const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any) {
  const ledger = yield* Ledger
  const limits = yield* RateLimits

  const key = Effect.fnUntraced(function* () {
    const { caller, startedAt } = yield* CurrentCaller
    const { agent, balance, month, monthSpent } = yield* ledger.spendStatus(caller, startedAt)
    const { limit, remaining, resetSeconds } = yield* limits.peek(caller.keyId, caller.perMinute)
    return accountAnswer<Endpoint.Results<typeof endpoints.key>>(
      {
        key_id: caller.keyId,
        environment: caller.livemode ? "live" : "test",
        ...ifDefined("scopes", caller.scopes),
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
                resets_at: new Date(nextMonth(startedAt)).toISOString(),
              },
            }),
      },
      ["Read limits, caps and spend of the calling key."],
    )
  })

  return Account.of({ key, wallet: yield* makeWallet, planEstimate: yield* plan.make(catalogue) })
})

/** Newest orders among which open ones are looked for. */
const newest = 50

const shown = ({ id, provider, micros }: KnownOrder, { url, endsAt }: Opened) => ({
  id,
  provider,
  micros,
  ...ifDefined("pay_url", url),
  ...(endsAt === undefined ? {} : { expires_at: iso(endsAt) }),
})

/** The method of `/v1/wallet`. */
const makeWallet = Effect.gen(function* () {
  const ledger = yield* Ledger
  const payments = yield* Payments
  const waysToPay = yield* paymentMethods

  const openOrders = (accountId: string, now: number) =>
    Effect.map(payments.page({ accountId, limit: newest }), (orders) =>
      orders.flatMap((order) => {
        const place = placeOf(order, now)
        return place === undefined ? [] : [shown(order, place)]
      }),
    )

  return Effect.fnUntraced(function* () {
    const { caller, startedAt } = yield* CurrentCaller
    const month = monthOf(startedAt)
    const ofAccount =
      caller.agent !== undefined
        ? {}
        : {
            balance_micros: yield* ledger.balance(caller.accountId),
            month_spent_micros: yield* ledger.accountSpent(caller.accountId, month),
            open_orders: yield* openOrders(caller.accountId, startedAt),
          }
    return accountAnswer<Endpoint.Results<typeof endpoints.wallet>>({ ...ofAccount, month, ways_to_pay: waysToPay }, [
      "Read the wallet of the key's account.",
    ])
  })
})

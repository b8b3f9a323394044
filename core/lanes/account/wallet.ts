import * as Effect from "effect/Effect"
import { monthOf } from "../../account/Agent.ts"
import { CurrentCaller } from "../../account/CurrentCaller.ts"
import { Ledger } from "../../account/Ledger.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { ifDefined } from "../../endpoint/Field.ts"
import { type Opened, placeOf } from "../../payment/Order.ts"
import type { KnownOrder } from "../../payment/OrderStore.ts"
import { Payments } from "../../payment/Payments.ts"
import { paymentMethods } from "../../payment/paymentMethods.ts"
import { iso } from "../../time.ts"
import { accountAnswer } from "./accountAnswer.ts"
import type { endpoints } from "./endpoints.ts"

type Results = Endpoint.Results<typeof endpoints.wallet>

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
export const make = Effect.gen(function* () {
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
    const own =
      caller.agent !== undefined
        ? {}
        : {
            balance_micros: yield* ledger.balance(caller.accountId),
            month_spent_micros: yield* ledger.accountSpent(caller.accountId, month),
            open_orders: yield* openOrders(caller.accountId, startedAt),
          }
    return accountAnswer<Results>({ ...own, month, ways_to_pay: waysToPay }, ["Read the wallet of the key's account."])
  })
})

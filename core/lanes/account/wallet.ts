import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { monthOf } from "../../account/Agent.ts"
import { Asker } from "../../account/Asker.ts"
import { Ledger } from "../../account/Ledger.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { ifDefined } from "../../endpoint/Field.ts"
import type { Failure } from "../../Failure.ts"
import type { KnownOrder } from "../../payment/OrderStore.ts"
import { Payments } from "../../payment/Payments.ts"
import { ways } from "../../payment/ways.ts"
import { iso } from "../../time.ts"
import { accountAnswer } from "./accountAnswer.ts"
import type { endpoints } from "./endpoints.ts"

type Results = Endpoint.Results<typeof endpoints.wallet>

/** Newest orders among which open ones are looked for. */
const newest = 50

const shown = ({ id, provider, micros, facts }: KnownOrder) => {
  const opened = facts.find((fact) => fact.kind === "opened")
  return {
    id,
    provider,
    micros,
    ...ifDefined("pay_url", opened?.url),
    ...(opened?.endsAt === undefined ? {} : { expires_at: iso(opened.endsAt) }),
  }
}

const isOpen =
  (now: number) =>
  ({ state, facts }: KnownOrder): boolean =>
    state === "open" && facts.some((fact) => fact.kind === "opened" && (fact.endsAt ?? now) >= now)

/** The method of `/v1/wallet`. Without the service of payments the operator is the only way to pay. */
export const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const payments = Option.getOrUndefined(yield* Effect.serviceOption(Payments))
  const waysToPay = yield* ways

  const openOrders = (accountId: string, now: number): Effect.Effect<ReadonlyArray<KnownOrder>, Failure> =>
    payments === undefined
      ? Effect.succeed([])
      : Effect.map(payments.page({ accountId, limit: newest }), (orders) => orders.filter(isOpen(now)))

  return Effect.fnUntraced(function* () {
    const { caller, startedAt } = yield* Asker
    const month = monthOf(startedAt)
    const own =
      caller.agent !== undefined
        ? {}
        : {
            balance_micros: yield* ledger.balance(caller.accountId),
            month_spent_micros: yield* ledger.accountSpent(caller.accountId, month),
            open_orders: (yield* openOrders(caller.accountId, startedAt)).map(shown),
          }
    return accountAnswer<Results>({ ...own, month, ways_to_pay: waysToPay }, ["Read the wallet of the key's account."])
  })
})

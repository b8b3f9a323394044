import { perform } from "../../../adapters/admin/AdminOperation.ts"
import { orderVerbs } from "../../../adapters/admin/orderVerbs.ts"
import { topUpPath } from "../../../core/account/Quote.ts"
import type { TakingPayments } from "./running.ts"

/** Brings orders of an account into every state; the addresses of the page to top up that show one each, by state. */
export const statesOf = async (
  { running, host, parsed }: TakingPayments,
  account = "tester",
): Promise<Readonly<Record<"left" | "waiting" | "paid" | "ended" | "mismatched" | "returned", string>>> => {
  const begun = async (micros: number): Promise<string> =>
    (await running.run(perform(orderVerbs.ordersBegin, { account, micros }))).id
  host.switch({ deliver: false })
  const paid = await begun(20_000_000)
  host.act("pay", paid)
  const returned = await begun(12_500_000)
  host.act("pay", returned)
  host.act("refund", returned, 250)
  const ended = await begun(5_000_000)
  host.act("expire", ended)
  const mismatched = await begun(50_000_000)
  host.switch({ surcharge: 100 })
  host.act("pay", mismatched)
  host.switch({ surcharge: 0 })
  await parsed("orders reconcile")
  await parsed("orders reconcile --all")
  const waiting = await begun(100_000_000)
  host.act("later", waiting)
  const left = await begun(7_250_000)
  host.calm()
  return {
    left: `${topUpPath}?left=${left}`,
    waiting: `${topUpPath}?order=${waiting}`,
    paid: `${topUpPath}?order=${paid}`,
    ended: `${topUpPath}?order=${ended}`,
    mismatched: `${topUpPath}?order=${mismatched}`,
    returned: `${topUpPath}?order=${returned}`,
  }
}

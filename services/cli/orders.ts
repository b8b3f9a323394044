import { plural } from "../../core/text.ts"
import { command } from "./command.ts"
import { family } from "./parser.ts"
import { table, usd, verbs } from "./shared.ts"

/** Ids, or nothing where there are none. */
const listed = (text: string, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.length === 0 ? [] : [`${text}: ${ids.join(", ")}`]

export const orders = family("orders", "Payments into wallets.", [
  command("begin", verbs.ordersBegin, ({ id, micros, pay_url }) => `order ${id} of ${usd(micros)}: pay at ${pay_url}`),
  command("list", verbs.ordersList, ({ orders }) =>
    table(
      orders.map((each) => [
        each.created_at,
        each.id,
        each.provider,
        usd(each.micros),
        each.state,
        each.reference ?? "",
      ]),
    ),
  ),
  command(
    "reconcile",
    verbs.ordersReconcile,
    ({ looked, added, credited_micros, taken_back_micros, mismatched, unanswered }) =>
      [
        `${plural(looked, "order")} checked: ${plural(added, "change")}, ${usd(credited_micros)} credited, ${usd(taken_back_micros)} taken back`,
        ...listed("under review: the amount or currency paid differs", mismatched),
        ...listed("the provider did not answer", unanswered),
      ].join("\n"),
  ),
])

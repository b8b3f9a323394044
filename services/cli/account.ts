import { accountVerbs } from "../../adapters/admin/accountVerbs.ts"
import { orderVerbs } from "../../adapters/admin/orderVerbs.ts"
import type * as shapes from "../../adapters/admin/shapes.ts"
import { plural } from "../../core/text.ts"
import { command } from "./command.ts"
import { family } from "./parser.ts"
import { table, usd, usdOrNoneOption } from "./shared.ts"

/** One line with the ids, if there are any. */
const listed = (text: string, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.length === 0 ? [] : [`${text}: ${ids.join(", ")}`]

export const orders = family("orders", "Payments into wallets.", [
  command(
    "begin",
    orderVerbs.ordersBegin,
    ({ id, micros, pay_url }) => `order ${id} of ${usd(micros)}: pay at ${pay_url}`,
  ),
  command("list", orderVerbs.ordersList, ({ orders }) =>
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
    orderVerbs.ordersReconcile,
    ({ looked, added, credited_micros, taken_back_micros, mismatched, unanswered }) =>
      [
        `${plural(looked, "order")} checked: ${plural(added, "change")}, ${usd(credited_micros)} credited, ${usd(taken_back_micros)} taken back`,
        ...listed("under review: the amount or currency paid differs", mismatched),
        ...listed("the provider did not answer", unanswered),
      ].join("\n"),
  ),
])

type Account = typeof shapes.Account.Type

const accountState = ({ suspended_at: at }: Account): string => (at === undefined ? "active" : `suspended since ${at}`)

const line = (each: Account): string => `account ${each.id} (${each.name}): ${accountState(each)}`

export const account = family("account", "Accounts.", [
  command("create", accountVerbs.accountsCreate, ({ id, name }) => `account ${id} (${name})`),
  command("list", accountVerbs.accountsList, ({ accounts }) =>
    table(accounts.map((each) => [each.id, each.name, accountState(each)])),
  ),
  command("suspend", accountVerbs.accountsSuspend, line),
  command("resume", accountVerbs.accountsResume, line),
])

const formatThreshold = (micros: number | undefined): string =>
  micros === undefined ? "no event of a low balance" : `event wallet.low below ${usd(micros)}`

export const wallet = family("wallet", "Prepaid wallets.", [
  command(
    "credit",
    accountVerbs.walletCredit,
    ({ credited_micros, balance_micros }, { account }) =>
      `credited ${usd(credited_micros)} to ${account}: balance ${usd(balance_micros)}`,
  ),
  command(
    "reverse",
    accountVerbs.walletReverse,
    ({ credit, reversed_micros, left_micros, balance_micros }) =>
      `took ${usd(reversed_micros)} of ${credit} back, ${usd(left_micros)} is left: balance ${usd(balance_micros)}`,
  ),
  command(
    "threshold",
    accountVerbs.walletThreshold,
    ({ account: id, balance_micros, threshold_micros }) =>
      `${id}: balance ${usd(balance_micros)}, ${formatThreshold(threshold_micros)}`,
    { threshold_micros: usdOrNoneOption("usd") },
  ),
  command("show", accountVerbs.walletShow, ({ account: id, name, balance_micros, threshold_micros, postings }) =>
    [
      `${name} (${id}): balance ${usd(balance_micros)}${threshold_micros === undefined ? "" : `, ${formatThreshold(threshold_micros)}`}`,
      ...postings.map(
        ({ at, micros, kind, endpoint, id, receipt }) =>
          `${at}  ${(micros / 1e6).toFixed(6).padStart(14)}  ${endpoint ?? kind}  ${id}${receipt === undefined ? "" : `  ${receipt}`}`,
      ),
    ].join("\n"),
  ),
])

/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { Account } from "../../../../../core/account/AccountStore.ts"
import { usd } from "../../../../../core/account/Money.ts"
import { Installation, maxSearchedAccounts } from "../../../../../core/operation/Installation.ts"
import { Payments } from "../../../../../core/payment/Payments.ts"
import { count } from "../../../../../core/text.ts"
import { day } from "../../../../../core/time.ts"
import { accountVerbs } from "../../../../admin/accountVerbs.ts"
import { type Named, urgentFirst } from "../../../condition/Condition.ts"
import * as conditions from "../../../condition/ofAccount.ts"
import { deadLetters, due, failing, job, service } from "../../../condition/ofService.ts"
import { Find } from "../../../view/filters.tsx"
import { List, numeric, State } from "../../../view/parts.tsx"
import { Attention } from "../../Attention.tsx"
import { toAction } from "../../actions.ts"
import { VerbForm } from "../../Form.tsx"
import { Pager, shownBy } from "../../listing.tsx"
import type { Operation } from "../../Operation.ts"
import type { Page } from "../../Page.ts"
import { Time } from "../../parts.tsx"
import { accountPath, root } from "./paths.ts"
import { readService } from "./service.tsx"

const { accountsCreate } = accountVerbs

const pageSize = 50

/** How many of the newest payments are checked. */
const paymentsRead = 50

/** The newest payments of all accounts, each with its condition and the account's page. */
const readPayments = (now: number) =>
  Effect.map(
    Effect.flatMap(Payments, ({ page }) => page({ limit: paymentsRead })),
    (orders) =>
      orders.map((order): Named => {
        const condition = conditions.order(order, now)
        const next = { label: "Open account", href: accountPath(order.accountId) }
        return { name: `Payment of ${usd(order.micros)}, ${order.id}`, condition: { ...condition, next } }
      }),
  )

/** Matters that need an operator, the worst first. */
const listUrgent = (operation: Operation, now: number) =>
  Effect.gen(function* () {
    const { report, states } = yield* readService(operation, now)
    const { lanes, others } = service(report, operation.modes, now)
    const { dueAt, dead, failing: failingCount } = yield* (yield* Installation).deliveries(now - day)
    return urgentFirst([
      ...lanes,
      ...others,
      ...states.map((run) => ({ name: run.name, condition: job(run) })),
      ...(yield* readPayments(now)),
      ...(dueAt === undefined ? [] : [{ name: "Deliveries", condition: due(now - dueAt) }]),
      { name: "Webhooks", condition: failing(failingCount) },
      { name: "Webhooks", condition: deadLetters(dead) },
    ])
  })

const AccountCell = ({ account }: { readonly account: Account }) => (
  <>
    <a href={accountPath(account.id)}>{account.name}</a>{" "}
    {account.suspendedAt !== undefined && <State is={conditions.account(account)} />}
  </>
)

/** What needs attention, and the accounts. */
export const accountsPage = (operation: Operation): Page => ({
  path: root,
  label: "Accounts",
  audience: "operator",
  view: (visit) =>
    Effect.gen(function* () {
      const shown = shownBy(visit.query)
      const { text } = shown
      const accounts = yield* (yield* Installation).accounts(text, pageSize + 1, shown.cursor)
      const listed = accounts.slice(0, pageSize)
      const urgent = yield* listUrgent(operation, visit.now)
      return {
        title: "Operator",
        body: (
          <>
            <Attention of={urgent} href={root} />
            <Find label="Find an account" path={root} query={visit.query} />
            <List
              caption={text === "" ? "Accounts, newest first" : "Accounts that match, newest first"}
              rows={listed}
              columns={[
                ["Account", ({ account }) => <AccountCell account={account} />],
                [numeric("Wallet"), ({ balance }) => usd(balance)],
                ["Tier", ({ account }) => account.tier],
                [numeric("Rate limit"), ({ account }) => `${account.perMinute}/min`],
                ["Since", ({ account }) => <Time at={account.createdAt} />],
              ]}
            />
            {accounts.length === 0 && <p>{text === "" ? "No account yet." : "No accounts match your search."}</p>}
            {text !== "" && (
              <p class="soft">
                Only the newest {count(maxSearchedAccounts)} accounts were searched. Enter the full name or id to find
                an older one.
              </p>
            )}
            <Pager
              path={root}
              shown={{ ...shown, isOpen: true }}
              what="accounts"
              last={accounts.length > pageSize ? listed.at(-1)?.account.id : undefined}
            />
            <h2>New account</h2>
            <VerbForm visit={visit} action="create" button="Create account" verb={accountsCreate} />
          </>
        ),
      }
    }),
  actions: { create: toAction(accountsCreate, ({ id }) => ({ to: accountPath(id) })) },
})

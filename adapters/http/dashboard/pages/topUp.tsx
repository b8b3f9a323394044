/** @jsxRuntime automatic @jsxImportSource preact */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { topUpPath } from "../../../../core/account/Quote.ts"
import { Gateway } from "../../../../core/gateway/Gateway.ts"
import { meanings } from "../../../../core/payment/Order.ts"
import type { KnownOrder } from "../../../../core/payment/OrderStore.ts"
import { Payments } from "../../../../core/payment/Payments.ts"
import * as AdminOperation from "../../../admin/AdminOperation.ts"
import { orderVerbs } from "../../../admin/orderVerbs.ts"
import { Table } from "../../view/Table.tsx"
import { runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import { type AccountVisit, ofAccount, type Page } from "../Page.ts"
import { Contact, Time, usd } from "../parts.tsx"
import { path as walletPath } from "./wallet.tsx"

const { ordersBegin } = orderVerbs

/** Orders of the page. */
const most = 20

/** The amount that the form begins with, USD. */
const usual = "20"

const factOf = <K extends KnownOrder["facts"][number]["kind"]>({ facts }: KnownOrder, kind: K) =>
  facts.find((fact): fact is Extract<KnownOrder["facts"][number], { kind: K }> => fact.kind === kind)

/** Where an order can still be paid. */
const placeOf = (order: KnownOrder, now: number): string | undefined => {
  const opened = factOf(order, "opened")
  return order.state === "open" && (opened?.endsAt ?? now) >= now ? opened?.url : undefined
}

/** The order that a browser comes back from, as its provider says it stands now. */
const returnedFrom = ({ account, query }: AccountVisit) =>
  Effect.gen(function* () {
    const { find, look } = yield* Payments
    const id = query.get("order") ?? query.get("left")
    const order = id === null ? undefined : yield* find(id)
    if (order === undefined || order.accountId !== account.id) return undefined
    // The provider's message may come later than the browser. If the provider does not answer, it will.
    return order.state === "open" ? yield* Effect.orElseSucceed(look(order), () => order) : order
  })

const Returned = ({ order, left }: { readonly order: KnownOrder; readonly left: boolean }) => {
  const { state, micros, id } = order
  if (state === "paid") {
    return (
      <p class="notice" role="status">
        <strong>{usd(micros)} are in the wallet.</strong> The receipt is in the <a href={walletPath}>journal</a> as{" "}
        <code>{id}</code>.
      </p>
    )
  }
  if (state === "open") {
    return (
      <p class="notice" role="status">
        {left ? (
          <>Nothing was paid. The page to pay on stays open, see below.</>
        ) : (
          <>
            <strong>The provider has not confirmed the payment yet.</strong> Some ways to pay take days. The wallet is
            credited as soon as it does; <a href={`${topUpPath}?order=${id}`}>look again</a>.
          </>
        )}
      </p>
    )
  }
  return (
    <p class="notice" role="status">
      {meanings[state]} The order is <code>{id}</code>.
    </p>
  )
}

const Orders = ({ orders, now }: { readonly orders: ReadonlyArray<KnownOrder>; readonly now: number }) => (
  <section class="listing">
    <h2>Payments</h2>
    <Table
      caption="Newest payments; times are UTC"
      columns={[
        { name: "Time" },
        { name: "Order" },
        { name: "Amount", isNumber: true },
        { name: "State" },
        { name: "Receipt" },
      ]}
      rows={orders.map((order) => {
        const place = placeOf(order, now)
        return [
          <Time key="at" at={order.createdAt} />,
          <code key="id">{order.id}</code>,
          usd(order.micros),
          <>
            {order.state}
            {order.takenBack > 0 && `: ${usd(order.takenBack)} taken back`}
            {place !== undefined && (
              <>
                {" "}
                <a href={place}>Pay</a>
              </>
            )}
          </>,
          <>
            {order.provider} <code>{factOf(order, "paid")?.reference ?? ""}</code>
          </>,
        ]
      })}
    />
  </section>
)

const view = (contact: string | undefined) => (visit: AccountVisit) =>
  Effect.gen(function* () {
    const { account, session, actor, query } = visit
    const { ways, page } = yield* Payments
    const { waysToPay } = yield* Gateway
    const returned = yield* returnedFrom(visit)
    const { balance } = yield* Effect.flatMap(Accounts, (accounts) => accounts.balance(account.id))
    const orders = yield* page({ accountId: account.id, limit: most })
    const now = yield* Clock.currentTimeMillis
    const mayPay = AdminOperation.isAllowed(ordersBegin, actor)
    return {
      title: "Top up",
      formsTo: ways.map(({ origin }) => origin),
      body: (
        <>
          {returned !== undefined && <Returned order={returned} left={query.has("left")} />}
          <p>
            The wallet of {account.name} has <strong>{usd(balance)}</strong>. Calls with live keys are charged to it;
            test keys are free.
          </p>
          {ways.map(({ provider, label }) => (
            <section key={provider}>
              <h2>{label}</h2>
              {mayPay ? (
                <Form visit={visit} action="begin" button={`Pay by ${label.toLowerCase()}`} given={{ provider }}>
                  <Fields
                    visit={visit}
                    action="begin"
                    verb={ordersBegin}
                    omitted={["provider", "origin"]}
                    values={{ micros: usual }}
                  />
                </Form>
              ) : (
                <p>An owner of the account can pay here.</p>
              )}
            </section>
          ))}
          {waysToPay.some(({ way }) => way === "x402") && (
            <section>
              <h2>By agents</h2>
              <p>
                A call that the wallet does not cover answers 402 with terms of x402: an agent with a funded wallet of
                its own signs a payment, repeats the call with it, and the amount is credited here.
              </p>
            </section>
          )}
          <h2>By the operator</h2>
          <p>
            {ways.length === 0 && "There is no payment provider here: the operator credits wallets. "}
            Ask <Contact contact={contact} />, and name the account <code>{account.id}</code>. The credit is in the{" "}
            <a href={walletPath}>journal</a> at once, and refused calls work when they are repeated.
          </p>
          {session.person.isOperator ? (
            <p>
              You are an operator: credit it on the page <a href="/dashboard/operator">Operator</a>, or by the command
              line:
            </p>
          ) : (
            <p>An operator credits it on the page Operator of the dashboard, or by the command line:</p>
          )}
          <pre>
            <code>{`market-signals wallet credit --account ${account.id} --usd 5`}</code>
          </pre>
          {orders.length > 0 && <Orders orders={orders} now={now} />}
        </>
      ),
    }
  })

/**
 * The page that says how to credit the wallet, and leads to the providers' pages.
 *
 * @param contact of the operator, a URL or `mailto:`
 */
export const topUpPage = (contact: string | undefined): Page =>
  ofAccount({
    path: topUpPath,
    view: view(contact),
    actions: {
      begin: runs(
        ordersBegin,
        ({ pay_url }) => ({ to: pay_url }),
        ({ origin }, values) => ({ origin, provider: values.get("provider") ?? "" }),
      ),
    },
  })

/** @jsxRuntime automatic @jsxImportSource preact */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { parseUsd, usd } from "../../../../core/account/Money.ts"
import { topUpPath } from "../../../../core/account/Quote.ts"
import { Gateway } from "../../../../core/gateway/Gateway.ts"
import { firstFact, openPayment, stateMeanings } from "../../../../core/payment/Order.ts"
import type { OrderWithFacts } from "../../../../core/payment/OrderStore.ts"
import { Payments } from "../../../../core/payment/Payments.ts"
import * as AdminOperation from "../../../admin/AdminOperation.ts"
import { orderVerbs } from "../../../admin/orderVerbs.ts"
import * as conditions from "../../condition/ofAccount.ts"
import { Figure, List, numeric, State } from "../../view/parts.tsx"
import { toAction } from "../actions.ts"
import { VerbForm } from "../Form.tsx"
import { type AccountVisit, ofAccount, type Page } from "../Page.ts"
import { Contact, Id, Time } from "../parts.tsx"
import { Sums } from "../WalletCard.tsx"
import { transactionsPath } from "./wallet.tsx"

const { ordersBegin } = orderVerbs

/** Orders of the page. */
const ordersShown = 20

/** Amounts to pick, USD. */
const amounts = ["10", "20", "50", "100"]

/** The amount that the form begins with, USD. */
const defaultUsd = "20"

/** How long a page waits for the provider's answer about an order. */
const timeLimit = "5 seconds"

interface Found {
  readonly order: OrderWithFacts
  /** Whether the order is as the provider says it stands now; false: as it was known. */
  readonly isAsked: boolean
}

/** The order that the page's address names, which a browser comes back from or goes on to pay. */
const foundBy = ({ account, query }: AccountVisit) =>
  Effect.gen(function* () {
    const { find, look } = yield* Payments
    const id = query.get("order") ?? query.get("left")
    const order = id === null ? undefined : yield* find(id)
    if (order === undefined || order.accountId !== account.id) return undefined
    if (order.state !== "open") return { order, isAsked: true }
    // The provider's message may come later than the browser. If the provider does not answer, it will.
    return yield* look(order).pipe(
      Effect.timeout(timeLimit),
      Effect.match({
        onFailure: (): Found => ({ order, isAsked: false }),
        onSuccess: (noted): Found => ({ order: noted, isAsked: true }),
      }),
    )
  })

const Again = ({ order: { id } }: Pick<Found, "order">) => <a href={`${topUpPath}?order=${id}`}>Check again</a>

/** The notice of an order that nobody has paid. */
const Unpaid = ({ order, isAsked, left, now }: Found & { readonly left: boolean; readonly now: number }) => {
  const amount = usd(order.micros)
  if (!isAsked) {
    return (
      <>
        <strong>The provider does not answer at the moment.</strong> If you have paid {amount}, the wallet is credited
        as soon as the provider confirms it. <Again order={order} />.
      </>
    )
  }
  if (!left) {
    return (
      <>
        <strong>The provider has not confirmed the payment of {amount} yet.</strong> Some ways to pay take days. The
        wallet is credited as soon as the provider does. <Again order={order} />.
      </>
    )
  }
  const paymentUrl = openPayment(order, now)?.url
  return (
    <>
      <strong>{amount} not paid.</strong>{" "}
      {paymentUrl === undefined ? (
        "The payment page has expired. Start another payment."
      ) : (
        <>
          The payment page is still open: <a href={paymentUrl}>Pay {amount}</a>
        </>
      )}
    </>
  )
}

const Notice = ({ left, now, ...found }: Found & { readonly left: boolean; readonly now: number }) => {
  const { state, micros, id, takenBackMicros } = found.order
  return (
    <p class="notice" role="status">
      {state === "open" ? (
        <Unpaid {...found} left={left} now={now} />
      ) : state === "paid" ? (
        <>
          <strong>{usd(micros)} added.</strong> See <code>{id}</code> in the <a href={transactionsPath}>journal</a>.
        </>
      ) : state === "returned" ? (
        <>
          {usd(micros)} added, and <strong>{usd(takenBackMicros)} taken back</strong> after a refund or a dispute. See{" "}
          <code>{id}</code> in the <a href={transactionsPath}>journal</a>.
        </>
      ) : (
        <>
          {stateMeanings[state]} The order is <code>{id}</code>.
        </>
      )}
    </p>
  )
}

/** The state of an order, with the way to its payment page, if it is paid there. */
const orderState = (order: OrderWithFacts, now: number, place: string | undefined) => (
  <>
    <State is={conditions.order(order, now)} />
    {place !== undefined && (
      <>
        {" "}
        <a href={place}>
          Continue<span class="unseen"> to pay {usd(order.micros)}</span>
        </a>
      </>
    )}
  </>
)

const providerName = (provider: string): string => (provider === "stripe" ? "Stripe" : provider)

const receiptOf = (order: OrderWithFacts) => {
  const receipt = firstFact(order, "paid")?.reference
  return receipt === undefined ? (
    "–"
  ) : (
    <>
      {providerName(order.provider)} <Id of={receipt} />
    </>
  )
}

/** @param waiting id of an order that waits for its provider: it is not paid again */
const Orders = ({
  orders,
  now,
  waiting,
}: {
  readonly orders: ReadonlyArray<OrderWithFacts>
  readonly now: number
  readonly waiting: string | undefined
}) => (
  <section class="listing">
    <h2>Payments</h2>
    <List
      isBrief
      caption="Newest payments"
      rows={orders}
      columns={[
        ["Time", ({ createdAt }) => <Time at={createdAt} />],
        ["Order", ({ id }) => <Id of={id} />],
        [numeric("Amount"), ({ micros }) => usd(micros)],
        ["State", (order) => orderState(order, now, order.id === waiting ? undefined : openPayment(order, now)?.url)],
        [{ name: "Receipt", isWide: true }, receiptOf],
      ]}
    />
  </section>
)

/** The form of a way to pay; amounts to pick fill it. Script keeps the sums that follow from the amount. */
const PayForm = ({
  visit,
  provider,
  balance,
}: {
  readonly visit: AccountVisit
  readonly provider: string
  readonly balance: number
}) => {
  const amount = amounts.find((each) => each === visit.query.get("amount")) ?? defaultUsd
  const entered = parseUsd((visit.sent?.values.get("micros") ?? amount).trim())
  const sum = (base: number) => <span data-sum={base}>{entered === undefined ? "" : usd(base + entered)}</span>
  return (
    <>
      <nav class="chips" aria-label="Amounts">
        {amounts.map((each) => (
          <a
            key={each}
            class="chip"
            href={`${topUpPath}?amount=${each}`}
            {...(each === amount ? { "aria-current": "true" as const } : {})}
          >
            {each} USD
          </a>
        ))}
      </nav>
      <VerbForm
        visit={visit}
        action="begin"
        button={<>Pay {sum(0)}</>}
        given={{ provider }}
        verb={ordersBegin}
        omitted={["provider", "origin"]}
        values={{ micros: amount }}
      >
        <p class="soft sum">Balance after the payment: {sum(balance)}</p>
        <p class="soft">You pay on {providerName(provider)}'s page; no card number reaches this server.</p>
      </VerbForm>
    </>
  )
}

/** How money is added where no card is taken. */
const WithoutCards = ({ accountId, contact }: { readonly accountId: string; readonly contact: string | undefined }) => (
  <section class="card">
    <h2>Who can add money</h2>
    <p>
      Card payments are not set up.{" "}
      {contact === undefined && (
        <>
          The operator of this service credits the account <code>{accountId}</code> by command line, with{" "}
          <code>wallet credit</code>.
        </>
      )}
    </p>
    <p>
      Test keys stay free, and answer sample data. <a href="/dashboard/keys/new">Create one</a>.
    </p>
  </section>
)

const view = (contact: string | undefined) => (visit: AccountVisit) =>
  Effect.gen(function* () {
    const { account, session, actor, query } = visit
    const { ways, page } = yield* Payments
    const { waysToPay } = yield* Gateway
    const order = yield* foundBy(visit)
    const left = query.has("left")
    const { balance } = yield* Effect.flatMap(Accounts, (accounts) => accounts.balance(account.id))
    const orders = yield* page({ accountId: account.id, limit: ordersShown })
    const now = yield* Clock.currentTimeMillis
    const mayPay = AdminOperation.isAllowed(ordersBegin, actor)
    return {
      title: "Top up",
      formsTo: mayPay ? ways.map(({ origin }) => origin) : [],
      body: (
        <>
          {order !== undefined && <Notice {...order} left={left} now={now} />}
          <Sums note="Live keys are charged to it; test keys are free">
            <Figure name={`Balance of ${account.name}`}>{usd(balance)}</Figure>
          </Sums>
          {ways.map((way) => (
            <section key={way.provider}>
              <h2>By {way.label.toLowerCase()}</h2>
              {mayPay && <PayForm visit={visit} provider={way.provider} balance={balance} />}
            </section>
          ))}
          {orders.length > 0 && <Orders orders={orders} now={now} waiting={left ? undefined : order?.order.id} />}
          {waysToPay.some(({ way }) => way === "x402") && (
            <section>
              <h2>By agents</h2>
              <p>
                A call that the wallet does not cover answers 402 with terms of x402: an agent with a funded wallet of
                its own signs a payment, repeats the call with it, and the amount is credited here.
              </p>
            </section>
          )}
          {ways.length === 0 && <WithoutCards accountId={account.id} contact={contact} />}
          {contact !== undefined && (
            <section>
              <h2>By the operator</h2>
              <p>
                Ask <Contact contact={contact} />, and name the account <code>{account.id}</code>. The{" "}
                <a href={transactionsPath}>credit</a> counts at once.
              </p>
            </section>
          )}
          {session.person.isOperator && (
            <p>
              You are an operator: credit it on <a href={`/dashboard/operator/accounts/${account.id}`}>its page</a>.
            </p>
          )}
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
    label: "Top up",
    view: view(contact),
    actions: {
      begin: toAction(
        ordersBegin,
        ({ pay_url }) => ({ to: pay_url }),
        ({ origin }, values) => ({ origin, provider: values.get("provider") ?? "" }),
      ),
    },
  })

import type { MicroUsd } from "../account/Money.ts"

/** The smallest and the largest payment into a wallet, micro-dollars. */
export const topUpLimits = { least: 1_000_000, most: 10_000_000_000 } as const

/** A requested payment. */
export interface Order {
  /** `txn_` and a ULID: the id of the credit in the journal, so that an order is credited at most once. */
  readonly id: string
  readonly accountId: string
  /** Name of the payment provider, such as `stripe`. */
  readonly provider: string
  /** The amount to be paid and credited. */
  readonly micros: MicroUsd
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** An amount in the provider's books. Only amounts in `usd` that are whole micro-dollars can be credited. */
export interface PaidAmount {
  readonly micros: number
  /** Lower-case ISO 4217 code. */
  readonly currency: string
}

/**
 * A fact about an order in the provider's books. `reference` is the provider's id of the fact: the same fact has the same
 * reference however often and in whatever way it is learned.
 */
export type Fact =
  /** Payment can begin: there is a URL to pay at, or a signed payment. */
  | { readonly kind: "opened"; readonly reference: string; readonly url?: string; readonly endsAt?: number }
  /** The money has arrived. */
  | { readonly kind: "paid"; readonly reference: string; readonly amount: PaidAmount }
  /** Expired, or the payment failed. A payment that arrives later still counts. */
  | { readonly kind: "ended"; readonly reference: string; readonly detail: string }
  /** Total refunded so far. */
  | { readonly kind: "refunded"; readonly reference: string; readonly amount: PaidAmount }
  /** Taken back by a dispute; disputes with different references add up. */
  | { readonly kind: "disputed"; readonly reference: string; readonly amount: PaidAmount }

export type FactKind = Fact["kind"]

export type Opened = Extract<Fact, { readonly kind: "opened" }>

/** Whether the exact amount of an order was paid, in dollars. */
const isExactAmount = ({ micros }: Pick<Order, "micros">, amount: PaidAmount): boolean =>
  amount.currency === "usd" && amount.micros === micros

export const firstFact = <F extends Fact, K extends FactKind>(
  { facts }: { readonly facts: ReadonlyArray<F> },
  kind: K,
): Extract<F, { readonly kind: K }> | undefined =>
  facts.find((fact): fact is Extract<F, { readonly kind: K }> => fact.kind === kind)

/** The fact that says where an order can still be paid; undefined: it cannot. */
export const openPayment = (
  order: { readonly state: OrderState; readonly facts: ReadonlyArray<Fact> },
  now: number,
): Opened | undefined => {
  const opened = firstFact(order, "opened")
  const isOver = opened?.endsAt !== undefined && opened.endsAt < now
  return order.state === "open" && !isOver ? opened : undefined
}

export const stateMeanings = {
  open: "Nobody has paid.",
  paid: "Paid and credited.",
  mismatched: "The amount or currency paid differs from the order. It is under review; nothing was credited yet.",
  ended: "Expired or failed; nothing was paid.",
  returned: "Paid and credited, then given back in part or whole.",
} as const

export type OrderState = keyof typeof stateMeanings

export const orderStates = Object.keys(stateMeanings) as [OrderState, ...Array<OrderState>]

/** The part of an order that the facts demand back from the wallet, at most the order's amount. */
const amountToReturn = (order: Order, facts: ReadonlyArray<Fact>): number => {
  let refunded = 0
  let disputed = 0
  for (const fact of facts) {
    if (fact.kind === "refunded") refunded = Math.max(refunded, fact.amount.micros)
    if (fact.kind === "disputed") disputed += fact.amount.micros
  }
  return Math.min(order.micros, refunded + disputed)
}

/**
 * The state of an order and the micro-dollars to be taken back, derived from the set of its facts: the same fact delivered
 * twice, late or out of order changes nothing.
 *
 * @param facts without two of one kind and reference
 */
export const orderStatus = (
  order: Order,
  facts: ReadonlyArray<Fact>,
): { readonly state: OrderState; readonly returned: number } => {
  const paid = facts.filter((fact) => fact.kind === "paid")
  if (paid.some(({ amount }) => isExactAmount(order, amount))) {
    const returned = amountToReturn(order, facts)
    return { state: returned > 0 ? "returned" : "paid", returned }
  }
  if (paid.length > 0) return { state: "mismatched", returned: 0 }
  return { state: facts.some(({ kind }) => kind === "ended") ? "ended" : "open", returned: 0 }
}

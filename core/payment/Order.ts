import type { MicroUsd } from "../account/Money.ts"

/** The smallest and the largest payment into a wallet, micro-dollars. */
export const limits = { least: 1_000_000, most: 10_000_000_000 } as const

/** A payment that somebody was asked for. */
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
export interface Amount {
  readonly micros: number
  /** Lower-case ISO 4217 code. */
  readonly currency: string
}

/**
 * A fact about an order in the provider's books. `reference` is the provider's id of the fact: the same fact has the same
 * reference however often and in whatever way it is learned.
 */
export type Fact =
  /** There is a place to pay, or a signed payment. */
  | { readonly kind: "opened"; readonly reference: string; readonly url?: string; readonly endsAt?: number }
  /** The money has arrived. */
  | { readonly kind: "paid"; readonly reference: string; readonly amount: Amount }
  /** Expired, or the payment failed. A payment that arrives later still counts. */
  | { readonly kind: "ended"; readonly reference: string; readonly detail: string }
  /** Given back to the payer so far, in all. */
  | { readonly kind: "refunded"; readonly reference: string; readonly amount: Amount }
  /** Taken back by a dispute; disputes with different references add up. */
  | { readonly kind: "disputed"; readonly reference: string; readonly amount: Amount }

export type FactKind = Fact["kind"]

/** The fact that opens an order. */
export type Opened = Extract<Fact, { readonly kind: "opened" }>

/** Whether an order was paid as it was asked for: the exact amount, in dollars. */
const isMatch = ({ micros }: Pick<Order, "micros">, amount: Amount): boolean =>
  amount.currency === "usd" && amount.micros === micros

/** The first fact of a kind. */
export const factOf = <F extends Fact, K extends FactKind>(
  { facts }: { readonly facts: ReadonlyArray<F> },
  kind: K,
): Extract<F, { readonly kind: K }> | undefined =>
  facts.find((fact): fact is Extract<F, { readonly kind: K }> => fact.kind === kind)

/** Where an order can still be paid. */
export const placeOf = (
  order: { readonly state: State; readonly facts: ReadonlyArray<Fact> },
  now: number,
): Opened | undefined => {
  const opened = factOf(order, "opened")
  return order.state === "open" && (opened?.endsAt ?? now) >= now ? opened : undefined
}

/** How an order may stand, with its meaning. */
export const meanings = {
  open: "Nobody has paid.",
  paid: "Paid and credited.",
  mismatched: "The amount or currency paid differs from the order. It is under review; nothing was credited yet.",
  ended: "Expired or failed, nothing was paid.",
  returned: "Paid and credited, then given back in part or whole.",
} as const

export type State = keyof typeof meanings

export const states = Object.keys(meanings) as [State, ...Array<State>]

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
 * The consequence of all facts known of an order: its state, and the micro-dollars that must go back. It depends on the set
 * of facts alone, not on their order or number: a proof that is delivered twice, late or before an earlier one changes
 * nothing.
 *
 * @param facts without two of one kind and reference
 */
export const standing = (
  order: Order,
  facts: ReadonlyArray<Fact>,
): { readonly state: State; readonly returned: number } => {
  const paid = facts.filter((fact) => fact.kind === "paid")
  if (paid.some(({ amount }) => isMatch(order, amount))) {
    const returned = amountToReturn(order, facts)
    return { state: returned > 0 ? "returned" : "paid", returned }
  }
  if (paid.length > 0) return { state: "mismatched", returned: 0 }
  return { state: facts.some(({ kind }) => kind === "ended") ? "ended" : "open", returned: 0 }
}

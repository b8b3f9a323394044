import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { MicroUsd } from "../account/Money.ts"
import type { Failure } from "../Failure.ts"
import type { Fact, Opened, Order, OrderState } from "./Order.ts"

export interface OrderWithFacts extends Order {
  readonly state: OrderState
  /** In the order in which they were learned. */
  readonly facts: ReadonlyArray<Fact & { readonly at: number }>
  /** Credited to the wallet: the order's amount, or nothing. */
  readonly creditedMicros: number
  /** Taken back from the wallet so far. */
  readonly takenBackMicros: number
}

/** The effect of new facts. */
export interface Noted extends OrderWithFacts {
  /** Number of new facts. */
  readonly added: number
  /** The part to be taken back that the wallet does not have: the account is suspended for it. */
  readonly missing: MicroUsd
}

/** Why a payer may not pay at the moment. */
export interface Turn {
  /** The payment under way; absent: none, and the payer waits because the network reverted its last one. */
  readonly orderId?: string
  /** Epoch milliseconds. */
  readonly until: number
}

/** A payer's claim to pay, which nobody else has until it ends. */
export interface Claim {
  readonly payer: string
  /** Epoch milliseconds at which it ends by itself, such as after a crash. */
  readonly until: number
}

/**
 * How a claim ends. After a payment that the network reverted, which cost a fee, the payer waits ten minutes for each such
 * payment since the last good one, an hour at most.
 */
export type TurnEnd = "paid" | "refused" | "reverted"

/** The outcome of a new order. Only with `Inserted` something was written. */
export type Insertion =
  | { readonly _tag: "Inserted" }
  /** Another order has its reference. */
  | { readonly _tag: "Known" }
  | { readonly _tag: "Busy"; readonly turn: Turn }

/** Orders and the facts known of them: append-only rows. Every method is one short transaction. */
export class OrderStore extends Context.Tag("market-signals/core/payment/OrderStore")<
  OrderStore,
  {
    /** An order with the fact that opened it, and the claim of its payer if the payment comes with a call. */
    readonly insert: (order: Order, opened: Opened, claim?: Claim) => Effect.Effect<Insertion, Failure>
    /** Why a payer may not pay now; undefined: it may. */
    readonly turnOf: (payer: string, now: number) => Effect.Effect<Turn | undefined, Failure>
    /** Extends the claim of an order, if it still has it. */
    readonly renewTurn: (orderId: string, until: number) => Effect.Effect<void, Failure>
    /** Ends the claim of an order, if it still has it. */
    readonly endTurn: (orderId: string, how: TurnEnd, at: number) => Effect.Effect<void, Failure>
    /**
     * Appends the facts that are new, and brings journal and wallet in line with all facts of the order, in one
     * transaction: the credit under the order's id, once; reversals down to a balance of zero; the suspension of the
     * account if something is missing. Undefined: no such order.
     */
    readonly note: (of: {
      readonly orderId: string
      readonly facts: ReadonlyArray<Fact>
      /** Id of the reversal, if there is one: `txn_` and a ULID. */
      readonly reversalId: string
      readonly at: number
    }) => Effect.Effect<Noted | undefined, Failure>
    readonly find: (orderId: string) => Effect.Effect<OrderWithFacts | undefined, Failure>
    /** The order that a fact of a kind belongs to, such as a dispute's payment. */
    readonly findBy: (kind: Fact["kind"], reference: string) => Effect.Effect<OrderWithFacts | undefined, Failure>
    /** Newest first. `cursor` is the id of an order: only older ones. */
    readonly page: (of: {
      /** Absent: all accounts. */
      readonly accountId?: string
      readonly cursor?: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrderWithFacts>, Failure>
    /**
     * Orders whose payment has begun, oldest first, for the comparison with the provider's books.
     *
     * @param after only those with a greater id, which begins with the time of the order
     */
    readonly opened: (of: {
      readonly after: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<OrderWithFacts>, Failure>
  }
>() {}

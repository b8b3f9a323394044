import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Fact, Opened, Order, OrderState } from "./Order.ts"

/** The headers of a request, with names in lower case. */
export type ProofHeaders = Readonly<Record<string, string | undefined>>

/** A fact that a proof shows, and the order that it belongs to. */
export interface PaymentProof {
  readonly orderId: string
  readonly fact: Fact
}

/** A provider's books, for orders whose proof has not arrived. */
export interface ProviderBooks {
  /** The provider's name in orders: lower-case letters and digits. It never changes. */
  readonly provider: string
  /** Days for which a paid order is checked once a day: its money may be refunded, or turn out not to have arrived. */
  readonly watchedDays: number
  /**
   * All facts of an order that the provider knows now.
   *
   * @param order its state where it is known
   * @param opened the fact with which the order was opened
   */
  readonly look: (
    order: Order & { readonly state?: OrderState },
    opened: Opened,
  ) => Effect.Effect<ReadonlyArray<Fact>, Failure>
}

/** A provider of pages on which people pay. */
export interface TopUp extends ProviderBooks {
  /** The way to pay, for people: `card`. */
  readonly label: string
  /** The origin of the pages, for the policy of forms that lead there. */
  readonly origin: string
  /**
   * Opens a page for an order. The same order has the same page however often it is opened.
   *
   * @param back addresses to which the page sends the browser
   */
  readonly begin: (
    order: Order,
    back: { readonly paid: string; readonly cancelled: string },
  ) => Effect.Effect<Required<Opened>, Failure>
  /**
   * Checks a message that claims to come from the provider. It fails if the message is not genuine; facts of orders that
   * are not ours are left out.
   *
   * @param body the bytes as they were sent
   */
  readonly proof: (headers: ProofHeaders, body: Uint8Array) => Effect.Effect<ReadonlyArray<PaymentProof>, Failure>
}

import type * as Effect from "effect/Effect"
import type { MicroUsd } from "../account/Money.ts"
import type { Failure } from "../Failure.ts"
import type { Accept } from "./Accept.ts"
import type { Fact, Order } from "./Order.ts"
import type { Books } from "./TopUp.ts"

/** A payment that came with a call: genuine, covered by the payer's balance and not yet taken, unless it was used before. */
export interface Offered {
  /** Whether the network shows a use of it. Then nothing else was checked, and it is not to be taken. */
  readonly isUsed: boolean
  /** Address of the payer, lower case. */
  readonly payer: string
  /** Identifies the signed payment for ever: a second use is recognised by it. */
  readonly reference: string
  readonly micros: MicroUsd
  /** Until when the signed payment can be taken, epoch milliseconds. */
  readonly endsAt: number
  /** Takes the money, and returns when it has arrived. Nothing ends it but its own time limits. */
  readonly take: (order: Order) => Effect.Effect<Taken, Failure>
}

export interface Taken {
  readonly fact: Extract<Fact, { kind: "paid" }>
  /** The value of the header `PAYMENT-RESPONSE`. */
  readonly receipt: string
}

/** Payments that agents send with a call, by the protocol x402. */
export interface CallPayments extends Books {
  /** Whether a payment for one call stands in for a key. */
  readonly keyless: boolean
  /** The terms for an amount. */
  readonly accept: (micros: MicroUsd) => Accept
  /**
   * The value of the header `PAYMENT-REQUIRED`.
   *
   * @param resource the URL that asks to be paid
   */
  readonly required: (resource: string, accepts: ReadonlyArray<Accept>, reason: string) => string
  /**
   * Reads and checks the value of the header `PAYMENT-SIGNATURE`; nothing is taken yet. It fails with `payment_invalid`,
   * `payment_expired`, `payment_underpaid` or `payment_wrong_network`.
   *
   * @param amounts the amounts of the terms that the payment may be for
   */
  readonly read: (header: string, amounts: ReadonlyArray<MicroUsd>) => Effect.Effect<Offered, Failure>
}
